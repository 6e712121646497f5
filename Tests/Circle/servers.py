# SPDX-License-Identifier: Apache-2.0
"""Rows about what a server, its administrator, its dumps and its roles can do."""
import json
import pathlib
import shutil
import subprocess
import time

import people
from scene import LIMIT, TABLES, Machine, awaited, check

ESCAPES = "\\033]0;owned\\007\\033[31m"


def columns(server):
    rows = server.sql(
        "select table_name, column_name, data_type from information_schema.columns where table_schema = 'llavero' order by table_name, ordinal_position")
    return [row.split("\t") for row in rows.splitlines()]


def changed(kind, column):
    """SQL that makes another value of the same form."""
    if kind == "bytea":
        return f"set_byte({column}, octet_length({column}) / 2, get_byte({column}, octet_length({column}) / 2) # 1)"
    return {"bigint": f"{column} + 1000", "integer": f"{column} + 1", "name": "'m_b'", "timestamp with time zone": f"{column} + interval '1 day'"}[kind]


def tampers(server):
    """Each as a name and SQL: every column changed, swapped between two rows, emptied; rows gone, twice, put back to old ones."""
    found = []
    for table, column, kind in columns(server):
        full = f"llavero.{table}"
        found.append((f"{table}.{column} changed", f"update {full} set {column} = {changed(kind, column)}"))
        found.append((f"{table}.{column} changed in the newest", f"update {full} set {column} = {changed(kind, column)} where ctid = (select max(ctid) from {full})"))
        if kind == "bytea" and column == "body":
            found.append((f"{table}.body emptied", f"update {full} set body = ''"))
            found.append((f"{table}.body cut", f"update {full} set body = substring(body for octet_length(body) - 1)"))
            found.append((f"{table}.body longer", f"update {full} set body = body || '\\x00'"))
        found.append((f"{table}.{column} swapped", f"""
            alter table {full} drop constraint if exists {table}_pkey;
            with two as (select ctid, {column} as own, row_number() over (order by ctid desc) as place from {full} limit 2)
            update {full} t set {column} = (select o.own from two o where o.ctid <> t.ctid) where t.ctid in (select ctid from two)
                and (select count(*) from two) = 2"""))
    for table in TABLES:
        full = f"llavero.{table}"
        found.append((f"{table} emptied", f"delete from {full}"))
        found.append((f"{table} without its newest", f"delete from {full} where ctid = (select max(ctid) from {full})"))
        found.append((f"{table} without its oldest", f"delete from {full} where ctid = (select min(ctid) from {full})"))
    found.append(("an old record in a new one's place", """update llavero.lv_record t set body = (select body from llavero.lv_record o
        where o.id = t.id and o.n < t.n order by o.n limit 1) where exists (select from llavero.lv_record o where o.id = t.id and o.n < t.n)"""))
    found.append(("a head put in again", "insert into llavero.lv_head(circle, view, n, who, body) select circle, view, n + 1, who, body from llavero.lv_head where n = (select max(n) from llavero.lv_head h where h.view = lv_head.view)"))
    found.append(("a head of the other chain", "update llavero.lv_head t set body = (select body from llavero.lv_head o where o.view <> t.view and o.n = t.n) where exists (select from llavero.lv_head o where o.view <> t.view and o.n = t.n)"))
    return found


def row_20_each_column(place, long):
    """Whatever the superuser does, a sync is refused or unharmed, and what was here stays; without it, all is equal again."""
    server, a, b = place.server, place["a"], place["b"]
    a.take({"one": "1", "two": "2"})
    place.exchange(1)
    a.edit("one", "1b")
    a.add("three", "3")
    a.synced()
    expected, before = a.shared(), b.shared()
    server.keep()
    a.keep()
    b.keep()
    refused = unharmed = alarmed = later = 0
    all_of_them = tampers(server)
    chosen = all_of_them if long else all_of_them[::9]
    problems = []
    constraint = server.sql("select conrelid::regclass::text || ' add ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'p' and connamespace = 'llavero'::regnamespace").splitlines()
    for name, sql in chosen:
        server.put_back()
        for machine in (a, b):
            machine.put_back()
        try:
            server.sql("begin; set session_replication_role = replica;" + sql + "; commit;")
        except Exception as error:
            if "violates" not in str(error):
                raise
            continue
        for machine, had in ((b, before), (a, expected)):
            answer = machine.sync()
            if answer.code not in (0, 1):
                problems.append(f"{name}: {machine.name} ended with {answer}")
            have = machine.shared()
            if have not in (had, expected):
                problems.append(f"{name}: {machine.name} had {sorted(had)}, has {have}: {answer}")
            if have == expected and answer.code == 0 and not answer.complaint.strip():
                unharmed += 1
            elif answer.code == 0:
                alarmed += 1
            else:
                refused += 1
            verdict = machine.tool("check", "--plain")
            if verdict.code != 0:
                problems.append(f"{name}: check of {machine.name}: {verdict}")
        # The server is honest again.
        for line in constraint:
            table = line.split(" add ")[0]
            server.sql(f"do $$ begin if not exists (select from pg_constraint where contype = 'p' and conrelid = '{table}'::regclass) then delete from {table}; alter table {line}; end if; end $$")
        server.put_back()
        for machine in (b, a, b):
            answer = machine.sync()
        if a.shared() != expected or b.shared() != expected:
            # What was taken for junk is read again with the next head.
            later += 1
            a.add("next", "4")
            for machine in (a, b, a):
                answer = machine.sync()
            if a.shared() != b.shared() or len(a.shared()) != len(expected) + 1:
                problems.append(f"{name}: not equal after the server is honest again: {a.sync()} {b.sync()}")
    check(not problems, f"{len(problems)} of {len(chosen)}: " + " | ".join(problems[:40]))
    return f"{len(chosen)} ways: {unharmed} times unharmed, {alarmed} alarms, {refused} refusals; equal again each time, {later} times with the next head"


