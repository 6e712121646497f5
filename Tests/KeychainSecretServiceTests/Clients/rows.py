# SPDX-License-Identifier: Apache-2.0
"""What a program without a library sees of the service. Each test is given a bed and raises where it is not as it says.

`bed.is_ours` marks what this service promises and gnome-keyring does otherwise.
"""
import contextlib
import os
import secrets
import threading
import time
import xml.etree.ElementTree

from jeepney import DBusAddress, HeaderFields, MessageFlag, new_method_call

from bed import (
    COLLECTION, INTROSPECTABLE, ITEM, LIMIT, PASSCODE, PROMPT, PROPERTIES, ROOT, SERVICE, SESSION, Refused, refusal)
import dh

NO_SESSION = "org.freedesktop.Secret.Error.NoSession"
NO_OBJECT = "org.freedesktop.Secret.Error.NoSuchObject"
IS_LOCKED = "org.freedesktop.Secret.Error.IsLocked"
BUS_ERROR = "org.freedesktop.DBus.Error."
# Those after which libsecret, secretstorage and keyring take an object for one that is not there.
MISSING = {NO_OBJECT, BUS_ERROR + "UnknownObject", BUS_ERROR + "UnknownMethod"}

# The specification's interfaces: methods with what they take and give, properties, signals.
INTERFACES = {
    SERVICE: (
        {"OpenSession": "sv>vo", "CreateCollection": "a{sv}s>oo", "SearchItems": "a{ss}>aoao", "Unlock": "ao>aoo",
         "Lock": "ao>aoo", "GetSecrets": "aoo>a{o(oayays)}", "ReadAlias": "s>o", "SetAlias": "so>"},
        {"Collections": "ao read"},
        {"CollectionCreated": "o", "CollectionDeleted": "o", "CollectionChanged": "o"}),
    COLLECTION: (
        {"Delete": ">o", "SearchItems": "a{ss}>ao", "CreateItem": "a{sv}(oayays)b>oo"},
        {"Items": "ao read", "Label": "s readwrite", "Locked": "b read", "Created": "t read", "Modified": "t read"},
        {"ItemCreated": "o", "ItemDeleted": "o", "ItemChanged": "o"}),
    ITEM: (
        {"Delete": ">o", "GetSecret": "o>(oayays)", "SetSecret": "(oayays)>"},
        {"Locked": "b read", "Attributes": "a{ss} readwrite", "Label": "s readwrite", "Created": "t read", "Modified": "t read"},
        {}),
    SESSION: ({"Close": ">"}, {}, {}),
    PROMPT: ({"Prompt": "s>", "Dismiss": ">"}, {}, {"Completed": "bv"}),
}


def described(text):
    """What an object's introspection says, in the shape of INTERFACES."""
    found = {}
    for interface in xml.etree.ElementTree.fromstring(text).findall("interface"):
        methods = {}
        for method in interface.findall("method"):
            sides = {"in": "", "out": ""}
            for argument in method.findall("arg"):
                sides[argument.get("direction", "in")] += argument.get("type")
            methods[method.get("name")] = sides["in"] + ">" + sides["out"]
        found[interface.get("name")] = (
            methods, {prop.get("name"): f"{prop.get('type')} {prop.get('access')}" for prop in interface.findall("property")},
            {signal.get("name"): "".join(arg.get("type") for arg in signal.findall("arg")) for signal in interface.findall("signal")})
    return found


def row_1_introspection(bed):
    """Every object has the interfaces of the specification, an alias those of its collection."""
    with bed.client() as client:
        session, collection = client.open_session(), client.default()
        item = client.create(session, collection, {"row": "1"})
        objects = [(ROOT, SERVICE), (collection, COLLECTION), (ROOT + "/aliases/default", COLLECTION), (item, ITEM), (session, SESSION)]
        client.lock(collection)
        _, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([collection],))
        if prompt != "/":
            objects.append((prompt, PROMPT))
        for path, name in objects:
            found = described(client.call(path, INTROSPECTABLE, "Introspect"))
            assert name in found, f"{path} lacks {name}: {sorted(found)}"
            for expected, seen in zip(INTERFACES[name], found[name]):
                if bed.is_ours:
                    assert seen == expected, f"{path}: {seen} instead of {expected}"
                else:
                    assert expected.items() <= seen.items() or name in (SERVICE, PROMPT), f"{path}: {seen} lacks some of {expected}"
            if bed.is_ours:
                foreign = [other for other in found if other.startswith("org.freedesktop.Secret.") and other != name]
                assert not foreign, f"{path} also has {foreign}"
                assert PROPERTIES in found or not INTERFACES[name][1], f"{path} lacks {PROPERTIES}"
        if prompt != "/":
            with contextlib.suppress(Refused):
                client.call(prompt, PROMPT, "Dismiss")
        bed.unlock([collection])
        properties = client.get_all(item, ITEM)
        assert {"Locked", "Attributes", "Label", "Created", "Modified"} <= properties.keys(), properties
        assert abs(properties["Created"] - time.time()) < 300, "times are in seconds"
        client.delete(item, ITEM)


