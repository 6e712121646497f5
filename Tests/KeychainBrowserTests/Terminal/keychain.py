# SPDX-License-Identifier: Apache-2.0
"""A keychain in a folder of its own, filled by the tool."""

import os
import shutil
import subprocess
import tempfile


class Keychain:
    def __init__(self, programs):
        self.programs = os.path.abspath(programs)
        self.folder = tempfile.mkdtemp(prefix="llv-browse-", dir=os.environ.get("TMPDIR", "/tmp"))
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        self.environment = dict(kept, HOME=self.folder, LANG="C.UTF-8", LLAVERO_HOME=os.path.join(self.folder, "keychains"))

    def close(self):
        self.run("lock", "--end-agent", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def program(self):
        return os.path.join(self.programs, "llavero")

    def run(self, *words, given=b"", check=True):
        run = subprocess.run(
            [self.program, *words], env=self.environment, input=given, capture_output=True, check=False)
        if check and run.returncode != 0:
            raise AssertionError(f"llavero {' '.join(words)}: {run.returncode} {run.stderr.decode()}")
        return run

    def security(self, *words):
        run = subprocess.run(
            ["security", *words], executable=self.program, env=self.environment, capture_output=True, check=False)
        if run.returncode != 0:
            raise AssertionError(f"security {' '.join(words)}: {run.returncode} {run.stderr.decode()}")

    def add(self, name, secret, *words):
        self.run("add", name, "--stdin", "--quiet", *words, given=secret.encode() + b"\n")

    def set_passcode(self, passcode):
        """Sets one, and leaves it unlocked for all."""
        for verb in (("passcode", "set"), ("unlock",)):
            self.run(*verb, "--stdin", "--quiet", given=passcode.encode())

    def get(self, name, *words):
        return self.run("get", name, *words).stdout.decode().rstrip("\n")
