# SPDX-License-Identifier: Apache-2.0
"""What this provider does that the specification leaves open: which programs may, the portal, a login, gnome-keyring's own calls."""
import json
import os
import threading

from jeepney import DBusAddress, new_method_call
from jeepney.wrappers import unwrap_msg
from jeepney.io.blocking import open_dbus_connection

from bed import COLLECTION, LIMIT, PASSCODE, ROOT, SERVICE, Refused, refusal
from clients import unlocked

INTERNAL = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
IS_LOCKED = "org.freedesktop.Secret.Error.IsLocked"
PORTAL = DBusAddress(
    "/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.desktop.llavero", "org.freedesktop.impl.portal.Secret")


# Tells how many of the items are open to it.
LOOKUP = """
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection
service = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
connection = open_dbus_connection()
print(len(connection.send_and_get_reply(new_method_call(service, "SearchItems", "a{ss}", ({"row": "scripts"},))).body[0]))
"""


def asked(bed):
    """How often a person was asked so far."""
    file = bed.folder / "asked"
    return len(file.read_text().split()) if file.exists() else 0


class Portal:
    """Asks for applications' secrets as the desktop portal does, or as somebody who only says so."""

    def __init__(self, bed, is_portal):
        self.connection = open_dbus_connection(bed.address, enable_fds=True, auth_timeout=LIMIT)
        if is_portal:
            bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
            unwrap_msg(self.connection.send_and_get_reply(
                new_method_call(bus, "RequestName", "su", ("org.freedesktop.portal.Desktop", 4))))
        self.count = 0

    def send(self, app):
        """Sends the call: its number, and the end of the pipe that the secret comes out of."""
        here, there = os.pipe()
        self.count += 1
        handle = f"/org/freedesktop/portal/desktop/request/{self.connection.unique_name[1:].replace('.', '_')}/t{self.count}"
        serial = next(self.connection.outgoing_serial)
        self.connection.send(new_method_call(PORTAL, "RetrieveSecret", "osha{sv}", (handle, app, there, {})), serial=serial)
        os.close(there)
        return serial, here, handle

    def reply(self, serial):
        while True:
            message = self.connection.receive(timeout=LIMIT)
            if message.header.fields.get(5) == serial:
                return unwrap_msg(message)

    def secret(self, app):
        """What the call answers, and the secret."""
        serial, here, _ = self.send(app)
        with open(here, "rb") as pipe:
            response, _ = self.reply(serial)
            return response, pipe.read()

    def close(self):
        self.connection.close()


def row_21_portal(bed):
    """Each application gets one secret, for ever; nobody but the portal may ask; a call that waits for a person can be ended."""
    impostor, portal = Portal(bed, False), Portal(bed, True)
    try:
        serial, here, _ = impostor.send("org.example.A")
        os.close(here)
        try:
            impostor.reply(serial)
            raise AssertionError("somebody else than the portal got an answer")
        except Exception as error:
            assert "AccessDenied" in str(getattr(error, "name", error)), error
        first, other = portal.secret("org.example.A"), portal.secret("org.example.B")
        assert first[0] == other[0] == 0 and len(first[1]) == len(other[1]) == 64 and first[1] != other[1]
        assert portal.secret("org.example.A") == first, "an application's secret changed"
        assert portal.secret("")[0] != 0, "an application without a name got a secret"
        with bed.client() as client:
            items, _ = client.search({"app_id": "org.example.A"})
            assert len(items) == 1, items
            client.lock(client.default())
        bed.answer_prompts("")
        assert portal.secret("org.example.A") == (2, b"")
        bed.answer_prompts(PASSCODE)
        assert portal.secret("org.example.A") == first
        bed.restart()
        bed.answer_prompts(None)
        assert portal.secret("org.example.A") == first, "an application's secret changed with a restart"
    finally:
        impostor.close()
        portal.close()


