# SPDX-License-Identifier: Apache-2.0
"""Rows about who is in a circle: joining, tokens, removal, words."""
import json
import re
import shlex
import subprocess
import time

from scene import LIMIT, Wrong, awaited, check


def row_2_pasted(place, _):
    a, b = place["a"], place["b"]
    check(b.secret("seed") == "seed-secret", "the new member has not what was there")
    members = a.do("circle", "list", "--plain").splitlines()
    check(len(members) == 2, f"members: {members}")
    answer = a.tool("circle", "admit", "aaaa-bbbb-cccc")
    check(answer.code == 1, f"a wrong request: {answer}")
    return f"{len(members)} members, {place.equal()} items"


def tokened(place, name, token):
    """Starts joining by a token."""
    machine = place.machine(name) if name not in place.machines else place[name]
    process = machine.start("circle", "join", "--server", place.server.address(f"m_{name}"), "--token-fd", token.encode())
    return machine, process


def invited(place, *more):
    a = place["a"]
    return a.do("circle", "invite", "--name", "tokened", *more).strip()


def admitted(place, process, seconds=LIMIT):
    """Whether the machine is in before the time ends, while the sponsor works."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        place["a"].sync()
        try:
            process.communicate(timeout=3)
            return process.returncode == 0
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    process.communicate()
    return False


def refused(place, process, before, clock=None):
    """That its request is in the box, and that a sponsor who reads it admits nobody."""
    a = place["a"]
    limit = time.monotonic() + LIMIT
    while messages(place) == before and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)
    check(messages(place) > before, "it asked for nothing")
    members = len(a.do("circle", "list", "--plain").splitlines())
    for _ in range(2):
        a.sync(clock=clock)
    process.kill()
    process.communicate()
    return len(a.do("circle", "list", "--plain").splitlines()) == members


def messages(place):
    return int(place.server.sql("select count(*) from llavero.lv_mail"))


def row_3_tokens(place, _):
    a = place["a"]
    place.role("c")
    place.role("d")
    token = invited(place)
    c, process = tokened(place, "c", token)
    check(admitted(place, process), "a token admitted nobody")
    check(c.secret("seed") == "seed-secret", "who joined by a token has not the items")
    before = messages(place)
    d, process = tokened(place, "d", token)
    check(refused(place, process, before), "a token admitted twice")
    late = invited(place, "--for", "1m")
    place.machines.pop("d")
    place.role("e")
    before = messages(place)
    _, process = tokened(place, "e", late)
    # The sponsor's clock is what counts.
    check(refused(place, process, before, clock="+2m"), "a token admitted late")
    members = a.do("circle", "list", "--plain").splitlines()
    check(len(members) == 2, f"a late token admitted: {members}")
    return "1 of 3 admitted: used once, the second time and the late one not"


def row_4_used_token_and_dump(place, _):
    a = place["a"]
    place.role("c")
    token = invited(place)
    _, process = tokened(place, "c", token)
    check(admitted(place, process), "the token admitted nobody")
    place.server.keep()
    rows = place.server.sql("select count(*) from llavero.lv_head")
    place.role("d")
    before = messages(place)
    thief, process = tokened(place, "d", token)
    check(refused(place, process, before), "a used token and a dump admitted")
    check("seed" not in thief.names(), "a used token and a dump opened an item")
    check(len(a.do("circle", "list", "--plain").splitlines()) == 2, "a third member")
    return f"{rows} heads in the dump, none opened"


def row_4_dead_tokens(place, _):
    """A token that admits nobody any more ends the waiting with a sentence, and the keychain is free to join with another one."""
    a, server = place["a"], place.server
    b = place.join("b", "--owner")
    place.machines.pop("b")
    place.role("c")
    address = place.role("x")
    x = place.machine("x")
    place.machines.pop("x")

    def ends(token, words, clock=None):
        answer = x.tool("circle", "join", "--server", address, "--token-fd", token.encode(), clock=clock, limit=60)
        check(answer.code == 1 and words in answer.complaint, f"a token of which it should say {words!r}: {answer}")
        check(x.tool("circle", "status").code == 44, "who was not admitted is in the circle")

    used = invited(place)
    c, process = tokened(place, "c", used)
    check(admitted(place, process), "the token admitted nobody")
    ends(used, "the token was used at ")
    ends(used, c.device())
    taken = invited(place)
    a.do("circle", "invite", "--withdraw", json.loads(a.do("circle", "invites", "--json"))[0]["token"], "--quiet")
    ends(taken, "took the token back")
    late = invited(place, "--for", "1m")
    ends(late, "by this machine's clock", clock="+10m")
    # A server that went back is an alarm.
    server.keep()
    lost = invited(place)
    server.put_back()
    answer = x.tool("circle", "join", "--server", address, "--token-fd", lost.encode(), limit=60)
    check(answer.code == 1 and "is older" in answer.complaint and "does not have what it was told" in answer.complaint, f"a server that went back: {answer}")
    x.do("circle", "leave", "--quiet")
    a.do("circle", "heal")
    # A role that may only join asks, and says how it goes on.
    server.sql(a.do("circle", "sql", "--joiner", "m_j", "--certificate"))
    j = place.machine("j")
    place.machines.pop("j")
    good = invited(place)
    asked = j.tool("circle", "join", "--server", server.address("m_j"), "--token-fd", good.encode(), limit=60)
    check(asked.code == 1 and "llavero circle sql --member m_j" in asked.complaint, f"a role that may only join: {asked}")
    waiting = j.do("circle", "status")
    check("waits until a member admits it" in waiting and "Members" not in waiting and "Nothing opens" not in waiting, f"who waits knows too much: {waiting}")
    server.sql(a.do("circle", "sql", "--member", "m_j", "--certificate"))
    a.synced()
    j.synced()
    check(j.secret("seed") == "seed-secret", "the machine that asked is not in when its role may read")
    # Where two owners sign, it holds when they have; something else in between ends it.
    b.synced()
    a.do("circle", "quorum", "2", "--quiet")
    proposed = a.tool("circle", "invite", "--name", "two")
    process = x.start("circle", "join", "--server", address, "--token-fd", proposed.output.strip().encode())
    # Some rounds of it.
    time.sleep(8)
    if process.poll() is not None:
        raise Wrong(f"it does not wait for a signature: {process.communicate()[1]}")
    b.do("circle", "sign", json.loads(b.do("circle", "proposals", "--json"))[0]["proposal"], "--quiet")
    check(admitted(place, process), "a token that two signed admitted nobody")
    check(x.secret("seed") == "seed-secret", "who joined in the end has not the items")
    return "used, taken back, late, unknown: each ended with a sentence, and another one admitted"


def row_27_removed(place, _):
    a, b = place["a"], place["b"]
    b.keep()
    before = int(place.server.sql("select count(*) from llavero.lv_share"))
    a.do("circle", "remove", "b", "--quiet")
    a.add("after", "after-secret")
    a.edit("seed", "seed-changed")
    a.synced()
    # It does not know yet, and writes.
    b.add("intruder", "intruder-secret")
    answer = b.sync()
    check("removed" in answer.complaint, f"the removed machine was not told: {answer}")
    check("after" not in b.names() and b.secret("seed") == "seed-secret", "the removed machine reads on")
    a.synced()
    check("intruder" not in a.names(), "what the removed machine wrote was taken")
    shares = int(place.server.sql("select count(*) from llavero.lv_share")) - before
    check(shares == 1 and a.generation() == 2, f"{shares} new shares, keys of generation {a.generation()}")
    place.join("c")
    place.machines.pop("b")
    return f"junk for the others, closed to it; {place.equal()} items with a new member, {shares} new shares"


def row_27_two_removed(place, _):
    """Two at once, with one word that is wrong first."""
    a, b, c = place["a"], place["b"], place["c"]
    wrong = a.tool("circle", "remove", "b", "nobody")
    check(wrong.code == 44 and len(a.do("circle", "list", "--plain").splitlines()) == 3, f"a wrong name: {wrong}")
    asked = a.tool("circle", "remove", "b", "c")
    check(asked.code != 0 and "use --yes" in asked.complaint and len(a.do("circle", "list", "--plain").splitlines()) == 3, f"two, and nobody was asked: {asked}")
    done = a.tool("circle", "remove", "b", "c", "b", "--yes")
    check(done.code == 0 and "removed b, c: " in done.output + done.complaint, f"two, one of them named twice: {done}")
    a.add("after", "after-secret")
    a.synced()
    for machine in (b, c):
        told = machine.sync()
        check("removed" in told.complaint and "after" not in machine.names(), f"{machine.name} was not told: {told}")
    check(a.generation() == 2, f"keys of generation {a.generation()}")
    return "both told, new keys once"


def row_27_token_of_a_removed_owner(place, _):
    """A token that an owner made for itself before it was removed brings nobody back."""
    a = place["a"]
    b = place.join("b", "--owner")
    token = b.do("circle", "invite", "--name", "back-again", "--owner", "--for", "30d").strip()
    a.synced()
    a.do("circle", "remove", "b", "--quiet")
    a.add("after", "after-secret")
    place.role("c")
    before = messages(place)
    thief, process = tokened(place, "c", token)
    check(refused(place, process, before), "a removed owner came back by a token of its own")
    check("after" not in thief.names(), "a removed owner's token opened an item")
    return "not admitted"


def row_27_words_of_a_removed_owner(place, _):
    """Words that an owner made a member end with it, unless they are to stay; then the circle is theirs."""
    a = place["a"]
    opened = []
    for name, more in [("b", []), ("c", ["--keep-words"])]:
        owner = place.join(name, "--owner")
        made = owner.do("recovery", "make")
        owner.do("circle", "words", "--stdin", "--quiet", text=made)
        a.synced()
        told = a.tool("circle", "remove", name, *more)
        check(told.code == 0 and ("are none any more" in told.complaint) == (not more), f"remove: {told}")
        place.machines.pop(name)
        a.add(f"after-{name}", "after-secret")
        a.synced()
        address = place.role(f"z{name}")
        thief = place.machine(f"z{name}")
        answer = thief.tool("circle", "recover", "--server", address, "--circle", place.id, "--stdin", text=made)
        opened.append(answer.code == 0 and f"after-{name}" in thief.names())
    check(opened == [False, True], f"opened: {opened}")
    return "closed; open only with --keep-words"


def row_4_token_welcome(place, _):
    """A machine that comes by a token is not shown older items than there were: it waits for the word of who admitted it."""
    a, server = place["a"], place.server
    place.role("c")
    token = invited(place)
    # Everything that the sponsor leaves in boxes is gone as soon as it is there.
    server.sql("""create function llavero.loses() returns trigger language plpgsql security definer as $$ begin
        delete from llavero.lv_mail where box = new.box and k = new.k; return null; end $$;
        create trigger loses after insert on llavero.lv_mail for each row when (new.who = 'm_a') execute function llavero.loses()""")
    c, process = tokened(place, "c", token)
    check(admitted(place, process), "the token admitted nobody")
    told = c.sync()
    check("left for it, so nothing is read" in told.complaint and c.names() == [], f"without a welcome: {told}, {c.names()}")
    check("seed" in a.names(), "the sponsor has lost something")
    return "nothing read without the welcome"


def row_2_admitted_again(place, _):
    """Whoever admits gets the answer also where the first one was lost."""
    a = place["a"]
    address = place.role("c")
    machine = place.machine("c")
    process = machine.start("circle", "join", "--server", address, "--circle", place.id)
    request = process.stdout.readline().strip()
    a.do("circle", "admit", request, "--name", "c")
    again = a.tool("circle", "admit", request, "--name", "c")
    process.communicate(again.output, timeout=LIMIT)
    check(again.code == 0 and process.returncode == 0, f"the second time: {again}")
    return "joined by the second answer"


def row_locked_sponsor(place, _):
    """Who was admitted while the sponsor's keychain was locked gets the keys as soon as that is unlocked."""
    a = place["a"]
    a.daemon()
    a.do("passcode", "set", "--new-fd", b"first pass phrase of five")
    a.add("before", "one")
    a.sync()
    token = invited(place)
    a.do("lock")
    place.role("z")
    machine, process = tokened(place, "z", token)
    awaited(lambda: len(a.do("circle", "list", "--plain").splitlines()) == 2, "the new member")
    # In the round that reads it the daemon can open no key, and the newcomer is told what it waits for.
    for _ in range(3):
        a.sync()
    time.sleep(3)
    told = machine.tool("circle", "status")
    check("a key of the circle is not here yet" in told.output, f"status: {told}")
    told = machine.tool("doctor")
    check("a key of the circle is not here yet" in told.output, f"doctor: {told}")
    a.do("unlock", "--fd", b"first pass phrase of five")
    a.sync()
    complaint = process.communicate(timeout=LIMIT)[1]
    check(process.returncode == 0 and "waits for its keys" in complaint, f"join: {complaint}")
    awaited(lambda: "before" in machine.synced() or "before" in machine.names(), "what was there", lambda: str(machine.sync()))
    return f"{len(machine.names())} items"


