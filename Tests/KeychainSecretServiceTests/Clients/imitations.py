# SPDX-License-Identifier: Apache-2.0
"""Programs that cannot be had here: the calls that each makes, in its order, and what it makes of the answers."""
import time

from jeepney import HeaderFields

from bed import COLLECTION, ITEM, PASSCODE, PROMPT, ROOT, SERVICE, Refused


class Failed(Exception):
    """What the program would say."""


class GoKeyring:
    """zalando/go-keyring, which gh uses. It has a match rule for signals of prompts, and takes the first signal for the one it waits for."""

    def __init__(self, client):
        self.client = client
        self.session = client.open_session()
        login = ROOT + "/collection/login"
        self.collection = login if login in client.get(ROOT, SERVICE, "Collections") else ROOT + "/aliases/default"

    def prompted(self, prompt):
        """The first signal's result, whether it was dismissed or not."""
        self.client.watch(interface=PROMPT)
        self.client.call(prompt, PROMPT, "Prompt", "s", ("",))
        while (signal := self.client.wait_signal()).header.fields.get(HeaderFields.sender) == "org.freedesktop.DBus":
            pass
        return signal.body[1][1]

    def unlock(self, path):
        unlocked, prompt = self.client.call(ROOT, SERVICE, "Unlock", "ao", ([path],))
        if prompt != "/":
            unlocked = self.prompted(prompt)
        if list(unlocked) != [path]:
            raise Failed(f"failed to unlock correct collection '{path}'")

    def set(self, service, user, secret):
        self.unlock(self.collection)
        values = {ITEM + ".Label": ("s", f"Password for '{user}' on '{service}'"),
                  ITEM + ".Attributes": ("a{ss}", {"username": user, "service": service})}
        item, prompt = self.client.call(self.collection, COLLECTION, "CreateItem", "a{sv}(oayays)b", (
            values, (self.session, b"", secret, "text/plain; charset=utf8"), True))
        if prompt != "/":
            self.prompted(prompt)

    def find(self, service, user):
        found = self.client.call(self.collection, COLLECTION, "SearchItems", "a{ss}", ({"username": user, "service": service},))
        if not found:
            raise Failed("secret not found in keyring")
        return found[0]

    def get(self, service, user):
        self.unlock(self.collection)
        return self.client.secret(self.session, self.find(service, user))[0]

    def delete(self, service, user):
        prompt = self.client.call(self.find(service, user), ITEM, "Delete")
        if prompt != "/":
            self.prompted(prompt)


def row_13_go_keyring(bed):
    """gh sets, gets and deletes; where it is locked and nobody opens it, it is told so, and nothing is said to be stored."""
    with bed.client() as client:
        program = GoKeyring(client)
        program.set("gh:github.com", "somebody", b"gho_1")
        program.set("gh:github.com", "somebody", b"gho_2")
        assert program.get("gh:github.com", "somebody") == b"gho_2"
        client.lock(client.default())
        answers = [None, ""] if bed.is_ours else [None]
        for answer in answers:
            bed.answer_prompts(answer)
            for call, words in ((program.set, ("gh:github.com", "somebody", b"gho_3")), (program.get, ("gh:github.com", "somebody"))):
                try:
                    call(*words)
                except (Failed, Refused):
                    continue
                raise AssertionError(f"{call.__name__} succeeded while it was locked")
        if bed.is_ours:
            bed.answer_prompts(PASSCODE)
            assert program.get("gh:github.com", "somebody") == b"gho_2"
            bed.answer_prompts(None)
        bed.unlock([client.default()])
        assert program.get("gh:github.com", "somebody") == b"gho_2", "what was refused was stored"
        program.delete("gh:github.com", "somebody")
        try:
            program.get("gh:github.com", "somebody")
            raise AssertionError("it was deleted and found")
        except Failed:
            pass


def decoded(path):
    """A collection's name by the 99designs library: what it cannot decode it takes as it is."""
    part, name = path.rsplit("/", 1)[1], b""
    while part:
        if part[0] == "_":
            try:
                name += bytes.fromhex(part[1:3])
            except ValueError:
                return part
            part = part[3:]
        else:
            name, part = name + part[0].encode(), part[1:]
    return name.decode()