def row_22_yesterdays_dump(place, _):
    server, a, b = place.server, place["a"], place["b"]
    a.take({"old": "1"})
    place.exchange(1)
    server.keep()
    a.edit("old", "2")
    a.add("new", "3")
    place.exchange(1)
    server.put_back()
    told = [machine.sync() for machine in (a, b)]
    check(all("older than this machine" in answer.complaint for answer in told), f"no alarm: {told[0]} {told[1]}")
    check(a.secret("old") == b.secret("old") == "2", "an old dump changed a keychain")
    healed = a.tool("circle", "heal")
    check(healed.code == 0 and "0 entries of the log, 2 heads and 2 records were put back" in healed.complaint, f"heal: {healed}")
    heads = server.sql("select count(*) from llavero.lv_head")
    again = a.tool("circle", "heal")
    check(again.code == 0 and "nothing was put back" in again.complaint, f"a second heal: {again}")
    check(server.sql("select count(*) from llavero.lv_head") == heads, "a second heal wrote all anew")
    place.exchange()
    check(a.secret("new") == b.secret("new") == "3", "something is lost")
    place.quiet(a, b)
    return f"2 of 2 alarmed, healed ({healed.complaint.strip()}), {place.equal()} items equal"


def row_22_before_a_removal(place, _):
    """A dump from before a removal has none of the keys that came with it: who heals gives them to the members again, at once."""
    server, a, b, c = place.server, place["a"], place["b"], place["c"]
    place.exchange(1)
    server.keep()
    a.do("circle", "remove", "c", "--quiet")
    a.add("new", "1")
    a.synced()
    server.put_back()
    told = a.sync()
    check("older than this machine" in told.complaint, f"no alarm: {told}")
    healed = a.tool("circle", "heal")
    check(healed.code == 0 and "were put back" in healed.complaint, f"heal: {healed}")
    server.keep("healed")
    b.keep()
    b.synced()
    check(b.secret("new") == "1", f"b cannot read what is new: {b.tool('sync')}")
    check("1 share of them" in healed.complaint, f"heal: {healed}")
    again = a.tool("circle", "heal")
    check(again.code == 0 and "nothing was put back" in again.complaint, f"a second heal: {again}")
    # As another machine healed it that does not have the keys.
    server.put_back()
    told = a.sync()
    check("older than this machine" in told.complaint, f"no alarm: {told}")
    server.put_back("healed")
    server.sql("delete from llavero.lv_share; insert into llavero.lv_share select * from kept.lv_share")
    b.put_back()
    told = b.tool("sync")
    check("1 wait for a key that another member gives" in told.complaint and "unlocked" not in told.complaint, f"told: {told}")
    a.synced()
    b.synced()
    check(b.secret("new") == "1", f"b was not given the key by a sync: {b.tool('sync')}")
    check(c.sync().code != 0 and c.secret("new") is None, "who was removed reads what is new")
    return f"healed ({healed.complaint.strip()}), {place.equal(a, b)} items equal"


def row_22_a_change_behind(place, _):
    """Who heals and knows a change less than another writes heads under numbers that the other knows: nobody is told that all is in step."""
    server, a, b = place.server, place["a"], place["b"]
    a.take({"old": "1"})
    place.exchange(1)
    server.keep()
    a.edit("old", "2")
    place.exchange(1)
    a.edit("old", "3")
    a.synced()
    server.put_back()
    healed = b.tool("circle", "heal")
    check(healed.code == 0, f"heal: {healed}")
    looked = a.tool("doctor", "--plain")
    check("something else than this machine read" in looked.output, f"doctor sees nothing: {looked}")
    told = a.sync()
    check("something else than it had" in told.complaint, f"no alarm: {told}")
    check("circle follow" in told.complaint, f"no way: {told}")
    followed = a.tool("circle", "follow")
    check(followed.code == 0, f"follow: {followed}")
    place.exchange()
    check(a.secret("old") == b.secret("old") == "3", "the last change is lost")
    place.quiet(a, b)
    return f"told ({told.complaint.strip()}), {place.equal()} items equal"


def row_22_recovered_then_dump(place, _):
    """A machine that words made the only one has read the log from its first entry, and puts it back whole: others can come."""
    server, a = place.server, place["a"]
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    server.keep()
    place.join("b")
    place.exchange(1)
    new = place.machine("z")
    new.do("circle", "recover", "--server", place.role("z"), "--circle", place.id, "--remove-others", "--stdin", text=made)
    log = "select n, md5(body) from llavero.lv_head where view = circle order by n"
    before = server.sql(log)
    server.put_back()
    server.sql(a.do("circle", "sql", "--member", "m_z", "--certificate", "--circle", place.id))
    healed = new.tool("circle", "heal")
    check(healed.code == 0, f"heal: {healed}")
    check(server.sql(log) == before, f"the log has holes: {server.sql(log)}")
    for name in ("a", "b"):
        place.machines.pop(name)
    last = place.join("c")
    check(last.secret("seed") == "seed-secret", "who comes behind it has nothing")
    return f"{len(before.splitlines())} entries whole ({healed.complaint.strip()})"