def row_24_first_unlock(bed):
    """Before the first unlock a search is refused, or waits for one question and is answered then; it is never empty."""
    with bed.client() as client:
        item = client.create(client.open_session(), client.default(), {"row": "24"}, b"first")
    bed.end("provider")
    bed.answer_prompts(None)
    bed.start(unlocks=False)
    try:
        with bed.client() as client:
            assert refusal(client.search, {"row": "24"}) == IS_LOCKED
            assert refusal(client.get, client.default(), COLLECTION, "Items") == IS_LOCKED
            assert client.get(client.default(), COLLECTION, "Locked") is True
            assert "Items" not in client.get_all(client.default(), COLLECTION)
        # A login in the middle of the question.
        before, found = asked(bed), []
        (bed.folder / "hesitates").touch()

        def search():
            with bed.client() as client:
                found.append(client.search({"row": "24"}))

        searching = [threading.Thread(target=search) for _ in range(4)]
        for thread in searching:
            thread.start()
        while asked(bed) == before:
            pass
        bed.tool("unlock", "--stdin", "--no-agent", input=PASSCODE)
        for thread in searching:
            thread.join(LIMIT)
        assert found == [([item], [])] * 4, found
        assert asked(bed) - before == 1, "a person was asked more than once"
    finally:
        (bed.folder / "hesitates").unlink()
        unlocked(bed)
    with bed.client() as client:
        client.delete(item, "org.freedesktop.Secret.Item")


def row_27_programs(bed):
    """One program is allowed and silent, another refused and finds everything locked; a third is asked about once. All is logged."""
    with bed.client() as client:
        item = client.create(client.open_session(), client.default(), {"row": "27"}, b"mine")
        lookup = ["/usr/bin/secret-tool", "lookup", "row", "27"]
        assert bed.run(*lookup).stdout == "mine"
        tool = next(line.split("\t")[0] for line in bed.tool("apps", "--plain").stdout.splitlines() if "secret-tool" in line)
        before = asked(bed)
        bed.tool("apps", "refuse", tool)
        done = bed.run(*lookup)
        assert done.returncode != 0 and "mine" not in done.stdout, done
        assert client.search({"row": "27"}) == ([item], []) and asked(bed) == before
        assert client.get(client.default(), COLLECTION, "Locked") is False
        # Asked about: once, and remembered.
        bed.tool("apps", "ask", tool)
        bed.answer_prompts("yes")
        assert bed.run(*lookup).stdout == "mine" and asked(bed) == before + 1
        assert bed.run(*lookup).stdout == "mine" and asked(bed) == before + 1
        bed.tool("apps", "ask", tool)
        bed.answer_prompts("")
        assert bed.run(*lookup).returncode != 0 and bed.run(*lookup).returncode != 0 and asked(bed) == before + 2
        bed.tool("apps", "forget", tool)
        assert bed.run(*lookup).stdout == "mine"
        programs = {entry.get("program") or "" for entry in map(json.loads, bed.tool("audit", "--json").stdout.splitlines())}
        assert any("secret-tool" in program for program in programs), programs
        client.delete(item, "org.freedesktop.Secret.Item")
    bed.answer_prompts(None)


