# SPDX-License-Identifier: Apache-2.0
"""Rows about what owners do: quorum, roles, views, tokens that are taken back, orders to erase."""
import json
import os
import pathlib
import plistlib
import shutil
import subprocess
import tempfile

from scene import LIMIT, Skipped, Wrong, check


def proposals(machine):
    return json.loads(machine.do("circle", "proposals", "--json"))


def row_7_quorum(place, _):
    """With two of two: one signature does nothing, the second does it; what comes in between makes it void."""
    a = place["a"]
    b = place.join("b", "--owner")
    place.join("c")
    a.do("circle", "quorum", "2", "--quiet")
    entries = len(a.do("circle", "log", "--plain").splitlines())
    alone = a.tool("circle", "remove", "c")
    check(alone.code == 1 and "1 of 2 signatures" in alone.complaint, f"one owner alone: {alone}")
    check(len(a.do("circle", "list", "--plain").splitlines()) == 3, "one signature removed a member")
    check(len(a.do("circle", "log", "--plain").splitlines()) == entries, "a proposal is in the log")
    (waiting,) = proposals(b)
    check(len(waiting["proposal"]) == 32, f"its name: {waiting}")
    check(waiting["action"] == "remove c" and waiting["author"] == "a" and waiting["signers"] == ["a"], f"proposed: {waiting}")
    begun = b.tool("circle", "sign", waiting["proposal"][:31])
    check(begun.code == 44, f"signed by the beginning of its name: {begun}")
    again = a.tool("circle", "sign", waiting["proposal"])
    check(again.code == 1 and "1 of 2" in again.complaint, f"its author signed twice: {again}")
    outsider = place["c"].tool("circle", "sign", waiting["proposal"])
    check(outsider.code == 1 and len(a.do("circle", "list", "--plain").splitlines()) == 3, f"no owner: {outsider}")
    # One signature, put into the log by hand, is junk.
    box = place.server.sql("select encode(body, 'hex') from llavero.lv_mail order by at, k").splitlines()
    planted = box[-1]
    place.server.sql(
        f"insert into llavero.lv_head(circle, view, n, body) values ('\\x{place.id}', '\\x{place.id}', (select max(n) + 1 from llavero.lv_head where view = circle), '\\x{planted}')",
        role="m_c")
    a.synced()
    check(len(a.do("circle", "list", "--plain").splitlines()) == 3, "an entry with one signature counts")
    check("nothing: it counts for nobody" in a.do("circle", "log", "--plain"), "it is no junk")
    void = b.tool("circle", "sign", waiting["proposal"])
    check(void.code == 44, f"a proposal whose number was taken: {void}")
    a.tool("circle", "remove", "c")
    (waiting,) = proposals(b)
    done = b.do("circle", "sign", waiting["proposal"])
    check(len(a.do("circle", "list", "--plain").splitlines()) == 2, f"two signatures removed nobody: {done}")
    check("removed" in place["c"].sync().complaint, "the removed one was not told")
    check(a.generation() == 2, f"keys of generation {a.generation()}")
    place.machines.pop("c")
    a.add("after", "after-secret")
    place.exchange()
    # A token holds when it was signed; a machine is admitted by two.
    token = a.tool("circle", "invite", "--name", "t")
    (waiting,) = proposals(b)
    check(token.code == 1 and len(token.output.strip()) == 120 and "make a token for t" in waiting["action"], f"a token: {token} {waiting}")
    b.do("circle", "sign", waiting["proposal"])
    check([one["name"] for one in json.loads(a.do("circle", "invites", "--json"))] == ["t"], "no token")
    address = place.role("d")
    machine = place.machine("d")
    process = machine.start("circle", "join", "--server", address, "--circle", place.id)
    request = process.stdout.readline().strip()
    first = a.tool("circle", "admit", request, "--name", "d")
    check(first.code == 1 and not first.output, f"admitted by one: {first}")
    b.do("circle", "sign", proposals(b)[0]["proposal"])
    process.communicate(a.do("circle", "admit", request, "--name", "d"), timeout=LIMIT)
    check(process.returncode == 0 and machine.secret("after") == "after-secret", "who two owners admitted has no items")
    # A new view is its author's, by the one entry that two signed.
    first = b.tool("circle", "view", "team", "--group", "team.*")
    check(first.code == 1 and "1 of 2" in first.complaint, f"a view by one: {first}")
    signed = a.tool("circle", "sign", proposals(a)[0]["proposal"])
    check(signed.code == 1 and "the machine that proposed it writes it" in signed.complaint, f"a view whose key another has: {signed}")
    b.synced()
    views = {view["name"]: view["writers"] for view in json.loads(b.do("circle", "views", "--json"))}
    check(views["team"] == ["b"], f"who made a view does not write it: {views}")
    told = b.tool("add", "shift", "--group", "team.a", "--sync", "--generate")
    check(told.code == 0 and "no other machine" not in told.complaint, f"an item of the new view: {told}")
    sent = b.tool("sync")
    check("sent 1;" in sent.output + sent.complaint, f"it was not sent: {sent}")
    b.do("remove", "shift", "--group", "team.a", "--forever", "--quiet")
    place.exchange()
    b.tool("circle", "quorum", "1")
    a.do("circle", "sign", proposals(a)[0]["proposal"])
    b.do("circle", "remove", "d", "--quiet")
    place.machines.pop("d")
    return f"1 of 2 is junk, 2 of 2 done, {place.equal()} items equal"


