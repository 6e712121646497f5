# SPDX-License-Identifier: Apache-2.0
"""How long the browser takes to begin, and to answer a key, with ten thousand items: on a terminal that only counts."""

import fcntl
import os
import pty
import select
import statistics
import struct
import termios
import time


class Watch:
    """A program on a terminal without anything between."""

    def __init__(self, environment, *command):
        self.start = time.perf_counter()
        (self.child, self.terminal) = pty.fork()
        if self.child == 0:
            os.execve(command[0], command, dict(environment, TERM="xterm-256color"))
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def until(self, mark):
        """Milliseconds until the mark was written."""
        seen = b""
        while mark not in seen:
            if not select.select([self.terminal], [], [], 60)[0]:
                raise AssertionError(f"{mark} did not come")
            seen += os.read(self.terminal, 65536)
        return (time.perf_counter() - self.start) * 1000

    def press(self, keys, mark):
        self.start = time.perf_counter()
        os.write(self.terminal, keys)
        return self.until(mark)

    def end(self):
        os.write(self.terminal, b"\x03")
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:
            pass
        os.waitpid(self.child, 0)


def measure(keychain, rounds=15):
    file = os.path.join(keychain.folder, "credentials")
    with open(file, "w", encoding="ascii") as lines:
        lines.writelines(f"https://user{number}:secret{number}@site{number}.example\n" for number in range(10_000))
    keychain.run("import", file, "--format", "git-credentials")
    (first, whole, keys) = ([], [], [])
    for _ in range(rounds):
        watch = Watch(keychain.environment, keychain.program, "browse")
        first.append(watch.until(b"site"))
        whole.append(watch.until(b"10000 items"))
        watch.press(b"/", b"found")
        # How many of the numbers up to 9999 have one, two, three nines; only cells that change are written.
        for mark in (b"3439", b"280", b"19"):
            keys.append(watch.press(b"9", mark))
        watch.end()
    for name, values in (("first lines", first), ("all items", whole), ("a key's result", keys)):
        print(f"{name}: {statistics.median(values):.1f} ms ({min(values):.1f} to {max(values):.1f})")
