# SPDX-License-Identifier: Apache-2.0
"""Chromium itself: its cookies are encrypted with a key that is ours to keep."""
import contextlib
import hashlib
import http.server
import json
import os
import sqlite3
import subprocess
import threading

import prompts
from bed import ITEM, LIMIT, PASSCODE

BROWSER = "/usr/bin/chromium"
# What a build of Chrome calls by another name.
APPLICATION, LABEL = "chromium", "Chromium Safe Storage"


class Site:
    """Pages on the loopback interface: one gives each new visitor a cookie for a year, all note what came back."""

    def __enter__(self):
        site = self
        self.cookies = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path in ("/", "/quiet"):
                    site.cookies.append(self.headers.get("Cookie"))
                self.send_response(200 if self.path in ("/", "/quiet") else 404)
                if self.path == "/" and "Cookie" not in self.headers:
                    self.send_header("Set-Cookie", "login=somebody; Max-Age=31536000; HttpOnly")
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<title>page</title>welcome")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """A run of Chromium with a profile; the end of the context closes it as a person does."""

    def __init__(self, bed, profile):
        self.bed, self.profile = bed, bed.folder / profile
        self.number = 0

    def __enter__(self):
        (there, self.commands), (self.answers, here) = os.pipe(), os.pipe()

        def set_up():
            # What --remote-debugging-pipe reads from and writes to.
            os.dup2(there, 30), os.dup2(here, 31)
            os.dup2(30, 3), os.dup2(31, 4)

        self.bed.spawn("chromium", [
            BROWSER, f"--user-data-dir={self.profile}", "--password-store=gnome-libsecret", "--no-first-run", "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--remote-debugging-pipe", "--enable-logging=stderr", "about:blank",
        ], preexec_fn=set_up, close_fds=False)
        os.close(there), os.close(here)
        self.rest = b""
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError, EOFError):
            self.call("Browser.close")
        process = self.bed.running["chromium"]
        try:
            process.wait(60)
        finally:
            self.bed.end("chromium")
            os.close(self.commands), os.close(self.answers)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while (answer := self.read()).get("id") != self.number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            data = os.read(self.answers, 1 << 16)
            if not data:
                raise EOFError(self.bed.log("chromium")[-2000:])
            self.rest += data
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def visit(self, address):
        """Opens a page, and returns when it is there."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        self.call("Page.navigate", session, url=address)
        while self.read().get("method") != "Page.loadEventFired":
            pass


def key_items(bed):
    with bed.client() as client:
        return sorted(path for paths in client.search({"application": APPLICATION}) for path in paths)


def key_of(bed, path):
    with bed.client() as client:
        assert client.get(path, ITEM, "Label") == LABEL, client.get_all(path, ITEM)
        return client.secret(client.open_session(), path)[0]


def stored(bed, profile):
    """How the cookie lies in the profile."""
    [file] = (bed.folder / profile).glob("Default/**/Cookies")
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return database.execute("select value, encrypted_value from cookies where name = 'login'").fetchall()


def row_17_chromium(bed):
    """Chromium keeps its key here: cookies are read after restarts of both, and where it is locked or refused, it makes no other."""
    profile = "profile"
    with Site() as site:
        def visit(page="", place=profile):
            """The cookie that the browser still had."""
            with Browser(bed, place) as browser:
                browser.visit(site.address + page)
            return site.cookies[-1]

        assert visit() is None
        [item] = key_items(bed)
        key = key_of(bed, item)
        [(plain, sealed)] = stored(bed, profile)
        assert plain == "" and sealed[:3] == b"v11" and decrypted(sealed, key).endswith(b"somebody"), (plain, sealed)
        assert visit() == "login=somebody"
        bed.restart()
        assert visit() == "login=somebody"
        with bed.client() as client:
            collection = client.default()
            client.lock(collection)
        # The browser waits for the person, and opens its windows after.
        with typing(lambda: prompts.type_passcode(bed, PASSCODE)):
            assert visit() == "login=somebody"
        # Who is refused finds a locked collection. Chromium makes do without a key then, and forgets the cookies that need it: the
        # key is what must not be replaced.
        program = f"program:{os.path.realpath('/usr/lib/chromium/chromium')}"
        bed.tool("apps", "refuse", program)
        assert visit("quiet") is None
        assert visit(place="another") is None and stored(bed, "another")[0][1][:3] == b"v10"
        assert key_items(bed) == [item], "another key"
        bed.tool("apps", "allow", program)
        visit()
        assert visit() == "login=somebody" and decrypted(stored(bed, profile)[0][1], key).endswith(b"somebody")
        with bed.client() as client:
            client.lock(collection)
        with typing(lambda: prompts.dismiss(bed)):
            assert visit("quiet") is None
        bed.unlock([collection])
        visit()
        assert visit() == "login=somebody" and decrypted(stored(bed, profile)[0][1], key).endswith(b"somebody")
        assert key_items(bed) == [item] and key_of(bed, item) == key, "another key"
    return subprocess.run([BROWSER, "--version"], capture_output=True, text=True).stdout.split(" built")[0].strip()


@contextlib.contextmanager
def typing(what):
    """Has a person act while a program waits for that."""
    failures = []

    def act():
        try:
            what()
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    yield
    thread.join(LIMIT)
    if failures:
        raise failures[0]


def decrypted(sealed, key):
    """What Chromium encrypted: AES-128 in CBC, with a key of one round of PBKDF2."""
    stretched = hashlib.pbkdf2_hmac("sha1", key, b"saltysalt", 1, 16)
    done = subprocess.run(["openssl", "enc", "-d", "-aes-128-cbc", "-K", stretched.hex(), "-iv", b"\x20".hex() * 16],
                          input=sealed[3:], capture_output=True, check=True)
    return done.stdout


TESTS = [row_17_chromium]