def scripts(bed):
    """A script is one program however it is started; code given on a command line, with what is in it, is kept nowhere."""
    place = bed.folder / "scripts"
    place.mkdir()
    (place / "w.py").write_text("#!/usr/bin/python3 -s\n" + LOOKUP)
    (place / "w.py").chmod(0o700)
    python = os.path.realpath("/usr/bin/python3")
    with bed.client() as client:
        item = client.create(client.open_session(), client.default(), {"row": "scripts"}, b"mine")
        code = LOOKUP + "'Sup3rLiteral3'"
        for words in (["-c", code], ["-Wignore", "-c", code], ["-s", "-W", "ignore", "-c", code]):
            assert bed.run("/usr/bin/python3", *words, check=True).stdout == "1\n"
        bed.tool("apps", "refuse", f"script:{python} {place}/w.py")
        for words in (["./w.py"], [place / "w.py"], ["/usr/bin/python3", "w.py"], ["/usr/bin/python3", "-Wignore", "../scripts/w.py"]):
            assert bed.run(*words, check=True, cwd=place).stdout == "0\n", words
        programs = [line.split("\t")[0] for line in bed.tool("apps", "--plain").stdout.splitlines()]
        assert [program for program in programs if "w.py" in program] == [f"script:{python} {place}/w.py"], programs
        told = bed.tool("apps").stdout + bed.tool("audit").stdout + bed.tool("audit", "--json").stdout
        kept = [file for file in bed.folder.rglob("*") if file.is_file() and file.parent != place]
        assert any("audit" in file.parts for file in kept) and any(file.name == ".secret-service-programs" for file in kept), kept
        told += "".join(file.read_bytes().decode(errors="replace") for file in kept)
        assert "Sup3rLiteral3" not in told and "jeepney" not in told
        client.delete(item, "org.freedesktop.Secret.Item")


def internal_calls(bed):
    """Seahorse's and PAM modules' calls: a collection made, unlocked, and given another passcode."""
    with bed.client() as client:
        session = client.open_session()

        def secret(text):
            return session, b"", text.encode(), "text/plain"

        login = client.default()
        client.lock(login)
        assert refusal(client.call, ROOT, INTERNAL, "UnlockWithMasterPassword", "o(oayays)", (login, secret("wrong")))
        assert client.get(login, COLLECTION, "Locked") is True
        client.call(ROOT, INTERNAL, "UnlockWithMasterPassword", "o(oayays)", (login, secret(PASSCODE)))
        assert client.get(login, COLLECTION, "Locked") is False
        made = client.call(
            ROOT, INTERNAL, "CreateWithMasterPassword", "a{sv}(oayays)", ({COLLECTION + ".Label": ("s", "Work")}, secret("one")))
        assert made == ROOT + "/collection/Work", made
        client.call(ROOT, INTERNAL, "ChangeWithMasterPassword", "o(oayays)(oayays)", (made, secret("one"), secret("two")))
        assert client.lock(made) == [made]
        assert refusal(client.call, ROOT, INTERNAL, "UnlockWithMasterPassword", "o(oayays)", (made, secret("one")))
        client.call(ROOT, INTERNAL, "UnlockWithMasterPassword", "o(oayays)", (made, secret("two")))
        bed.answer_prompts("two")
        prompt = client.call(ROOT, INTERNAL, "ChangeWithPrompt", "o", (made,))
        assert client.prompt(prompt)[0] is False
        client.delete(made, COLLECTION)
        assert made not in client.get(ROOT, SERVICE, "Collections")
    bed.answer_prompts(None)


def others_changes(bed):
    """What a person does with the tools is told on the bus, and found from then on."""
    with bed.client() as client:
        collection = client.default()
        item = client.create(client.open_session(), collection, {"row": "tools"}, b"x", label="told of")
        client.watch(interface=COLLECTION)
        client.heard()
        bed.tool("remove", "told of", "--apps")
        assert ("ItemDeleted", collection, (item,)) in client.heard()
        assert client.search({"row": "tools"}) == ([], [])
        # An item is two, and nothing of either is left; `security` has the one with the secret.
        client.create(client.open_session(), collection, {"row": "halves"}, b"peanuts", label="told in halves")
        client.heard()
        security = bed.folder / "security"
        security.symlink_to(bed.programs / "llavero")
        found = bed.run(security, "find-generic-password", "-l", "told in halves", "-w")
        assert found.stdout == "peanuts\n", found
        bed.run(security, "delete-generic-password", "-l", "told in halves", check=True)
        assert "ItemDeleted" in [signal[0] for signal in client.heard()]
        assert client.search({"row": "halves"}) == ([], [])
        left = bed.tool("list", "--apps", "--all", "--json").stdout
        assert "told" not in left, left


TESTS = [row_21_portal, row_24_first_unlock, row_27_programs, scripts, internal_calls, others_changes]
