# SPDX-License-Identifier: Apache-2.0
"""Drives `llavero browse` in a terminal: each test is a method, which types and waits for what is shown."""

import argparse
import os
import re
import subprocess
import sys
import time
import traceback

import pictures
import speed
from clipboard import Clipboards
from keychain import Keychain
from parts import Parts
from scene import CLIPBOARD
from surroundings import Surroundings


class Tests(Parts, Surroundings, Clipboards):
    def test_list_search_show_copy(self):
        self.fill()
        terminal = self.browse("--hide-after", "2")
        screen = terminal.wait("3 items", "github", "日本語の名前")
        assert screen[1].startswith("1 Passwords 2 Programs"), screen
        terminal.keys("/", "git")
        terminal.wait("/git", "1 found")
        terminal.gone("mail")
        terminal.keys("Enter", "Enter")
        terminal.wait("github (user ada)", "••••••••", "https://github.com")
        terminal.keys("s")
        terminal.wait("hunter2-secret", "s hides it")
        # Hidden by time.
        terminal.gone("hunter2-secret")
        terminal.wait("••••••••")
        terminal.keys("c")
        terminal.wait("the password of github (user ada) is in tmux's buffer for 45 seconds")
        assert terminal.tmux("show-buffer") == "hunter2-secret"
        # Hidden by the key, and by leaving.
        for key in ("s", "Escape"):
            terminal.keys("s")
            terminal.wait("hunter2-secret")
            terminal.keys(key)
            terminal.gone("hunter2-secret")
            assert "hunter2-secret" not in terminal.everything()
        terminal.keys("q")
        assert terminal.ended() == 0
        assert "hunter2-secret" not in terminal.everything()
        assert "github" not in terminal.everything()

    def test_no_other_screen(self):
        """Where the terminal has no other screen, what is left is empty, and its history has no secret."""
        terminal = self.filled(settings=CLIPBOARD + (("alternate-screen", "off"),))
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        terminal.keys("s")
        terminal.gone("hunter2-secret")
        terminal.keys("s")
        terminal.wait("hunter2-secret")
        self.end()
        assert "hunter2-secret" not in terminal.everything(), terminal.everything()

    def test_hostile_names(self):
        hostile = "evil\x1b]0;pwned\x07\x1b[2J\x1b[31mred\x9b5m\u202egnp"
        self.keychain.add(hostile, "s", "--user", "a\u2066b\r\nc")
        self.keychain.add("safe", "\x1b[2J\x1b]0;pwned\x07")
        terminal = self.browse("--hide-after", "600")
        terminal.wait("2 items", "evil?]0;pwned??[2J")
        terminal.keys("Enter")
        terminal.wait("a?b")
        terminal.keys("e")
        terminal.wait("Change evil?]0;pwned")
        terminal.keys("n")
        terminal.wait("New name")
        terminal.keys("Escape", "x")
        terminal.wait("Remove evil?]0;pwned")
        terminal.keys("n", "Escape")
        terminal.keys("/", "safe", "Enter", "s")
        terminal.wait("no text: its bytes in hexadecimal", "1b5b324a1b5d303b70776e656407")
        self.end()
        written = terminal.written()
        for part in (b"\x1b]0;pwned", b"\x1b[31mred", "\u202e".encode(), "\u2066".encode(), b"\xc2\x9b"):
            assert part not in written, part

    def test_edit_generate_history_remove_undelete(self):
        terminal = self.filled()
        terminal.keys("/", "github", "Enter", "Enter")
        terminal.wait("github (user ada)", "https://github.com")
        terminal.keys("e", "u")
        terminal.wait("New user", "Enter keeps it")
        terminal.keys("C-u", "Zoë", "Enter")
        terminal.wait("changed github (user ada): user", "github (user Zoë)")
        terminal.keys("e", "t")
        terminal.wait("New note")
        terminal.keys("expires in May", "Enter")
        terminal.wait("note            expires in May")
        terminal.keys("g")
        terminal.wait("Generate a new password for github?")
        terminal.keys("y")
        terminal.wait("password, to a generated one")
        fresh = self.keychain.get("github")
        assert fresh != "hunter2-secret" and len(fresh) == 20, fresh
        terminal.keys("s")
        terminal.wait(fresh)
        terminal.keys("h")
        terminal.wait("Earlier versions of github (user Zoë)", "version 3", "version 1")
        terminal.gone(fresh)
        terminal.keys("End", "s")
        terminal.wait("hunter2-secret")
        terminal.keys("b")
        terminal.wait("Make it again what it was in version 1?")
        terminal.keys("y")
        terminal.wait("is again what it was in version 1", "github (user ada)")
        assert self.keychain.get("github") == "hunter2-secret"
        # A password that is typed is asked for on the terminal, not on the browser's screen.
        terminal.keys("e", "p")
        self.answer("typed-one", "typed-one")
        terminal.wait("changed github (user ada): password")
        assert self.keychain.get("github") == "typed-one"
        terminal.keys("e", "n")
        terminal.wait("New name")
        terminal.keys("C-u", "--hub", "Enter")
        terminal.wait("renamed github (user ada) to --hub", "--hub (user ada)")
        terminal.keys("x")
        terminal.wait("Remove --hub (user ada)?")
        terminal.keys("n", "x", "y")
        terminal.wait("removed --hub (user ada); 30 days among the removed ones", "2 items")
        terminal.keys("Escape", "5")
        terminal.wait("--hub (user ada)", "internet")
        terminal.keys("u")
        terminal.wait("brought back --hub (user ada)", "3 items")
        terminal.wait("nothing")
        terminal.keys("1", "Escape")
        terminal.wait("--hub", "mail", "日本語の名前")
        self.end()
        for secret in ("hunter2-secret", "typed-one", fresh):
            assert secret not in terminal.everything(), secret

    def test_certificates_and_keys(self):
        self.import_chain("root.pem", "middle.pem", "leaf.pem", "leaf.key")
        self.keychain.security("add-generic-password", "-a", "bot", "-s", "service-of-a-program", "-w", "x")
        terminal = self.browse()
        terminal.wait("5 items")
        terminal.keys("2")
        screen = terminal.wait("service-of-a-program")
        assert screen[4].startswith("llavero.open"), screen
        terminal.keys("3")
        screen = terminal.wait("Root Authority", "  └ Leaf")
        rows = [line for line in screen if "└" in line or "Root" in line]
        assert re.match(r"Root Authority +20\d\d-\d\d-\d\d +3\d\d\d days left", rows[0]), rows
        assert rows[1].startswith("└ Middle") and rows[2].startswith("  └ Leaf"), rows
        assert "expired" in rows[2], rows
        terminal.keys("End", "Enter")
        terminal.wait("issued by       Middle", "subject name", "Leaf")
        terminal.keys("Escape", "4")
        terminal.wait("EC 256 private", "in the keychain")
        terminal.keys("Enter")
        terminal.wait("kind            key")
        terminal.keys("s")
        terminal.wait("is not shown or changed here")
        self.end()

    def test_doctor_and_circle(self):
        terminal = self.filled()
        terminal.keys("6")
        terminal.wait("in no circle")
        terminal.keys("8")
        terminal.wait("has no recovery key", "advice")
        terminal.keys("/", "recovery key", "Enter", "Enter")
        terminal.wait("finding         has no recovery key", "do              llavero recovery make")
        terminal.keys("a")
        terminal.wait("Run `llavero recovery make`?")
        terminal.keys("y")
        terminal.wait("$ llavero recovery make")
        words = " ".join(terminal.wait("Enter goes back")).split("recovery make")[1].split("llavero:")[0].split()
        assert len(words) >= 14, words
        terminal.keys("Enter")
        terminal.wait("`llavero recovery make` is done")
        # The words were on the other screen, which has no history.
        kept = terminal.everything()
        assert not any(word in kept for word in words if len(word) > 4), (words, kept)
        terminal.keys("Escape", "Escape")
        terminal.gone("has no recovery key")
        self.end()

    def test_lock_by_others_and_audit(self):
        self.fill()
        self.keychain.set_passcode("open sesame")
        terminal = self.browse()
        terminal.wait("3 items")
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        self.keychain.run("lock", "--quiet")
        terminal.wait("The keychain login is locked.", "Enter unlocks")
        assert "hunter2" not in terminal.everything() and "github" not in terminal.everything()
        terminal.keys("s", "1", "Enter")
        self.answer("open sesame")
        terminal.wait("3 items", "github")
        terminal.keys("7")
        terminal.wait("intact,", "unlock", "llavero")
        terminal.keys("Enter")
        terminal.wait("operation       ")
        terminal.keys("L")
        terminal.wait("Enter unlocks")
        terminal.keys("q")
        assert terminal.ended() == 0

    def test_lock_of_one_of_several(self):
        """It takes along all that was read, and the others' items come again."""
        self.fill()
        self.keychain.run("keychains", "create", "work", "--quiet")
        self.keychain.run("keychains", "search", "login", "work", "--quiet")
        self.keychain.add("aaa-work", "hunter3-secret", "--keychain", "work")
        for verb in (("passcode", "set"), ("unlock",)):
            self.keychain.run(*verb, "--keychain", "work", "--stdin", "--quiet", given=b"open sesame")
        terminal = self.browse()
        terminal.wait("4 items", "aaa-work")
        terminal.keys("Enter", "s")
        terminal.wait("hunter3-secret")
        self.keychain.run("lock", "--keychain", "work", "--quiet")
        terminal.wait("The keychain work is locked now.", "3 items", "github")
        assert "hunter3" not in terminal.everything() and "aaa-work" not in terminal.everything()
        # With both locked, who has enough after one passcode sees what that one opened.
        self.keychain.set_passcode("open sesame")
        self.keychain.run("lock", "--quiet")
        terminal.wait("All keychains are locked", "Enter unlocks")
        terminal.keys("Enter")
        self.answer("open sesame")
        terminal.wait("The keychain work is locked.", "<Cancel>")
        terminal.keys("Tab", "Tab", "Enter")
        terminal.wait("3 items", "github", "locked: work")
        self.end()

    def test_idle_lock_without_daemon(self):
        self.fill()
        self.keychain.run("settings", "--lock-after", "2", "--quiet")
        terminal = self.browse()
        terminal.wait("3 items")
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        terminal.wait("Enter unlocks")
        assert "hunter2" not in terminal.everything() and "github" not in terminal.everything()
        terminal.keys("Enter")
        terminal.wait("3 items", "github")
        terminal.keys("q")
        assert terminal.ended() == 0

    def test_resize(self):
        terminal = self.filled("--hide-after", "600", columns=132, rows=43)
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        for columns, rows in ((80, 24), (60, 16), (200, 50)):
            terminal.resize(columns, rows)
            terminal.until("a screen of that size", lambda screen: "hunter2-secret" in screen and len(
                screen.split("\n")) == rows)
            assert "\n".join(terminal.screen()).count("hunter2-secret") == 1
        terminal.resize(30, 8)
        terminal.wait("too small: 40 by 12")
        assert "hunter2" not in terminal.everything()
        terminal.resize(80, 24)
        terminal.wait("hunter2-secret")
        terminal.keys("?")
        terminal.wait("Keys", "search as you type")
        terminal.gone("hunter2-secret")
        self.end()

    def test_without_colours_and_unicode(self):
        self.fill()
        terminal = self.browse(NO_COLOR="1", LANG="C", LC_ALL="C")
        terminal.wait("3 items", "????????????")
        self.end()
        written = terminal.written()
        assert not re.search(rb"\x1b\[[0-9;]*3[0-9][;m]", written), written
        assert all(byte < 0x80 for byte in written)

    def test_stopped_and_ended_by_signals(self):
        terminal = self.filled()
        terminal.keys("Enter", "s")
        terminal.wait("hunter2-secret")
        subprocess.run(["pkill", "-TERM", "-P", terminal.pane(), "-f", "browse"], check=True)
        assert terminal.ended() == 0
        assert "hunter2" not in terminal.everything()


