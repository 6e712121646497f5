# SPDX-License-Identifier: Apache-2.0
"""Drives `llavero browse` in a terminal: each test is a method, which types and waits for what is shown."""

import argparse
import sys
import time
import traceback

from keychain import Keychain
from terminal import Terminal

CLIPBOARD = (("set-clipboard", "on"),)


class Tests:
    def __init__(self, programs):
        self.keychain = Keychain(programs)
        self.terminal = None

    def close(self):
        if self.terminal:
            self.terminal.close()
        self.keychain.close()

    def browse(self, *words, columns=80, rows=24, settings=CLIPBOARD, **environment):
        if self.terminal:
            self.terminal.close()
        self.terminal = Terminal(
            self.keychain.folder, self.keychain.environment, "env",
            *[f"{name}={value}" for name, value in environment.items()], self.keychain.program, "browse", *words,
            columns=columns, rows=rows, settings=settings)
        return self.terminal

    def fill(self):
        self.keychain.add("github", "hunter2-secret", "--user", "ada", "--url", "https://github.com")
        self.keychain.add("mail", "analytical", "--user", "grace")
        self.keychain.add("日本語の名前", "wide", "--user", "Zoë")

    def end(self):
        self.terminal.keys("C-c")
        status = self.terminal.ended()
        assert status == 0, f"it ended with {status}"

    def test_list_search_show_copy(self):
        self.fill()
        terminal = self.browse("--hide-after", "2")
        screen = terminal.wait("3 items", "github", "日本語の名前")
        assert screen[1].startswith("1 Passwords 2 Programs"), screen
        terminal.keys("/", "git")
        terminal.wait("/git", "1 found")
        terminal.gone("mail")
        terminal.keys("Enter", "Enter")
        terminal.wait("github (user ada)", "••••••••", "https://github.com")
        terminal.keys("s")
        terminal.wait("hunter2-secret", "s hides it")
        # Hidden by time.
        terminal.gone("hunter2-secret")
        terminal.wait("••••••••")
        terminal.keys("c")
        terminal.wait("the password of github (user ada) is in the clipboard for 45 seconds")
        assert terminal.tmux("show-buffer") == "hunter2-secret"
        # Hidden by the key, and by leaving.
        for key in ("s", "Escape"):
            terminal.keys("s")
            terminal.wait("hunter2-secret")
            terminal.keys(key)
            terminal.gone("hunter2-secret")
            assert "hunter2-secret" not in terminal.everything()
        terminal.keys("q")
        assert terminal.ended() == 0
        assert "hunter2-secret" not in terminal.everything()
        assert "github" not in terminal.everything()

    def test_no_other_screen(self):
        """Where the terminal has no other screen, what is left is empty, and its history has no secret."""
        self.fill()
        terminal = self.browse(settings=CLIPBOARD + (("alternate-screen", "off"),))
        terminal.wait("3 items")
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        terminal.keys("s")
        terminal.gone("hunter2-secret")
        terminal.keys("s")
        terminal.wait("hunter2-secret")
        self.end()
        assert "hunter2-secret" not in terminal.everything(), terminal.everything()

    def test_hostile_names(self):
        hostile = "evil\x1b]0;pwned\x07\x1b[2J\x1b[31mred\x9b5m\u202egnp"
        self.keychain.add(hostile, "s", "--user", "a\u2066b\r\nc")
        self.keychain.add("safe", "\x1b[2J\x1b]0;pwned\x07")
        terminal = self.browse("--hide-after", "600")
        terminal.wait("2 items", "evil?]0;pwned??[2J")
        terminal.keys("Enter")
        terminal.wait("a?b")
        terminal.keys("e")
        terminal.wait("Change evil?]0;pwned")
        terminal.keys("n")
        terminal.wait("New name")
        terminal.keys("Escape", "x")
        terminal.wait("Remove evil?]0;pwned")
        terminal.keys("n", "Escape")
        terminal.keys("/", "safe", "Enter", "s")
        terminal.wait("no text: its bytes in hexadecimal", "1b5b324a1b5d303b70776e656407")
        self.end()
        written = terminal.written()
        for part in (b"\x1b]0;pwned", b"\x1b[31mred", "\u202e".encode(), "\u2066".encode(), b"\xc2\x9b"):
            assert part not in written, part

    def test_refusals(self):
        run = self.keychain.run("browse", check=False)
        assert run.returncode == 36 and b"needs a terminal" in run.stderr, run
        self.keychain.add("mail", "x")
        terminal = self.browse(TERM="dumb")
        terminal.wait("browse needs a terminal that can move its cursor")
        assert terminal.ended() == 36
        terminal = self.browse("--hide-after", "0")
        terminal.wait("--hide-after requires a number from 1 to 3600")
        assert terminal.ended() == 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    names = [name for name in vars(Tests) if name.startswith("test_")]
    chosen = [name for name in names if not arguments.tests or any(part in name for part in arguments.tests)]
    failed = 0
    for name in chosen:
        start = time.monotonic()
        tests = Tests(arguments.programs)
        try:
            getattr(tests, name)()
            print(f"ok    {name[5:].replace('_', ' ')} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED {name}", flush=True)
            traceback.print_exc()
        finally:
            tests.close()
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not chosen else 0)


main()
