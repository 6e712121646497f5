# SPDX-License-Identifier: Apache-2.0
"""nm-applet, which keeps passwords of networks, asked as NetworkManager asks it. That one's own daemon would manage the machine's
networks, so its place on the bus is taken here."""
import pathlib
import time

from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call, new_method_return

import prompts
from bed import ITEM, PASSCODE, UNPACKED
from clients import Skipped

NAME = "org.freedesktop.NetworkManager"
ROOT = "/org/freedesktop/NetworkManager"
IDENTITY = "6c1b9ac2-0000-4000-8000-000000000001"
NETWORK, SECURITY = "802-11-wireless", "802-11-wireless-security"
APPLETS = [folder / "usr/bin/nm-applet" for folder in (UNPACKED, pathlib.Path("/"))]
OBJECTS = {
    ROOT: {NAME: {"State": ("u", 70), "Version": ("s", "1.42.4"), "Startup": ("b", False)}},
    ROOT + "/Settings": {NAME + ".Settings": {"CanModify": ("b", True), "Connections": ("ao", [])}},
    ROOT + "/AgentManager": {NAME + ".AgentManager": {}},
}


class NetworkManager:
    def __init__(self, client):
        self.client, self.agent, self.replies = client, None, {}
        client.bus("RequestName", "su", (NAME, 4))

    def serve(self, is_done, what, limit=60):
        """Answers the agent's calls until something has happened."""
        end = time.monotonic() + limit
        while not is_done():
            assert time.monotonic() < end, f"waited in vain for {what}"
            try:
                message = self.client.connection.receive(timeout=0.2)
            except TimeoutError:
                continue
            fields, kind = message.header.fields, message.header.message_type
            if kind == MessageType.method_call:
                self.client.connection.send(self.answer(message, fields[HeaderFields.member]))
                if fields[HeaderFields.member] == "RegisterWithCapabilities":
                    self.agent = fields[HeaderFields.sender]
            elif HeaderFields.reply_serial in fields:
                self.replies[fields[HeaderFields.reply_serial]] = (kind, message.body)

    @staticmethod
    def answer(message, member):
        if member == "GetManagedObjects":
            return new_method_return(message, "a{oa{sa{sv}}}", (OBJECTS,))
        if member == "GetPermissions":
            return new_method_return(message, "a{ss}", ({},))
        return new_method_return(message)

    def send(self, member, password=None):
        """Calls the agent, about the one network there is; the answer is waited for by `reply`."""
        security = {"key-mgmt": ("s", "wpa-psk"), "psk-flags": ("u", 1)} | ({"psk": ("s", password)} if password else {})
        connection = {
            "connection": {"id": ("s", "Home"), "uuid": ("s", IDENTITY), "type": ("s", NETWORK)},
            NETWORK: {"ssid": ("ay", b"home")}, SECURITY: security}
        more = {"GetSecrets": ("sasu", (SECURITY, [], 0))}.get(member, ("", ()))
        message = new_method_call(
            DBusAddress(ROOT + "/SecretAgent", self.agent, NAME + ".SecretAgent"), member, "a{sa{sv}}o" + more[0],
            (connection, ROOT + "/Settings/1", *more[1]))
        serial = next(self.client.connection.outgoing_serial)
        self.client.connection.send(message, serial=serial)
        return serial

    def reply(self, serial):
        self.serve(lambda: serial in self.replies, "an answer of the agent")
        kind, body = self.replies.pop(serial)
        assert kind == MessageType.method_return, body
        return body


def row_19_nm_applet(bed):
    """nm-applet stores a network's password, gives it to NetworkManager, also from a keychain that the person opens for it, and
    after both were started again; it deletes it."""
    applet = next((path for path in APPLETS if path.exists()), None)
    if applet is None:
        raise Skipped("nm-applet is neither installed nor unpacked")
    alone = {"DBUS_SYSTEM_BUS_ADDRESS": bed.address}
    if UNPACKED in applet.parents:
        bed.run("glib-compile-schemas", f"--targetdir={bed.folder}", UNPACKED / "usr/share/glib-2.0/schemas", check=True)
        alone["GSETTINGS_SCHEMA_DIR"] = str(bed.folder)
    known = ({SECURITY: {"psk": ("s", "of the net")}},)
    with bed.client() as client, bed.client() as bus:
        manager = NetworkManager(bus)

        def start():
            manager.agent = None
            bed.spawn("nm-applet", [applet], alone)
            manager.serve(lambda: manager.agent, "an agent")

        def items():
            return client.search({"connection-uuid": IDENTITY})

        start()
        # NetworkManager does not wait for what this answers.
        manager.send("SaveSecrets", "of the net")
        manager.serve(lambda: items()[0], "the item")
        [item] = items()[0]
        attributes = client.get(item, ITEM, "Attributes")
        assert (attributes["setting-name"], attributes["setting-key"]) == (SECURITY, "psk"), attributes
        assert manager.reply(manager.send("GetSecrets")) == known
        client.lock(client.default())
        asked = manager.send("GetSecrets")
        prompts.type_passcode(bed, PASSCODE)
        assert manager.reply(asked) == known, "after the keychain was opened for it"
        bed.end("nm-applet")
        bed.restart()
        start()
        assert manager.reply(manager.send("GetSecrets")) == known, "after both were started again"
        manager.reply(manager.send("DeleteSecrets"))
        manager.serve(lambda: items() == ([], []), "that the item is gone")
        bed.end("nm-applet")


TESTS = [row_19_nm_applet]