def row_31_words_of_a_quorum(place, _):
    """Words do alone what two owners would have to sign: who lost all machines removes them."""
    a = place["a"]
    b = place.join("b", "--owner")
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    a.do("circle", "quorum", "2", "--quiet")
    new = place.machine("z")
    new.do("circle", "recover", "--server", place.role("z"), "--circle", place.id, "--remove-others", "--stdin", text=made)
    status = json.loads(new.do("circle", "status", "--json"))
    check((status["members"], status["quorum"]) == (1, 1), f"after it: {status}")
    new.add("after", "after-secret")
    new.synced()
    check(new.generation() == 2, "no new keys")
    check("removed" in a.sync().complaint and "removed" in b.sync().complaint, "the others are still members")
    check("after" not in a.names() and new.secret("seed") == "seed-secret", "closed, or lost")
    return "2 owners removed, one is enough again"


def row_gone_for_good(place, _):
    """A row of the database that no machine has any more is given up by who comes back by words, and the rest is there."""
    a = place["a"]
    for number in range(3):
        a.add(f"item{number}", f"secret{number}")
        a.synced()
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    place.server.sql("delete from llavero.lv_record where ctid = (select ctid from llavero.lv_record order by n limit 1)")
    new = place.machine("z")
    told = new.tool("circle", "recover", "--server", place.role("z"), "--circle", place.id, "--remove-others", "--stdin", text=made)
    told = told.complaint + new.tool("sync").complaint
    check(not new.names() and "heal --without-unreadable` here" in told, f"what is missing is not told of: {told}")
    new.do("circle", "heal", "--without-unreadable", "--quiet")
    check(len(new.names()) == 3, f"the rest did not come: {new.names()}")
    new.add("after", "after-secret")
    new.synced()
    check(json.loads(new.do("circle", "status", "--json"))["unsent"] == 0, "nothing is sent any more")
    place.machines.pop("a")
    return "3 of 4 items are back"