def row_words_again(place, _):
    """Words that are a member of the circle stay one when the keychain gets others, or none: that is said."""
    a = place["a"]
    a.do("circle", "words", "--stdin", "--quiet", text=a.do("recovery", "make"))
    for action in ("make", "remove"):
        told = a.tool("recovery", action)
        check(told.code == 0 and "the words that are a member of the circle open it as before" in told.complaint, f"{action}: {told}")
    return "said twice"


def row_recovered(place, _):
    """Who opens a keychain with its words loses its place in the circle: that is said, nothing else is broken, and it joins anew."""
    a, b, c = place["a"], place["b"], place["c"]
    a.add("before", "one")
    place.exchange()
    words = {machine.name: machine.do("recovery", "make").encode() for machine in (b, c)}

    def begins_anew(machine, said):
        check("place in its circle" in said, f"the recovery says {said}")
        for verb in ("sync", "circle status"):
            answer = machine.tool(*verb.split())
            check(answer.code == 1 and "says how it comes back" in answer.complaint, f"{verb}: {answer}")
        checked = machine.tool("check")
        check(checked.code == 0 and "nothing opens" in checked.complaint, f"check: {checked}")
        wrong = [line for line in machine.tool("doctor").output.splitlines() if line.startswith("WRONG")]
        check(len(wrong) == 1 and "circle" in wrong[0] and "says how it comes back" in wrong[0], f"doctor: {wrong}")
        backup = machine.tool("backup", place.folder / f"{machine.name}.backup", "--device-only")
        check(backup.code == 0, f"backup: {backup}")
        left = machine.tool("circle", "leave")
        check(left.code == 0 and "circle remove NAME" in left.complaint and "circle join --server" in left.complaint, f"leave: {left}")
        a.do("circle", "remove", machine.name, "--quiet")
        place.join(machine.name)
        a.edit("before", f"for {machine.name}")
        place.exchange()
        check(machine.secret("before") == f"for {machine.name}", f"{machine.name} has {machine.secret('before')}")
        machine.clean()

    # The device key is lost.
    (b.home / "login" / "device.key").unlink()
    said = b.do("recovery", "use", "--fd", words["b"])
    repaired = b.tool("repair", "--dry-run")
    check(repaired.code == 0 and "nothing is damaged" in repaired.complaint, f"repair: {repaired}")
    begins_anew(b, said)
    # The passcode is forgotten, while a daemon has the keys that stay open behind the lock.
    c.daemon()
    c.do("passcode", "set", "--new-fd", b"first pass phrase of five")
    c.do("lock")
    begins_anew(c, c.do("recovery", "use", "--fd", words["c"], "--new-fd", b"second pass phrase of five"))
    # The only owner: who has no words begins a circle of its own, and who has is an owner again.
    a_words = a.do("recovery", "make").encode()
    a.keep()
    (a.home / "login" / "device.key").unlink()
    alone = a.tool("recovery", "use", "--fd", a_words)
    check("no owner is left" in alone.output and "circle create" in alone.output, f"without words: {alone}")
    a.put_back()
    a.do("circle", "words", "--stdin", "--quiet", text=a_words.decode())
    place.exchange()
    (a.home / "login" / "device.key").unlink()
    told = a.tool("recovery", "use", "--fd", a_words)
    way = re.search("`llavero (circle recover --server .* --circle [0-9a-f]+)`", told.output)
    check(way, f"with words: {told}")
    left = a.tool("circle", "leave")
    check(left.code == 0 and way.group(1) in left.complaint, f"leave: {left}")
    address = place.role("a") if "ADDRESS" in way.group(1) else None
    arguments = shlex.split(way.group(1).replace("ADDRESS", shlex.quote(address or "")))
    a.do(*arguments, "--stdin", text=a_words.decode())
    place.exchange()
    return f"{place.equal(a, b)} items equal"


