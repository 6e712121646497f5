# SPDX-License-Identifier: Apache-2.0
"""Items that are added, and what belongs to an item: fields, attachments, tags, expiry, codes."""

import json
import os
import re
import stat

from scene import Scene


class Parts(Scene):
    def test_add(self):
        self.keychain.add("first", "x")
        terminal = self.browse()
        terminal.wait("1 item", "first")
        terminal.keys("n")
        terminal.wait("A new item")
        # Without a name it goes no further.
        terminal.keys("Enter", "Enter", "Enter")
        terminal.wait("It needs a name.")
        terminal.keys("-shop", "Enter", "ada", "Enter", "not a URL", "Enter")
        terminal.wait("The password for -shop", "g  generated")
        terminal.keys("g")
        terminal.wait("URL", "Any key goes on")
        # What was typed is there again.
        terminal.keys("Enter")
        terminal.wait("A new item", "not a URL")
        terminal.keys("Down", "Down", "C-u", "https://shop.example", "Enter", "g")
        terminal.wait("added -shop, with a generated password", "2 items")
        assert len(self.keychain.get("--", "-shop")) == 20
        # It is selected.
        terminal.keys("Enter")
        terminal.wait("-shop (user ada)", "https://shop.example")
        terminal.keys("Escape", "n")
        terminal.wait("A new item")
        terminal.keys("typed", "Enter", "Enter", "Enter", "p")
        self.answer("by-hand", "by-hand")
        terminal.wait("added typed", "3 items")
        assert self.keychain.get("typed") == "by-hand"
        terminal.keys("n")
        terminal.wait("A new item")
        terminal.keys("Escape")
        terminal.gone("A new item")
        self.end()
        assert "by-hand" not in terminal.everything()

    def test_fields_and_files(self):
        self.fill()
        folder = self.keychain.folder
        with open(os.path.join(folder, "note.txt"), "w", encoding="utf-8") as file:
            file.write("".join(f"line {number} of the file\n" for number in range(60)))
        with open(os.path.join(folder, "bytes.bin"), "wb") as file:
            file.write(bytes(range(256)))
        terminal = self.browse("--hide-after", "600")
        terminal.wait("3 items")
        terminal.keys("Enter")
        terminal.wait("github (user ada)")
        terminal.keys("f")
        terminal.wait("Fields and files of github (user ada)", "it has none; n adds one")
        terminal.keys("n", "f")
        terminal.wait("The field's name")
        terminal.keys("PIN", "Enter")
        self.answer("2468-secret", "2468-secret")
        terminal.wait("changed github (user ada): field PIN", "field         PIN")
        assert "2468" not in terminal.everything()
        for name in ("note.txt", "bytes.bin"):
            terminal.keys("n", "a")
            terminal.wait("The file's path")
            terminal.keys(f"~/{name}", "Enter")
            terminal.wait(f"attachment    {name}")
        terminal.keys("n", "a")
        terminal.keys("/nowhere", "Enter")
        terminal.wait("/nowhere cannot be opened")
        terminal.keys("Enter")
        terminal.wait("The file's path: Enter keeps it", "/nowhere")
        terminal.keys("Escape", "n", "t", "work", "Enter")
        terminal.wait("tag           work")
        terminal.keys("n", "e", "2001-02-03", "Enter")
        terminal.wait("expires       expiry", "2001-02-03")
        # Shown, copied, hidden.
        terminal.until("the field's line", lambda screen: "field         PIN" in screen)
        place = [line for line in terminal.screen()[4:12] if line].index(next(
            line for line in terminal.screen() if line.startswith("field         PIN")))
        terminal.keys("Home", *["Down"] * place, "s")
        terminal.wait("2468-secret", "s hides it")
        terminal.keys("s")
        terminal.gone("2468-secret")
        terminal.keys("c")
        terminal.wait("PIN of github (user ada) is in tmux's buffer")
        assert terminal.tmux("show-buffer") == "2468-secret"
        # Changed.
        terminal.keys("e")
        self.answer("1357", "1357")
        terminal.wait("changed github (user ada): field PIN")
        assert self.keychain.get("github", "--field", "PIN") == "1357"
        # A file of many lines is a page, through which one goes.
        self.select("attachment    note.txt")
        terminal.keys("Enter")
        terminal.wait("line 0 of the file", "lines 1 to 17 of 60")
        terminal.keys("NPage")
        terminal.wait("line 20 of the file")
        terminal.gone("line 0 of")
        terminal.resize(60, 16)
        terminal.wait("line 20 of the file")
        terminal.resize(80, 24)
        terminal.keys("Escape")
        terminal.wait("attachment    note.txt")
        assert "line 20" not in terminal.everything()
        terminal.keys("w")
        terminal.wait("Write it into the file")
        terminal.keys("C-u", "~/copy.txt", "Enter")
        terminal.wait("has it, for you alone to read")
        copy = os.path.join(folder, "copy.txt")
        assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
        with open(copy, "rb") as one, open(os.path.join(folder, "note.txt"), "rb") as other:
            assert one.read() == other.read()
        # What is there already stays.
        terminal.keys("w")
        terminal.keys("C-u", "~/copy.txt", "Enter")
        terminal.wait("cannot be made", "exists")
        terminal.keys("Enter")
        terminal.wait("Write it into")
        terminal.keys("Escape")
        self.select("attachment    bytes.bin")
        terminal.keys("s")
        terminal.wait("000102030405", "no text: its bytes in hexadecimal")
        terminal.keys("Escape", "x")
        terminal.wait("Remove the attachment bytes.bin?")
        terminal.keys("y")
        terminal.gone("Remove the attachment")
        terminal.gone("attachment    bytes.bin")
        self.select("tag           work")
        terminal.keys("e", "C-u", "home/garden", "Enter")
        terminal.wait("tag           home/garden")
        terminal.keys("Escape")
        terminal.wait("github (user ada)", "expires", "2001-02-03")
        terminal.keys("Escape")
        terminal.wait("github (expired)")
        item = json.loads(self.keychain.run("show", "github", "--json").stdout)
        assert "home/garden" in json.dumps(item) and "bytes.bin" not in json.dumps(item), item
        self.end()
        assert "1357" not in terminal.everything()

    def test_notes(self):
        """Under their name, line by line; what several lines are is not made one."""
        self.fill()
        self.keychain.run("edit", "github", "--note", "first line\nsecond line", "--tag", "work", "--tag", "home", "--quiet")
        self.keychain.run("edit", "mail", "--field", "note", "--stdin", "--quiet", given=b"by hand")
        terminal = self.browse("--hide-after", "600")
        before = terminal.wait("3 items", "日本語の名前")
        terminal.keys("Enter")
        terminal.wait("note            first line", "second line", "tags            home, work")
        terminal.keys("e", "t")
        terminal.wait("The note has several lines.", "--field note --stdin")
        terminal.keys("Enter", "Escape")
        terminal.gone("second line")
        # One without a note has nothing that is not its own.
        terminal.keys("End", "e", "t")
        terminal.wait("New note: Enter keeps it")
        terminal.keys("typed", "Enter")
        terminal.wait("changed 日本語の名前 (user Zoë): note")
        assert json.loads(self.keychain.run("show", "日本語の名前", "--json").stdout)["note"] == "typed"
        terminal.keys("Down", "n")
        terminal.wait("A new item")
        terminal.keys("Escape")
        # Wide letters that a dialog stood over are whole again.
        terminal.until("the list as it was", lambda screen: screen.split("\n")[4:8] == before[4:8])
        terminal.keys("Home", "Down", "Enter")
        terminal.wait("mail (user grace)")
        terminal.keys("e", "t")
        self.answer("other")
        terminal.wait("changed mail (user grace): note")
        assert self.keychain.get("mail", "--field", "note") == "other"
        self.end()
        assert "other" not in terminal.everything()

    def select(self, text):
        """Goes to the line that begins so."""
        screen = self.terminal.wait(text)
        place = next(row for row, line in enumerate(screen[4:]) if line.startswith(text))
        self.terminal.keys("Home", *["Down"] * place)

    def test_codes(self):
        self.keychain.add("acme", "pw", "--user", "ada")
        terminal = self.browse("--hide-after", "600")
        # What belongs to an item is no item of the list.
        terminal.wait("1 item", "acme")
        terminal.keys("f")
        terminal.wait("it has none")
        terminal.keys("n", "o")
        self.answer("otpauth://totp/ACME:ada?secret=JBSWY3DPEHPK3PXP&issuer=ACME&period=30")
        terminal.wait("one-time code code")
        terminal.keys("Escape", "o")
        terminal.until("a countdown", lambda screen: re.search(r"code +\d{6} +█*░* +\d+ s", screen))
        shown = re.search(r"code +(\d{6})", "\n".join(terminal.screen()))
        printed = self.keychain.run("code", "acme").stdout.decode().strip()
        # A period may end between the two.
        assert shown and (shown[1] == printed or self.keychain.run("code", "acme", check=False)), printed
        terminal.keys("O")
        terminal.wait("the one-time code of acme (user ada) is in tmux's buffer")
        assert re.fullmatch(r"\d{6}", terminal.tmux("show-buffer"))
        terminal.keys("Escape")
        terminal.gone("code   ")
        self.end()

    def test_note(self):
        """A secret note is the one that `get`, `edit` and `show` mean."""
        self.keychain.add("wiki", "x")
        self.keychain.run("edit", "wiki", "--field", "note", "--stdin", "--quiet", given=b"one\ntwo\n")
        terminal = self.browse()
        terminal.wait("1 item")
        terminal.keys("Enter")
        terminal.wait("wiki", "f lists it")
        terminal.keys("f")
        terminal.wait("note          note")
        terminal.keys("s")
        terminal.wait("one", "two", "lines 1 to 2 of 2")
        terminal.keys("Escape")
        terminal.wait("note          note")
        terminal.keys("e")
        self.answer("three")
        terminal.wait("changed wiki: note")
        assert self.keychain.get("wiki", "--field", "note") == "three"
        terminal.keys("Escape", "e", "t")
        # A secret is typed without echo, wherever it is changed.
        self.answer("four")
        terminal.until("the other note", lambda _: self.keychain.get("wiki", "--field", "notes") == "four")
        assert "secret-note  yes" in self.keychain.run("show", "wiki").stdout.decode()
        self.end()

    def test_code_that_counts(self):
        """Copying the one on the screen uses up no other."""
        self.keychain.add("token", "pw")
        self.keychain.run(
            "edit", "token", "--code", "--stdin", "--quiet",
            given=b"otpauth://hotp/token?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0")
        terminal = self.browse()
        terminal.wait("1 item")
        terminal.keys("Enter", "o")
        terminal.wait("755224")
        terminal.keys("O")
        terminal.wait("is in tmux's buffer")
        assert terminal.tmux("show-buffer") == "755224"
        self.end()
        assert self.keychain.run("code", "token").stdout == b"287082\n"

    def test_code_of_guarded_item(self):
        """A person is asked once, and not again for each code that follows."""
        guard = {"ops": {"decrypt": {"policy": "DeviceOwnerAuthentication"}}}
        # The seed as an earlier import kept it: an item of its own, which is guarded too.
        items = [{
            "name": name, "kind": "password", "label": name, "service": name, "user": "ada", "group": "llavero.passwords",
            "protection": "when-unlocked", "rules": guard, "secret": secret,
        } for name, secret in (
            ("vault", "pw"), ("vault (otp)", "otpauth://totp/vault?secret=JBSWY3DPEHPK3PXP&period=2"))]
        self.keychain.add("other", "x")
        self.keychain.set_passcode("open sesame")
        file = os.path.join(self.keychain.folder, "items.json")
        with open(file, "w", encoding="utf-8") as output:
            json.dump({"llavero": 2, "items": items}, output)
        self.keychain.run("import", file, "--format", "llavero-json")
        terminal = self.browse("--hide-after", "600")
        terminal.wait("3 items")
        terminal.keys("/", "vault", "Enter", "Enter")
        terminal.wait("vault (user ada)")
        terminal.keys("o")
        terminal.until("the question", lambda screen: "asscode" in screen and "••••" not in screen)
        terminal.keys("open sesame", "Enter")

        def code():
            found = re.search(r"code +(\d{6})", "\n".join(terminal.screen()))
            return found[1] if found else None
        seen = []
        for _ in range(3):
            terminal.until("another code", lambda screen: code() not in (None, *seen[-1:]))
            seen.append(code())
        # Gone from the screen, it is asked for again.
        terminal.keys("o")
        terminal.gone("code   ")
        terminal.keys("o")
        terminal.until("the question", lambda screen: "asscode" in screen and "••••" not in screen)
        terminal.keys("C-c")
        self.keychain.run("lock", check=False)