def row_22_everything_lost(place, _):
    """A database that lost all rows of the circle is healed by the machine that founded it alone."""
    server, a, b = place.server, place["a"], place["b"]
    a.take({"old": "1"})
    place.exchange(1)
    before = server.sql("select count(*) from llavero.lv_head where circle = view")
    server.sql("".join(f"delete from llavero.{table};" for table in TABLES if table != "lv_right"))
    told = a.sync()
    check("older than this machine" in told.complaint, f"no alarm: {told}")
    healed = a.tool("circle", "heal")
    check(healed.code == 0, f"heal: {healed}")
    after = server.sql("select count(*) from llavero.lv_head where circle = view")
    check(after == before, f"the log has {after} entries, and had {before}: {healed}")
    a.add("new", "2")
    place.exchange()
    check(a.secret("new") == b.secret("new") == "2", "they do not share any more")
    return f"the log's {after} entries are there again, {place.equal()} items equal"


def row_23_two_histories(place, _):
    server, a, b = place.server, place["a"], place["b"]
    server.keep()
    a.add("of-a", "1")
    a.synced()
    server.keep("branch")
    server.put_back()
    b.add("of-b", "2")
    b.synced()
    heads = server.sql("select count(*) from llavero.lv_head")
    a.add("more-of-a", "3")
    said = [a.sync() for _ in range(3)]
    check(server.sql("select count(*) from llavero.lv_head") == heads, f"wrote behind a head that is not its own: {said[0]}")
    server.put_back("branch")
    b.add("more-of-b", "4")
    said += [b.sync() for _ in range(3)]
    refusals = ["histories" in answer.complaint or "something else" in answer.complaint for answer in said]
    check(all(refusals), f"told: {refusals}")
    check("of-b" not in a.names() and "of-a" not in b.names(), "two histories were joined unasked")
    followed = b.tool("circle", "follow")
    check(followed.code == 0, f"follow: {followed}")
    place.exchange()
    return f"{len(refusals)} refusals, followed, {place.equal()} items equal"


def row_24_withheld(place, _):
    server, a, b = place.server, place["a"], place["b"]
    server.keep()
    a.add("hidden", "1")
    a.synced(clock="+7h")
    a.synced(clock="+14h")
    server.sql("delete from llavero.lv_head where not exists (select from kept.lv_head k where k.view = lv_head.view and k.n = lv_head.n)")
    told = b.sync(clock="+14h")
    check("withholds" in told.complaint, f"nobody was told: {told}")
    check("a had seen 2" in told.complaint, f"not named: {told}")
    status = b.do("circle", "status", clock="+20h")
    check("As of" in status and "a had seen 2" in status and " ago" in status, f"status: {status}")
    return "named with its time"


def row_25_dump(place, _):
    server, a = place.server, place["a"]
    secrets = {f"Bank-of-Nowhere-{number}": "Correct-Horse-%d-" % number + "x" * (137 * number) for number in range(1, 8)}
    a.take(secrets)
    place.exchange(1)
    a.do("circle", "invite", "--name", "Device-of-Somebody")
    dump = server.run("pg_dump", "-h", server.data, "-U", "postgres", "circles", "--schema", "llavero", "--inserts")
    sought = ["Correct-Horse", "Bank-of-Nowhere", "user-of", "llavero.passwords", "everything", "seed-secret", "Device-of-Somebody", "xxxxxxxx"]
    for text in sought:
        for form in (text, text.encode().hex(), text.encode("utf-16-le").hex()):
            check(form not in dump, f"{text} is in the dump")
    names = server.sql(f"select count(*) from llavero.lv_head h, llavero.lv_record r where position('\\x{b'Correct'.hex()}'::bytea in r.body) > 0")
    check(names == "0", "a value is in a record")
    lengths = {int(length) for length in server.sql("select distinct octet_length(body) from llavero.lv_record").splitlines()}
    overhead = min(lengths) - 512
    check(all(length - overhead in (512, 1024) or length - overhead > 1024 for length in lengths) and 0 < overhead < 64, f"lengths {lengths}")
    return f"{len(dump)} characters searched for {len(sought)} texts in 3 forms; lengths of records {sorted(lengths)}"


def row_26_clone(place, _):
    a = place["a"]
    clone = Machine(place, "clone")
    shutil.copytree(a.home, clone.home, symlinks=True)
    told = []
    for hours in (7, 14, 21):
        for machine in (a, clone):
            told.append((machine.name, "another machine works with the keys" in machine.sync(clock=f"+{hours}h").complaint))
    names = {name for name, was in told if was}
    check(names == {"a", "clone"}, f"told: {told}")
    return f"both told, after {[was for _, was in told].index(True) + 1} of 6 rounds"


def row_32_roles(place, _):
    server = place.server
    refused = 0
    for table in TABLES:
        for sql in (f"delete from llavero.{table}", f"truncate llavero.{table}", f"update llavero.{table} set circle = circle", f"drop table llavero.{table}",
                    f"alter table llavero.{table} disable row level security", f"select * from llavero.{table} for update"):
            check(server.sql(sql, role="m_b", fails=True), f"a member may: {sql}")
            refused += 1
    other = "\\x" + "77" * 16
    for sql in (f"insert into llavero.lv_head(circle, view, n, body) values ('{other}', '{other}', 1, '')",
                f"insert into llavero.lv_right values ('m_b', '{other}')",
                f"insert into llavero.lv_head(circle, view, n, who, body) select circle, view, n + 1000, 'm_a', body from llavero.lv_head limit 1",
                "select llavero.keep()", "create table llavero.mine(a int)", "set role m_a", "set role lv_keeper"):
        check(server.sql(sql, role="m_b", fails=True), f"a member may: {sql}")
        refused += 1
    server.sql(f"insert into llavero.lv_right values ('postgres', '{other}'); insert into llavero.lv_head(circle, view, n, body) values ('{other}', '{other}', 1, '')")
    seen = server.sql(f"select count(*) from llavero.lv_head where circle = '{other}'", role="m_b")
    check(seen == "0", "a member sees another circle's rows")
    return f"{refused} refused, 0 rows of another circle seen"


def planted(server, sql, text):
    server.sql(sql.replace("CIRCLE", f"'\\x{text}'"), role="m_c")