def row_28_rotate_list(place, _):
    a, b = place["a"], place["b"]
    for name in ["one", "two", "three"]:
        a.add(name, f"secret-{name}")
    place.exchange()
    present = a.tool("circle", "rotate-list", "b")
    check(present.code != 0 and "still a member" in present.complaint and "circle remove b" in present.complaint, f"of a member: {present}")
    a.do("circle", "remove", "b", "--quiet")
    a.add("later", "later-secret")
    counts = []
    waiting = ["seed", "one", "two", "three"]
    while True:
        a.synced()
        listed = sorted(line.split("\t")[0] for line in a.do("circle", "rotate-list", "b", "--plain").splitlines())
        counts.append(len(listed))
        check(listed == sorted(waiting), f"to rotate are {sorted(waiting)}, listed {listed}")
        if not waiting:
            break
        a.edit(waiting.pop(), f"new-{len(waiting)}")
    return f"listed {counts}"


def row_29_two_owners(place, _):
    a, c = place["a"], place["c"]
    b = place.join("d", "--owner")
    processes = [(a, a.start("circle", "remove", "c", "--quiet")), (b, b.start("circle", "remove", "c", "--quiet"))]
    ends = []
    for machine, process in processes:
        _, complaint = process.communicate("", timeout=LIMIT)
        ends.append((process.returncode, complaint.strip()))
    check(any(code == 0 for code, _ in ends), f"no removal won: {ends}")
    for machine in (a, b):
        machine.synced()
        members = machine.do("circle", "list", "--plain").splitlines()
        check(len(members) == 2, f"{machine.name} sees {members}")
    removals = a.do("circle", "log", "--plain").count("removed")
    check(removals == 1, f"{removals} removals in the log")
    a.add("both", "both-secret")
    place.machines.pop("c")
    place.exchange()
    check("removed" in c.sync().complaint, "the removed one was not told")
    return f"ends {[code for code, _ in ends]}, 1 removal, {place.equal()} items equal"


