# SPDX-License-Identifier: Apache-2.0
"""Stands where libsecret's tests start a service of their own: python3 stand_in.py PLACE/mock-service-KIND.py

Puts the collections and items that those tests know into the bed's provider, says the name it has on the bus, and passes each
call and signal on. All it changes are paths of items, which the tests have fixed and a provider chooses. Each program that calls
has a connection of its own to the provider, as sessions and prompts want it.
"""
import json
import os
import pathlib
import selectors
import sys

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal

from bed import COLLECTION, ITEM, PASSCODE, ROOT, SERVICE, Client

COLLECTIONS = ROOT + "/collection/"
SCHEMA, PRIMES = {"xdg:schema": "org.mock.Schema"}, {"xdg:schema": "org.mock.Primes"}
# Name: label, whether it begins locked, items as (name, label, secret, attributes).
STANDARD = {
    "english": ("Collection One", False, [
        ("1", "Item One", "111", {"number": "1", "string": "one", "even": "false", **SCHEMA}),
        ("2", "Item Two", "222", {"number": "2", "string": "two", "even": "true", **SCHEMA}),
        ("3", "Item Three", "333", {"number": "3", "string": "three", "even": "false", **SCHEMA})]),
    "spanish": ("Collection", True, [
        ("10", "Item", "111", {"number": "1", "string": "uno", "even": "false", **SCHEMA}),
        ("20", "Item", "222", {"number": "2", "string": "dos", "even": "true", **SCHEMA}),
        ("30", "Item", "3333", {"number": "3", "string": "tres", "even": "false", **SCHEMA})]),
    "german": ("Collection", True, [
        ("300", "Item", "333", {"number": "3", "string": "drei", "prime": "true", **PRIMES}),
        ("400", "Item", "444", {"number": "4", "string": "vier", "prime": "false", **PRIMES}),
        ("500", "Item", "555", {"number": "5", "string": "fuenf", "prime": "true", **PRIMES}),
        ("600", "Item", "666", {"number": "6", "string": "sechs", "prime": "false", **PRIMES})]),
    "empty": ("Collection", False, []),
}
PAIR = [("item", "Item", "uno", {"number": "1", "string": "one", "even": "false"}),
        ("confirm", "Item", "dos", {"number": "2", "string": "two", "even": "true"})]
LOCKED = [("locked", "Item", "tres", {"number": "3", "string": "three", "even": "false"})]
KINDS = {
    "empty": {}, "normal": STANDARD, "prompt": STANDARD, "only-plain": STANDARD,
    "lock": {**STANDARD, "lockone": ("Collection", False, PAIR), "lockprompt": ("Collection", True, LOCKED)},
    "delete": {**STANDARD, "todelete": ("Collection", False, PAIR), "twodelete": ("Collection", True, LOCKED)},
}


class Scene:
    """What of a bed its programs find in their environment."""

    def __init__(self):
        self.address, self.name = os.environ["DBUS_SESSION_BUS_ADDRESS"], os.environ["PROVIDER_NAME"]
        self.is_ours = os.environ["PROVIDER"] == "llaverod"


