# SPDX-License-Identifier: Apache-2.0
"""libsecret as GNOME's programs call it: by its introspected interface, in a program of its own."""
import prompts
from bed import COLLECTION, PASSCODE

PYTHON = "/usr/bin/python3"

# Reads what to do from its arguments; ends with 3 where nothing was found.
PROGRAM = r'''
import sys
import gi
gi.require_version("Secret", "1")
from gi.repository import GLib, Secret

SCHEMA = Secret.Schema.new("org.llavero.Test", Secret.SchemaFlags.NONE, {
    "user": Secret.SchemaAttributeType.STRING, "port": Secret.SchemaAttributeType.INTEGER,
    "even": Secret.SchemaAttributeType.BOOLEAN})
WHO = {"user": "somebody", "port": "143", "even": "false"}

def waited(begin, finish):
    """The answer of an asynchronous call."""
    loop, answers = GLib.MainLoop(), []
    def done(source, answer, *_):
        answers.append(answer)
        loop.quit()
    begin(done)
    loop.run()
    return finish(answers[0])

def password():
    assert waited(lambda done: Secret.password_store(SCHEMA, WHO, Secret.COLLECTION_DEFAULT, "Mail", "pässwort", None, done),
                  Secret.password_store_finish)
    assert waited(lambda done: Secret.password_lookup(SCHEMA, WHO, None, done), Secret.password_lookup_finish) == "pässwort"
    assert Secret.password_lookup_sync(SCHEMA, {"user": "nobody"}, None) is None
    found = Secret.password_search_sync(SCHEMA, {"user": "somebody"}, Secret.SearchFlags.ALL | Secret.SearchFlags.LOAD_SECRETS, None)
    [item] = found
    attributes = dict(item.get_attributes())
    assert attributes == WHO | {"xdg:schema": "org.llavero.Test"}, attributes
    assert item.retrieve_secret_sync(None).get_text() == "pässwort"
    value = Secret.Value.new("again", -1, "text/plain")
    assert Secret.password_store_binary_sync(SCHEMA, WHO, Secret.COLLECTION_SESSION, "In memory", value, None)
    assert Secret.password_clear_sync(SCHEMA, WHO, None)
    assert Secret.password_lookup_sync(SCHEMA, WHO, None) is None

def objects():
    flags = Secret.ServiceFlags.OPEN_SESSION | Secret.ServiceFlags.LOAD_COLLECTIONS
    service = waited(lambda done: Secret.Service.get(flags, None, done), Secret.Service.get_finish)
    assert "aes128" in service.get_session_algorithms(), service.get_session_algorithms()
    collection = Secret.Collection.for_alias_sync(service, Secret.COLLECTION_DEFAULT, Secret.CollectionFlags.LOAD_ITEMS, None)
    count = len(collection.get_items())
    data = "ü\n\n" * 10000
    item = Secret.Item.create_sync(collection, SCHEMA, WHO, "Long", Secret.Value.new(data, -1, "text/x-long"),
                                   Secret.ItemCreateFlags.NONE, None)
    assert item.set_label_sync("Renamed", None) and item.get_label() == "Renamed"
    assert item.set_attributes_sync(SCHEMA, WHO | {"port": "993"}, None)
    item.load_secret_sync(None)
    assert item.get_secret().get().decode() == data and item.get_secret().get_content_type() == "text/x-long"
    assert item.set_secret_sync(Secret.Value.new("text", -1, "text/plain"), None)
    context = GLib.MainContext.default()
    while len(collection.get_items()) != count + 1:
        context.iteration(True)
    found = collection.search_sync(SCHEMA, {"port": "993"}, Secret.SearchFlags.ALL, None)
    assert [one.get_object_path() for one in found] == [item.get_object_path()]
    assert item.delete_sync(None)
    while len(collection.get_items()) != count:
        context.iteration(True)

def collection():
    service = Secret.Service.get_sync(Secret.ServiceFlags.LOAD_COLLECTIONS, None)
    made = Secret.Collection.create_sync(service, "Of libsecret", None, Secret.CollectionCreateFlags.NONE, None)
    assert made.set_label_sync("Of a library", None)
    assert Secret.Item.create_sync(made, SCHEMA, WHO, "In it", Secret.Value.new("secret", -1, "text/plain"),
                                   Secret.ItemCreateFlags.NONE, None)
    count, locked = service.lock_sync([made], None)
    assert count == 1, count
    count, unlocked = service.unlock_sync([made], None)
    assert count == 1, "it asked in vain"
    assert made.delete_sync(None)

def lookup():
    text = Secret.password_lookup_sync(SCHEMA, WHO, None)
    print(text)
    sys.exit(0 if text else 3)

def store():
    assert Secret.password_store_sync(SCHEMA, WHO, None, "Mail", "kept", None)

globals()[sys.argv[1]]()
'''


def script(bed):
    file = bed.folder / "of_libsecret.py"
    file.write_text(PROGRAM)
    return file


def libsecret_password(bed):
    """Passwords are stored, searched with typed attributes, and cleared, the program waiting or not, in memory too."""
    bed.run(PYTHON, script(bed), "password", check=True)


def libsecret_objects(bed):
    """Collections and items as objects, whose lists follow the signals."""
    bed.run(PYTHON, script(bed), "objects", check=True)


def libsecret_collection(bed):
    """A new collection, for which the person thinks of a passcode, locked and unlocked."""
    ended = prompts.started(bed, PYTHON, script(bed), "collection")
    prompts.type_passcode(bed, "of libsecret", repeats=True)
    prompts.type_passcode(bed, "of libsecret")
    code, text = ended()
    assert code == 0, text


def libsecret_locked(bed):
    """A lookup opens what is locked; storing does too, and where the person refuses, nothing is said to be stored."""
    file = script(bed)
    bed.run(PYTHON, file, "store", check=True)
    with bed.client() as client:
        client.lock(client.default())
        ended = prompts.started(bed, PYTHON, file, "lookup")
        prompts.type_passcode(bed, PASSCODE)
        code, text = ended()
        assert code == 0 and text.strip() == "kept", (code, text)
        client.lock(client.default())
        ended = prompts.started(bed, PYTHON, file, "store")
        prompts.dismiss(bed)
        assert ended()[0] != 0, "it was said to be stored"
        bed.unlock([client.default()])
        assert not client.get(client.default(), COLLECTION, "Locked")


TESTS = [libsecret_password, libsecret_objects, libsecret_collection, libsecret_locked]