def row_roles(place, _):
    a, b = place["a"], place["b"]
    check("write" in a.do("circle", "list", "--plain").splitlines()[1].split("\t")[2], "who joined does not write")
    denied = b.tool("circle", "role", "a", "reader")
    check(denied.code == 1 and "owner" in denied.complaint, f"no owner changed a role: {denied}")
    a.take({f"i{number}": "1" for number in range(3)})
    place.exchange()
    a.do("circle", "role", "b", "reader", "--quiet")

    def stays(why):
        """Whatever a machine may do, and whatever views there are: what it has of others is no change of its own."""
        told = b.tool("sync")
        check("stay here" not in told.output + told.complaint, f"{why}: {told}")
        check(json.loads(b.do("circle", "status", "--json"))["unsent"] == 0, f"{why}, and what it never changed counts")
        check("stay here" not in b.tool("doctor").output, f"{why}, and doctor has advice")

    stays("it became a reader")
    told = b.tool("edit", "seed", "--stdin", text="by a reader")
    check(told.code == 0 and "this machine alone: this machine only reads" in told.complaint, f"edit: {told}")
    told = b.tool("add", "kept", "--sync", "--generate")
    check(told.code == 0 and "goes to no other machine: this machine only reads" in told.complaint, f"add: {told}")
    told = b.tool("sync")
    check(told.code == 0 and "stay here, for this machine only reads" in told.complaint, f"sync: {told}")
    check("stay here: this machine only reads" in b.do("circle", "status"), "status says nothing of why it stays")
    a.synced()
    check(a.secret("seed") == "seed-secret", "a reader wrote")
    check(json.loads(b.do("circle", "status", "--json"))["unsent"] == 2, "nobody says that it stays")
    check("2 items changed here and stay" in b.tool("doctor").output, "doctor has no advice on what stays")
    told = a.tool("circle", "role", "b", "writer")
    check(told.code == 0 and "while it could only read goes to all" in told.complaint, f"a reader becomes a writer: {told}")
    told = b.tool("sync")
    check("sent 2;" in told.output + told.complaint, f"a writer again, and it sent what it never changed: {told}")
    a.synced()
    a.do("circle", "role", "b", "reader", "--quiet")
    a.do("circle", "view", "other", "--group", "other.*", "--quiet")
    stays("there was another view")
    kept = a.tool("circle", "role", "b", "writer")
    check(kept.code == 0 and "stays outside of other" in kept.complaint, f"a role without a view: {kept}")
    b.synced()
    outside = [line for line in a.do("circle", "views", "--plain").splitlines() if line.startswith("other")]
    check(len(outside) == 1 and "b" not in outside[0].split("\t")[3:5], f"let into a view that nobody named: {outside}")
    a.do("circle", "role", "b", "reader", "--quiet")
    a.do("circle", "role", "b", "writer", "owner", "sponsor", "--quiet")
    b.synced()
    a.synced()
    check(a.secret("seed") == "by a reader", "a writer again, and what waited did not go")
    b.do("circle", "role", "a", "member", "--quiet")
    check(a.tool("circle", "role", "b", "member").code == 1, "who owns no more changed a role")
    check(b.tool("circle", "role", "b", "member").code == 1, "the last owner went")
    wrong = [a.tool("circle", "role", *words).code for words in [("b",), ("b", "writer", "reader"), ("b", "owner", "member"), ("b", "king"), ("b", "owner", "--view", "everything")]]
    check(set(wrong) == {2}, f"words that say nothing: {wrong}")
    # A view whose last reader goes has keys no more, and is not followed any more.
    b.do("circle", "view", "solo", "--group", "solo.*", "--quiet")
    b.do("add", "alone", "--group", "solo.a", "--sync", "--generate")
    b.synced()
    told = b.tool("circle", "role", "b", "none", "--view", "solo")
    check(told.code == 0 and "nobody reads the view solo any more" in told.complaint, f"its last reader went: {told}")
    solo = {view["name"]: view["view"] for view in json.loads(b.do("circle", "views", "--json"))}["solo"]
    place.server.sql(f"delete from llavero.lv_head where view = '\\x{solo}'")
    examined = b.tool("doctor").output
    check("the server is older" not in examined, f"doctor of a view that it does not read: {examined}")
    b.do("circle", "view", "solo", "--group", "unused", "--quiet")
    b.do("circle", "view", "solo2", "--group", "solo.*", "--quiet")
    b.synced()
    check(json.loads(b.do("circle", "status", "--json"))["unsent"] == 0, "what it took stays here")
    b.do("remove", "alone", "--group", "solo.a", "--forever", "--quiet")
    unnamed = b.tool("circle", "invite", "--name", "the words")
    check(unnamed.code == 2, f"a machine is called as words are: {unnamed}")
    return f"{place.equal()} items equal; {b.do('circle', 'list', '--plain').count(chr(10))} members"


