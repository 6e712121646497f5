# SPDX-License-Identifier: Apache-2.0
"""Runs the rows of a program that write.py wrote, each in a process and on a keychain of its own:
run.py FOLDER [DAEMON [ROW…]]. With a daemon, each row's keychain is one's, and is reached through its socket."""
import concurrent.futures
import json
import os
import pathlib
import plistlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

FOLDER = pathlib.Path(sys.argv[1]).resolve()
DAEMON = sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] else None
WANTED = set(sys.argv[3:])
# No process is started while a program is copied: it would have that file open for writing until it executes its own, and nobody can
# execute the copy meanwhile.
STARTING = threading.Lock()


def program(folder, rights):
    """A copy of the program, and where its rights are declared: beside it, or where a daemon looks. Only one of them, so that a
    row that missed the daemon would have other rights and fail."""
    (folder / "entitlements.d").mkdir(parents=True)
    shutil.copy(FOLDER / "rows", folder / "rows")
    if DAEMON:
        named = {name.rsplit(".", 1)[-1]: value for name, value in rights.items()}
        rule = {"match": {"path": str(folder / "rows")}, **named}
        # A daemon reads no file that grants nothing, and a closed one grants nothing without a file.
        if any(named.values()):
            (folder / "entitlements.d/rows.plist").write_bytes(plistlib.dumps(rule))
    else:
        (folder / "rows.entitlements").write_bytes(plistlib.dumps(rights))


class Daemon:
    """One that has the keychain of a home, from when it says so until it is left."""

    def __init__(self, environment, home, rights):
        self.environment = dict(environment, NOTIFY_SOCKET=f"{home}/ready")
        self.arguments = [DAEMON, "--closed", "--entitlements", str(rights / "entitlements.d")]
        self.home = home

    def __enter__(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
            ready.bind(f"{self.home}/ready")
            ready.settimeout(900)
            self.log = open(f"{self.home}/log", "w+")
            with STARTING:
                self.process = subprocess.Popen(self.arguments, env=self.environment, stdout=self.log, stderr=self.log)
            while b"READY=1" not in ready.recv(4096):
                pass
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(900)
        self.log.close()


def started(call, environment):
    """A program that was copied, and what it says."""
    with STARTING:
        return subprocess.Popen(call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def run(name, row):
    """What went wrong in one row, or nothing."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as home:
        folder = pathlib.Path(home) / "rights"
        with STARTING:
            program(folder, row["rights"])
        environment = {
            "HOME": home, "XDG_DATA_HOME": f"{home}/data", "XDG_RUNTIME_DIR": home, "PATH": "/usr/bin:/bin",
            "LLAVERO_TEST_KEYCHAIN": "real", "LANG": "C.UTF-8",
        }
        call = [folder / "rows", name]
        if not DAEMON:
            process = started(call, dict(environment, ROWS_CLOCK="1"))
            complaint = process.communicate()[1]
        else:
            with Daemon(environment, home, folder):
                environment["ROWS_RIGHTS"] = str(folder / "entitlements.d/rows.plist")
                process = started(call, environment)
                complaint = process.communicate()[1]
    if process.returncode == 0:
        return None
    return complaint.strip() or f"{name}: ended with {process.returncode}"


def main():
    rows = json.loads((FOLDER / "rows.json").read_text())
    if WANTED:
        rows = {name: row for name, row in rows.items() if name in WANTED}
    left_out = [name for name, row in rows.items() if row["only"] == ("program" if DAEMON else "daemon")]
    rows = {name: row for name, row in rows.items() if name not in left_out}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(run, rows, rows.values()))
    wrong = [outcome for outcome in outcomes if outcome]
    for outcome in wrong:
        print(outcome, file=sys.stderr)
    way = "through the socket of a daemon" if DAEMON else "in the program"
    reason = "the clock" if DAEMON else "other rights at run time"
    more = f"; {len(left_out)} need {reason}, and run the other way" if left_out else ""
    print(f"{len(outcomes) - len(wrong)} rows held {way}, {len(wrong)} failed{more}")
    sys.exit(1 if wrong else 0)


main()
