# SPDX-License-Identifier: Apache-2.0
"""Folders with keychains, what is run on them, and what is there afterwards."""
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
from typing import NamedTuple

from operations import ADD

PASSCODES = ["old", "new", "unknown"]
# A line that takes longer is stuck; the longest take some seconds beside other builds.
PATIENCE = 180


class Tools(NamedTuple):
    """What was built, and the folder with keychains of older formats."""

    binaries: str
    vectors: str
    fault: str
    recorder: str


class Finding(NamedTuple):
    """What is there: None for a state that cannot be read; and what is wrong with it whatever it should be."""

    state: str | None
    complaints: tuple[str, ...]


class Ground:
    def __init__(self, path, tools, operation):
        self.path, self.tools, self.operation = path, tools, operation
        self.home, self.work = path + "/home", path + "/work"

    @classmethod
    def prepared(cls, path, tools, operation):
        """With what the operation begins with."""
        ground = cls(path, tools, operation)
        os.makedirs(ground.work)
        os.makedirs(ground.home, mode=0o700)
        for name in PASSCODES:
            with open(ground.work + "/" + name, "w") as file:
                file.write(name + " passcode of three words")
        made = ground.run(operation.before)
        assert made.returncode == 0, (operation, made.stderr)
        return ground

    def copy(self, path):
        shutil.copytree(self.path, path, symlinks=True)
        return Ground(path, self.tools, self.operation)

    def run(self, line, preloaded=None, **variables):
        """Runs a line; what it preloads, bash itself does not."""
        environment = {
            "PATH": self.tools.binaries + ":/usr/bin:/bin", "HOME": self.path, "LLAVERO_HOME": self.home,
            "LLT_BELOW": self.path, "WORK": self.work, "VECTORS": self.tools.vectors, "LC_ALL": "C.UTF-8", **variables}
        if preloaded is not None:
            line = "export LD_PRELOAD=%s; %s" % (preloaded, line)
        words = ["/bin/bash", "-c", line]
        try:
            return subprocess.run(
                words, env=environment, cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 1, b"", b"stuck")

    def remove(self):
        self.end_daemons()
        shutil.rmtree(self.path, ignore_errors=True)

    def end_daemons(self):
        """Kills the daemons that the operation left: those that have this folder in their environment."""
        if not self.operation.has_daemon:
            return
        mark = b"LLAVERO_HOME=%s\0" % self.home.encode()
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % process, "rb") as file:
                    if mark in file.read():
                        os.kill(int(process), signal.SIGKILL)
            except OSError:
                continue  # It has ended, or is another user's.

    def examine(self):
        """What is there, and whether it is sound and goes on; changes it."""
        complaints = []
        check = self.run("llavero check")
        state = self.state()
        if state is not None and not state.startswith("nothing"):
            if check.returncode != 0:
                complaints.append("check: " + (check.stdout + check.stderr).decode().strip())
            probe = self.run(ADD.format("probe", "p"))
            if probe.returncode != 0:
                complaints.append("nothing can be added: " + probe.stderr.decode().strip())
            again = self.run("llavero check")
            if again.returncode != 0 and check.returncode == 0:
                complaints.append("check after another item: " + (again.stdout + again.stderr).decode().strip())
        return Finding(state, tuple(complaints))

    def state(self):
        """Which passcode there is, and the items; None where nothing can be told. Removes the passcode."""
        also = self.run(self.operation.also).stdout.decode()
        status = self.run("llavero status --json")
        if status.returncode != 0:
            return None
        report = json.loads(status.stdout)
        if not report["exists"]:
            return "nothing" + also
        passcode = "none"
        if report["state"] != "no-passcode":
            for passcode in PASSCODES:
                if self.run("llavero passcode remove --fd 3 --quiet 3<$WORK/%s" % passcode).returncode == 0:
                    break
        listed = self.run("llavero list --all --plain")
        if listed.returncode != 0:
            return None
        lines = [line.split("\t") for line in listed.stdout.decode().splitlines()]
        items = ["\t".join(fields[:4]) for fields in lines]
        identifiers = [fields[7] for fields in lines]
        secrets = [self.run("llavero get %s --all" % name).stdout.decode() for name in identifiers]
        return "\n".join([passcode + also, *sorted(items), *sorted(secrets)])


class Picture(dict):
    """What is below a folder: for each path its mode, and the bytes of a file or None for a folder."""

    @classmethod
    def of(cls, folder):
        picture = cls()
        for path, folders, files in os.walk(folder):
            for name in folders + files:
                whole = os.path.join(path, name)
                status = os.lstat(whole)
                if stat.S_ISDIR(status.st_mode):
                    content = None
                elif stat.S_ISREG(status.st_mode):
                    with open(whole, "rb") as file:
                        content = file.read()
                else:
                    continue
                picture[os.path.relpath(whole, folder)] = (stat.S_IMODE(status.st_mode), content)
        return picture

    def put(self, folder):
        """Makes the folder that it is a picture of."""
        os.mkdir(folder)
        for path in sorted(self):
            mode, content = self[path]
            whole = os.path.join(folder, path)
            if content is None:
                os.mkdir(whole)
            else:
                with open(whole, "wb") as file:
                    file.write(content)
            os.chmod(whole, mode)

    def digest(self):
        return hashlib.sha256(repr(sorted(self.items())).encode()).digest()