def row_heard_of(place, _):
    """A member is heard of when it joins and when it writes, not only every six hours; silent is who was heard of a week ago."""
    a, b = place["a"], place["b"]

    def heard(machine, clock=None):
        listed = {one["name"]: one["seen"] for one in json.loads(machine.do("circle", "list", "--json", clock=clock))}
        return listed, {one["name"]: one["lastHeardOf"] for one in json.loads(machine.do("circle", "status", "--json", clock=clock))["silent"]}

    for machine, other in ((a, "b"), (b, "a")):
        listed, silent = heard(machine)
        check(listed[other] and silent == {}, f"of one who has just come: {listed} {silent}")
    b.add("two-days-later", "1", clock="+48h")
    b.synced(clock="+48h")
    a.synced()
    later, _ = heard(a)
    check(later["b"] > listed["a"], f"what b wrote is not heard: {later}")
    listed, silent = heard(a, clock="+240h")
    check(silent == {"b": listed["b"]} and listed["b"], f"after ten days: {listed} {silent}")
    return f"heard of {listed['b']}, silent after a week"


def row_views(place, _):
    """Items of one group, for some machines alone."""
    a, b = place["a"], place["b"]
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    check(a.tool("circle", "view", "work").code == 2, "a view that takes nothing")
    check(a.tool("circle", "view", "all", "--rest").code == 1, "two views take the rest")
    a.do("circle", "view", "work", "--group", "team.*", "--quiet")
    fields = {"kind": "password", "name": "job", "label": "job", "service": "job", "user": "u", "secret": "job-secret", "synchronizable": True, "group": "team.one", "protection": "when-unlocked"}
    file = place.folder / "one.json"
    file.write_text(json.dumps({"llavero": 2, "items": [fields]}))
    a.do("import", file, "--format", "llavero-json")
    place.exchange()
    listed = b.do("list", "--plain", "--apps")
    check("job" not in listed, f"who is in no view has its items: {listed}")
    # Who does not write a view is told so at each change of what it takes.
    told = b.tool("add", "side", "--group", "team.b", "--sync", "--stdin", text="x")
    check("it goes to no other machine: this machine does not write the view work" in told.complaint, f"add: {told}")
    told = b.tool("edit", "side", "--group", "team.b", "--stdin", text="y")
    check("this machine alone: this machine does not write the view work" in told.complaint, f"edit: {told}")
    told = b.tool("sync")
    check("1 stay here, for this machine does not write the view work" in told.complaint, f"sync: {told}")
    check("does not write the view work" in b.do("circle", "status"), "status does not say why it stays")
    b.do("remove", "side", "--group", "team.b", "--forever", "--quiet")
    told = b.tool("edit", "seed", "--note", "n")
    check("changes on all machines that share it" in told.complaint, f"edit in a view of its own: {told}")
    views = {view["name"]: view for view in json.loads(a.do("circle", "views", "--json"))}
    check(views["work"]["writers"] == ["a"] and views["work"]["items"] == 1 and views["work"]["takes"] == "group team.*", f"views: {views}")
    refused = b.tool("circle", "role", "b", "reader", "--view", "work")
    check(refused.code == 1, f"no owner let itself in: {refused}")
    a.do("circle", "role", "b", "reader", "--view", "work", "--quiet")
    place.exchange()
    check("job" in b.do("list", "--plain", "--apps"), "a reader of the view has not its items")
    a.do("circle", "role", "b", "none", "--view", "work", "--quiet")
    check(a.generation() == 2, "no new keys when somebody left a view")
    a.do("circle", "view", "work", "--group", "team.*", "--group", "other", "--quiet")
    check("group other" in a.do("circle", "views"), "a view takes what it took")
    c = place.join("c", "--view", "everything")
    check("job" not in c.do("list", "--plain", "--apps"), "who was let into one view has another's items")
    # What words open is every view, those of after their making, too.
    new = place.machine("z")
    new.do("circle", "recover", "--server", place.role("z"), "--circle", place.id, "--stdin", text=made)
    check("job" in new.do("list", "--plain", "--apps"), "words do not open a view that was made after them")
    return f"2 views, {len(views['work']['writers'])} writer, then a reader and none"