def goes_on(place, what):
    a, b = place["a"], place["b"]
    name = f"after-{what}"
    a.add(name, "works")
    said = [a.sync(), b.sync()]
    check(all(answer.code == 0 for answer in said) and b.secret(name) == "works", f"after {what} work does not go on: {said[0]} | {said[1]}")


def row_33_planted(place, _):
    """A stolen role of a member plants what it can."""
    server = place.server
    place.role("c")
    view = server.sql("select distinct encode(view, 'hex') from llavero.lv_head where view <> circle")
    device = place["b"].device()
    for chain in (view, place.id):
        planted(server, f"insert into llavero.lv_head(circle, view, n, body) select CIRCLE, '\\x{chain}', (select max(n) from llavero.lv_head where view = '\\x{chain}') + i, 'junk' from generate_series(1, 1000) i", place.id)
        goes_on(place, f"1000-junk-{'heads' if chain == view else 'entries'}")
    planted(server, f"insert into llavero.lv_record(circle, view, n, c, id, body) select CIRCLE, '\\x{view}', i, i, decode(md5(i::text), 'hex'), 'junk' from generate_series(1, 1000) i", place.id)
    planted(server, f"insert into llavero.lv_share(circle, device, c, body) select CIRCLE, '\\x{device}', i, 'junk' from generate_series(1, 1000) i", place.id)
    planted(server, f"insert into llavero.lv_seen(circle, device, k, body) select CIRCLE, '\\x{device}', i, 'junk' from generate_series(1, 1000) i", place.id)
    goes_on(place, "planted-rows")
    return "1000 junk heads, entries, records, shares, seen: work goes on"


def row_33_far_numbers(place, _):
    server = place.server
    place.role("c")
    view = server.sql("select distinct encode(view, 'hex') from llavero.lv_head where view <> circle")
    device = place["b"].device()
    planted(server, f"insert into llavero.lv_head(circle, view, n, body) values (CIRCLE, '\\x{view}', 9223372036854775807, 'junk'), (CIRCLE, CIRCLE, 9223372036854775807, 'junk')", place.id)
    planted(server, f"insert into llavero.lv_seen(circle, device, k, body) values (CIRCLE, '\\x{device}', 9223372036854775807, 'junk')", place.id)
    goes_on(place, "far-numbers")
    place["a"].do("circle", "log", "--plain")
    return "work goes on behind the greatest numbers"


def row_33_far_mail(place, _):
    """One message with the greatest number, and nobody could write behind it."""
    server = place.server
    place.role("c")
    place.join("d")
    box = server.sql("select encode(box, 'hex') from llavero.lv_mail limit 1")
    planted(server, f"insert into llavero.lv_mail(circle, box, k, body) values (CIRCLE, '\\x{box}', 9223372036854775807, 'junk')", place.id)
    place.join("e")
    return f"{place.equal()} items with one who joined afterwards"


def row_33_full_box(place, _):
    """Requests that belong to no token, before one that does: nobody works on them."""
    server, a = place.server, place["a"]
    place.role("c")
    token = people.invited(place)
    place.join("f")
    box = server.sql("select encode(box, 'hex') from llavero.lv_mail limit 1")
    planted(server, f"insert into llavero.lv_mail(circle, box, k, body) select CIRCLE, '\\x{box}', (select max(k) from llavero.lv_mail) + i, decode(repeat('00', 20000), 'hex') from generate_series(1, 2000) i", place.id)
    place.role("e")
    began = time.monotonic()
    _, process = people.tokened(place, "e", token)
    check(people.admitted(place, process), "junk in the box keeps a token out")
    return f"admitted behind 2000 messages in {time.monotonic() - began:.1f} s"


def row_33_large_junk(place, _):
    """More junk than one answer has bytes, before an honest head."""
    server = place.server
    place.role("c")
    view = server.sql("select distinct encode(view, 'hex') from llavero.lv_head where view <> circle")
    found = []
    for chain in (view, place.id):
        planted(server, f"insert into llavero.lv_head(circle, view, n, body) select CIRCLE, '\\x{chain}', (select max(n) from llavero.lv_head where view = '\\x{chain}') + i, decode(repeat('00', 2097000), 'hex') from generate_series(1, 40) i", place.id)
        goes_on(place, f"large-{'heads' if chain == view else 'entries'}")
        found.append(chain)
    return f"80 MiB of junk in each of {len(found)} chains: work goes on"


def row_words_of_a_server(place, _):
    """What a server and members call things reaches a terminal as text."""
    server, a = place.server, place["a"]
    b = place.join("b\x1b]0;owned\x07\u202e") if False else place["b"]
    said = []
    place.role("c")
    server.sql("alter role m_c rename to \"m_\033]0;owned\007c\"")
    server.sql("update llavero.lv_right set who = E'm_\\033]0;owned\\007c' where who = 'm_c'")
    planted_by = "m_\033]0;owned\007c"
    server.sql(f"insert into llavero.lv_head(circle, view, n, body) values ('\\x{place.id}', '\\x{place.id}', (select max(n) + 1 from llavero.lv_head where view = circle), 'junk')", role=planted_by)
    said.append(a.sync())
    said += [a.tool("circle", "log"), a.tool("circle", "log", "--plain"), a.tool("circle", "log", "--json")]
    request = place.machine("e")
    address = place.role("e")
    process = request.start("circle", "join", "--server", address, "--circle", place.id)
    code = process.stdout.readline().strip()
    answer = a.do("circle", "admit", code, "--name", "evil\033]0;owned\007\u202e\nb")
    process.communicate(answer, timeout=LIMIT)
    said += [a.tool("circle", "list"), a.tool("circle", "list", "--plain"), a.tool("circle", "list", "--json"), a.tool("circle", "log"), a.tool("circle", "remove", "nobody\033[31m")]
    server.sql(f"create function llavero.lies() returns trigger language plpgsql as $$ begin raise exception E'{ESCAPES} lies'; end $$; create trigger lies before insert on llavero.lv_head for each row execute function llavero.lies()")
    a.add("more", "1")
    said.append(a.sync())
    check(said[-1].code != 0, "a refusal of the server was none")
    wrong = [str(answer) for answer in said if any(character in answer.output + answer.complaint for character in "\033\007\u202e")]
    server.sql("drop trigger lies on llavero.lv_head; alter role \"m_\033]0;owned\007c\" rename to m_c; update llavero.lv_right set who = 'm_c' where who like 'm\\_%c' and who <> 'm_c'")
    check(not wrong, f"{len(wrong)} of {len(said)} outputs act on a terminal: {wrong[:3]!r}")
    return f"{len(said)} outputs are text"