def row_6_agreements(bed):
    """2000 sessions with keys of Python's own read one secret; short and long keys too; keys that tell everybody are refused."""
    count = 2000 if bed.is_ours else 100
    with bed.client() as client:
        plain, collection = client.open_session(), client.default()
        secret = secrets.token_bytes(40)
        item = client.create(plain, collection, {"row": "6"}, secret)
        short = 0

        def read(agreement, key):
            nonlocal short
            output, session = client.call(ROOT, SERVICE, "OpenSession", "sv", (dh.NAME, ("ay", key)))
            assert output[0] == "ay", output
            agreement.finish(bytes(output[1]))
            short += agreement.is_short
            _, vector, sealed, _ = client.call(item, ITEM, "GetSecret", "o", (session,))
            assert agreement.open(bytes(vector), bytes(sealed)) == secret, "another secret was read"
            client.call(session, SESSION, "Close")

        for _ in range(count):
            agreement = dh.Agreement()
            read(agreement, agreement.key())
        while (agreement := dh.Agreement()).number.bit_length() > 127 * 8:
            pass
        for size in (127, 128, 129, 200):
            read(agreement, agreement.key(size))
        if bed.is_ours:
            assert refusal(read, dh.Agreement(), b"") == BUS_ERROR + "InvalidArgs"
            for number in (0, 1, dh.P - 1, dh.P, dh.P + 1, 2**1599):
                size = max(1, (number.bit_length() + 7) // 8)
                assert refusal(read, dh.Agreement(), number.to_bytes(size, "big")) == BUS_ERROR + "InvalidArgs", number
            assert refusal(read, dh.Agreement(), bytes(200) + b"\5") == BUS_ERROR + "InvalidArgs"
        for algorithm, argument in (("rot13", ("s", "")), ("", ("s", "")), (dh.NAME + "x", ("ay", b"5"))):
            error = refusal(client.call, ROOT, SERVICE, "OpenSession", "sv", (algorithm, argument))
            assert error == BUS_ERROR + "NotSupported", (algorithm, error)
        for algorithm, argument in (("plain", ("u", 7)), (dh.NAME, ("s", "5")), (dh.NAME, ("u", 5))):
            error = refusal(client.call, ROOT, SERVICE, "OpenSession", "sv", (algorithm, argument))
            assert error == BUS_ERROR + "InvalidArgs", (algorithm, argument, error)
        # What is written under a key of the session is read under another's.
        agreement = dh.Agreement()
        output, session = client.call(ROOT, SERVICE, "OpenSession", "sv", (dh.NAME, ("ay", agreement.key())))
        vector, sealed = agreement.finish(bytes(output[1])).seal(b"written\0")
        client.call(item, ITEM, "SetSecret", "(oayays)", ((session, vector, sealed, "text/plain"),))
        assert client.secret(plain, item)[0] == b"written\0"
        # The last one's padding becomes a length of 0: of any other change one in 256 is a padding again.
        unpadded = vector[:15] + bytes([vector[15] ^ 8])
        for vector, sealed in ((b"", sealed), (vector[:15], sealed), (vector, sealed[:-1]), (vector, b""), (unpadded, sealed)):
            error = refusal(client.call, item, ITEM, "SetSecret", "(oayays)", ((session, vector, sealed, "text/plain"),))
            # GK takes the first of the vectors that are too short for what it makes of it.
            assert error is not None or not bed.is_ours, "a secret that is not sealed for the session was taken"
        if bed.is_ours:
            assert client.secret(plain, item)[0] == b"written\0", "a refused secret took the place of another"
        client.delete(item, ITEM)
        return f"{count} sessions, {short} with a short secret"


def row_7_replace(bed):
    """Replacing is for items with exactly the same attributes."""
    with bed.client() as client:
        session, collection = client.open_session(), client.default()
        sets = [{"a": "1"}, {"a": "1", "b": "2"}, {"a": "1", "b": "2", "c": "3"}]
        # gnome-keyring puts an item without attributes in an arbitrary one's place.
        if bed.is_ours:
            sets.append({})
        items = [client.create(session, collection, attributes, f"{attributes}".encode()) for attributes in sets]
        assert len(set(items)) == len(sets)
        if bed.is_ours:
            for attributes, item in zip(sets, items):
                assert client.create(session, collection, attributes, b"new", replace=True) == item, f"{attributes} in another place"
                assert client.secret(session, item)[0] == b"new"
                assert client.get(item, ITEM, "Attributes") == attributes, "attributes are returned as they were given"
                for other, left in list(zip(sets, items))[sets.index(attributes) + 1:]:
                    assert client.secret(session, left)[0] == f"{other}".encode(), f"{attributes} was put in the place of {other}"
            generic = {"a": "1", "xdg:schema": "org.freedesktop.Secret.Generic"}
            replaced = client.create(session, collection, generic, b"generic", replace=True)
            assert replaced == items[0], "no schema and the generic one are the same"
            assert client.create(session, collection, {"a": "1", "xdg:schema": "x"}, replace=True) not in items
            for item in client.search({"xdg:schema": "x"})[0]:
                client.delete(item, ITEM)
        # Without replacing there may be any number with one set.
        twin = client.create(session, collection, sets[1])
        assert twin not in items
        for item in {*items, twin}:
            client.delete(item, ITEM)
        assert client.search({"a": "1"})[0] == []


def row_8_sessions(bed):
    """Sessions and prompts belong to one connection, and end with it."""
    with bed.client() as client, bed.client() as other:
        session, foreign, collection = client.open_session(), other.open_session(), client.default()
        item = client.create(session, collection, {"row": "8"})
        closed = client.open_session()
        client.call(closed, SESSION, "Close")
        for path in (foreign, closed, ROOT + "/session/nothing", "/", ROOT, item):
            for call in ((item, ITEM, "GetSecret", "o", (path,)), (ROOT, SERVICE, "GetSecrets", "aoo", ([item], path)),
                         (item, ITEM, "SetSecret", "(oayays)", ((path, b"", b"x", "text/plain"),))):
                error = refusal(client.call, *call)
                assert error == NO_SESSION, (path, call[2], error)
            error = refusal(client.create, path, collection, {"row": "8b"})
            assert error == NO_SESSION, (path, error)
        assert client.secret(session, item)[0] == b"secret" and not client.search({"row": "8b"})[0]
        # Nobody closes another's session.
        assert refusal(client.call, foreign, SESSION, "Close") is not None
        assert other.secret(foreign, item)[0] == b"secret"
        assert refusal(client.call, closed, SESSION, "Close") is not None
        client.lock(collection)
        _, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([collection],))
        assert prompt != "/", "nobody was to be asked"
        error = refusal(other.call, prompt, PROMPT, "Prompt", "s", ("",))
        assert error in {BUS_ERROR + "AccessDenied", *MISSING}, error
        assert refusal(other.call, prompt, PROMPT, "Dismiss") is not None
        other.watch(interface=PROMPT)
        dismissed, _ = client.prompt(prompt)
        assert dismissed, "nobody could be asked, and it was not dismissed"
        assert not [signal for signal in other.heard() if signal[0] == "Completed"], "others heard of the prompt"
        # It is over.
        assert refusal(client.call, prompt, PROMPT, "Prompt", "s", ("",)) is not None
        # Dismissed before it was shown.
        _, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([collection],))
        client.watch(interface=PROMPT, path=prompt)
        error = refusal(client.call, prompt, PROMPT, "Dismiss")
        assert error in {None, *MISSING}, error
        bed.unlock([collection])
        client.delete(item, ITEM)
    with bed.client() as client:
        # The session of a connection that ended is gone, whoever asks.
        error = refusal(client.call, session, SESSION, "Close")
        assert error is not None


