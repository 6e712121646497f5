# SPDX-License-Identifier: Apache-2.0
"""Manages the settings of a display: `Gtk/Modules` is what the first argument says, for every program that comes."""

import struct
import sys

from Xlib import X, display
from Xlib.protocol import event

connection = display.Display()
screen = connection.screen()
window = screen.root.create_window(0, 0, 1, 1, 0, screen.root_depth)
selection = connection.intern_atom("_XSETTINGS_S0")
settings = connection.intern_atom("_XSETTINGS_SETTINGS")


def padded(text):
    return text + b"\0" * (-len(text) % 4)


name, value = b"Gtk/Modules", sys.argv[1].encode()
data = struct.pack("<BxxxII", 0, 1, 1) + struct.pack("<BxH", 1, len(name)) + padded(name)
data += struct.pack("<II", 1, len(value)) + padded(value)
window.change_property(settings, settings, 8, data)
window.set_selection_owner(selection, X.CurrentTime)
manager = connection.intern_atom("MANAGER")
message = event.ClientMessage(
    window=screen.root, client_type=manager, data=(32, [X.CurrentTime, selection, window.id, 0, 0])
)
screen.root.send_event(message, event_mask=X.StructureNotifyMask)
connection.flush()
print("ready", flush=True)
while True:
    connection.next_event()
