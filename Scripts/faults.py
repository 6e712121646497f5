#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has each call that changes a file go wrong in turn, in each operation, and looks at what is there afterwards.

    Scripts/faults.sh [--every N] [OPERATION…]       all operations, every call, where nothing is said

An operation is run once without a fault, which counts its calls, and then once for each call and fault on a copy of the keychains it
began with. Afterwards, without faults: what is there is what was there before or what the operation makes of it, and the latter where
it said that it was done; `llavero check` finds nothing; a failure has a sentence; and the keychain takes another item.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FAULTS = ["eio", "enospc", "short", "torn", "killed"]
ADD = "printf {1} | llavero add {0} --user ada --stdin --quiet"
TWO = ADD.format("site", "one") + " && " + ADD.format("mail", "two")
BACKUP = "llavero backup $WORK/saved --device-only --quiet"
SCHEMA = "dd if=/dev/zero of=$LLAVERO_HOME/login/keychain.db bs=4096 count=1 conv=notrunc status=none"

# Name: what is there before, and the operation.
OPERATIONS = {
    "birth": ("true", ADD.format("site", "one")),
    "add": (TWO, ADD.format("third", "three")),
    "update": (TWO, "printf changed | llavero edit site --stdin --quiet"),
    "rename": (TWO, "llavero rename site place --quiet"),
    "delete": (TWO, "llavero remove site --quiet"),
    "delete-forever": (TWO, "llavero remove site --forever --quiet"),
    "undelete": (TWO + " && llavero remove site --quiet", "llavero undelete site --quiet"),
    "restore-version": (
        TWO + " && printf changed | llavero edit site --stdin --quiet",
        "llavero restore-version site $(llavero history site --plain | cut -f1) --quiet"),
    "forget": (TWO + " && llavero remove site --quiet", "llavero forget site --quiet"),
    "passcode-set": (TWO, "llavero passcode set --new-fd 3 --no-agent --quiet 3<$WORK/old"),
    "passcode-change": (
        TWO + " && llavero passcode set --new-fd 3 --no-agent --quiet 3<$WORK/old",
        "llavero passcode change --fd 3 --new-fd 4 --quiet 3<$WORK/old 4<$WORK/new"),
    "passcode-remove": (
        TWO + " && llavero passcode set --new-fd 3 --no-agent --quiet 3<$WORK/old",
        "llavero passcode remove --fd 3 --quiet 3<$WORK/old"),
    "rotate-keys": (TWO, "llavero rotate-keys"),
    "recovery-make": (TWO, "llavero recovery make --quiet >/dev/null"),
    "backup": (TWO, BACKUP),
    "restore": (TWO + " && " + BACKUP + " && llavero remove site --forever --quiet", "llavero restore $WORK/saved --quiet"),
    "restore-replace": (
        TWO + " && " + BACKUP + " && " + ADD.format("third", "three") + " && printf changed | llavero edit site --stdin --quiet",
        "llavero restore $WORK/saved --replace --yes --quiet"),
    "compact": (TWO + " && llavero remove mail --forever --quiet", "llavero compact --quiet"),
    "upgrade": ("cp -r $VECTORS/1/login $LLAVERO_HOME/login && chmod -R go= $LLAVERO_HOME", ADD.format("third", "three")),
    "repair": (TWO + " && " + SCHEMA, "llavero repair --quiet"),
}
# What cannot be read before it is repaired.
UNREADABLE = {"repair"}


class Ground:
    """A folder with keychains, and what is run on them."""

    def __init__(self, path, binary):
        self.path, self.binary = path, binary

    def run(self, line, **extra):
        environment = {
            "PATH": self.binary + ":/usr/bin:/bin", "HOME": self.path, "LLAVERO_HOME": self.path + "/home",
            "WORK": self.path + "/work", "VECTORS": VECTORS, "LC_ALL": "C.UTF-8", "LLAVERO_DAEMON": "none", **extra}
        return subprocess.run(
            ["/bin/bash", "-c", line], env=environment, cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True)

    def state(self):
        """Which passcode there is, and the items; None where nothing can be told."""
        passcode = "none"
        status = self.run("llavero status --json")
        if status.returncode != 0:
            return None
        report = json.loads(status.stdout)
        if not report["exists"]:
            return "nothing"
        if report["state"] != "no-passcode":
            for passcode in ["old", "new", "unknown"]:
                removed = self.run("llavero passcode remove --fd 3 --quiet 3<$WORK/%s" % passcode)
                if removed.returncode == 0:
                    break
        listed = self.run("llavero list --all --plain | cut -f1,2,3,4 | sort")
        names = self.run("llavero list --all --plain | grep -o 'id:[0-9a-f]*'").stdout.decode().split()
        secrets = [self.run("llavero get %s --all" % name).stdout.decode() for name in names]
        return passcode + listed.stdout.decode() + "".join(sorted(secrets))