class Pictures(Tests):
    """The pictures of the documents, of items that nobody has."""

    def take(self, folder):
        for name, user, url in (
                ("bank", "ada.lovelace", "https://bank.example"), ("forum", "ada", "https://forum.example"),
                ("git server", "ada", "ssh://git.example"), ("mail", "ada@mail.example", "https://mail.example"),
                ("railway", "A. Lovelace", "https://rail.example"), ("shop", "ada", "https://shop.example"),
                ("図書館", "エイダ", "https://library.example")):
            self.keychain.add(name, "analytical-Engine-1843", "--user", user, "--url", url)
        self.keychain.add("wifi at home", "x")
        self.keychain.run(
            "edit", "mail", "--code", "--stdin", "--quiet",
            given=b"otpauth://totp/mail:ada?secret=JBSWY3DPEHPK3PXP&issuer=mail")
        self.import_chain("root.pem", "middle.pem", "leaf.pem")
        terminal = self.browse(settings=CLIPBOARD + (("default-terminal", "xterm-256color"),))
        terminal.wait("11 items", "bank", "wifi")
        terminal.keys("Down", "Down")
        terminal.until("the third line", lambda screen: True)
        pictures.take(terminal, folder, "browse-list", "llavero browse: the list of passwords")
        terminal.keys("/", "mail", "Enter", "Enter", "s")
        terminal.wait("analytical-Engine-1843")
        terminal.keys("o")
        terminal.wait("code ", "█")
        pictures.take(terminal, folder, "browse-item", "llavero browse: an item, its password and its one-time code")
        terminal.keys("Escape", "Escape", "3")
        terminal.wait("Root Authority", "└ Leaf")
        pictures.take(terminal, folder, "browse-certificates", "llavero browse: certificates below their issuers")
        terminal.keys("8")
        terminal.wait("advice")
        pictures.take(terminal, folder, "browse-doctor", "llavero browse: what doctor finds")
        self.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", metavar="FOLDER", help="write the pictures of the documents, and test nothing")
    parser.add_argument("--speed", action="store_true", help="measure, and test nothing")
    parser.add_argument("--programs", required=True)
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    if arguments.pictures or arguments.speed:
        tests = Pictures(arguments.programs)
        try:
            if arguments.pictures:
                tests.take(os.path.abspath(arguments.pictures))
            if arguments.speed:
                speed.measure(Keychain(arguments.programs) if arguments.pictures else tests.keychain)
        finally:
            tests.close()
        return
    names = [name for name in dir(Tests) if name.startswith("test_")]
    chosen = [name for name in names if not arguments.tests or any(part in name for part in arguments.tests)]
    failed = []
    for name in chosen:
        start = time.monotonic()
        tests = Tests(arguments.programs)
        try:
            getattr(tests, name)()
            print(f"ok    {name[5:].replace('_', ' ')} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed.append(f"{name}: {str(error).splitlines()[0] if str(error) else repr(error)}")
            print(f"FAILED {name}", flush=True)
            traceback.print_exc()
        finally:
            tests.close()
    # Again at the end, for what is above may be cut.
    for failure in failed:
        print(failure)
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed or not chosen else 0)


main()
