# SPDX-License-Identifier: Apache-2.0
"""A bed with a screen: programs show their windows on it, and a person who is made of code types and clicks."""
import contextlib
import os
import subprocess
import time

from Xlib import X, XK, display
from Xlib.error import ConnectionClosedError, XError
from Xlib.ext import xtest

from bed import Bed


class Desk(Bed):
    """A bed whose provider asks with a pinentry that shows a window, on an X server of its own."""

    def __init__(self, provider="llaverod", **more):
        super().__init__(provider, **more)
        self.screen = None

    def start_bus(self):
        # The first thing that a bed starts, and what all that comes later is shown on.
        here, there = os.pipe()
        self.spawn("screen", ["/usr/bin/Xvfb", "-displayfd", there, "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
                   pass_fds=[there])
        os.close(there)
        with open(here) as line:
            number = line.readline().strip()
        if not number:
            raise RuntimeError("no X server: " + self.log("screen"))
        self.environment |= {"DISPLAY": ":" + number, "PINENTRY": "/usr/bin/pinentry-gtk-2", "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory",
                             "XDG_DATA_DIRS": f"{self.environment['XDG_DATA_DIRS']}:/usr/share"}
        super().start_bus()
        self.screen = Screen(self.environment["DISPLAY"])

    def spawn(self, name, words, environment={}, **more):
        shown = {"DISPLAY": self.environment["DISPLAY"]} if "DISPLAY" in self.environment else {}
        return super().spawn(name, [str(word) for word in words], environment | shown, **more)

    def __exit__(self, *what):
        if self.screen is not None:
            self.screen.close()
        super().__exit__(*what)


class Screen:
    """What is to be seen on an X server, and the keyboard and the mouse before it."""

    def __init__(self, name):
        self.name = name
        self.display = display.Display(name)
        self.root = self.display.screen().root

    def close(self):
        # The server may have gone first.
        with contextlib.suppress(ConnectionClosedError):
            self.display.close()

    def windows(self):
        """Windows that programs show, with their titles and the names of the programs, the one that came last at the end. Nobody
        manages them here."""
        found = []
        for window in self.root.query_tree().children:
            try:
                if window.get_attributes().map_state != X.IsViewable:
                    continue
                found.append((window, f"{self.title(window)} {' '.join(window.get_wm_class() or [])}"))
            except XError:
                pass
        return found

    def title(self, window):
        text = window.get_full_text_property(self.display.intern_atom("_NET_WM_NAME")) or window.get_wm_name()
        return text if isinstance(text, str) else ""

    def wait(self, title, limit=60):
        """The window of a title or a program, once it is shown."""
        return self.until(lambda: next((window for window, text in reversed(self.windows()) if title in text), None),
                          f"a window {title!r}", limit)

    def wait_gone(self, window, limit=60):
        return self.until(lambda: all(shown.id != window.id for shown, _ in self.windows()), "that a window closes", limit)

    def until(self, look, what, limit=60):
        end = time.monotonic() + limit
        while not (found := look()):
            if time.monotonic() > end:
                if "PICTURES" in os.environ:
                    self.picture(os.path.join(os.environ["PICTURES"], "in vain.png"))
                raise AssertionError(f"waited in vain for {what}; shown: {[text for _, text in self.windows()]}")
            time.sleep(0.05)
        return found

    def is_grabbed(self):
        """Whether a program has the keyboard for itself."""
        answer = self.root.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        if answer == X.GrabSuccess:
            self.display.ungrab_keyboard(X.CurrentTime)
        self.display.sync()
        return answer != X.GrabSuccess

    def focus(self, window):
        """Gives a window the keyboard; nothing where it has gone."""
        self.display.set_error_handler(lambda *_: None)
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.sync()

    def click(self, window, x, y, button=1, times=1):
        place = self.root.translate_coords(window, 0, 0)
        xtest.fake_input(self.display, X.MotionNotify, x=x + place.x, y=y + place.y)
        for _ in range(times):
            xtest.fake_input(self.display, X.ButtonPress, button)
            xtest.fake_input(self.display, X.ButtonRelease, button)
        self.display.sync()

    def press(self, *names):
        """Presses keys one after another; "Control+a" is a chord."""
        for name in names:
            codes = [self.display.keysym_to_keycode(XK.string_to_keysym(part)) for part in name.split("+")]
            for code in codes:
                xtest.fake_input(self.display, X.KeyPress, code)
            for code in reversed(codes):
                xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()

    def type(self, text):
        for character in text:
            self.press({" ": "space"}.get(character, character))

    def picture(self, file):
        """Writes what the screen shows as a picture."""
        subprocess.run(["import", "-display", self.name, "-window", "root", file], check=True)