def row_9_search(bed, sizes=None):
    """A search finds items that have all the pairs, whatever else they have, and as well while they are locked."""
    sizes = sizes or ((10, 100, 1000) if bed.is_ours else (10, 100))
    with bed.client() as client:
        session, collection = client.open_session(), client.default()
        items, seconds = [], {}
        for size in sizes:
            while len(items) < size:
                number = len(items)
                items.append(client.create(session, collection, {
                    "row": "9", "number": str(number), "parity": "odd" if number % 2 else "even", "Case": "Mixed"}))
            times = []
            for number in range(0, size, max(1, size // 50)):
                began = time.perf_counter()
                found = client.search({"number": str(number), "row": "9"})
                times.append(time.perf_counter() - began)
                assert found == ([items[number]], []), (number, found)
            seconds[size] = min(times)
        odd = set(items[1::2])

        def check(place):
            def search(attributes):
                found = client.search(attributes)
                assert not found[1 - place], "found in the wrong list"
                assert len(set(found[place])) == len(found[place]), "an item was found twice"
                return found[place]

            assert set(search({"parity": "odd"})) == odd and set(search({"parity": "odd", "row": "9"})) == odd
            assert set(search({"row": "9"})) == set(items) == set(search({"Case": "Mixed"}))
            for nothing in ({"Parity": "odd"}, {"parity": "Odd"}, {"parity": ""}, {"": ""}, {"row": "9", "more": "x"}, {"number": "01"},
                            {"case": "Mixed"}, {"number": "1", "parity": "even"}):
                assert search(nothing) == [], nothing
            everything = search({})
            assert set(items) <= set(everything)
            assert set(client.call(collection, COLLECTION, "SearchItems", "a{ss}", ({"parity": "odd"},))) == odd
            assert set(client.call(ROOT + "/aliases/default", COLLECTION, "SearchItems", "a{ss}", ({"parity": "odd"},))) == odd
            assert set(items) <= set(client.get(collection, COLLECTION, "Items"))
            if bed.is_ours:
                assert search({"parity": "odd"}) == search({"parity": "odd"}), "the order changed by itself"
        check(0)
        if bed.is_ours:
            # The newest stands first, for most programs take the first.
            client.create(session, collection, {"row": "9", "number": "0", "parity": "even", "Case": "Mixed"}, b"new", replace=True)
            twin = client.create(session, collection, {"row": "9", "number": "0", "again": "yes"})
            assert client.search({"number": "0"})[0] == [twin, items[0]]
            client.delete(twin, ITEM)
        assert client.lock(collection) == [collection]
        assert client.get(collection, COLLECTION, "Locked") is True
        check(1)
        assert client.get(items[0], ITEM, "Locked") is True
        assert client.get(items[0], ITEM, "Label") == "label" and client.get(items[0], ITEM, "Attributes")["number"] == "0"
        assert client.get(items[0], ITEM, "Created") > 0
        assert client.get(collection, COLLECTION, "Label")
        assert refusal(client.secret, session, items[0]) == IS_LOCKED
        assert client.call(ROOT, SERVICE, "GetSecrets", "aoo", (items[:3], session)) == {}
        assert refusal(client.create, session, collection, {"row": "9b"}) == IS_LOCKED
        for call in ((items[0], ITEM, "SetSecret", "(oayays)", ((session, b"", b"x", "text/plain"),)),
                     (items[0], PROPERTIES, "Set", "ssv", (ITEM, "Label", ("s", "x"))),
                     (items[0], PROPERTIES, "Set", "ssv", (ITEM, "Attributes", ("a{ss}", {}))),
                     (collection, PROPERTIES, "Set", "ssv", (COLLECTION, "Label", ("s", "x")))):
            error = refusal(client.call, *call)
            assert error == IS_LOCKED or not bed.is_ours, (call, error)
        bed.unlock([collection])
        got = client.call(ROOT, SERVICE, "GetSecrets", "aoo", (items, session))
        assert set(got) == set(items) and all(bytes(secret[2]) in (b"secret", b"new") for secret in got.values())
        for item in items:
            client.delete(item, ITEM)
        assert client.search({"row": "9"}) == ([], [])
        if bed.is_ours:
            assert seconds[sizes[-1]] < 5 * seconds[sizes[0]] + 0.002, f"a search takes longer with more items: {seconds}"
        return ", ".join(f"{size}: {value * 1000:.2f} ms" for size, value in seconds.items())


def row_10_unlock(bed):
    """Unlocking names what was asked for, in the words it was asked in, once."""
    with bed.client() as client:
        session, collection = client.open_session(), client.default()
        alias, unknown = ROOT + "/aliases/default", ROOT + "/collection/nothing_20here"
        item = client.create(session, collection, {"row": "10"})
        cases = [([alias], [alias]), ([collection], [collection]), ([item], [item]), ([alias, collection], [alias, collection]),
                 ([item, collection], [item, collection]), ([], []), ([collection, collection], [collection]),
                 ([unknown], []), ([unknown, item], [item]), ([ROOT + "/collection/login/nothing"], [])]
        for asked, expected in cases:
            unlocked, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", (asked,))
            assert prompt == "/", f"{asked} prompted while everything was open"
            if bed.is_ours:
                assert sorted(unlocked) == sorted(expected), f"{asked} gave {unlocked}"
        if bed.is_ours:
            for asked, expected in (cases[0], cases[2], cases[3], cases[8]):
                client.lock(collection)
                unlocked, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", (asked,))
                assert unlocked == [] and prompt != "/", (asked, unlocked, prompt)
                bed.answer_prompts("")
                assert client.prompt(prompt)[0], "it was refused and not dismissed"
                assert client.get(collection, COLLECTION, "Locked") is True
                bed.answer_prompts(PASSCODE)
                _, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", (asked,))
                dismissed, result = client.prompt(prompt)
                assert not dismissed and sorted(result) == sorted(expected), (asked, dismissed, result)
                assert client.get(collection, COLLECTION, "Locked") is False
            bed.answer_prompts(None)
        for asked in ([alias], [item], [item, collection]):
            locked = client.lock(*asked)
            if bed.is_ours:
                assert sorted(locked) == sorted(asked), (asked, locked)
            assert client.get(collection, COLLECTION, "Locked") is True
            bed.unlock([collection])
        assert client.lock() == []
        client.delete(item, ITEM)


def row_11_missing_alias(bed):
    """What is not there is said in the words after which programs make it."""
    with bed.client() as client:
        session = client.open_session()
        for path in (ROOT + "/aliases/nothing", ROOT + "/collection/nothing", ROOT + "/collection/login/no/way"):
            error = refusal(client.create, session, path, {"row": "11"})
            assert error in MISSING, (path, error)
            assert refusal(client.get, path, COLLECTION, "Label") in MISSING | {BUS_ERROR + "InvalidArgs"}
        missing = ROOT + "/collection/login/nothing"
        assert refusal(client.secret, session, missing) in MISSING
        assert refusal(client.call, missing, ITEM, "Delete") in MISSING
        assert client.call(ROOT, SERVICE, "GetSecrets", "aoo", ([missing], session)) == {}
        assert client.call(ROOT, SERVICE, "ReadAlias", "s", ("nothing",)) == "/"
        assert client.default().startswith(ROOT + "/collection/")
        assert ROOT + "/collection/login" in client.get(ROOT, SERVICE, "Collections")


def row_12_bytes(bed):
    """Secrets, content types, labels and attributes come back as they were given."""
    with bed.client() as client:
        plain, collection = client.open_session(), client.default()
        agreement = dh.Agreement()
        output, sealed = client.call(ROOT, SERVICE, "OpenSession", "sv", (dh.NAME, ("ay", agreement.key())))
        agreement.finish(bytes(output[1]))
        texts = [b"", b"\0", b"a\0b", b"line\nline\n", b"\xff\xfe\x80", bytes(range(256)), secrets.token_bytes(1 << 20), "ü€😀".encode()]
        kinds = ["text/plain", "text/plain; charset=utf8", "application/octet-stream", "x-unknown/ü", "data/null", "a" * 1000, "text/plain", ""]
        for number, (text, kind) in enumerate(zip(texts, kinds)):
            attributes = {"row": "12", "number": str(number), "": "empty name", "empty": "", "ünï": "välue\n", "long": "x" * 5000}
            item = client.create(plain, collection, attributes, text, label=f"l\n{number}ü", content_type=kind)
            assert client.get(item, ITEM, "Label") == f"l\n{number}ü"
            seen = client.get(item, ITEM, "Attributes")
            assert (seen == attributes) if bed.is_ours else (attributes.items() <= seen.items()), seen
            got, got_kind = client.secret(plain, item)
            assert got == text, f"{len(text)} bytes came back as {len(got)}"
            assert got_kind == kind or not bed.is_ours, (kind, got_kind)
            _, vector, value, _ = client.call(item, ITEM, "GetSecret", "o", (sealed,))
            assert agreement.open(bytes(vector), bytes(value)) == text
            vector, value = agreement.seal(text[::-1])
            client.call(item, ITEM, "SetSecret", "(oayays)", ((sealed, vector, value, "x/y"),))
            assert client.secret(plain, item) == (text[::-1], "x/y") or not bed.is_ours
            assert client.secret(plain, item)[0] == text[::-1]
        if bed.is_ours:
            # An accented letter in one piece and in two are other bytes.
            one, two = {"row": "12", "name": "\u00e9"}, {"row": "12", "name": "e\u0301"}
            first, second = (client.create(plain, collection, attributes, replace=True) for attributes in (one, two))
            assert first != second and client.search(one)[0] == [first] and client.search(two)[0] == [second]
            # Two such names in one item would become one, so they are refused.
            both = {"\u00e9": "1", "e\u0301": "2", "row": "12"}
            assert refusal(client.create, plain, collection, both) == BUS_ERROR + "InvalidArgs"
        for item in client.search({"row": "12"})[0]:
            client.delete(item, ITEM)


def signals(bed):
    """Programs that keep a list hear of what changed it."""
    with bed.client() as client, bed.client() as other:
        session, collection = client.open_session(), client.default()
        other.watch(sender=bed.name)
        item = client.create(session, collection, {"row": "signals"})
        heard = other.heard()
        assert ("ItemCreated", collection, (item,)) in heard, heard
        assert any(member == "PropertiesChanged" and path == collection for member, path, _ in heard), heard
        client.set(item, ITEM, "Label", "s", "renamed")
        client.set(item, ITEM, "Attributes", "a{ss}", {"row": "signals", "more": "yes"})
        heard = other.heard()
        assert ("ItemChanged", collection, (item,)) in heard, heard
        changed = [body for member, path, body in heard if member == "PropertiesChanged" and path == item]
        assert any("Label" in body[1] for body in changed) and any("Attributes" in body[1] for body in changed), changed
        assert client.get(item, ITEM, "Label") == "renamed" and other.search({"more": "yes"})[0] == [item]
        client.lock(collection)
        heard = other.heard()
        assert ("CollectionChanged", ROOT, (collection,)) in heard, heard
        assert any("Locked" in body[1] for member, path, body in heard if (member, path) == ("PropertiesChanged", collection)), heard
        bed.unlock([collection])
        other.heard()
        client.delete(item, ITEM)
        heard = other.heard()
        assert ("ItemDeleted", collection, (item,)) in heard, heard


def properties(bed):
    """What may not be written is refused, and what may be has its own type."""
    with bed.client() as client:
        session, collection = client.open_session(), client.default()
        item = client.create(session, collection, {"row": "properties"})
        for path, interface, name, signature, value in (
                (item, ITEM, "Locked", "b", True), (item, ITEM, "Created", "t", 1), (item, ITEM, "Modified", "t", 1),
                (item, ITEM, "Label", "u", 1), (item, ITEM, "Attributes", "a{sv}", {}), (item, ITEM, "Nothing", "s", ""),
                (collection, COLLECTION, "Created", "t", 1), (collection, COLLECTION, "Locked", "b", True),
                (ROOT, SERVICE, "Collections", "ao", [])):
            assert refusal(client.set, path, interface, name, signature, value) is not None, (path, name)
        assert refusal(client.get, item, ITEM, "Nothing") is not None
        assert refusal(client.call, item, ITEM, "Nothing") == BUS_ERROR + "UnknownMethod"
        assert refusal(client.call, item, ITEM, "GetSecret", "s", ("x",)) is not None
        for given in ({ITEM + ".Created": ("t", 5)}, {ITEM + ".Nothing": ("s", "")}, {ITEM + ".Label": ("u", 1)},
                      {ITEM + ".Attributes": ("a{sv}", {})}, {"Label": ("s", "x")}):
            error = refusal(client.create, session, collection, {}, properties=given)
            assert error is not None or not bed.is_ours, given
        if bed.is_ours:
            bare = client.create(session, collection, {}, properties={})
            assert client.get(bare, ITEM, "Attributes") == {} and client.get(bare, ITEM, "Label") == ""
            client.delete(bare, ITEM)
        client.delete(item, ITEM)


def collections(bed):
    """Collections are made, named, found by their label's encoding, and removed; aliases follow."""
    if not bed.is_ours:
        return "gnome-keyring asks a person on a display"
    with bed.client() as client:
        bed.answer_prompts(PASSCODE)
        session = client.open_session()
        path = client.make_collection("aws-vault ü", "")
        assert path == ROOT + "/collection/aws_2dvault_20_c3_bc", path
        assert client.get(path, COLLECTION, "Label") == "aws-vault ü"
        assert path in client.get(ROOT, SERVICE, "Collections")
        client.call(ROOT, SERVICE, "SetAlias", "so", ("work", path))
        assert client.call(ROOT, SERVICE, "ReadAlias", "s", ("work",)) == path
        item = client.create(session, ROOT + "/aliases/work", {"row": "collections"})
        assert item.startswith(path + "/")
        # An alias that has a collection already gives that one, at once.
        assert client.call(ROOT, SERVICE, "CreateCollection", "a{sv}s", ({}, "work")) == (path, "/")
        client.call(ROOT, SERVICE, "SetAlias", "so", ("work", "/"))
        assert client.call(ROOT, SERVICE, "ReadAlias", "s", ("work",)) == "/"
        client.call(ROOT, SERVICE, "SetAlias", "so", ("work", path))
        client.delete(path, COLLECTION)
        assert path not in client.get(ROOT, SERVICE, "Collections")
        assert client.call(ROOT, SERVICE, "ReadAlias", "s", ("work",)) == "/", "an alias of nothing"
        assert refusal(client.secret, session, item) in MISSING
        for fixed in ("session",):
            assert refusal(client.delete, f"{ROOT}/collection/{fixed}", COLLECTION) is not None
        bed.answer_prompts(None)


def session_collection(bed):
    """The collection `session` is open, and gone with the provider."""
    with bed.client() as client:
        session, path = client.open_session(), ROOT + "/collection/session"
        assert client.call(ROOT, SERVICE, "ReadAlias", "s", ("session",)) == path
        item = client.create(session, path, {"row": "session"}, b"fleeting")
        assert client.secret(session, item)[0] == b"fleeting"
        assert client.search({"row": "session"})[0] == [item]
        assert client.get(path, COLLECTION, "Locked") is False


def row_25_kill(bed, rounds=3):
    """The provider is killed while programs write: what it acknowledged is there, under the same paths."""
    kept, lock = {}, threading.Lock()
    for number in range(rounds):
        stop = threading.Event()

        def write(worker):
            with bed.client() as client:
                try:
                    session, collection = client.open_session(), client.default()
                    for count in range(100000):
                        if stop.is_set():
                            return
                        text = f"{number}-{worker}-{count}".encode()
                        item = client.create(session, collection, {"row": "25", "text": text.decode()}, text)
                        with lock:
                            kept[item] = text
                except (Refused, ConnectionError, TimeoutError, OSError):
                    return

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        before = len(kept)
        for thread in threads:
            thread.start()
        while len(kept) < before + 20 * (number + 1) and any(thread.is_alive() for thread in threads):
            time.sleep(0.001)
        bed.end("provider", 9)
        stop.set()
        for thread in threads:
            thread.join()
        assert len(kept) > before, "nothing was written"
        bed.start()
    with bed.client() as client:
        session = client.open_session()
        found = set(client.search({"row": "25"})[0])
        lost = [item for item in kept if item not in found]
        assert not lost, f"{len(lost)} of {len(kept)} acknowledged items are lost"
        for item, text in kept.items():
            assert client.secret(session, item)[0] == text, item
        for item in found:
            client.delete(item, ITEM)
        return f"{len(kept)} acknowledged in {rounds} kills, none lost; {len(found) - len(kept)} more were written"


def process_state(bed):
    """Descriptors, threads and resident kilobytes of the provider."""
    pid = bed.running["provider"].pid
    status = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status") if ":" in line)
    return len(os.listdir(f"/proc/{pid}/fd")), int(status["Threads"]), int(status["VmRSS"].split()[0])


def open_files(bed):
    """What the descriptors of the provider are, and how many of each."""
    folder = f"/proc/{bed.running['provider'].pid}/fd"
    found = {}
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):
            kind = os.readlink(f"{folder}/{name}").split(":")[0]
            found[kind] = found.get(kind, 0) + 1
    return found


def hostile(bed, size=None):
    """Programs that do what they should not leave nothing behind, and others are served."""
    size = size or (3000 if bed.is_ours else 300)
    pid = bed.running["provider"].pid
    with bed.client() as good:
        session, collection = good.open_session(), good.default()
        item = good.create(session, collection, {"row": "hostile"})
        slowest = 0.0

        def served():
            nonlocal slowest
            began = time.perf_counter()
            assert good.secret(session, item)[0] == b"secret"
            slowest = max(slowest, time.perf_counter() - began)

        def flood_sessions():
            # Nothing is closed; the connection ends with all of them.
            with bed.client() as bad:
                for _ in range(size):
                    bad.send(ROOT, SERVICE, "OpenSession", "sv", ("plain", ("s", "")))
                served()
                last = bad.send(ROOT, SERVICE, "OpenSession", "sv", ("plain", ("s", "")))
                with contextlib.suppress(Refused):
                    bad.reply(last)

        def flood_agreements():
            with bed.client() as bad:
                for _ in range(size // 10):
                    bad.send(ROOT, SERVICE, "OpenSession", "sv", (dh.NAME, ("ay", b"\5")))
                served()

        def flood_prompts():
            with bed.client() as bad:
                bad.lock(collection)
                for _ in range(100):
                    with contextlib.suppress(Refused):
                        bad.call(ROOT, SERVICE, "Unlock", "ao", ([collection],))
            with bed.client() as bad:
                prompt = bad.call(ROOT, SERVICE, "Unlock", "ao", ([collection],))[1]
                bad.send(prompt, PROMPT, "Prompt", "s", ("",))
            bed.unlock([collection])
            served()

        def never_reads():
            with bed.client() as bad:
                for _ in range(size):
                    bad.send(collection, PROPERTIES, "GetAll", "s", (COLLECTION,))
                served()

        def leaves_at_once():
            for _ in range(size // 30):
                bad = bed.client()
                bad.send(ROOT, SERVICE, "OpenSession", "sv", ("plain", ("s", "")))
                bad.send(ROOT, SERVICE, "SearchItems", "a{ss}", ({"row": "hostile"},))
                bad.close()
            served()

        def large():
            with bed.client() as bad:
                mine = bad.open_session()
                paths = []
                for number in range(8):
                    paths.append(bad.create(mine, collection, {"row": "large", "n": str(number)}, os.urandom(1 << 20)))
                got = bad.call(ROOT, SERVICE, "GetSecrets", "aoo", (paths, mine))
                assert sum(len(value[2]) for value in got.values()) == 8 << 20
                served()
                # More than the bus lets anybody send.
                with contextlib.suppress(Refused):
                    got = bad.call(ROOT, SERVICE, "GetSecrets", "aoo", (paths * 40, mine))
                    assert len(got) == 8, "a secret came twice"
                served()
                if bed.is_ours:
                    more = []
                    for number in range(3):
                        more.append(bad.create(mine, collection, {"row": "larger", "n": str(number)}, bytes(24 << 20)))
                        served()
                    error = refusal(bad.call, ROOT, SERVICE, "GetSecrets", "aoo", (more, mine))
                    assert error == BUS_ERROR + "LimitsExceeded", error
                    assert len(bad.secret(mine, more[0])[0]) == 24 << 20
                    paths += more
                served()
                for path in paths:
                    bad.delete(path, ITEM)
                # May be refused, and may not be half done.
                many = {f"name{number}": "x" * 10 for number in range(20000)}
                for attributes in (many, {"n" * (1 << 20): "v"}, {"n": "v" * (4 << 20)}):
                    with contextlib.suppress(Refused):
                        path = bad.create(mine, collection, attributes)
                        assert bad.get(path, ITEM, "Attributes").items() >= attributes.items()
                        bad.delete(path, ITEM)
                served()
                with contextlib.suppress(Refused):
                    bad.call(ROOT, SERVICE, "GetSecrets", "aoo", ([item] * 20000, mine))
                with contextlib.suppress(Refused):
                    bad.call(ROOT, SERVICE, "Unlock", "ao", ([f"{collection}/none{number}" for number in range(20000)],))
                served()

        def nonsense():
            with bed.client() as bad:
                mine = bad.open_session()
                paths = [ROOT, collection, item, mine, "/", ROOT + "/prompt/x", ROOT + "/session/x", ROOT + "/collection/a/b/c",
                         ROOT + "/collection", "/org/freedesktop/portal/desktop", "/a" * 200]
                for path in paths:
                    for interface in (SERVICE, COLLECTION, ITEM, SESSION, PROMPT, PROPERTIES, "a.b"):
                        for member, signature, body in (
                                ("Nothing", None, ()), ("Get", "s", ("x",)), ("GetAll", "u", (1,)), ("Set", "ssv", ("", "", ("s", ""))),
                                ("OpenSession", "s", ("plain",)), ("CreateItem", "a{sv}", ({},)), ("SearchItems", "a{si}", ({"a": 1},)),
                                ("Unlock", "as", (["x"],)), ("GetSecret", "o", ("/",)), ("GetSecrets", "ao", (["/"],)),
                                ("SetSecret", "(oayay)", (("/", b"", b""),)), ("Prompt", "u", (1,)), ("SetAlias", "so", ("", "/")),
                                ("ReadAlias", "v", (("v", ("v", ("s", "deep"))),))):
                            error = refusal(bad.call, path, interface, member, signature, body)
                            assert error is not None or member in ("SetAlias", "GetAll"), (path, interface, member, signature)
                # Nobody waits for the answer of a call that wants none.
                message = new_method_call(DBusAddress(ROOT, bed.name, SERVICE), "OpenSession", "sv", ("plain", ("s", "")))
                message.header.flags |= MessageFlag.no_reply_expected
                bad.connection.send(message)
                served()

        flood_sessions()
        before = process_state(bed)
        notes = []
        for attack in (flood_sessions, flood_agreements, flood_prompts, never_reads, leaves_at_once, large, nonsense, flood_sessions):
            attack()
            served()
            notes.append(attack.__name__)
        assert bed.running["provider"].poll() is None and bed.running["provider"].pid == pid, "the provider ended"
        # The bus tells it when a program is gone, and what that program had is closed then. A connection to the store is three files, and
        # how many there are hangs on how many callers met; what an attack leaves behind would be hundreds.
        limit = time.monotonic() + LIMIT
        while True:
            after, held = process_state(bed), open_files(bed).get(f"/proc/{os.getpid()}", 0)
            if after[0] <= before[0] + 16 and after[1] <= before[1] + 8 and held <= 1 or time.monotonic() > limit:
                break
            time.sleep(0.05)
        # This one's, by which it is known: of the connections that are gone none is kept.
        assert held <= 1 or not bed.is_ours, f"{held} folders of this process are held"
        assert after[0] <= before[0] + 16, f"descriptors: {before[0]}, then {after[0]}: {open_files(bed)}"
        assert after[1] <= before[1] + 8, f"threads: {before[1]}, then {after[1]}"
        good.delete(item, ITEM)
        return f"others waited {slowest * 1000:.0f} ms at most; {before[2]} kB before, {after[2]} kB after"


TESTS = [
    row_1_introspection, row_6_agreements, row_7_replace, row_8_sessions, row_9_search, row_10_unlock, row_11_missing_alias,
    row_12_bytes, signals, properties, collections, session_collection, hostile, row_25_kill,
]
