# SPDX-License-Identifier: Apache-2.0
"""Seahorse, the program that people look at their secrets with, driven as a person does."""
import contextlib
import os
import time

import prompts
from bed import COLLECTION, ITEM, PASSCODE
from reader import LAUNCHER, Reader


def row_20_seahorse(bed):
    """Seahorse lists, renames and deletes items, locks and unlocks a keychain, and gives it another passcode."""
    bed.run("secret-tool", "store", "--label=Mail", "row", "20", input="of the mail", check=True)
    bed.spawn("accessibility", [LAUNCHER, "--launch-immediately", "--a11y=1"])
    reader, screen = Reader(bed, "seahorse"), bed.screen
    with bed.client() as client:
        screen.until(lambda: client.bus("NameHasOwner", "s", ("org.a11y.Bus",)), "the bus of screen readers")
    bed.spawn("seahorse", ["/usr/bin/seahorse"])
    window = screen.wait("seahorse")
    with bed.client() as client:
        login = client.default()
        [item] = client.search({"row": "20"})[0]

        def row(name):
            """A line of the list at the left, which is away while a narrow window shows what is in one."""
            def look():
                back = reader.look("push button", "Back")
                if back is not None:
                    reader.press_part(back)
                # The same name may stand in the window's title.
                return max((part for part in reader.all("label", name) if reader.height(part) > 0), key=reader.height, default=None)
            return screen.until(look, f"the collection {name!r}, among {reader.names}", 60)

        def chosen(name, entry):
            """Chooses an entry of the menu of a collection."""
            screen.focus(window)
            reader.click(row(name), button=3)
            reader.choose(entry)

        def opened(label):
            """An item's window; lists move while they are shown, so a click may miss."""
            for _ in range(10):
                screen.focus(window)
                part = reader.look("label", label)
                if part is None:
                    reader.click(row("Login"))
                    time.sleep(1)
                    continue
                reader.click(part, times=2)
                with contextlib.suppress(AssertionError):
                    return screen.wait("Item Properties", 3)
            raise AssertionError(f"{label} was not opened, among {reader.names}")

        # It lists, and shows what an item is.
        dialog = opened("Mail")
        if os.environ.get("PICTURES"):
            screen.picture(os.path.join(os.environ["PICTURES"], "seahorse.png"))
        # It renames.
        screen.focus(dialog)
        reader.click(reader.look("text", within=reader.wait("dialog", "Item Properties")))
        screen.press("Control_L+a")
        screen.type("letters")
        # It asks whether to store what was typed when the window closes.
        screen.press("Escape")
        reader.press("push button", "OK")
        screen.until(lambda: client.get(item, ITEM, "Label") == "letters", "that the item is renamed", 60)
        assert client.secret(client.open_session(), item)[0] == b"of the mail"
        screen.wait_gone(dialog)
        # It deletes, once the person has said so.
        bed.run("secret-tool", "store", "--label=Junk", "row", "20 deleted", input="junk", check=True)
        screen.until(lambda: client.search({"row": "20 deleted"})[0], "the item that is to go", 60)
        dialog = opened("Junk")
        screen.focus(dialog)
        # With the mouse: while it asks, it would still be answering the reader that pressed the button.
        reader.click(reader.wait("push button", "Delete Password"))
        reader.click(reader.wait("push button", "Delete"))
        screen.until(lambda: client.search({"row": "20 deleted"}) == ([], []), "that the item is deleted", 60)
        assert bed.run("secret-tool", "lookup", "row", "20 deleted").returncode == 1
        screen.wait_gone(dialog)
        # For good: nothing of earlier versions is kept of programs' items.
        assert bed.run(bed.programs / "llavero", "undelete", "Junk").returncode != 0
        # It locks, and unlocks with the passcode that the person types.
        chosen("Login", "Lock")
        screen.until(lambda: client.get(login, COLLECTION, "Locked"), "that it is locked", 60)
        chosen("Login", "Unlock")
        prompts.type_passcode(bed, PASSCODE)
        screen.until(lambda: not client.get(login, COLLECTION, "Locked"), "that it is unlocked", 60)
        # It gives another passcode, which opens from then on.
        chosen("Login", "Change Password")
        prompts.type_passcode(bed, PASSCODE)
        prompts.type_passcode(bed, "another one", repeats=True)

        def opens(passcode):
            client.lock(login)
            return bed.run(bed.programs / "llavero", "unlock", "--stdin", "--no-agent", input=passcode).returncode == 0
        screen.until(lambda: opens("another one"), "that the passcode is another one", 60)
        assert not opens(PASSCODE) and opens("another one")
    bed.end("seahorse")
    bed.end("accessibility")
    return "listed, renamed, deleted, locked, unlocked, given another passcode"


TESTS = [row_20_seahorse]
