# SPDX-License-Identifier: Apache-2.0
"""An operation with each of its calls going wrong, and the power going behind each of them."""
import os
from concurrent.futures import ThreadPoolExecutor

from ground import Finding, Ground, Picture
from power import Disk, calls_of

# By what is counted, in the order in which fault_every.c writes the counts.
FAULTS = {"changes": ["eio", "enospc", "short", "torn", "killed"], "reads": ["read-eio"], "locks": ["lock-eio", "lock-enolck"]}
# How the tools end when there is no such item or keychain.
NOT_FOUND = 44


class Trials:
    """All that is tried of one operation."""

    def __init__(self, name, operation, scratch, tools, every):
        self.name, self.operation, self.every = name, operation, every
        self.scratch, self.tools = scratch + "/" + name, tools
        os.mkdir(self.scratch)
        self.ground = Ground.prepared(self.scratch + "/before", tools, operation)
        self.before = self.examined(self.ground.copy(self.scratch + "/examined"))
        assert operation.begins_unreadable or not self.before.complaints, self.before.complaints
        self.known = {Picture.of(self.ground.path).digest(): self.before}
        self.runs = 0
        # Of which case, and what is wrong.
        self.complaints = []
        self.count()

    def count(self):
        """Runs the operation as it should go."""
        ground, counts = self.ground.copy(self.scratch + "/after"), self.scratch + "/counts"
        done = ground.run(self.operation.line, self.tools.fault, LLT_FAULT_COUNT=counts)
        assert done.returncode == 0, (self.name, done.stderr)
        self.output = done.stdout
        # A line may have several programs, and each has its own count.
        with open(counts) as file:
            lines = [list(map(int, line.split())) for line in file]
        self.counts = dict(zip(FAULTS, map(max, zip(*lines))))
        self.after = self.examined(ground)
        assert not self.after.complaints, self.after.complaints

    def examined(self, ground):
        """What is in a folder, which is removed."""
        try:
            return ground.examine()
        finally:
            ground.remove()

    def complain(self, case, found, must_be_done, said=""):
        """Notes what is wrong with what was found after a case."""
        complaints = list(found.complaints)
        if must_be_done and found.state != self.after.state:
            complaints.append("it said that it was done, and it is not: %r" % found.state)
        elif found.state not in self.admitted():
            complaints.append("neither before nor after: %r" % found.state)
        self.complaints += [(case, text + said) for text in complaints]

    def admitted(self):
        # A keychain that was made and has nothing in it yet is none of anybody's.
        made = ["none"] if self.before.state == "nothing" else []
        return [self.before.state, self.after.state, *made]

    def each(self, function, cases):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(function, cases))
        self.runs += len(cases)

    # Calls that go wrong.

    def have_calls_fail(self, kind):
        cases = [(number, fault) for number in range(1, self.counts[kind] + 1) for fault in FAULTS[kind]]
        self.each(self.have_call_fail, cases[::self.every])

    def have_call_fail(self, case):
        number, fault = case
        ground = self.ground.copy("%s/%d-%s" % (self.scratch, number, fault))
        done = ground.run(self.operation.line, self.tools.fault, LLT_FAULT="%d:%s" % case)
        ground.end_daemons()
        case, said = "call %d, %s" % case, done.stderr.decode().strip()
        if done.returncode == 0 and done.stdout != self.output:
            self.complaints.append((case, "a wrong answer: %r" % done.stdout))
        if done.returncode == NOT_FOUND:
            self.complaints.append((case, "not found: " + said))
        was_killed = done.returncode < 0 or done.returncode >= 128
        if done.returncode != 0 and not was_killed and not said:
            self.complaints.append((case, "it failed without a word"))
        # A failure that left everything as it was needs no second look.
        found = self.known.get(Picture.of(ground.path).digest())
        found = found or self.examined(ground)
        ground.remove()
        self.complain(case, found, done.returncode == 0, " (it said: %s)" % said if said else "")

    # Power cuts.

    def cut_power(self, forgetting_syncs=False):
        """Looks at each different disk once; a mixture of parts at every fourth call."""
        cases, disks = [], {}
        disk, calls = self.recorded(forgetting_syncs)
        is_done = False
        for number, call in enumerate(calls, 1):
            is_done = is_done or call.verb == "done"
            if call.verb != "done":
                disk.follow(call)
            if (number - 1) % self.every != 0 and call is not calls[-1]:
                continue
            for reading, picture in disk.readings("%s %d" % (self.name, number)):
                if reading.startswith("parts") and number % 4 != 0:
                    continue
                digest = picture.digest()
                disks.setdefault(digest, picture)
                cases.append(("power cut behind call %d (%s), %s" % (number, call.verb, reading), digest, is_done))
        self.each(lambda digest: self.look_at(digest, disks[digest]), [d for d in disks if d not in self.known])
        for case, digest, is_done in cases:
            self.complain(case, self.known[digest], is_done)

    def recorded(self, forgetting_syncs):
        """The disk before the operation, and the calls of a run without faults."""
        ground, record = self.ground.copy(self.scratch + "/recorded"), self.scratch + "/record"
        disk = Disk(ground.path, forgetting_syncs)
        open(record, "w").close()
        done = ground.run(self.operation.line, self.tools.recorder, LLT_RECORD=record)
        assert done.returncode == 0, (self.name, done.stderr)
        with open(record, "ab") as file:
            file.write(b"done 0 0 0 0\n")
        ground.remove()
        with open(record, "rb") as file:
            return disk, list(calls_of(file.read()))

    def look_at(self, digest, picture):
        ground = Ground("%s/%s" % (self.scratch, digest.hex()[:16]), self.tools, self.operation)
        picture.put(ground.path)
        self.known[digest] = self.examined(ground)