def row_invites(place, _):
    a = place["a"]
    tokens = [a.do("circle", "invite", "--name", name, "--for", "2h").strip() for name in ["kept", "taken"]]
    listed = {one["name"]: one for one in json.loads(a.do("circle", "invites", "--json"))}
    check(set(listed) == {"kept", "taken"} and listed["taken"]["state"] == "open", f"tokens: {listed}")
    a.do("circle", "invite", "--withdraw", listed["taken"]["token"], "--quiet")
    # A token is a secret, and an error goes into logs: also one with a letter wrong.
    wrong = tokens[0][:-1] + ("a" if tokens[0][-1] != "a" else "b")
    for word in (listed["taken"]["token"], tokens[1], wrong):
        refused = a.tool("circle", "invite", "--withdraw", word)
        check(refused.code == 44 and "`llavero circle invites`" in refused.complaint, f"taken back twice: {refused}")
        check(word[:8] not in refused.complaint, f"the error has the token: {refused}")
    pasted = a.do("circle", "invite", "--name", "pasted").strip()
    a.do("circle", "invite", "--withdraw", pasted, "--quiet")
    check("pasted" not in a.do("circle", "invites"), "the token itself took nothing back")
    place.role("c")
    thief = place.machine("c")
    process = thief.start("circle", "join", "--server", place.server.address("m_c"), "--token-fd", tokens[1].encode())
    for _ in range(2):
        try:
            process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            a.sync()
    process.kill()
    process.communicate()
    check(len(a.do("circle", "list", "--plain").splitlines()) == 1, "a token that was taken back admitted")
    check([one["name"] for one in json.loads(a.do("circle", "invites", "--json"))] == ["kept"], "the other token")
    return "1 of 2 taken back, and no use"


def row_30_erase(place, _):
    """`llavero sync` alone does what the circle orders, and says so first."""
    a, b = place["a"], place["b"]
    b.do("add", "own", "--user", "u", "--stdin", "--quiet", text="stays")
    # Its own copy went when it was found to be the shared one's, and is kept for 30 days.
    b.do("add", "twin", "--user", "user-of-twin", "--stdin", "--quiet", text="same")
    a.do("add", "twin", "--user", "user-of-twin", "--sync", "--stdin", "--quiet", text="same")
    place.exchange(1)
    check(b.do("history", "twin", "--plain"), "no copy is kept that could come back")
    b.do("snapshots", "make", "--quiet")
    a.do("circle", "erase-device", "b", "--quiet")
    waiting = json.loads(a.do("circle", "status", "--json"))["erasures"]
    check([(one["name"], one["destroys"], one["receipt"]) for one in waiting] == [("b", "circle", None)], f"ordered: {waiting}")
    # A locked machine cannot, and says nothing of the kind.
    b.do("passcode", "set", "--new-fd", b"first pass phrase of five")
    locked = b.sync()
    waiting = json.loads(a.do("circle", "status", "--json"))["erasures"]
    check(locked.code == 36 and waiting[0]["receipt"] is None, f"locked, and it says that it destroyed: {locked}, {waiting}")
    b.do("passcode", "remove", "--fd", b"first pass phrase of five")
    told = b.sync()
    check(told.code == 1 and "destroy" in told.complaint, f"nobody was told: {told}")
    check(b.names() == ["own"], f"left are {b.names()}")
    check("llavero.sync" not in b.do("list", "--plain", "--all", "--group", "llavero.sync") and not b.tool("history", "seed", "--plain").output, "keys, or earlier versions, stayed")
    back = b.tool("undelete", "twin")
    check(back.code != 0 and not b.tool("history", "twin", "--plain").output, f"a copy of what was shared came back: {back}")
    back = b.tool("restore", "--snapshot", "--yes")
    check(back.code == 0 and b.names() == ["own"], f"a snapshot brought back {b.names()}: {back}")
    b.clean()
    given = json.loads(a.do("circle", "status", "--json"))["erasures"]
    check(given[0]["receipt"] is not None and "b destroyed what it has of the circle" in a.do("circle", "status"), f"no receipt: {given}")
    c = place.join("c")
    a.do("circle", "remove", "c", "--quiet")
    a.do("circle", "erase-device", "c", "--all", "--quiet")
    told = c.sync()
    check(told.code == 1 and "device key first" in told.complaint, f"all: {told}")
    left = sorted(path.name for path in c.home.rglob("*") if path.is_file())
    check(not [name for name in left if "keychain" in name or "key" in name], f"left of all are {left}")
    given = json.loads(a.do("circle", "status", "--json"))["erasures"]
    check(len(given) == 2 and all(one["receipt"] for one in given), f"receipts: {given}")
    d = place.join("d")
    d.do("circle", "leave", "--quiet")
    gone = a.tool("circle", "erase-device", "d")
    check(gone.code == 1 and "left the circle itself" in gone.complaint and "rotate-list d" in gone.complaint, f"ordered of who hears nothing: {gone}")
    return f"2 receipts, left {left}"