def entries(machine):
    return next(int(line.split("\t")[1]) for line in machine.do("circle", "status", "--plain").splitlines() if line.startswith("logEntries\t"))


def row_8_away(place, _):
    """Who was away while three thousand numbers of the log were taken reads few of them: most are gone when it comes back."""
    server, a, b = place.server, place["a"], place["b"]
    place.role("c")
    log = f"where view = '\\x{place.id}'"
    for _ in range(3):
        planted(server, f"insert into llavero.lv_head(circle, view, n, body) select CIRCLE, CIRCLE, (select max(n) from llavero.lv_head {log}) + i, 'junk' from generate_series(1, 1000) i", place.id)
        for _ in range(3):
            a.do("circle", "invite")
    planted(server, f"insert into llavero.lv_head(circle, view, n, body) select CIRCLE, CIRCLE, (select max(n) from llavero.lv_head {log}) + i, 'junk' from generate_series(1, 40) i", place.id)
    a.synced()
    box = f"substr(sha256('llavero snapshot'::bytea || '\\x{place.id}'), 1, 16)"
    left = int(server.sql(f"select count(*) from llavero.lv_mail where box = {box}"))
    check(left > 0, "an owner left no snapshot")
    numbers = int(server.sql(f"select max(n) from llavero.lv_head {log}"))
    # Whoever went from number to number would end here.
    server.sql(f"delete from llavero.lv_head {log} and body = 'junk' and n > 200 and n < (select max(n) - 100 from llavero.lv_head {log})")
    b.synced()
    check(entries(a) == entries(b) > 3000, f"{entries(a)} and {entries(b)} entries")
    goes_on(place, "a-jump")
    return f"{numbers} numbers, {left} snapshots, {place.equal()} items equal"


def row_7_off_the_chain(place, _):
    """A member's entry that follows nothing stops all, until an owner passes over it: for all, who joins later and words included."""
    server, a = place.server, place["a"]
    b = place.join("b", "--owner")
    d = place.join("d")
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    place.exchange(1)
    server.keep()
    b.do("circle", "invite")
    b.do("circle", "invite")
    server.keep("branch")
    server.put_back()
    place.role("c")
    number = int(server.sql("select max(n) from branch.lv_head where view = circle"))
    planted(server, f"insert into llavero.lv_head(circle, view, n, body) values (CIRCLE, CIRCLE, {number - 1}, 'junk')", place.id)
    server.sql(f"insert into llavero.lv_head select * from branch.lv_head where view = circle and n = {number}")
    told = [machine.sync() for machine in (a, d)]
    check(all("histories" in answer.complaint and "b signed" in answer.complaint for answer in told), f"told: {told[0]} {told[1]}")
    check(d.tool("circle", "follow", "--pass-over", number).code != 0, "one who is no owner decided")
    a.do("circle", "follow", "--pass-over", number, "--yes")
    a.add("after", "1")
    a.synced()
    d.synced()
    e = place.join("e")
    new = place.machine("z")
    opened = new.tool("circle", "recover", "--server", place.role("z"), "--circle", place.id, "--stdin", text=made)
    check(opened.code == 0, f"words: {opened}")
    check({machine.secret("after") for machine in (d, e, new)} == {"1"}, "not all go on")
    check(b.sync().complaint != "", "who signed another history was not told")
    b.do("circle", "follow", "--yes")
    place.quiet(a, b, d, e, new)
    return f"told 2 of 2, passed over for all, {place.equal(a, b, d, e, new)} items equal"


def row_23_two_logs(place, _):
    """Two histories of the log: refused for ever, until a person takes the server's and is told what that costs."""
    server, a = place.server, place["a"]
    b = place.join("b", "--owner")
    d = place.join("d")
    place.exchange(1)
    server.keep()
    b.do("circle", "remove", "d", "--quiet")
    b.add("of-b", "1")
    b.synced()
    server.put_back()
    for _ in range(4):
        a.do("circle", "invite")
    a.add("of-a", "2")
    a.synced()
    said = [b.sync() for _ in range(4)]
    check(all("something else" in answer.complaint or "histories" in answer.complaint for answer in said), f"told: {said[0]}")
    check("of-a" not in b.names() and "of-b" not in a.names(), "two histories were joined unasked")
    refused = b.tool("circle", "follow")
    check(refused.code != 0 and "d" in refused.complaint and "members there" in refused.complaint, f"unasked: {refused}")
    check("of-a" not in b.names(), "followed unasked")
    followed = b.tool("circle", "follow", "--yes")
    check(followed.code == 0, f"follow: {followed}")
    place.exchange()
    place.quiet(a, b, d)
    check(d.secret("of-b") == "1", "who came back has not what there is")
    b.do("circle", "remove", "d", "--quiet")
    return f"{len(said)} refusals, told what it costs, followed, {place.equal(a, b, d)} items equal, removed again"