class StandIn:
    def __init__(self, kind):
        self.scene, self.plain_only = Scene(), kind == "only-plain"
        self.theirs, self.ours = {}, {}
        self.selector = selectors.DefaultSelector()
        self.front = Client(self.scene)
        self.backs = {}
        with Client(self.scene) as client:
            self.fill(client, KINDS[kind])
        self.listener = Client(self.scene)
        self.listener.watch(sender=self.scene.name)
        for client in (self.front, self.listener):
            self.selector.register(client.connection.sock, selectors.EVENT_READ, client)

    def fill(self, client, collections):
        """Makes what is not there as it should be. What nobody changed since the last test is left: passcodes take their time."""
        notes = pathlib.Path(os.environ["PINENTRY"]).with_name("stand-in.json")
        known = json.loads(notes.read_text()) if notes.exists() else {}
        kept = {}
        for path in client.get(ROOT, SERVICE, "Collections"):
            if path in (COLLECTIONS + "session", COLLECTIONS + "login"):
                continue
            name = path.removeprefix(COLLECTIONS)
            if (name in collections and name in known and known[name]["state"] == self.state(client, path)
                    and self.has_secrets(client, path, known[name]["items"], collections[name][2])):
                kept[name] = known[name]
                continue
            self.opened(client, path)
            client.delete(path, COLLECTION)
        session = client.open_session()
        for name, (label, is_locked, items) in collections.items():
            path = COLLECTIONS + name
            if name not in kept:
                # One that is never locked needs no passcode.
                self.person_says("none" if name in ("empty", "todelete") else PASSCODE)
                made = client.make_collection(name)
                assert made == path, made
                self.person_says(PASSCODE)
                client.set(path, COLLECTION, "Label", "s", label)
                kept[name] = {"items": {
                    item: client.create(session, path, attributes, secret.encode(), label=text)
                    for item, text, secret, attributes in items}}
            if is_locked:
                client.lock(path)
            else:
                self.opened(client, path)
            kept[name]["state"] = self.state(client, path)
            for item, made in kept[name]["items"].items():
                self.theirs[f"{path}/{item}"], self.ours[made] = made, f"{path}/{item}"
        client.call(ROOT, SERVICE, "SetAlias", "so", ("default", COLLECTIONS + ("english" if "english" in collections else "login")))
        notes.write_text(json.dumps(kept))

    def opened(self, client, path):
        _, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([path],))
        if prompt != "/" and self.scene.is_ours:
            client.prompt(prompt)

    def has_secrets(self, client, path, made, items):
        """Times are in seconds, so what was changed in the second in which it was made shows by itself alone."""
        if client.get(path, COLLECTION, "Locked"):
            return True
        got = client.call(ROOT, SERVICE, "GetSecrets", "aoo", (list(made.values()), client.open_session()))
        return all(bytes(got[made[item]][2]) == secret.encode() for item, _, secret, _ in items)

    def state(self, client, path):
        """What shows whether anything was changed, locked or not."""
        items = sorted(client.get(path, COLLECTION, "Items"))
        return [client.get(path, COLLECTION, "Label"), [
            [item, client.get(item, ITEM, "Label"), client.get(item, ITEM, "Attributes"), client.get(item, ITEM, "Modified"),
             client.get(item, ITEM, "Created")] for item in items]]

    def person_says(self, text):
        pathlib.Path(os.environ["PINENTRY"]).with_name("answer").write_text(text)

    def mapped(self, value, paths):
        """The value with other paths wherever it has some."""
        if isinstance(value, str):
            return paths.get(value, value)
        if isinstance(value, (list, tuple)):
            return type(value)(self.mapped(part, paths) for part in value)
        if isinstance(value, dict):
            return {self.mapped(key, paths): self.mapped(part, paths) for key, part in value.items()}
        return value

    def run(self):
        print(self.front.me, flush=True)
        while True:
            for key, _ in self.selector.select():
                client = key.data
                client.connection.parser.add_data(self.read(client))
                while (message := client.connection.parser.get_next_message()) is not None:
                    self.pass_on(client, message)

    def read(self, client):
        data = client.connection.sock.recv(1 << 16)
        if not data:
            sys.exit(0)
        return data

    def pass_on(self, client, message):
        kind, fields = message.header.message_type, message.header.fields
        if client is self.front:
            if kind == MessageType.method_call:
                self.front.connection.send(self.answer(message, fields))
        elif kind == MessageType.signal:
            self.tell(client, message, fields)

    def tell(self, client, message, fields):
        # What is for one program comes by that one's connection.
        to = next((name for name, back in self.backs.items() if back is client), None)
        if fields.get(HeaderFields.sender) == "org.freedesktop.DBus" or (fields.get(HeaderFields.destination) is None) != (to is None):
            return
        path = self.ours.get(fields[HeaderFields.path], fields[HeaderFields.path])
        signal = new_signal(
            DBusAddress(path, interface=fields[HeaderFields.interface]), fields[HeaderFields.member],
            fields.get(HeaderFields.signature), self.mapped(message.body, self.ours))
        if to is not None:
            signal.header.fields[HeaderFields.destination] = to
        self.front.connection.send(signal)

    def answer(self, message, fields):
        sender = fields[HeaderFields.sender]
        if sender not in self.backs:
            self.backs[sender] = Client(self.scene)
            self.selector.register(self.backs[sender].connection.sock, selectors.EVENT_READ, self.backs[sender])
        back, member = self.backs[sender], fields[HeaderFields.member]
        path = self.theirs.get(fields[HeaderFields.path], fields[HeaderFields.path])
        if self.plain_only and member == "OpenSession" and message.body[0] != "plain":
            return new_error(message, "org.freedesktop.DBus.Error.NotSupported", "s", ("plain alone",))
        call = new_method_call(
            DBusAddress(path, self.scene.name, fields.get(HeaderFields.interface)), member, fields.get(HeaderFields.signature),
            self.mapped(message.body, self.theirs))
        serial = next(back.connection.outgoing_serial)
        back.connection.send(call, serial=serial)
        while True:
            reply = back.connection.receive(timeout=300)
            if reply.header.message_type == MessageType.signal:
                self.tell(back, reply, reply.header.fields)
            elif reply.header.fields.get(HeaderFields.reply_serial) == serial:
                break
        signature, body = reply.header.fields.get(HeaderFields.signature), self.mapped(reply.body, self.ours)
        if reply.header.message_type == MessageType.error:
            return new_error(message, reply.header.fields[HeaderFields.error_name], signature, body)
        return new_method_return(message, signature, body)


StandIn(pathlib.Path(sys.argv[1]).stem.removeprefix("mock-service-")).run()