def row_doctor_without_right(place, _):
    """A file lists llavero and does not let it synchronize: of a keychain that is in a circle doctor says that it cannot look."""
    program = (place.programs / "llavero").resolve()
    if any(part.stat().st_uid != 0 or part.stat().st_mode & 0o022 for part in [program, *program.parents]) or os.geteuid() != 0:
        raise Skipped("a rule is about a program that root alone can change, and is written by root")
    rules = pathlib.Path(tempfile.mkdtemp(prefix="llavero-test-", dir="/var/lib"))
    place.ends.append(lambda: shutil.rmtree(rules))
    rules.chmod(0o755)
    rule = {"match": {"path": str(program)}, "keychain-access-groups": ["llavero.passwords"]}
    a, alone = place["a"], place.machine("alone")
    alone.do("add", "own", "--user", "u", "--stdin", "--quiet", text="secret")
    for machine in (a, alone):
        machine.daemon("--entitlements", str(rules))

    def found(machine):
        return [one for one in json.loads(machine.tool("doctor", "--json").output) if one["subject"] == "circle"]

    (rules / "llavero.plist").write_bytes(plistlib.dumps(rule))
    refused = a.tool("circle", "status")
    check(refused.code != 0 and "may not synchronize" in refused.complaint, f"the file does not count: {refused}")
    told = found(a)
    check(len(told) == 1 and told[0]["grade"] == "wrong", f"doctor says {told}")
    check("could not be looked at, because" in told[0]["finding"] and "synchronizes" in told[0]["fix"], f"doctor says {told}")
    check(found(alone) == [], f"of a keychain in no circle: {found(alone)}")
    (rules / "llavero.plist").write_bytes(plistlib.dumps(rule | {"synchronizes": True}))
    seen = found(a)
    check(seen and not [one for one in seen if "could not be looked at" in one["finding"]], f"with the right: {seen}")
    place.machines.pop("alone")
    return "said of the one in a circle, and not of the other"


