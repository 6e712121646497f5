# SPDX-License-Identifier: Apache-2.0
"""Rows about items: what travels, what wins, what is killed in the middle."""
import json
import random
import subprocess
import time

from scene import Skipped, check


def row_9_add_update_delete(place, _):
    a, b = place["a"], place["b"]
    a.add("web", "first")
    place.exchange(1)
    check(b.secret("web") == "first", "an added item did not come")
    reference = b.ids()["web"]
    a.edit("web", "second")
    place.exchange(1)
    check(b.secret("web") == "second", "a changed item did not come")
    check(b.ids()["web"] == reference, "an update changed the reference of the other machine")
    count = place.equal()
    a.remove("web")
    place.exchange(1)
    check("web" not in b.names(), "a removed item stayed")
    b.clean()
    return f"{count} items equal with their times, then {place.equal()}"


def row_10_never_uploaded(place, _):
    a = place["a"]
    before = place.server.sql("select count(*) from llavero.lv_record")
    told = a.tool("add", "local", "--user", "u", "--stdin", text="local-secret")
    check("edit local --sync" in told.complaint, f"nothing says that it stays here: {told}")
    fields = {"kind": "password", "synchronizable": True, "group": "llavero.passwords", "service": "bound", "user": "u", "secret": "bound-secret"}
    outcomes = []
    for protection in ["when-unlocked-this-device-only", "when-passcode-set-this-device-only"]:
        file = place.folder / "one.json"
        file.write_text(json.dumps({"llavero": 2, "items": [fields | {"name": protection, "label": protection, "service": protection, "protection": protection}]}))
        outcomes.append(a.tool("import", file, "--format", "llavero-json").code)
    # A key and its certificate, which somebody wants to share all the same.
    key, certificate, bundle = (place.folder / name for name in ("key.pem", "certificate.pem", "both.p12"))
    openssl = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9", "-subj", "/CN=never-shared"]
    subprocess.run([*openssl, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    subprocess.run(["openssl", "pkcs12", "-export", "-inkey", key, "-in", certificate, "-out", bundle, "-passout", "pass:p", "-name", "never-shared"], check=True, capture_output=True)
    stored = a.security("import", bundle, "-P", "p")
    check(stored.code == 0, f"a key was not stored: {stored}")
    kinds = sorted(item["kind"] for item in a.exported()["items"] if item["kind"] in ("certificate", "key"))
    check(kinds == ["certificate", "key"], f"there are {kinds}")
    shared = [a.tool("edit", "never-shared", "--kind", kind, "--sync").code for kind in kinds]
    check(0 not in shared, f"a {kinds} was shared: {shared}")
    place.exchange(1)
    after = place.server.sql("select count(*) from llavero.lv_record")
    check(before == after, f"{before} records became {after}")
    check(not [item for item in place["b"].exported()["items"] if item["kind"] in ("certificate", "key")], "a key or certificate came")
    check(not set(place["b"].names()) - {"seed"}, f"came: {place['b'].names()}")
    return f"{after} records before and after; bound ones stored with {outcomes}"


def row_11_same_key_offline(place, _):
    a, b = place["a"], place["b"]
    a.add("same", "of-a")
    time.sleep(0.01)
    b.add("same", "of-b")
    place.exchange()
    check(a.secret("same") == b.secret("same") == "of-b", f"{a.secret('same')} and {b.secret('same')}")
    found = a.tool("history", "same", "--plain"), b.tool("history", "same", "--plain")
    check(any(answer.output.strip() for answer in found), f"the loser is in no history: {found[0]} {found[1]}")
    return f"one of two stays, {place.equal()} items"


def row_first_fields(place, _):
    """Each gives an item its first further secret before it hears of the other's."""
    a, b = place["a"], place["b"]
    a.add("fields", "password")
    place.exchange(1)
    a.do("edit", "fields", "--field", "PIN", "--stdin", "--quiet", text="4711")
    time.sleep(0.01)
    b.do("edit", "fields", "--field", "PUK", "--stdin", "--quiet", text="0815")
    place.exchange()
    for machine in (a, b):
        found = [machine.do("get", "fields", "--field", name).strip() for name in ("PIN", "PUK")]
        check(found == ["4711", "0815"], f"{machine.name} has {found}")
    a.remove("fields")
    place.exchange(1)
    left = [name for machine in (a, b) for name in machine.names() if name.startswith("fields")]
    check(not left, f"left behind: {left}")
    return f"both fields on both machines, {place.equal()} items equal"


def row_12_equal_times(place, _):
    a, b = place["a"], place["b"]
    winners = []
    for number, first in enumerate([(a, b), (b, a)]):
        # It stands still.
        clock = f"2027-01-0{number + 1} 12:00:00"
        name = f"equal{number}"
        a.add(name, "aaaa", clock=clock)
        b.add(name, "bbbb", clock=clock)
        times = {machine.shared()[(name, f"user-of-{name}")][1] for machine in (a, b)}
        check(len(times) == 1, f"the times differ: {times}")
        for machine in (*first, *first):
            machine.synced()
        check(a.secret(name) == b.secret(name), f"{name} is {a.secret(name)} and {b.secret(name)}")
        winners.append(a.secret(name))
    return f"{place.equal()} items equal, won {winners}"


def row_13_delete_and_edit(place, _):
    a, b = place["a"], place["b"]
    a.take({"lives": "1", "gone": "1"})
    place.exchange(1)
    a.remove("lives")
    time.sleep(0.01)
    b.edit("lives", "edited later")
    b.edit("gone", "edited before")
    time.sleep(0.01)
    a.remove("gone")
    place.exchange()
    check(a.secret("lives") == b.secret("lives") == "edited later", "a later edit lost against a deletion")
    check("gone" not in a.names() + b.names(), "a later deletion lost")
    return f"{place.equal()} items equal"


def row_14_clock_ahead(place, _):
    a, b = place["a"], place["b"]
    a.add("clock", "today")
    place.exchange(1)
    a.edit("clock", "from the future", clock="+3650d")
    said = a.sync(clock="+3650d")
    check(said.code == 0, f"sync with a clock ahead: {said}")
    told = b.sync()
    check(b.secret("clock") == "from the future", "the change did not come")
    check("ahead" in told.complaint, f"nobody was told that the clock is ahead: {told}")
    b.edit("clock", "after it")
    b.synced()
    a.synced()
    check(a.secret("clock") == b.secret("clock") == "after it", f"an edit after it lost: {a.secret('clock')}")
    return f"{place.equal()} items equal; told"


def row_15_locked(place, _):
    """With a passcode that is not given, nothing opens, and nothing is lost; what is given again has all."""
    a, b = place["a"], place["b"]
    b.do("passcode", "set", "--no-agent", "--new-fd", b"geheim-12\n")
    a.edit("seed", "changed")
    a.synced()
    told = b.sync()
    check(told.code == 36, f"a locked machine: {told}")
    b.do("passcode", "remove", "--fd", b"geheim-12\n")
    b.synced()
    check(b.secret("seed") == "changed", "an unlocked machine has not what came")
    return f"ended with {told.code} while locked, then {place.equal()} items equal"


def row_16_away(place, _):
    a, b = place["a"], place["b"]
    a.take({f"t{number}": "1" for number in range(6)})
    place.exchange(1)
    b.edit("t5", "changed while away")
    a.remove("t0", "t1", "t5")
    for clock in ["+1d", "+100d", "+110d", "+119d"]:
        a.synced(clock=clock)
    voids = place.server.sql("select count(*) from llavero.lv_head")
    b.synced(clock="+120d")
    a.synced(clock="+120d")
    b.synced(clock="+120d")
    names = b.names()
    check("t0" not in names and "t1" not in names, f"deletions did not arrive: {names}")
    check("t5" not in names or b.secret("t5") == "changed while away", "the edit is another")
    return f"{voids} heads, {place.equal()} items equal, {names}"


def row_17_killed(place, long):
    """`llavero sync` is killed at many moments; nothing that was acknowledged may be lost."""
    machines = [place[name] for name in "abc"]
    chance = random.Random(17)
    acknowledged = {}
    kills = 0
    for turn in range(40 if long else 8):
        machine = chance.choice(machines)
        name = f"k{chance.randrange(12)}-{machine.name}"
        value = f"value-{turn}"
        if (name in acknowledged and machine.tool("edit", name, "--stdin", "--quiet", text=value).code == 0) or (
                name not in acknowledged and machine.tool("add", name, "--user", "u", "--sync", "--stdin", "--quiet", text=value).code == 0):
            acknowledged[name] = value
        for one in machines:
            process = one.start("sync", "--quiet")
            process.stdin.close()
            time.sleep(chance.uniform(0.005, 0.2))
            if process.poll() is None:
                kills += 1
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
    place.exchange(2)
    for machine in machines:
        machine.clean()
        have = {name: secret for (name, _), (secret, _) in machine.shared().items()}
        for name, value in acknowledged.items():
            check(have.get(name) == value, f"{machine.name} has {name} as {have.get(name)}, acknowledged {value}")
    return f"{kills} kills on 3 machines, {len(acknowledged)} acknowledged, {place.equal()} items equal"


def row_18_cut_at_commit(place, _):
    """The server commits, and the machine does not hear of it."""
    a, b = place["a"], place["b"]
    heads = place.server.sql("select count(*) from llavero.lv_head")
    cuts = 0
    for number in range(12):
        a.add(f"cut{number}", "value")
        process = a.start("sync", "--quiet")
        process.stdin.close()
        limit = time.monotonic() + 10
        before = place.server.sql("select count(*) from llavero.lv_head")
        while process.poll() is None and time.monotonic() < limit:
            place.server.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'm_a'")
            if place.server.sql("select count(*) from llavero.lv_head") != before:
                break
        process.wait()
        cuts += process.returncode != 0
        process.stdout.close()
        process.stderr.close()
    place.exchange()
    twice = place.server.sql("select count(*) from (select circle, view, n from llavero.lv_head group by 1, 2, 3 having count(*) > 1) t")
    check(twice == "0", "a number was taken twice")
    a.clean()
    b.clean()
    return f"{cuts} of 12 cut, {heads} heads became {place.server.sql('select count(*) from llavero.lv_head')}, {place.equal()} items equal"


def row_19_many_deletions(place, _):
    a, b = place["a"], place["b"]
    a.take({f"many{number}": "1" for number in range(99)})
    place.exchange(1)
    check(len(b.names()) == 100, f"{len(b.names())} items came")
    a.remove(*[f"many{number}" for number in range(60)])
    a.synced()
    waited = b.sync()
    check(len(b.names()) == 100, f"60 of 100 were deleted unasked: {waited}")
    check("60" in waited.complaint, f"it was not told: {waited}")
    b.synced("--allow-deletions")
    check(len(b.names()) == 40, f"{len(b.names())} items are left")
    snapshots = b.do("snapshots", "--plain") if False else b.tool("snapshots", "list", "--plain")
    kept = len([line for line in (snapshots.output or b.tool("snapshots", "--plain").output).splitlines() if line])
    check(kept > 0, f"no snapshot was made: {snapshots}")
    return f"100 stayed, then 40; {kept} snapshot; {place.equal()} items equal"


def row_keys_stay(place, _):
    """What a keychain keeps of its circle is in no export, and in no file as it is."""
    a = place["a"]
    exported = a.exported()["items"]
    check(not [item for item in exported if item.get("group") == "llavero.sync"], f"an export has {[item['name'] for item in exported]}")
    check(len(exported) == 1, "and nothing else")
    listed = a.tool("list", "--plain", "--apps").output + a.tool("list", "--plain").output
    check("llavero.sync" not in listed + a.tool("list", "--plain", "--all").output, "a list shows the circle's keys")
    check("llavero.sync" in a.tool("list", "--plain", "--all", "--group", "llavero.sync").output, "whoever names their group does not see them")
    left = place["b"].tool("circle", "leave")
    check(left.code == 0 and "not told" not in left.complaint, f"leave: {left}")
    check(len(a.do("circle", "list", "--plain").splitlines()) == 1, "who left is still a member")
    check("llavero.sync" not in place["b"].tool("list", "--plain", "--all", "--apps").output, "keys stayed after leaving")
    # It stays alone only as long as it stays away.
    told = place["b"].tool("remove", "seed")
    check(told.code == 0 and "goes from this machine; the keychain is in no circle, and once it is in that of others" in told.complaint, f"remove: {told}")
    return f"{len(exported)} item exported, none of the circle's; none left after leaving"


def row_large_items(place, _):
    """More bytes than one answer has: a new machine gets all of them."""
    a = place["a"]
    a.take({f"large{number}": f"{number:04}" * 240000 for number in range(80)})
    a.synced()
    size = place.server.sql("select sum(octet_length(body)) >> 20 from llavero.lv_record")
    b = place.join("b")
    b.synced()
    check(len(b.names()) == 81, f"{len(b.names())} of 81 items came, of {size} MiB")
    return f"{size} MiB, {len(b.names())} items"


def row_double_of_a_backup(place, _):
    """A machine has of a backup what the circle shares as well: what belongs to the one is not the other's."""
    a, b = place["a"], place.machine("b")
    a.do("add", "otp", "--user", "u", "--stdin", "--quiet", text="old")
    for code, pin in [("JBSWY3DPEHPK3PXP", "old pin"), ("GEZDGNBVGY3TQOJQ", "new pin")]:
        a.do("edit", "otp", "--code", "--stdin", "--quiet", text=code)
        a.do("edit", "otp", "--field", "PIN", "--stdin", "--quiet", text=pin)
        if pin == "old pin":
            words = [place.folder / "old.backup", "--fd", b"one of eight words\n", "--quiet"]
            a.do("backup", *words)
            b.do("restore", *words, "--yes")
            a.do("edit", "otp", "--sync", "--quiet")
            a.synced()
    a.synced()
    place.join("b")
    b.synced()

    def parts(machine, item):
        """The seed of its codes, and its fields."""
        found = json.loads(machine.do("get", item, "--json"))
        return [found.get("one-time-code", "")[-16:], *(field["value"] for field in found.get("secret-fields", []))]

    found = [item["id"] for item in json.loads(b.do("list", "--json")) if item["name"] == "otp"]
    shared, own = sorted(found, key=lambda item: "synchronizable" not in json.loads(b.do("show", item, "--json")))
    old, new = ["JBSWY3DPEHPK3PXP", "old pin"], ["GEZDGNBVGY3TQOJQ", "new pin"]
    check((parts(b, own), parts(b, shared)) == (old, new), f"b has {parts(b, own)} and {parts(b, shared)}")
    exported = {item["secret"][-16:]: item.get("synchronizable", False) for item in b.exported()["items"] if "otp (" in item["name"]}
    check(exported == dict.fromkeys(old, False) | dict.fromkeys(new, True), f"an export has {exported}")
    # What is changed or removed of the one stays with the other, here and on the other machine.
    b.do("edit", own, "--no-code", "--quiet")
    b.do("edit", own, "--field", "PIN", "--stdin", "--quiet", text="third pin")
    place.exchange()
    check(parts(b, own) == ["", "third pin"], f"b has {parts(b, own)}")
    check(parts(a, "otp") == parts(b, shared) == new, f"a has {parts(a, 'otp')}, b {parts(b, shared)}")
    b.remove(own)
    place.exchange()
    check(parts(a, "otp") == parts(b, "otp") == new, f"a has {parts(a, 'otp')}, b {parts(b, 'otp')}")
    left = [item["name"] for item in json.loads(b.do("list", "--all", "--json")) if "otp (" in item["name"]]
    check(len(left) == 2, f"b has kept {left}")
    b.do("undelete", "otp", "--quiet")
    check(parts(b, own) == ["", "third pin"] and parts(b, shared) == new, f"b has {parts(b, own)} and {parts(b, shared)}")
    # Without the one that is shared, the other goes on with its own.
    a.remove("otp")
    place.exchange()
    check(parts(b, "otp") == ["", "third pin"], f"b has {parts(b, 'otp')}")
    return f"own and shared parts apart, {place.equal()} items equal"


def row_restored_beside_shared(place, _):
    """A backup from before the sharing, restored on a member, doubles what is shared: it is told, and a round settles it."""
    a, b = place["a"], place["b"]
    words = [place.folder / "before.backup", "--fd", b"one of eight words\n"]
    for name in ["first", "second"]:
        a.do("add", name, "--user", "u", "--stdin", "--quiet", text=name)
    a.do("backup", *words, "--quiet")
    for name in ["first", "second"]:
        a.do("edit", name, "--sync", "--quiet")
    place.exchange()
    told = b.tool("restore", *words, "--yes")
    check(told.code == 0 and "2 items of this machine alone are here as the circle shares them, too" in told.complaint and "`llavero sync`" in told.complaint, f"restore: {told}")
    b.synced()
    check(len(b.names()) == len(set(b.names())), f"b has {b.names()}")
    return f"told of, and settled by a round; {place.equal()} items equal"


def row_shared_and_back(place, _):
    """What belongs to an item is shared with it; where an earlier version comes back, both stay shared, or here alone, as they are."""
    a, b = place["a"], place["b"]
    a.do("add", "way", "--user", "u", "--stdin", "--quiet", text="one")
    a.do("edit", "way", "--field", "PIN", "--stdin", "--quiet", text="4711")
    a.do("edit", "way", "--sync", "--quiet")
    place.exchange(1)
    check(b.do("get", "way", "--field", "PIN").strip() == "4711", "the field was not shared with its item")

    def back(secret):
        """Brings back the newest version that has this password."""
        versions = [past["version"] for past in json.loads(a.do("history", "way", "--json")) if past["name"] == "way"]
        number = next(number for number in versions if a.do("get", "way", "--version", number).strip() == secret)
        a.do("restore-version", "way", number, "--quiet")

    a.edit("way", "two")
    place.exchange(1)
    # From before it was shared, and from then on.
    for secret in ("one", "two"):
        back(secret)
        place.exchange(1)
        for machine in (a, b):
            check(machine.secret("way") == secret and machine.do("get", "way", "--field", "PIN").strip() == "4711", f"{machine} has not what the version was")
    a.do("edit", "way", "--no-sync", "--quiet")
    back("one")
    place.exchange(1)
    check(a.secret("way") == "one" and a.do("get", "way", "--field", "PIN").strip() == "4711", "the item or its field is lost")
    check(not [name for name in b.names() if name.startswith("way")], f"b has {b.names()}")
    left = [item["name"] for item in json.loads(b.do("list", "--all", "--json")) if item["name"].startswith("way")]
    check(not left, f"b has kept {left}")
    a.remove("way")
    check(not [item for item in a.exported()["items"] if item["name"].startswith("way")], "something was left behind")
    return f"{place.equal()} items equal"


def row_too_large(place, _):
    """What is larger than a record stays, and everything that looks at it says so."""
    a, b = place["a"], place["b"]
    file = place.folder / "scan.pdf"
    file.write_bytes(b"x" * 1_100_000)
    a.add("papers", "small")
    a.do("edit", "papers", "--attach", file, "--quiet")
    a.do("add", "novel", "--user", "u", "--sync", "--stdin", "--quiet", text="y" * 1_100_000)
    a.add("fits", "z" * 1_048_000)
    for _ in range(2):
        told = a.sync()
        check(told.code == 1 and all(part in told.complaint for part in ("papers (scan.pdf) is too large", "novel (user u) is too large", "1048576")), f"sync: {told}")
    status = json.loads(a.do("circle", "status", "--json"))
    check(status["unsent"] == 0 and sorted(item["name"] for item in status["tooLarge"]) == ["novel", "papers (scan.pdf)"], f"status: {status}")
    told = a.do("circle", "status")
    check("novel (user u) is too large" in told and "did not go yet" not in told, f"status: {told}")
    told = a.tool("doctor").output
    check("papers (scan.pdf) is too large" in told, f"doctor: {told}")
    b.synced()
    check(b.secret("fits") == "z" * 1_048_000 and b.names() == ["fits", "papers", "seed"], f"b has {b.names()}")
    # What is made smaller goes.
    a.do("edit", "papers", "--detach", "scan.pdf", "--quiet")
    a.edit("novel", "short")
    place.exchange(1)
    check(b.secret("novel") == "short", "what became small enough did not go")
    return f"{place.equal()} items equal"


def row_doubles_of_one_place(place, _):
    """Two names of one user and place are two items, of this machine alone and shared; one name of them is one, whichever came first."""
    a, b = place["a"], place.machine("b")

    def add(machine, name, secret="s", *more):
        machine.do("add", name, "--user", "me", "--url", "https://n.example", "--stdin", "--quiet", *more, text=secret)

    add(a, "team", "t", "--sync")
    add(a, "same", "s", "--sync")
    add(a, "other", "one", "--sync")
    for name, secret in (("other", "two"), ("private", "p"), ("same", "s")):
        add(b, name, secret)
    # One of another place is another item, and named as such.
    add(a, "moved", "m", "--sync")
    b.do("add", "moved", "--user", "me", "--stdin", "--quiet", text="old")
    a.synced()
    place.join("b")
    said = b.tool("sync")
    check(b.names() == ["moved", "moved", "other", "other", "private", "same", "seed", "team"], f"b has {b.names()}, sync: {said}")
    check("other (user me) is here twice" in said.complaint and "private" not in said.complaint, f"sync: {said}")
    state = json.loads(b.do("circle", "status", "--json"))
    doubles = state["doubles"]
    check([double["name"] for double in doubles] == ["other"], f"status: {doubles}")
    check([item["name"] for item in state["namesakes"]] == ["moved"] and "moved (user me)" in b.do("circle", "status"), f"status: {state}")
    told = b.tool("doctor").output
    check("1 item of this machine alone is here as the circle shares it" in told, f"doctor: {told}")
    b.remove(doubles[0]["own"])
    check(b.secret("other") == "one" and b.secret("private") == "p" and b.secret("team") == "t", "one of them went")
    # What is shared later comes to one that has it.
    for machine in (a, b):
        add(machine, "later")
    a.do("edit", "later", "--sync", "--quiet")
    place.exchange(1)
    check(b.names().count("later") == 1 and json.loads(b.do("show", "later", "--json"))["synchronizable"], f"b has {b.names()}")
    return "told by their names"


def row_one_title_in_folders(place, _):
    """KeePass has one title in several groups: two passwords, which are shared as two; the same ones of a member are not doubled."""
    a, b = place["a"], place.machine("b")
    for machine in (a, b):
        for folder, secret in (("Router", "r"), ("NAS", "n")):
            machine.do("add", "Login", "--user", "admin", "--another", "--tag", folder, "--stdin", "--quiet", text=secret)
    for item in json.loads(a.do("list", "--json")):
        if item["name"] == "Login":
            a.do("edit", item["id"], "--sync", "--quiet")
    a.synced()
    place.join("b")
    b.synced()
    found = {b.do("get", item["id"]).strip(): json.loads(b.do("show", item["id"], "--json")) for item in json.loads(b.do("list", "--json")) if item["name"] == "Login"}
    check(sorted(found) == ["n", "r"] and all(item.get("synchronizable") for item in found.values()), f"b has {found}")
    check(b.names().count("Login") == 2, f"b has {b.names()}")
    # Less than the shared one says is nothing more; another password of no folder is named, with both ways.
    b.do("add", "Login", "--user", "admin", "--another", "--stdin", "--quiet", text="n")
    said = b.tool("sync")
    check(said.code == 0 and b.names().count("Login") == 2, f"sync: {said}, b has {b.names()}")
    b.do("add", "Login", "--user", "admin", "--another", "--stdin", "--quiet", text="x")
    said = b.tool("sync")
    check("is here twice" in said.complaint and "NEWNAME` keeps both" in said.complaint, f"sync: {said}")
    own = json.loads(b.do("circle", "status", "--json"))["doubles"][0]["own"]
    told = b.tool("edit", own, "--sync")
    check(told.code == 45 and f"llavero rename {own} NEWNAME" in told.complaint, f"edit --sync: {told}")
    b.do("rename", own, "other", "--quiet")
    b.do("edit", "other", "--sync", "--quiet")
    place.exchange()
    # What has one name and user cannot be told by these.
    secrets = {machine.name: sorted(item["secret"] for item in machine.exported()["items"] if item["name"] in ("Login", "other")) for machine in (a, b)}
    check(secrets["a"] == secrets["b"] == ["n", "r", "x"], f"{secrets}")
    return "two passwords of one title in two folders, a third by another name"


def row_doubles(place, _):
    """What a machine has already when the circle brings it is one item, where both say the same; else both stay, and are named."""
    a, b = place["a"], place.machine("b")
    for machine, other in ((a, "one"), (b, "two")):
        more = ["--sync"] if machine is a else []
        for name, secret in (("same", "s"), ("parts", "s"), ("noted", "s"), ("other", other)):
            machine.do("add", name, "--user", "u", "--stdin", "--quiet", *more, text=secret)
        machine.do("edit", "same", "--tag", "t", "--quiet")
        machine.do("edit", "same", "--field", "PIN", "--stdin", "--quiet", text="4711")
        machine.do("edit", "parts", "--field", "PIN", "--stdin", "--quiet", text=other)
    b.do("edit", "noted", "--note", "only here", "--quiet")
    a.synced()
    place.join("b")
    said = b.tool("sync")
    check(said.code == 0 and all(f"{name} (user u) is here twice" in said.complaint for name in ("noted", "other", "parts")), f"sync: {said}")
    check(b.names() == ["noted", "noted", "other", "other", "parts", "parts", "same", "seed"], f"b has {b.names()}")
    check(json.loads(b.do("show", "same", "--json"))["synchronizable"], "the shared one went")
    check(b.do("get", "same", "--field", "PIN").strip() == "4711" == a.do("get", "same", "--field", "PIN").strip(), "a field went")
    told = b.tool("get", "other")
    check(told.code == 46 and "shared with the circle" in told.complaint and "of this machine alone" in told.complaint, f"get: {told}")
    check("SHARED" in b.do("list").splitlines()[0] and "here as the circle shares them" in b.tool("doctor").output, "list or doctor is silent")
    doubles = {double["name"]: double for double in json.loads(b.do("circle", "status", "--json"))["doubles"]}
    check(sorted(doubles) == ["noted", "other", "parts"] and "llavero sync" in b.do("circle", "status"), f"status: {doubles}")
    told = b.tool("edit", doubles["other"]["own"], "--sync")
    check(told.code == 45 and f"llavero remove {doubles['other']['own']}" in told.complaint, f"edit --sync: {told}")
    # What went comes back, and goes again.
    b.do("undelete", "same", "--quiet")
    check(b.names().count("same") == 2, "what went does not come back")
    b.synced()
    check(b.names().count("same") == 1, "it did not go again")
    # A change on one side settles, too.
    b.edit(doubles["other"]["own"], "one")
    b.remove(doubles["noted"]["own"])
    b.do("edit", doubles["parts"]["own"], "--field", "PIN", "--stdin", "--quiet", text="one")
    place.exchange()
    check(b.names() == ["noted", "other", "parts", "same", "seed"] == a.names(), f"b has {b.names()}, a {a.names()}")
    check(b.secret("other") == "one" and b.do("get", "parts", "--field", "PIN").strip() == "one", "another one stayed")
    left = [item["name"] for item in json.loads(b.do("list", "--all", "--json")) if "(" in item["name"]]
    check(len(left) == 2, f"b has kept {left}")
    return f"{place.equal()} items equal"



def row_returns(place, _):
    """An item that one machine removed and another changed later is there with all that belonged to it, whichever is heard first."""
    a, b = place["a"], place["b"]
    file = place.folder / "plan.txt"
    file.write_text("the plan")
    names = ["own-first", "other-first", "by-a-field", "for-good"]

    def parts(machine, name):
        return machine.do("get", name, "--field", "PIN").strip(), machine.do("get", name, "--attachment", "plan.txt")

    for name in names:
        a.do("add", name, "--sync", "--stdin", "--quiet", text="s")
        a.do("edit", name, "--field", "PIN", "--stdin", "--quiet", text="4711")
        a.do("edit", name, "--field", "gone", "--stdin", "--quiet", text="by itself")
        a.do("edit", name, "--attach", file, "--quiet")
    place.exchange()
    for name in names:
        a.do("edit", name, "--no-field", "gone", "--quiet")
    for name in names:
        a.remove(name)
    b.edit("own-first", "later", clock="+5s")
    b.edit("other-first", "later", clock="+5s")
    b.do("edit", "by-a-field", "--field", "PIN", "--stdin", "--quiet", text="4712", clock="+5s")
    a.synced()
    b.synced()
    told = a.tool("sync")
    check("own-first was removed on one machine and changed later on another" in told.complaint and "the field PIN" in told.complaint, f"a: {told}")
    place.exchange()
    for machine in (a, b):
        check(machine.names() == ["by-a-field", "other-first", "own-first", "seed"], f"{machine.names()}")
        check(parts(machine, "own-first") == ("4711", "the plan") == parts(machine, "other-first"), "what belongs to it did not come back")
        check(parts(machine, "by-a-field") == ("4712", "the plan"), f"{parts(machine, 'by-a-field')}")
        check(machine.secret("own-first") == "later", "the later change lost")
        check(machine.tool("get", "own-first", "--field", "gone").code == 44, "what went by itself came back")
    quiet = a.tool("sync")
    check("was removed on one machine" not in quiet.complaint, f"told twice: {quiet}")
    # The other way round: who changed it is heard first.
    a.remove("other-first")
    b.edit("other-first", "last", clock="+10s")
    b.synced()
    place.exchange()
    check(parts(a, "other-first") == ("4711", "the plan") == parts(b, "other-first") and a.secret("other-first") == "last", "heard first")
    # A new name, a place on the web, and another item of that name are no return.
    for name in ("first-name", "no-place", "anew"):
        a.do("add", name, "--sync", "--stdin", "--quiet", text="s")
        a.do("edit", name, "--field", "PIN", "--stdin", "--quiet", text="4711")
    place.exchange()
    b.do("rename", "first-name", "second-name", "--quiet")
    b.do("edit", "no-place", "--url", "https://place.example/", "--quiet")
    a.remove("anew")
    a.do("add", "anew", "--sync", "--stdin", "--quiet", text="other")
    a.do("edit", "anew", "--field", "colour", "--stdin", "--quiet", text="red")
    for machine in (b, a, b, a):
        told = machine.tool("sync")
        check("was removed on one machine" not in told.complaint, f"a return of nothing: {told}")
    for machine in (a, b):
        there = machine.names()
        check("second-name" in there and "first-name" not in there and there.count("no-place") == 1, f"{there}")
        check(machine.tool("get", "anew", "--field", "PIN").code == 44, "what the removed one had came to the new one")
    return f"{len(a.names())} items whole on both machines"


def row_first_part(place, _):
    """The first thing that belongs to an item stays, where the other machine changes the item before it hears of it."""
    a, b = place["a"], place["b"]
    file = place.folder / "plan.txt"
    file.write_text("the plan")
    for name in ("added", "shared"):
        a.do("add", name, *(["--sync"] if name == "added" else []), "--stdin", "--quiet", text="old")
    a.do("edit", "shared", "--sync", "--quiet")
    a.do("add", "url", "--sync", "--url", "https://u.example", "--stdin", "--quiet", text="old")
    names = ["added", "shared", "url"]
    place.exchange()
    for name in names:
        a.do("edit", name, "--code", "--stdin", "--quiet", text="JBSWY3DPEHPK3PXP")
        a.do("edit", name, "--field", "PIN", "--stdin", "--quiet", text="4711")
        a.do("edit", name, "--attach", file, "--quiet")
        b.edit(name, "new", clock="+5s")
    place.exchange()
    for machine in (a, b):
        for name in names:
            check(machine.secret(name) == "new", "the later password lost")
            check(machine.do("get", name, "--field", "PIN").strip() == "4711" and machine.do("get", name, "--attachment", "plan.txt") == "the plan", f"{name} lost what belongs to it")
            check(len(machine.do("code", name).strip()) == 6, f"{name} has no code")
    return f"{len(names)} items have all of both"


def row_renamed_elsewhere(place, _):
    """An item that another machine renamed is told of by its new name, with its history, and has no second life under the old one."""
    a, b = place["a"], place["b"]
    for name in ("old", "gone"):
        a.do("add", name, "--sync", "--stdin", "--quiet", text="one")
    place.exchange()
    b.do("edit", "old", "--stdin", "--quiet", text="two")
    b.do("rename", "old", "new", "--quiet")
    b.remove("gone")
    b.synced()
    a.synced()
    for machine in (a, b):
        told = machine.tool("get", "old")
        check(told.code == 44 and "it is called new now" in told.complaint, f"{machine.name}: {told}")
        told = machine.tool("undelete", "old")
        check(told.code == 44 and "old is called new now" in told.complaint, f"{machine.name}: {told}")
        check("old" not in machine.do("history"), f"{machine.name} lists it as removed")
        check("old" in machine.do("history", "new"), f"{machine.name} has no history of it")
        check("it was removed on" in machine.tool("get", "gone").complaint, f"{machine.name}: a removal is one")
    # What it was under the old name comes back in the place of the new one.
    number = a.do("history", "new", "--plain").splitlines()[0].split("\t")[0]
    a.do("restore-version", "new", number, "--quiet")
    check(a.names() == ["old", "seed"], f"{a.names()}")
    place.exchange()
    for machine in (a, b):
        check(machine.names() == ["old", "seed"] and machine.secret("old") == "one", f"{machine.name}: {machine.names()}")
    return "one item under one name"


def row_share_all(place, _):
    """What the Guide has of all that there is: each item of the list is shared."""
    a, b = place["a"], place["b"]
    for name in ("mine", "web/site"):
        a.do("add", name, "--stdin", "--quiet", text="s")
    words, environment = a.command(["edit", "--sync", "--quiet"], None, [])
    all_of_it = "".join(line.split("\t")[7] + "\n" for line in a.do("list", "--plain").splitlines())
    done = subprocess.run(["xargs", "-n1", *words], env=environment, input=all_of_it, text=True, capture_output=True)
    check(done.returncode == 0, f"sharing all of it: {done}")
    place.exchange()
    check({"mine", "web/site"} <= set(b.names()), f"b has {b.names()}")
    return f"{len(b.names())} items shared"


def row_lost_of_a_group(place, _):
    """Of an item of another group, too, what lost against a later change is in the history."""
    a, b = place["a"], place["b"]
    a.do("add", "door", "--group", "team.ops", "--sync", "--stdin", "--quiet", text="first")
    place.exchange()
    b.do("edit", "door", "--group", "team.ops", "--stdin", "--quiet", text="lost")
    a.do("edit", "door", "--group", "team.ops", "--stdin", "--quiet", text="later", clock="+5s")
    a.synced()
    b.synced()
    listed = b.tool("history", "door", "--group", "team.ops", "--plain")
    check(listed.code == 0 and len(listed.output.splitlines()) == 1, f"history: {listed}")
    number = listed.output.split("\t")[0]
    check(b.do("get", "door", "--group", "team.ops", "--version", number).strip() == "lost", "what lost is nowhere")
    b.do("restore-version", "door", number, "--group", "team.ops", "--quiet")
    place.exchange()
    check(a.do("get", "door", "--group", "team.ops").strip() == "lost", "it does not come back")
    check("not kept" in a.tool("edit", "door", "--group", "team.ops", "--stdin", text="x").complaint, "an edit for good is silent")
    return "one version kept"


def row_two_keychains(place, _):
    """Of two keychains of a machine one is in the circle: commands about the other one say so, and what they do stays apart."""
    a, b = place["a"], place["b"]
    a.add("first", "one")
    place.exchange()
    for words in (("create", "work"), ("search", "login", "work"), ("default", "work")):
        a.do("keychains", *words, "--quiet")
    for words in (("sync",), ("circle", "status"), ("circle", "invite")):
        told = a.tool(*words)
        check(told.code == 44 and "the keychain work is in no circle; the keychain login is in one: --keychain login" in told.complaint, f"{words}: {told}")
    told = a.tool("add", "second", "--sync", "--stdin", text="two")
    check(told.code == 0 and "goes to no other machine: the keychain work is in no circle, login is" in told.complaint, f"add: {told}")
    a.do("edit", "second", "--no-sync", "--quiet")
    told = a.tool("edit", "second", "--sync")
    check("goes to no other machine" in told.complaint, f"edit: {told}")
    # It is found where it lies, and changes there.
    told = a.tool("edit", "first", "--stdin", text="another")
    check(told.code == 0 and "goes to no" not in told.complaint, f"edit: {told}")
    a.synced("--keychain", "login")
    b.synced()
    check(b.secret("first") == "another" and "second" not in b.names(), f"b has {b.names()}")
    left = a.tool("circle", "leave")
    check(left.code == 0 and "the keychain work is in no circle now" in left.complaint, f"leave: {left}")
    check(a.do("circle", "status", "--keychain", "login"), "login is in no circle any more")
    return "said for each"


ROWS = [
    (row_9_add_update_delete, "ab", False), (row_10_never_uploaded, "ab", True), (row_11_same_key_offline, "ab", False), (row_12_equal_times, "ab", True),
    (row_first_fields, "ab", False), (row_double_of_a_backup, "a", False), (row_restored_beside_shared, "ab", False), (row_one_title_in_folders, "a", False), (row_doubles, "a", False), (row_doubles_of_one_place, "a", False), (row_returns, "ab", False), (row_first_part, "ab", False), (row_renamed_elsewhere, "ab", False), (row_share_all, "ab", False), (row_lost_of_a_group, "ab", False), (row_two_keychains, "ab", False), (row_shared_and_back, "ab", False), (row_13_delete_and_edit, "ab", False), (row_14_clock_ahead, "ab", True), (row_15_locked, "ab", True), (row_16_away, "ab", True),
    (row_17_killed, "abc", False), (row_18_cut_at_commit, "ab", True), (row_19_many_deletions, "ab", False), (row_too_large, "ab", False), (row_keys_stay, "ab", False), (row_large_items, "a", True),
]