def row_14_aws_vault(bed):
    """aws-vault finds the collection that it made by the name in its path, whatever stands in the name."""
    def add(client, name, profile, secret):
        session = client.open_session()
        own = [path for path in client.get(ROOT, SERVICE, "Collections") if decoded(path) == name]
        path = own[0] if own else client.make_collection(name)
        client.call(ROOT, SERVICE, "Unlock", "ao", ([path],))
        client.create(session, path, {"profile": profile}, secret, label=profile, replace=True)
        return path

    bed.answer_prompts(PASSCODE)
    # gnome-keyring writes another name for one with a space.
    for name in ("awsvault", "aws-vault-ü", "a_b", "with spaces")[:None if bed.is_ours else 2]:
        for secret in (b"one", b"two"):
            with bed.client() as client:
                path = add(client, name, "work", secret)
        with bed.client() as client:
            collections = [path for path in client.get(ROOT, SERVICE, "Collections") if decoded(path) == name]
            assert len(collections) == 1, f"{name} was made again: {collections}"
            items = client.get(path, COLLECTION, "Items")
            assert len(items) == 1 and client.secret(client.open_session(), items[0])[0] == b"two"
            client.delete(path, COLLECTION)
    bed.answer_prompts(None)


CHROME = {"application": "chrome", "xdg:schema": "chrome_libsecret_os_crypt_password_v2"}


def chromium(client, key):
    """What Chromium's own client does at its start: the key that it encrypts with, new or old, or why it has none."""
    collection = client.call(ROOT, SERVICE, "ReadAlias", "s", ("default",))
    if collection == "/":
        raise Failed("there is no default collection")
    client.get(collection, COLLECTION, "Label")
    session = client.open_session()
    unlocked, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([collection],))
    if prompt != "/":
        dismissed, unlocked = client.prompt(prompt)
        if dismissed:
            raise Failed("the collection stayed locked")
    if collection not in unlocked:
        raise Failed("the collection was not unlocked")
    found = client.call(collection, COLLECTION, "SearchItems", "a{ss}", ({"application": "chrome"},))
    if found:
        secret = client.secret(session, found[0])[0]
        if not secret:
            raise Failed("the secret is empty")
        return secret
    client.create(session, collection, CHROME, key, label="Chrome Safe Storage")
    return key


def row_17_chromium(bed):
    """Chromium has one key: after a restart of the provider, and where somebody refuses, it makes no other."""
    with bed.client() as client:
        assert chromium(client, b"first key") == b"first key"
        assert chromium(client, b"second key") == b"first key"
    bed.restart()
    with bed.client() as client:
        assert chromium(client, b"third key") == b"first key", "cookies are lost"
        collection = client.default()
        client.lock(collection)
        for answer in ([None, ""] if bed.is_ours else [None]):
            bed.answer_prompts(answer)
            try:
                chromium(client, b"fourth key")
                raise AssertionError("a key although it is locked")
            except Failed as failure:
                assert "locked" in str(failure), failure
        if bed.is_ours:
            bed.answer_prompts(PASSCODE)
            assert chromium(client, b"fifth key") == b"first key"
            bed.answer_prompts(None)
        bed.unlock([collection])
        found = client.search({"application": "chrome"})[0]
        assert len(found) == 1, f"{len(found)} keys"
        client.delete(found[0], ITEM)


def row_18_rust(bed):
    """secret-service-rs runs a prompt only where nothing was unlocked, and then even the one that is none."""
    with bed.client() as client:
        session, collection = client.open_session(), client.default()
        item = client.create(session, collection, {"application": "rust-keyring", "service": "s", "username": "u", "target": "default"})
        for path in (collection, item):
            unlocked, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([path],))
            assert unlocked, f"{path} is open and not said to be"
        found, locked = client.search({"service": "s", "username": "u"})
        assert found == [item] and locked == [], "several hits are ambiguous"
        client.delete(item, ITEM)


def network_manager(bed):
    """An agent that is asked before anybody has unlocked anything finds its item, locked, and reads it after."""
    names = {"connection-uuid": "5b1e", "setting-name": "802-11-wireless-security", "setting-key": "psk",
             "xdg:schema": "org.freedesktop.NetworkManager.Connection"}
    with bed.client() as client:
        item = client.create(client.open_session(), client.default(), names, b"wpa passphrase", label="Network secret")
    if bed.is_ours:
        # Nobody opens it this time.
        bed.end("provider")
        bed.start(unlocks=False)
    else:
        with bed.client() as client:
            client.lock(client.default())
    bed.answer_prompts(None)
    with bed.client() as client:
        try:
            found = client.search(names)
            assert found == ([], [item]), f"it looks empty: {found}"
        except Refused as refused:
            assert bed.is_ours and refused.name.endswith("IsLocked"), refused
        bed.unlock([client.default()])
        assert client.search(names) == ([item], []), "the path is another one"
        assert client.secret(client.open_session(), item)[0] == b"wpa passphrase"
        client.delete(item, ITEM)


TESTS = [row_13_go_keyring, row_14_aws_vault, row_17_chromium, row_18_rust, network_manager]
