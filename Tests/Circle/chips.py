# SPDX-License-Identifier: Apache-2.0
"""Rows about machines that join by the TPM that they have; each is a swtpm of its own."""
import shutil
import socket
import subprocess
import time

import people
from scene import LIMIT, Skipped, Wrong, awaited, check


class Chip:
    """A TPM 2.0, which is new."""

    def __init__(self, place, name):
        if not shutil.which("swtpm"):
            raise Skipped("no swtpm")
        self.folder = place.folder / f"{name}.chip"
        (self.folder / "state").mkdir(parents=True)
        self.path = self.folder / "tpm"
        self.process = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}/state", "--server", f"type=unixio,path={self.path}",
             "--ctrl", f"type=unixio,path={self.path}.ctrl", "--flags", "not-need-init,startup-clear"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place.ends.append(self.stop)
        limit = time.monotonic() + LIMIT
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as client:
                    client.connect(str(self.path))
                return
            except OSError:
                if time.monotonic() > limit or self.process.poll() is not None:
                    raise Wrong("swtpm does not start") from None
                time.sleep(0.02)

    def stop(self):
        self.process.kill()
        self.process.wait()


def machine(place, name):
    """A machine with a TPM of its own, and a keychain whose keys are in it."""
    found = place.machine(name)
    found.more = {"LLAVERO_TPM": f"swtpm:path={Chip(place, name).path}", "LLAVERO_ENCLAVE": "tpm", "LLAVERO_RECOVERY": "none"}
    found.address = place.role(name)
    return found


def join(found, what, *more):
    return found.start("circle", "join", "--tpm", *more, "--server", found.address, "--circle", what, stdin=subprocess.DEVNULL)


def admitted(place, process, seconds=LIMIT):
    """That it comes in while a sponsor works."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        place["a"].synced()
        try:
            complaint = process.communicate(timeout=2)[1]
            check(process.returncode == 0, f"joining by the TPM ended with {process.returncode}: {complaint.strip()[-500:]}")
            return
        except subprocess.TimeoutExpired:
            continue
    raise Wrong(f"not admitted: {stopped(process).strip()[-500:]}")


def waiting(place):
    """How many messages lie in the boxes, and how many members there are."""
    return people.messages(place), len(place["a"].do("circle", "list", "--plain").splitlines())


def stopped(process):
    process.kill()
    return process.communicate()[1]


def row_5_tpm(place, _):
    """Listed: in, once. Another: not. A card in no TPM: not."""
    a = place["a"]
    b, c, d = machine(place, "b"), machine(place, "c"), machine(place, "d")
    hashes = [other.do("circle", "tpm").strip() for other in (b, c, d)]
    check(len({*hashes}) == 3 and all(len(text) == 64 for text in hashes), f"the hashes are {hashes}")
    check(b.do("circle", "tpm").strip() == hashes[0], "a TPM has two hashes")
    what = a.do("circle", "allow", hashes[0], "--name", "b").strip()
    process = join(b, what)
    admitted(place, process)
    check(b.secret("seed") == "seed-secret", "who joined by its TPM has not the items")
    check("b" in a.do("circle", "list", "--plain"), "it has not the name that it was allowed by")
    check("in its TPM" in a.do("circle", "list", "--plain"), "its keys are not said to be in a TPM")
    # Nobody lists it.
    before, members = waiting(place)
    process = join(c, what)
    limit = time.monotonic() + LIMIT
    while people.messages(place) == before and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)
    for _ in range(3):
        a.synced()
    check("waiting for a member" in stopped(process), "it did not say that it waits")
    check(waiting(place) == (before + 1, members), f"another TPM was answered: {waiting(place)} after {(before, members)}")
    # Not a second time: the same TPM with another keychain.
    again = place.machine("again")
    again.more, again.address = b.more, place.role("again")
    process = join(again, what)
    for _ in range(3):
        a.synced()
    stopped(process)
    check(waiting(place)[1] == members, "a TPM was admitted twice")
    place.machines.pop("again")
    # With its RSA key, as clouds have it, in a list.
    listed = place.folder / "machines"
    listed.write_text(f"# the fleet\n{d.do('circle', 'tpm', '--rsa').strip()} machine d\n{hashes[1]} machine c\n")
    what = a.do("circle", "allow", listed, "--reader").strip()
    process = join(d, what, "--rsa")
    admitted(place, process)
    check("machine d" in a.do("circle", "list", "--plain"), "it has not the name in the list")
    # The one that waited goes on by itself.
    c.sync()
    for _ in range(3):
        a.synced()
        c.sync()
    check(c.secret("seed") == "seed-secret", "the machine that waited was not admitted when it was allowed")
    refusal = place.machine("s").tool("circle", "join", "--tpm", "--server", place.role("s"), "--circle", what)
    check(refusal.code == 1 and "in a file" in refusal.complaint, f"a keychain in no TPM asked: {refusal}")
    place.machines.pop("s")
    return f"3 of 5 admitted; {place.equal()} items"


def row_5_daemon(place, _):
    """A daemon alone asks, answers the challenge and takes the items: nobody is at the machine any more."""
    a, b = place["a"], machine(place, "b")
    what = a.do("circle", "allow", b.do("circle", "tpm").strip(), "--name", "b").strip()
    before = people.messages(place)
    process = join(b, what)
    awaited(lambda: people.messages(place) > before or process.poll() is not None, "its request")
    stopped(process)
    log = b.daemon()

    def is_in():
        a.synced()
        return b.secret("seed") == "seed-secret"

    awaited(is_in, "the machine", lambda: log.read_text(encoding="utf-8"))
    b.add("of-the-daemon", "secret")

    def is_back():
        a.synced()
        return a.secret("of-the-daemon") == "secret"

    awaited(is_back, "what it wrote", lambda: log.read_text(encoding="utf-8"))
    return "admitted, read and written by its daemon"


def row_5_flood(place, _):
    """Whoever may write into the box fills it: the honest machine comes in all the same, and memory and messages stay few."""
    server, a = place.server, place["a"]
    b = machine(place, "b")
    what = a.do("circle", "allow", b.do("circle", "tpm").strip(), "--name", "b").strip()
    process = join(b, what)
    limit = time.monotonic() + LIMIT
    while people.messages(place) == 0 and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)
    box = server.sql("select encode(box, 'hex') from llavero.lv_mail limit 1")
    place.role("x")
    # Junk, large and small; copies of the request, each of which is one; and all of it once more as if it came last.
    for turn, body in enumerate(["decode(repeat('00', 70000), 'hex')", "decode(repeat('00', 20000), 'hex')", "(select body from llavero.lv_mail where who = 'm_b' limit 1)"]):
        server.sql(f"set role m_x; insert into llavero.lv_mail(circle, box, k, body) select '\\x{place.id}', '\\x{box}', 9223372036854000000 + i + {turn} * 10000, {body} from generate_series(1, 2000) i")
    before = people.messages(place)
    admitted(place, process)
    more = people.messages(place) - before
    check(more < 20, f"junk was answered by {more} messages")
    return f"{before} messages of junk, {more} more until it was in"


ROWS = [(row_5_tpm, "a", False), (row_5_daemon, "a", False), (row_5_flood, "a", False)]
