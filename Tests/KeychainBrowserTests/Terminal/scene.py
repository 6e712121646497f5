# SPDX-License-Identifier: Apache-2.0
"""What the tests of the browser begin with: a keychain, and the browser in a terminal."""

import os
import subprocess

from keychain import Keychain
from terminal import Terminal

CLIPBOARD = (("set-clipboard", "on"),)

# An authority, one below it, and a certificate that has expired.
CHAIN = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout root.key -out root.pem"
    " -subj '/CN=Root Authority' -days 3650",
    "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout middle.key -out middle.csr"
    " -subj '/CN=Middle'",
    "printf 'basicConstraints=critical,CA:true\\n' > ca.txt",
    "openssl x509 -req -in middle.csr -CA root.pem -CAkey root.key -set_serial 2 -days 20 -extfile ca.txt -out middle.pem",
    "openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout leaf.key -out leaf.csr -subj /CN=Leaf",
    "openssl x509 -req -in leaf.csr -CA middle.pem -CAkey middle.key -set_serial 3 -days -1 -out leaf.pem",
)


class Scene:
    def __init__(self, programs):
        self.keychain = Keychain(programs)
        self.terminal = None

    def close(self):
        if self.terminal:
            self.terminal.close()
        self.keychain.close()

    def start(self, *command, columns=80, rows=24, settings=CLIPBOARD):
        """A command in a terminal of its own."""
        if self.terminal:
            self.terminal.close()
        self.terminal = Terminal(
            self.keychain.folder, self.keychain.environment, *command, columns=columns, rows=rows, settings=settings)
        return self.terminal

    def browse(self, *words, columns=80, rows=24, settings=CLIPBOARD, **environment):
        return self.start(
            "env", *[f"{name}={value}" for name, value in environment.items()], self.keychain.program, "browse", *words,
            columns=columns, rows=rows, settings=settings)

    def fill(self):
        self.keychain.add("github", "hunter2-secret", "--user", "ada", "--url", "https://github.com")
        self.keychain.add("mail", "analytical", "--user", "grace")
        self.keychain.add("日本語の名前", "wide", "--user", "Zoë")

    def filled(self, *words, **settings):
        """The browser with these items in its list."""
        self.fill()
        terminal = self.browse(*words, **settings)
        terminal.wait("3 items")
        return terminal

    def import_chain(self, *files):
        """Makes the certificates, and imports these."""
        for command in CHAIN:
            subprocess.run(command, shell=True, cwd=self.keychain.folder, capture_output=True, check=True)
        for file in files:
            self.keychain.security("import", os.path.join(self.keychain.folder, file))

    def end(self):
        self.terminal.keys("C-c")
        status = self.terminal.ended()
        assert status == 0, f"it ended with {status}"

    def answer(self, *texts):
        """Types answers into what asks: pinentry or the terminal's own question."""
        for number, text in enumerate(texts):
            self.terminal.until(
                "a question", lambda screen: any(words in screen for words in ("password for", "The field ", "The note of", "The otpauth://"))
                # These are the browser's own.
                and "Esc  back" not in screen and "Enter keeps it" not in screen
                or "is locked" in screen and "Enter unlocks" not in screen)
            if number > 0:
                self.terminal.until("the same question", lambda screen: "Repeat" in screen or "again" in screen)
            self.terminal.keys(text, "Enter")