def copied(place, new):
    """The circle's tables on another server, as they are now, and the passwords of its roles."""
    old, a = place.server, place["a"]
    new.sql(a.do("circle", "sql"))
    for name in place.machines:
        new.sql(a.do("circle", "sql", "--member", f"m_{name}", "--certificate", "--circle", place.id))
    # As the page has it, but for whose commands they are.
    page = pathlib.Path("Docs/SyncOperations.md").read_text(encoding="utf-8")
    commands = [line for line in page.split("<!-- copying -->")[1].split("<!-- /copying -->")[0].splitlines() if line and not line.startswith("```")]
    check(len(commands) == 4, f"the page copies by {commands}")
    for command, server in zip(commands, (old, new) * 2):
        done = subprocess.run(
            ["bash", "-e", "-c", f'sudo() {{ shift 2; "$@"; }}; {command}'], cwd=place.folder, capture_output=True, text=True, check=False,
            env={"PATH": f"{server.programs}:/usr/bin:/bin", "PGHOST": str(server.data), "PGPORT": str(server.port), "PGUSER": "postgres"})
        check(done.returncode == 0, f"{command}: {done.stderr}")


def row_move_password(place, _):
    """A circle whose roles have passwords moves over TLS: who moves it gives its own, the others keep theirs, and one with another says it."""
    a, b, c = place["a"], place["b"], place["c"]
    old, new = (type(place.server)(tls=True) for _ in range(2))
    try:
        copied(place, old)
        passwords = {name: f"old-password-of-{name}" for name in place.machines}
        for name, password in passwords.items():
            old.sql(a.do("circle", "sql", "--member", f"m_{name}", "--password-fd", password.encode(), "--circle", place.id))
        asked = a.tool("circle", "move", old.secure("m_a"))
        check(asked.code != 0 and "--password-fd" in asked.complaint, f"a move without a password, and nobody to ask: {asked}")
        wrong = a.tool("circle", "move", old.secure("m_a"), "--password-fd", b"wrong")
        check(wrong.code != 0 and "nothing was moved" in wrong.complaint and "28P01" in wrong.complaint, f"a wrong password: {wrong}")
        a.do("circle", "move", old.secure("m_a"), "--password-fd", passwords["a"].encode())
        # At a socket they had none, so each is told its own.
        for machine in (b, c):
            told = machine.sync()
            check(told.code != 0 and "needs a password" in told.complaint and "circle server ADDRESS" in told.complaint, f"without a password: {told}")
            machine.do("circle", "server", old.secure(f"m_{machine.name}"), "--password-fd", passwords[machine.name].encode())
        place.exchange(1)
        # What does not reach the server takes the place of nothing that does.
        for address, password, why in ((old.secure("m_b"), b"wrong", "28P01"), (old.secure("m_x"), b"wrong", "28000"), ("host=/nonexistent dbname=circles user=m_b", None, "cannot be reached")):
            refused = b.tool("circle", "server", address, *(["--password-fd", password] if password else []))
            check(refused.code != 0 and "nothing was changed" in refused.complaint and why in refused.complaint, f"a wrong address: {refused}")
            check("circle server ADDRESS" not in refused.complaint, f"to do the same again: {refused}")
        check(b.sync().code == 0, "the server that worked was given up")
        place.server, first = old, place.server
        copied(place, new)
        place.server = first
        new.sql(a.do("circle", "sql", "--member", "m_a", "--password-fd", b"new-password-of-a", "--circle", place.id))
        new.sql(a.do("circle", "sql", "--member", "m_c", "--password-fd", b"new-password-of-c", "--circle", place.id))
        a.do("circle", "move", new.secure("m_a"), "--password-fd", b"new-password-of-a")
        a.add("at-the-new", "1")
        a.synced()
        went = b.sync()
        check(went.code == 0 and "has moved to" in went.complaint and b.secret("at-the-new") == "1", f"does not follow with its old password: {went}")
        told = c.sync()
        check(told.code != 0 and "28P01" in told.complaint and "circle server ADDRESS" in told.complaint, f"with another password there: {told}")
        c.do("circle", "server", new.secure("m_c"), "--password-fd", b"new-password-of-c")
        place.exchange(1)
        place.quiet(a, b, c)
        return f"{place.equal()} items equal at the third server, 1 of 2 followed by its old password"
    finally:
        place.end()
        for server in (old, new):
            server.stop()


def row_move_daemon(place, _):
    """A daemon follows the circle to another server by itself, and writes there."""
    a, b = place["a"], place["b"]
    new = type(place.server)()
    try:
        copied(place, new)
        log = b.daemon()
        a.add("before-it-moves", "1")
        a.synced()
        awaited(lambda: b.secret("before-it-moves") == "1", "an item at the old server", log.read_text)
        moved = a.tool("circle", "move", new.address("m_a"))
        check(moved.code == 0, f"move: {moved}")
        a.add("at-the-new", "2")
        a.synced()
        awaited(lambda: b.secret("at-the-new") == "2", "an item at the new server", log.read_text)
        b.add("of-the-daemon", "3")

        def is_back():
            a.synced()
            return a.secret("of-the-daemon") == "3"

        awaited(is_back, "what it wrote", log.read_text)
        check(log.read_text().count("has moved to") == 1, f"what it says: {log.read_text()}")
        return "followed by itself, as its own role"
    finally:
        place.end()
        new.stop()