def prepare(operation, folder, binary):
    ground = Ground(folder, binary)
    os.makedirs(folder + "/work")
    os.makedirs(folder + "/home", mode=0o700)
    for name in ["old", "new", "unknown"]:
        with open(folder + "/work/" + name, "w") as file:
            file.write(name + " passcode of three words")
    made = ground.run(OPERATIONS[operation][0])
    assert made.returncode == 0, (operation, made.stderr)
    return ground


def copy(ground, folder):
    shutil.copytree(ground.path, folder, symlinks=True)
    return Ground(folder, ground.binary)


def violations(operation, ground, library, number, fault, before, after):
    """What is wrong after one call went wrong."""
    home = ground.path + "/home"
    done = ground.run(
        "LD_PRELOAD=%s LLT_FAULT=%d:%s; export LD_PRELOAD LLT_FAULT; %s" % (library, number, fault, OPERATIONS[operation][1]))
    wrong = []
    said = done.stderr.decode().strip()
    is_killed = done.returncode < 0 or done.returncode >= 128
    if done.returncode != 0 and not is_killed and not said:
        wrong.append("it failed without a word")
    found = ground.state()
    # A keychain that was made and has nothing in it yet is none of anybody's.
    beginnings = (before, after, "none") if operation == "birth" else (before, after)
    if found not in beginnings and not (found is None and operation in UNREADABLE):
        wrong.append("neither before nor after: %r" % found)
    if done.returncode == 0 and found != after:
        wrong.append("it said that it was done, and it is not")
    if found is not None and found != "nothing":
        check = ground.run("llavero check")
        if check.returncode != 0:
            wrong.append("check: " + check.stdout.decode().strip())
        probe = ground.run(ADD.format("probe", "p"))
        if probe.returncode != 0:
            wrong.append("nothing can be added: " + probe.stderr.decode().strip())
    return ["%s, call %d, %s: %s%s" % (operation, number, fault, w, " (it said: %s)" % said if said else "") for w in wrong]


def examine(operation, scratch, binary, library, every):
    ground = prepare(operation, scratch + "/" + operation, binary)
    trial = copy(ground, scratch + "/" + operation + "-before")
    before = trial.state()
    trial = copy(ground, scratch + "/" + operation + "-after")
    counted = scratch + "/count"
    # The last program of a line leaves its count; lines have one that changes anything.
    done = trial.run(
        "LD_PRELOAD=%s LLT_FAULT_COUNT=%s; export LD_PRELOAD LLT_FAULT_COUNT; %s" % (library, counted, OPERATIONS[operation][1]))
    assert done.returncode == 0, (operation, done.stderr)
    after = trial.state()
    with open(counted) as file:
        calls = int(file.read())
    cases = [(number, fault) for number in range(1, calls + 1) for fault in FAULTS]
    cases = cases[::every]

    def case(index):
        number, fault = cases[index]
        folder = "%s/%s-%d" % (scratch, operation, index)
        try:
            return violations(operation, copy(ground, folder), library, number, fault, before, after)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [line for lines in pool.map(case, range(len(cases))) for line in lines]
    print("%-16s %4d calls %5d runs %4d violations" % (operation, calls, len(cases), len(found)), flush=True)
    return len(cases), found


def main():
    global VECTORS
    library, binary, vectors, *words = sys.argv[1:]
    VECTORS = vectors
    every = 1
    if words[:1] == ["--every"]:
        every, words = int(words[1]), words[2:]
    unknown = [word for word in words if word not in OPERATIONS]
    if unknown:
        sys.exit("unknown operation: %s; there are %s" % (unknown[0], " ".join(OPERATIONS)))
    runs, found = 0, []
    with tempfile.TemporaryDirectory(prefix="llavero-faults-") as scratch:
        for operation in words or OPERATIONS:
            more, lines = examine(operation, scratch, binary, library, every)
            runs, found = runs + more, found + lines
    for line in found:
        print(line)
    print("%d runs, %d violations" % (runs, len(found)))
    sys.exit(1 if found else 0)


main()
