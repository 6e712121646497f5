# SPDX-License-Identifier: Apache-2.0
"""A home without settings, a keychain of its own, and the real programs, in which nobody can be asked anything."""

import base64
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

TOOL = os.environ["LLAVERO_TOOL"]
UNPACKED = pathlib.Path(os.environ["LLAVERO_UNPACKED"])
NAMES = ["llavero", "security", "cargo-credential-llavero"]
PASSCODE = "a passcode of the test"
PYTHON = os.path.dirname(sys.executable)


class Scene:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.tools = folder / "bin"
        for made in (self.home, self.tools):
            made.mkdir(mode=0o700)
        for name in NAMES:
            (self.tools / name).symlink_to(TOOL)
        self.environment = {
            "PATH": f"{self.tools}:{PYTHON}:/usr/bin:/bin",
            "HOME": str(self.home),
            "LLAVERO_HOME": str(folder / "keychains"),
            "TMPDIR": str(folder),
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PIP_CONFIG_FILE": "/dev/null",
        }

    def run(self, *words, input="", cwd=None, **variables) -> subprocess.CompletedProcess:
        """Runs a program without a terminal; a variable that is None is not set."""
        environment = {key: value for key, value in {**self.environment, **variables}.items() if value is not None}
        return subprocess.run(
            [str(word) for word in words],
            input=input,
            env=environment,
            cwd=cwd or self.folder,
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=300,
            check=False,
        )

    def need(self, *words, **more) -> str:
        """The same of a program that has to succeed; what it printed."""
        done = self.run(*words, **more)
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def add(self, name: str, secret: str, *options: str) -> None:
        self.need("llavero", "add", name, "--stdin", "--quiet", *options, input=secret)

    def lock(self) -> None:
        self.need("llavero", "passcode", "set", "--new-fd", "0", input=PASSCODE)

    def leaks(self, *secrets: str) -> list[str]:
        """The files below the home and the keychain in which a secret stands, plain or in base64."""
        forms = [form for secret in secrets for form in (secret.encode(), base64.b64encode(secret.encode()))]
        found = []
        for root in (self.home, self.folder / "keychains"):
            for path in root.rglob("*"):
                if path.is_file() and any(form in path.read_bytes() for form in forms):
                    found.append(str(path))
        return found


def pytest_terminal_summary(terminalreporter) -> None:
    """What Scripts/steps.sh counts."""
    place = os.environ.get("STEP_COUNTS")
    if place:
        counts = [len(terminalreporter.stats.get(name, [])) for name in ("passed", "failed", "error", "skipped")]
        pathlib.Path(place).write_text(f"{counts[0]} {counts[1] + counts[2]} {counts[3]}\n")


@pytest.fixture
def scene(tmp_path: pathlib.Path) -> Scene:
    return Scene(tmp_path)


@pytest.fixture
def need_program():
    """The path of a program of Debian's, without which a test says what is missing."""

    def find(name: str) -> str:
        path = shutil.which(name, path="/usr/bin:/bin")
        if path is None:
            pytest.skip(f"there is no {name} here; Scripts/install-packages.sh test installs it where the archive has it")
        return path

    return find