def row_move(place, _):
    """The circle moves to another server, from a copy of yesterday: members go there by themselves and lose nothing."""
    old, a, b = place.server, place["a"], place["b"]
    new = type(old)()
    try:
        copied(place, new)
        a.add("after-the-copy", "1")
        a.synced()
        b.add("of-b-offline", "2")
        moved = a.tool("circle", "move", new.address("m_a"))
        check(moved.code == 0, f"move: {moved}")
        heads = old.sql("select count(*) from llavero.lv_head where view <> circle")
        a.add("at-the-new", "3")
        a.synced()
        went = b.sync()
        check(went.code == 0 and "has moved to" in went.complaint, f"does not follow: {went}")
        place.exchange(2)
        check(old.sql("select count(*) from llavero.lv_head where view <> circle") == heads, "something was written to the old server")
        names = b.names()
        check({"after-the-copy", "of-b-offline", "at-the-new"} <= set(a.names()) & set(names), f"a {a.names()}, b {names}")
        place.quiet(a, b)
        roles = new.sql("select distinct who from llavero.lv_head where view <> circle order by 1").split()
        check("m_b" in roles, f"b writes as {roles}")
        return f"b followed by itself as its own role, {place.equal()} items equal, nothing more at the old server"
    finally:
        new.stop()


def row_move_unread(place, _):
    """Who moves the circle cannot put back what a copy lacks of a view that it does not read: such a copy is refused."""
    old, a, b = place.server, place["a"], place["b"]
    new = type(old)()
    try:
        a.do("circle", "role", "b", "owner", "--quiet")
        place.exchange(1)
        b.do("circle", "view", "work", "--group", "team.*", "--quiet")
        a.synced()
        copied(place, new)
        b.do("add", "plan", "--user", "u", "--group", "team.x", "--sync", "--stdin", "--quiet", text="1")
        b.synced()
        refused = a.tool("circle", "move", new.address("m_a"))
        check(refused.code != 0 and "does not read" in refused.complaint and "nothing was moved" in refused.complaint, f"moved to a copy of before: {refused}")
        place.exchange(1)
        new.stop()
        new = type(old)()
        copied(place, new)
        a.do("circle", "move", new.address("m_a"))
        went = b.sync()
        check(went.code == 0 and "has moved to" in went.complaint and b.do("get", "plan", "--group", "team.x") == "1\n", f"does not follow: {went}")
        return "refused, and moved with a copy of now"
    finally:
        new.stop()


def row_server_of_an_older_dump(place, _):
    """Where the circle moved to is lost, a database that lacks some of the log is refused, and nothing is changed by that."""
    old, a, b = place.server, place["a"], place["b"]
    new, older = type(old)(), type(old)()
    try:
        copied(place, older)
        a.do("circle", "role", "b", "owner", "--quiet")
        b.synced()
        copied(place, new)
        a.do("circle", "move", new.address("m_a"))
        b.sync()
        check(str(new.socket) in b.do("circle", "status", "--plain"), "b did not follow")
        new.stop()
        refused = b.tool("circle", "server", older.address("m_b"))
        check(refused.code == 1 and "nothing was changed" in refused.complaint and "circle heal" in refused.complaint, f"taken: {refused}")
        check(str(new.socket) in b.tool("circle", "status").output, "the server is another one now")
        place.machines.clear()
        return "refused, and as before"
    finally:
        for server in (new, older):
            server.stop()


def row_move_nowhere(place, _):
    """A place that is none is refused before the log names it; where one vanished behind it, a person says where the circle still is, and an owner moves it again."""
    old, a, b, c = place.server, place["a"], place["b"], place["c"]
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    place.exchange(1)
    new, newer = type(old)(), type(old)()
    try:
        before = entries(a)
        nobody = old.address("m_a").replace("dbname=circles", "dbname=nodb")
        refused = [a.tool("circle", "move", address) for address in (nobody, "host=/nonexistent dbname=circles user=m_a", new.address("m_a"))]
        # Tables, and a role without a right in this circle; then with one, and no rows.
        new.sql(a.do("circle", "sql"))
        new.sql(a.do("circle", "sql", "--member", "m_a", "--certificate", "--circle", "00" * 16))
        refused.append(a.tool("circle", "move", new.address("m_a")))
        new.sql(a.do("circle", "sql", "--member", "m_a", "--certificate", "--circle", place.id))
        refused.append(a.tool("circle", "move", new.address("m_a")))
        check("has nothing of the circle" in refused[-1].complaint, f"moved to an empty one: {refused[-1]}")
        check(all(answer.code != 0 and "nothing was moved" in answer.complaint for answer in refused), f"moved to nowhere: {[str(answer) for answer in refused]}")
        check(entries(a) == before, "what was refused is in the log")
        a.add("still-there", "1")
        check([machine.sync().complaint for machine in (a, b)] == ["", ""], "a refused move is felt")
        copied(place, new)
        a.do("circle", "move", new.address("m_a"))
        # It is there: nobody stays behind by hand.
        stays = b.tool("circle", "server", old.address("m_b"))
        check(stays.code == 0 and "has moved to" in stays.complaint and str(new.socket) in b.do("circle", "status", "--plain"), f"stays behind: {stays}")
        y = Machine(place, "y")
        new.sql(a.do("circle", "sql", "--member", "m_y", "--certificate", "--circle", place.id))
        split = y.tool("circle", "recover", "--server", place.role("y"), "--circle", place.id, "--stdin", text=made)
        check(split.code != 0 and "recover it from there" in split.complaint, f"words at the old place: {split}")
        b.add("of-b", "2")
        b.synced()
        a.synced()
        new.stop()
        lost = [machine.sync() for machine in (a, b, c)]
        check(all(answer.code != 0 and "circle server ADDRESS" in answer.complaint for answer in lost), f"told: {[str(answer) for answer in lost]}")
        no = c.tool("circle", "server", "host=/nonexistent dbname=circles user=m_c")
        check(no.code != 0, f"goes on nowhere: {no}")
        # What was written at the place that is gone, who read it puts back.
        a.do("circle", "server", old.address("m_a"))
        a.do("circle", "heal")
        c.do("circle", "server", old.address("m_c"))
        c.add("of-c", "3")
        c.synced()
        # Words alone find it as well.
        z = place.machine("z")
        opened = z.tool("circle", "recover", "--server", place.role("z"), "--circle", place.id, "--stdin", text=made)
        check(opened.code == 0 and "has moved to" in opened.complaint, f"words: {opened}")
        a.add("of-a", "4")
        a.synced()
        check({"of-a", "of-b", "of-c"} <= set(a.names()), f"a has {a.names()}")
        copied(place, newer)
        a.do("circle", "move", newer.address("m_a"))
        told = [machine.sync() for machine in (c, z)]
        check(all(answer.code == 0 and "has moved to" in answer.complaint for answer in told), f"do not follow again: {[str(answer) for answer in told]}")
        # b looks where nobody is, and is told of the new place by a person.
        b.do("circle", "server", newer.address("m_b"))
        place.exchange(2)
        place.quiet(a, b, c, z)
        return f"{len(refused)} places refused, {place.equal()} items equal after a place that vanished"
    finally:
        place.end()
        for server in (new, newer):
            server.stop()


