# SPDX-License-Identifier: Apache-2.0
"""The terminal, the shell, the machine: mouse, suspension, sizes, what is missing; and a circle of real machines."""

import os
import re
import subprocess
import sys

from scene import CLIPBOARD, Scene
from terminal import Terminal

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


class Surroundings(Scene):
    def click(self, row, column, button=0, times=1):
        """As xterm says it, in numbers from 1; several times in one piece, as a slow line brings them."""
        letters = "M" if button >= 64 else "Mm"
        self.terminal.keys("".join(f"\x1b[<{button};{column + 1};{row + 1}{letter}" for letter in letters * times))

    def test_mouse(self):
        terminal = self.filled("--mouse", TERM="xterm-256color")
        self.click(5, 2)
        # The wheel goes down one line.
        self.click(0, 0, 65)
        terminal.keys("Enter")
        terminal.wait("日本語の名前 (user Zoë)")
        terminal.keys("Escape")
        # Keys that come at once with it would be another one's.
        terminal.wait("3 items", "CHANGED")
        self.click(5, 2)
        self.click(5, 2)
        terminal.wait("mail (user grace)")
        terminal.keys("Escape")
        terminal.wait("3 items", "CHANGED")
        # The wheel to the last item, and back to the first.
        self.click(0, 0, 65, times=5)
        terminal.keys("Enter")
        terminal.wait("日本語の名前 (user Zoë)")
        terminal.keys("Escape")
        terminal.wait("3 items", "CHANGED")
        self.click(0, 0, 64, times=5)
        self.click(5, 2, times=2)
        terminal.wait("mail (user grace)")
        self.click(1, terminal.screen()[1].index("Doctor"))
        terminal.wait("has no recovery key")
        # It is no answer to a question.
        terminal.keys("/", "recovery", "Enter", "a")
        terminal.wait("Run `llavero recovery make`?")
        self.click(0, 0, 65)
        self.click(5, 5)
        terminal.keys("n")
        terminal.gone("Run `llavero")
        self.end()
        assert b"1000h" in terminal.written() and b"1000l" in terminal.written()
        # Without the option the terminal selects as ever.
        terminal = self.browse()
        terminal.wait("3 items")
        self.end()
        assert b"1000h" not in terminal.written()

    def test_click_and_keys_in_one_piece(self):
        """As a slow line brings them: the release of a button that a key follows is no second click."""
        terminal = self.filled("--mouse", TERM="xterm-256color")
        click = "\x1b[<0;3;6M\x1b[<0;3;6m"
        terminal.keys(click + "\x1b[<65;1;1M\r")
        terminal.wait("日本語の名前 (user Zoë)")
        terminal.keys("Escape")
        terminal.wait("3 items", "CHANGED")
        # The same when only the release is with the key, and the key waits for nothing.
        terminal.keys(click[:len(click) // 2])
        for signal in ("-STOP", "-CONT"):
            subprocess.run(["pkill", signal, "-P", terminal.pane(), "-f", "browse"], check=True)
            if signal == "-STOP":
                terminal.keys(click[len(click) // 2:] + "?")
        terminal.wait("Keys", "search as you type")
        terminal.keys("Escape")
        terminal.wait("3 items", "CHANGED")
        self.end()

    def shell(self):
        terminal = self.start("bash", "--norc", "--noprofile", "-i")
        terminal.keys("PS1='ready$ '", "Enter")
        terminal.wait("ready$ ")
        return terminal

    def test_suspended(self):
        self.fill()
        self.keychain.set_passcode("open sesame")
        terminal = self.shell()
        terminal.keys(f"{self.keychain.program} browse --hide-after 600", "Enter")
        terminal.wait("3 items")
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        terminal.keys("C-z")
        terminal.wait("Stopped", "ready$ ")
        assert "hunter2-secret" not in terminal.everything() and "github" not in terminal.everything()
        terminal.keys("fg", "Enter")
        terminal.wait("github (user ada)", "••••••••")
        terminal.keys("C-z")
        terminal.wait("ready$ ")
        self.keychain.run("lock", "--quiet")
        before = len(terminal.written())
        terminal.keys("fg", "Enter")
        terminal.wait("The keychain login is locked.", "Enter unlocks")
        # Not even for one picture.
        after = terminal.written()[before:]
        assert b"github" not in after and b"ada" not in after, after
        terminal.keys("q")
        terminal.wait("ready$ ")

    def test_command_is_stopped(self):
        """The shell has the terminal while a command that the browser runs is stopped, and gives it back."""
        self.fill()
        terminal = self.shell()
        terminal.keys(f"{self.keychain.program} browse", "Enter")
        terminal.wait("3 items")
        terminal.keys("8")
        terminal.wait("passcode")
        terminal.keys("/", "no passcode", "Enter", "a")
        terminal.wait("Run `llavero passcode set`?")
        terminal.keys("y")
        terminal.wait("Passcode:")
        terminal.keys("C-z")
        # What the shell says then, pinentry may wipe, which leaves its screen by itself.
        terminal.until("the shell", lambda screen: terminal.foreground() == "bash")
        terminal.keys("fg", "Enter")
        terminal.gone("ready$ ")
        terminal.keys("open sesame", "Enter")
        terminal.until("the same again", lambda screen: "Repeat" in screen or "again" in screen)
        terminal.keys("open sesame", "Enter")
        terminal.wait("Enter goes back")
        terminal.keys("Enter")
        terminal.wait("`llavero passcode set` is done")
        terminal.keys("q", "q")
        terminal.wait("ready$ ")

    def test_sizes(self):
        """Each view and page in each size: nothing outlives it, and below 40 by 12 it says so."""
        self.fill()
        self.keychain.run("edit", "github", "--tag", "work", "--quiet")
        terminal = self.browse()
        terminal.wait("3 items")
        for columns, rows in ((80, 24), (40, 12), (57, 13)):
            terminal.resize(columns, rows)
            for view in "12345678":
                terminal.keys(view)
                terminal.until(view, lambda screen: "reading…" not in screen and len(screen.split("\n")) == rows)
                assert all(len(line) <= columns for line in terminal.screen()), terminal.screen()
            for keys, words in ((("1", "Enter"), "github (user"), (("f",), "tag"), (("n",), "Add to it"),
                                (("Escape", "Escape", "Escape", "n"), "A new item"), (("Escape", "?"), "Keys"), (("q", "h"), "Earlier")):
                terminal.keys(*keys)
                terminal.wait(words)
            terminal.keys("Escape")
        for columns, rows in ((39, 12), (40, 11), (12, 3), (1, 1)):
            terminal.resize(columns, rows)
            terminal.until("that it is too small", lambda screen: screen.strip() == "too small: 40 by 12 at least"[:columns])
        terminal.resize(80, 24)
        terminal.wait("github", "mail")
        self.end()

    def test_refusals(self):
        run = self.keychain.run("browse", check=False)
        assert run.returncode == 36 and b"needs a terminal" in run.stderr, run
        self.keychain.add("mail", "x")
        terminal = self.browse(TERM="dumb")
        terminal.wait("browse needs a terminal that can move its cursor")
        assert terminal.ended() == 36
        terminal = self.browse(TERM="no-such-terminal")
        terminal.wait("this terminal is unknown: TERM is no-such-terminal")
        assert terminal.ended() == 1
        terminal = self.browse("--hide-after", "0")
        terminal.wait("--hide-after requires a number from 1 to 3600")
        assert terminal.ended() == 2
        # A library of that name without anything in it is as good as none.
        folder = os.path.join(self.keychain.folder, "libraries")
        os.mkdir(folder)
        subprocess.run(
            ["cc", "-shared", "-x", "c", "/dev/null", "-o", os.path.join(folder, "libncursesw.so.6")], check=True)
        terminal = self.browse(LD_LIBRARY_PATH=folder)
        terminal.wait("sudo apt install libncursesw6")
        assert terminal.ended() == 1

    def test_circle(self):
        """Three machines on a PostgreSQL of their own: who is in it, what each may, and what the server has to say."""
        sys.path.insert(0, os.path.join(ROOT, "Tests", "Circle"))
        for name in ("scene",):
            sys.modules.pop(name, None)
        import scene as circles  # pylint: disable=import-outside-toplevel
        import pathlib  # pylint: disable=import-outside-toplevel
        try:
            server = circles.Server()
        except circles.Skipped as why:
            print(f"      no circle: {why}")
            return
        try:
            place = circles.Scene(server, pathlib.Path(self.keychain.programs), "ada-laptop", "grace-desk")
            machine = place["ada-laptop"]
            machine.add("shared", "x")
            _, environment = machine.command([], None, [])
            self.keychain.environment.update(environment)
            terminal = self.browse()
            terminal.wait("2 items")
            terminal.keys("6")
            terminal.wait("ada-laptop", "grace-desk", "own, sponsor, write", "this machine", "circle " + place.id[:8])
            terminal.keys("/", "grace", "Enter", "Enter")
            terminal.wait("device          ", "may             ", "keys            ")
            terminal.keys("Escape", "Escape")
            server.process.send_signal(19)
            server.process.send_signal(18)
            terminal.keys("a")
            terminal.wait("as of ", "grace-desk")
            self.end()
        finally:
            server.stop()