def row_29_each_other(place, _):
    """Two owners remove each other at once: one wins, the other is told."""
    a = place["a"]
    b = place.join("b", "--owner")
    c = place.join("c", "--owner")
    processes = [(a, a.start("circle", "remove", "b", "--quiet")), (b, b.start("circle", "remove", "a", "--quiet"))]
    ends = []
    for machine, process in processes:
        _, complaint = process.communicate("", timeout=LIMIT)
        ends.append((machine, process.returncode, complaint.strip()))
    won = [machine for machine, code, _ in ends if code == 0]
    check(len(won) == 1, f"ends: {[(machine.name, code, text) for machine, code, text in ends]}")
    loser = b if won[0] is a else a
    text = next(text for machine, _, text in ends if machine is loser)
    check("removed" in text + loser.sync().complaint, f"the loser was told: {text}")
    c.synced()
    removals = c.do("circle", "log", "--plain").count("removed")
    check(removals == 1, f"{removals} removals in the log")
    won[0].add("after", "after-secret")
    won[0].synced()
    c.synced()
    check(c.secret("after") == "after-secret" and "after" not in loser.names(), "what came afterwards is in the wrong hands")
    return f"{won[0].name} won, {loser.name} was told; 1 removal"


def row_2_cut_recovery(place, _):
    """Recovery that ends after the server has it and before the keychain does is done by doing it again."""
    a = place["a"]
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    a.synced()
    address = place.role("z")
    machine = place.machine("z")
    server = place.server
    cuts = 0
    for _ in range(20):
        before = int(server.sql("select max(n) from llavero.lv_head where view = circle"))
        process = machine.start("circle", "recover", "--server", address, "--circle", place.id, "--stdin")
        process.stdin.write(made)
        process.stdin.close()
        limit = time.monotonic() + LIMIT
        while process.poll() is None and time.monotonic() < limit:
            if int(server.sql("select max(n) from llavero.lv_head where view = circle")) > before:
                break
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        if machine.tool("circle", "list", "--plain").code == 0:
            break
        cuts += 1
        if cuts == 3:
            break
    again = machine.tool("circle", "recover", "--server", address, "--circle", place.id, "--stdin", text=made)
    check(again.code == 0 or "already" in again.complaint, f"the second time: {again}")
    machine.synced()
    check(machine.secret("seed") == "seed-secret", "not recovered")
    members = machine.do("circle", "list", "--plain").splitlines()
    check(len(members) == 3, f"members: {members}")
    return f"cut {cuts} times before the keychain had it; 3 members (one is paper)"