def row_doctor(place, _):
    """Each thing that may be wrong with a circle, and that it is well when it is."""
    a, b = place["a"], place["b"]

    def found(machine, clock=None):
        lines = machine.tool("doctor", "--json", clock=clock)
        return {one["finding"]: one for one in json.loads(lines.output) if one["subject"] == "circle"}

    def finds(text, fix, machine=a, clock=None):
        findings = found(machine, clock)
        check([one for words, one in findings.items() if text in words and fix in (one["fix"] or "")], f"{text!r} is not in {findings}")

    finds("nothing opens it", "llavero recovery make")
    a.do("circle", "words", "--stdin", "--quiet", text=a.do("recovery", "make"))
    place.exchange(1)
    for machine in (a, b):
        check(list(found(machine)) == ["is in step with its server"], f"all is well: {found(machine)}")
    finds("it was last in step 3 days ago", "llavero sync", clock="+73h")
    place.server.sql("alter role m_a nologin")
    finds("does not let this role in", "circle sql --member m_a")
    unasked = a.do("circle", "status")
    check("was not asked" in unasked and ".." not in unasked, f"status: {unasked}")
    place.server.sql("alter role m_a login; delete from llavero.lv_right where who = 'm_a'")
    finds("shows nothing of the circle", "circle sql --member m_a")
    place.role("a")
    a.do("circle", "role", "b", "reader", "--quiet")
    b.synced()
    b.edit("seed", "stays")
    finds("1 item changed here and stay", "circle role b writer", b)
    c = place.join("c")
    a.do("circle", "remove", "c", "--quiet")
    c.sync()
    finds("was removed from it", "circle leave", c)
    a.synced()
    finds("c was removed, and could read 1 secret", "rotate-list c")
    a.edit("seed", "changed")
    a.synced()
    check(list(found(a)) == ["is in step with its server"], f"all is changed: {found(a)}")
    place.server.keep()
    a.add("more", "1")
    a.synced()
    place.server.put_back()
    finds("server is older", "circle status")
    a.sync()
    finds("older than this machine", "circle heal")
    json_status = json.loads(a.do("circle", "status", "--json"))
    check(json_status["alarms"] == 1 and json_status["alarmList"][0]["about"] == "the view everything", f"status: {json_status}")
    b.do("circle", "leave", "--quiet")
    check(not found(b), "a keychain in no circle has findings about one")
    return "10 findings, each with what to do"


def row_last_owner_leaves(place, _):
    """The only owner does not leave others behind by one word; with nobody there it just goes."""
    a, b = place["a"], place["b"]
    refused = a.tool("circle", "leave")
    check(refused.code == 1 and "make another machine an owner first" in refused.complaint and "--yes" in refused.complaint, f"it left: {refused}")
    a.synced()
    a.do("circle", "role", "b", "owner", "--quiet")
    b.synced()
    # What is locked cannot be let go of, so nobody is told.
    a.do("passcode", "set", "--new-fd", b"first pass phrase of five")
    locked = a.tool("circle", "leave")
    b.synced()
    check(locked.code == 36 and len(b.do("circle", "list", "--plain").splitlines()) == 2, f"locked, and it left by half: {locked}")
    a.do("passcode", "remove", "--fd", b"first pass phrase of five")
    left = a.tool("circle", "leave")
    check(left.code == 0 and "not told" not in left.complaint, f"one of two owners: {left}")
    b.synced()
    alone = b.tool("circle", "leave")
    check(alone.code == 0 and "not told" not in alone.complaint, f"the last member: {alone}")
    place.machines.clear()
    return "refused, then one after the other"


def row_sql_twice(place, _):
    """A role that is there gets a new password, and one that is gone goes again."""
    first = place["a"].do("circle", "sql", "--member", "m_b", "--certificate")
    place.server.sql(first + first)
    name = "m_x'$$\\y"
    odd = place["a"].do("circle", "sql", "--member", name, "--certificate")
    place.server.sql(odd)
    place.server.sql(odd)
    dropped = place["a"].do("circle", "sql", "--drop", name)
    place.server.sql(dropped)
    place.server.sql(dropped)
    check(place.server.sql("select count(*) from pg_roles where rolname like 'm\\_x%'") == "0", "a dropped role is there")
    place["b"].synced()
    early = place.machine("z").tool("circle", "sql", "--member", "m_z")
    check(early.code == 44 and "the password of" not in early.complaint and "`llavero circle create`" in early.complaint, f"of no circle yet: {early}")
    return "twice each"


ROWS = [
    (row_7_quorum, "a", False), (row_31_words_of_a_quorum, "a", True), (row_gone_for_good, "a", True), (row_roles, "ab", False), (row_heard_of, "ab", False), (row_views, "ab", False), (row_invites, "a", True), (row_30_erase, "ab", False), (row_doctor, "ab", False), (row_doctor_without_right, "a", False),
    (row_last_owner_leaves, "ab", False), (row_sql_twice, "ab", True),
]
