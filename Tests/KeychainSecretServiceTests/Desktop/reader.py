# SPDX-License-Identifier: Apache-2.0
"""What a screen reader knows of a program's windows: their parts by role and name, each of which can be pressed. Pictures of
windows change with every theme, these do not."""
import os

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402



LAUNCHER = "/usr/libexec/at-spi-bus-launcher"


class Reader:
    """Of one program on a bed; one in a process, for the library connects once."""

    def __init__(self, bed, program):
        self.bed, self.program = bed, program
        os.environ.update({name: bed.environment[name] for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR")})

    def parts(self, within=None):
        """All parts that are shown, of the program or of one of its parts, a window's own before those inside it."""
        if within is None:
            desktop = Atspi.get_desktop(0)
            waiting = [desktop.get_child_at_index(index) for index in range(desktop.get_child_count())]
            waiting = [program for program in waiting if program and program.get_name() == self.program]
        else:
            waiting = [within]
        while waiting:
            part = waiting.pop(0)
            try:
                yield part
                for index in range(min(part.get_child_count(), 200)):
                    child = part.get_child_at_index(index)
                    if child is not None and (
                            child.get_state_set().contains(Atspi.StateType.SHOWING) or child.get_role_name() in ("frame", "dialog")):
                        waiting.append(child)
            except gi.repository.GLib.Error:
                # It went away meanwhile.
                continue

    def look(self, role, name=None, within=None):
        return next(iter(self.all(role, name, within)), None)

    def all(self, role, name=None, within=None):
        """Those of a role and a name; none while windows change under its eyes."""
        try:
            return [part for part in self.parts(within) if part.get_role_name() == role and name in (None, part.get_name())]
        except gi.repository.GLib.Error:
            return []

    def wait(self, role, name=None, limit=60):
        return self.bed.screen.until(lambda: self.look(role, name), f"a {role} {name!r}, among {self.names}", limit)

    @property
    def names(self):
        return Names(self)

    def press(self, role, name=None, limit=60):
        self.press_part(self.wait(role, name, limit))

    def press_part(self, part):
        assert Atspi.Action.do_action(part, 0), f"{part.get_role_name()} {part.get_name()!r} cannot be pressed"

    def choose(self, name):
        """Chooses an entry of the menu that is open."""
        self.press("menu item", name)

    def height(self, part):
        """How far down it is."""
        return Atspi.Component.get_extents(part, Atspi.CoordType.SCREEN).y

    def click(self, part, button=1, times=1):
        """With the mouse, in the middle of it."""
        place = Atspi.Component.get_extents(part, Atspi.CoordType.SCREEN)
        self.bed.screen.click(self.bed.screen.root, place.x + place.width // 2, place.y + place.height // 2, button, times)


class Names:
    """Written only when a failure is."""

    def __init__(self, reader):
        self.reader = reader

    def __str__(self):
        return str([(part.get_role_name(), part.get_name()) for part in self.reader.parts() if part.get_name()])