def row_31_words(place, _):
    a = place["a"]
    a.add("second", "second-secret")
    made = a.do("recovery", "make")
    a.do("circle", "words", "--stdin", "--quiet", text=made)
    a.synced()
    expected = a.shared()
    address = place.role("z")
    wrong = place.machine("y")
    answer = wrong.tool("circle", "recover", "--server", address, "--circle", place.id, "--stdin", text=" ".join(reversed(made.split())) + "\n")
    check(answer.code != 0, "wrong words opened the circle")
    # Which of the two is wrong is said.
    others = wrong.do("recovery", "make") if wrong.tool("add", "x", "--stdin", "--quiet", text="x").code == 0 else ""
    answer = wrong.tool("circle", "recover", "--server", address, "--circle", place.id, "--stdin", text=others)
    check(answer.code == 1 and "these words are no member of this circle" in answer.complaint, f"others' words: {answer}")
    other = place.id[:-1] + ("0" if place.id[-1] != "0" else "1")
    answer = wrong.tool("circle", "recover", "--server", address, "--circle", other, "--stdin", text=made)
    check(answer.code == 1 and "no circle of that ID" in answer.complaint, f"another ID: {answer}")
    new = place.machine("z")
    answer = new.tool("circle", "recover", "--server", address, "--circle", place.id, "--remove-others", "--stdin", text=made)
    check(answer.code == 0, f"the words do not open the circle: {answer}")
    check(new.shared() == expected, f"the words open {len(new.shared())} of {len(expected)} items")
    check("removed" in a.sync().complaint, "the others are still members")
    new.clean()
    return f"{len(expected)} items, the other removed"


ROWS = [
    (row_2_pasted, "ab", False), (row_3_tokens, "a", False), (row_4_used_token_and_dump, "a", True), (row_4_dead_tokens, "a", False), (row_27_removed, "ab", False),
    (row_27_two_removed, "abc", False), (row_27_token_of_a_removed_owner, "a", False),
    (row_27_words_of_a_removed_owner, "a", True), (row_4_token_welcome, "a", True), (row_29_each_other, "a", True), (row_2_cut_recovery, "a", True), (row_2_admitted_again, "a", True), (row_recovered, "abc", False), (row_locked_sponsor, "a", False), (row_words_again, "a", False), (row_28_rotate_list, "ab", False), (row_29_two_owners, "ac", True), (row_31_words, "a", False),
]
