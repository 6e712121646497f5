# SPDX-License-Identifier: Apache-2.0
"""A shell at a terminal, in the Debian below a folder, into which lines are typed: for as-written.py and completion-test.py."""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time


class Terminal:
    def __init__(self, root, user, *command):
        process, self.descriptor = pty.fork()
        if process == 0:
            kept = {name: os.environ[name] for name in ["http_proxy"] if name in os.environ}
            os.execve("/usr/sbin/chroot", ["chroot", root, "su", "--login", user, "--whitelist-environment=LC_ALL,http_proxy",
                                           "--shell", command[0], "--", *command[1:]],
                      {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8", **kept})
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 250, 0, 0))
        self.read = b""

    def type(self, keys):
        """Keys, and what comes from then on."""
        self.read = b""
        os.write(self.descriptor, keys)

    def wait(self, pattern, answers=(), seconds=120):
        """Waits until the screen shows what fits, answers questions meanwhile, and returns the match and all that was shown."""
        end = time.monotonic() + seconds
        shown, asked = b"", 0
        while not (match := re.search(pattern, self.read)):
            for question, answer in answers:
                if re.search(question, self.read[asked:]):
                    asked = len(self.read)
                    os.write(self.descriptor, answer)
            if not select.select([self.descriptor], [], [], max(0, end - time.monotonic()))[0]:
                break
            try:
                self.read += os.read(self.descriptor, 65536)
            except OSError:
                break
        return match, self.read.decode(errors="replace")


def fail(words):
    sys.exit(f"error: {words}")
