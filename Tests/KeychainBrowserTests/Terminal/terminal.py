# SPDX-License-Identifier: Apache-2.0
"""A terminal that a test types into: a window of a tmux server of its own."""

import os
import re
import subprocess
import time


class Terminal:
    """Runs one command; everything waits for what is on the screen, never for a time."""

    # A machine that does other work is slow; nothing waits that long when it works.
    PATIENCE = 300
    count = 0

    def __init__(self, folder, environment, *command, columns=80, rows=24, settings=()):
        # A server that was told to end may still be there.
        Terminal.count += 1
        self.socket = os.path.join(folder, f"tmux{Terminal.count}")
        self.log = os.path.join(folder, "output")
        self.exit = os.path.join(folder, "exit")
        for file in (self.log, self.exit):
            if os.path.exists(file):
                os.unlink(file)
        self.environment = dict(environment, TERM="xterm-256color")
        # A file stands for the command's first letter: what it writes is kept from the first byte on.
        words = " ".join(f"'{word}'" for word in command)
        gate = os.path.join(folder, "gate")
        if not os.path.exists(gate):
            os.mkfifo(gate)
        script = f"read -r go < '{gate}'; {words}; echo $? > '{self.exit}'; echo ended; exec cat"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "sh", "-c", script)
        for setting in settings:
            self.tmux("set-option", "-g", *setting)
        self.tmux("pipe-pane", "-O", f"cat > '{self.log}'")
        with open(gate, "w", encoding="ascii") as file:
            file.write("go\n")

    def tmux(self, *words):
        run = subprocess.run(
            ["tmux", "-u", "-S", self.socket, *words], env=self.environment, capture_output=True, check=False)
        if run.returncode != 0:
            raise AssertionError(f"tmux {' '.join(words)}: {run.stderr.decode()}")
        return run.stdout.decode("utf-8", "replace")

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False)

    def keys(self, *keys):
        """Named keys, such as Enter; anything else is typed letter by letter."""
        for key in keys:
            if re.fullmatch(r"Enter|Escape|Tab|BTab|Up|Down|Left|Right|Home|End|NPage|PPage|BSpace|C-[a-z]", key):
                self.tmux("send-keys", key)
            else:
                self.tmux("send-keys", "-l", "--", key)

    def screen(self):
        return self.tmux("capture-pane", "-p").rstrip("\n").split("\n")

    def everything(self):
        """What tmux keeps: the screen, its history, and the other screen."""
        return self.tmux("capture-pane", "-p", "-S", "-", "-E", "-") + self.tmux("capture-pane", "-p", "-a", "-q")

    def written(self):
        with open(self.log, "rb") as file:
            return file.read()

    def until(self, what, is_so):
        end = time.monotonic() + self.PATIENCE
        while True:
            screen = self.screen()
            if is_so("\n".join(screen)):
                return screen
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come; the screen is:\n" + "\n".join(screen))
            time.sleep(0.02)

    def wait(self, *texts):
        """Until all of them are on the screen."""
        return self.until(f"{texts}", lambda screen: all(text in screen for text in texts))

    def gone(self, *texts):
        """Until none of them is."""
        return self.until(f"the end of {texts}", lambda screen: not any(text in screen for text in texts))

    def ended(self):
        """Its exit status."""
        self.wait("ended")
        with open(self.exit, encoding="ascii") as file:
            return int(file.read())

    def pane(self):
        """The process of the window."""
        return self.tmux("display-message", "-p", "#{pane_pid}").strip()

    def foreground(self):
        """The name of the program that has the terminal."""
        return self.tmux("display-message", "-p", "#{pane_current_command}").strip()

    def resize(self, columns, rows):
        self.tmux("set-option", "-g", "window-size", "manual")
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