def row_move_home(place, _):
    """A move is taken back: whoever waits for the place that is none goes on where it is."""
    old, a, b = place.server, place["a"], place["b"]
    new = type(old)()
    try:
        copied(place, new)
        a.do("circle", "move", new.address("m_a"))
        new.stop()
        log = b.daemon()
        awaited(lambda: "does not take this machine" in log.read_text(), "that the place is gone", log.read_text)
        a.do("circle", "server", old.address("m_a"))
        a.do("circle", "move", old.address("m_a"))
        a.add("home", "1")
        a.synced()
        awaited(lambda: b.secret("home") == "1", "an item at the old server", log.read_text)
        return f"{place.equal()} items equal"
    finally:
        place.end()
        new.stop()


def row_move_after_removal(place, _):
    """A member that was away finds where the circle went, with the keys that were made when another was removed."""
    old, a, c, d = place.server, place["a"], place["c"], place["d"]
    new = type(old)()
    try:
        copied(place, new)
        a.do("circle", "remove", "b", "--quiet")
        place.machines.pop("b")
        a.do("circle", "move", new.address("m_a"))
        a.add("after", "1")
        a.synced()
        went = c.sync()
        check(went.code == 0 and "has moved to" in went.complaint, f"does not follow: {went}")
        check(c.secret("after") == "1", "who was away has nothing new")
        # Where the shares are gone, a person says where the circle is, and members there give the keys again.
        old.sql("delete from llavero.lv_share")
        lost = d.sync()
        check(lost.code != 0 and "circle server ADDRESS" in lost.complaint, f"told: {lost}")
        d.do("circle", "server", new.address("m_d"))
        for machine in (a, c):
            machine.synced(clock="+7h")
        check(d.sync().code == 0 and d.secret("after") == "1", f"no keys at the new server: {d.sync()}")
        place.exchange(1)
        return f"{place.equal()} items equal"
    finally:
        place.end()
        new.stop()


def row_move_signed(place, _):
    """Where two owners sign, whoever signs last moves the circle, and puts back what the copy lacks."""
    old, a = place.server, place["a"]
    b, c = place.join("b", "--owner"), place.join("c")
    new = type(old)()
    try:
        a.do("circle", "quorum", "2", "--quiet")
        a.synced()
        copied(place, new)
        a.add("late", "1")
        a.synced()
        proposed = a.tool("circle", "move", new.address("m_a"))
        check(proposed.code == 1 and "proposed" in proposed.complaint, f"moved by one: {proposed}")
        b.synced()
        name = json.loads(b.do("circle", "proposals", "--json"))[0]["proposal"]
        # Nobody goes on at a place that does not let them in.
        new.sql("alter role m_b nologin")
        refused = b.tool("circle", "sign", name)
        check(refused.code == 1 and "nothing was moved" in refused.complaint, f"signed for a closed place: {refused}")
        new.sql("alter role m_b login")
        signed = b.tool("circle", "sign", name)
        check(signed.code == 0 and "signed, and done" in signed.output + signed.complaint, f"not moved by two: {signed}")
        for machine in (a, c):
            went = machine.sync()
            check(went.code == 0 and "has moved to" in went.complaint, f"{machine.name} does not follow: {went}")
        check(c.secret("late") == "1", "the copy lacks what was written after it")
        place.exchange(1)
        return f"{place.equal()} items equal"
    finally:
        place.end()
        new.stop()


ROWS = [
    (row_20_each_column, "ab", False), (row_22_yesterdays_dump, "ab", False), (row_22_a_change_behind, "ab", False), (row_22_recovered_then_dump, "a", False), (row_22_everything_lost, "ab", False), (row_22_before_a_removal, "abc", False), (row_23_two_histories, "ab", False), (row_24_withheld, "ab", True),
    (row_25_dump, "ab", False), (row_26_clone, "a", False), (row_32_roles, "ab", False), (row_33_planted, "ab", False), (row_33_far_numbers, "ab", True),
    (row_7_off_the_chain, "a", True), (row_8_away, "ab", True), (row_23_two_logs, "a", True), (row_move_daemon, "ab", False), (row_move_password, "abc", False), (row_move, "ab", True), (row_move_unread, "ab", False), (row_server_of_an_older_dump, "ab", False), (row_move_nowhere, "abc", True), (row_move_home, "ab", False), (row_move_after_removal, "abcd", False), (row_move_signed, "a", False), (row_33_far_mail, "ab", True), (row_33_full_box, "a", True), (row_33_large_junk, "ab", True), (row_words_of_a_server, "ab", True),
]
