# SPDX-License-Identifier: Apache-2.0
"""`llavero copy` in tmux, which runs in another tmux that stands for the terminal and keeps what its clipboard gets."""

import os
import subprocess

from scene import Scene


class Clipboards(Scene):
    def inside(self, *settings):
        """A shell in a tmux with these settings, in the terminal."""
        self.socket = os.path.join(self.keychain.folder, "inner")
        configuration = os.path.join(self.keychain.folder, "tmux.conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.writelines(setting + "\n" for setting in ("set -g status off", *settings))
        return self.start(
            "env", "-u", "TMUX", "tmux", "-u", "-S", self.socket, "-T", "clipboard", "-f", configuration, "new-session",
            "env PS1=ready: sh", columns=200)

    def inner(self, *words):
        run = subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, check=False)
        return run.stdout.decode()

    def copy(self, *words):
        self.terminal.wait("ready:")
        self.terminal.keys("clear; " + " ".join((self.keychain.program, "copy", "github", *words)), "Enter")

    def test_copy_in_tmux(self):
        self.keychain.add("github", "hunter2-secret", "--user", "ada")
        terminal = self.inside()
        try:
            self.copy()
            terminal.wait("github is in tmux's buffer for 45 seconds, and was sent to the terminal's clipboard")
            assert self.inner("show-buffer") == "hunter2-secret"
            assert self.inner("list-buffers", "-F", "#{buffer_name}").startswith("llavero-")
            terminal.until("the terminal's clipboard", lambda _: terminal.tmux("show-buffer") == "hunter2-secret")
            # The next one has a buffer of its own, which goes when its time is over; the terminal's clipboard is a blank then.
            self.copy("--clear-after", "1")
            terminal.wait("for 1 seconds")
            terminal.until("a blank", lambda _: terminal.tmux("show-buffer") == " ")
            terminal.until("one buffer", lambda _: self.inner("list-buffers").count("\n") == 1)
            self.copy("--field", "user")
            terminal.wait("for 45 seconds")
            terminal.until("the user", lambda _: terminal.tmux("show-buffer") == "ada")
            # What programs write themselves is not in question.
            self.inner("set-option", "-g", "set-clipboard", "off")
            self.copy()
            terminal.wait("for 45 seconds, and was sent to the terminal's clipboard")
            terminal.until("the terminal's clipboard", lambda _: terminal.tmux("show-buffer") == "hunter2-secret")
        finally:
            self.inner("kill-server")

    def test_copy_in_tmux_of_a_terminal_without_clipboard(self):
        self.keychain.add("github", "hunter2-secret")
        terminal = self.inside("set -s terminal-overrides '*:Ms@'")
        try:
            self.copy()
            terminal.wait("for 45 seconds, and not in the terminal's clipboard, for tmux knows of none")
            assert self.inner("show-buffer") == "hunter2-secret"
            # A tmux that is not there any more.
            terminal.keys("clear; TMUX=/nowhere,1,0 " + self.keychain.program + " copy github", "Enter")
            terminal.wait("tmux did not take the password")
        finally:
            self.inner("kill-server")
