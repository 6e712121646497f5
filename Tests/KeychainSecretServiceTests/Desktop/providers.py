# SPDX-License-Identifier: Apache-2.0
"""KeePassXC and KWallet as providers from which a person moves over."""
import base64
import contextlib
import hashlib
import os
import shutil
import uuid

from jeepney import DBusAddress, new_method_call
from jeepney.wrappers import unwrap_msg

from bed import ITEM, NAME
from clients import Skipped

SETTINGS = """[General]
ConfigVersion=2
UpdateCheckMessageShown=true
[GUI]
CheckForUpdates=false
[FdoSecrets]
Enabled=true
ShowNotification=false
ConfirmAccessItem=false
"""


def entry(title, user, password, attributes):
    fields = {"Title": title, "UserName": user, "Password": password, "URL": "https://example.org", "Notes": "a note", **attributes}
    strings = "".join(f"<String><Key>{key}</Key><Value>{value}</Value></String>" for key, value in fields.items())
    times = "<Times><CreationTime>2020-01-02T03:04:05Z</CreationTime><LastModificationTime>2021-01-02T03:04:05Z</LastModificationTime></Times>"
    return f"<Entry><UUID>{base64.b64encode(uuid.uuid4().bytes).decode()}</UUID>{times}{strings}</Entry>"


def row_26_keepassxc(bed):
    """What KeePassXC offers comes over with its times, without the fields that it shows besides, and notes are named as left out."""
    if not shutil.which("keepassxc"):
        raise Skipped("keepassxc is not installed")
    group = uuid.uuid4()
    entries = entry("Mail", "ada", "geheim", {}) + entry("gh", "bob", "tok", {"service": "gh:github.com", "username": "bob"}) + entry(
        "Chromium Safe Storage", "", "key", {"application": "chromium", "xdg:schema": "chrome_libsecret_os_crypt_password_v2"})
    (bed.folder / "people.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?><KeePassFile><Meta><DatabaseName>People</DatabaseName><CustomData><Item>'
        f"<Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{{{group}}}</Value></Item></CustomData></Meta><Root><Group>"
        f"<UUID>{base64.b64encode(group.bytes).decode()}</UUID><Name>Root</Name>{entries}</Group></Root></KeePassFile>")
    database = bed.folder / "people.kdbx"
    bed.run("keepassxc-cli", "import", "-p", bed.folder / "people.xml", database, input="pw\npw\n", check=True)
    settings = bed.folder / "config/keepassxc"
    settings.mkdir(exist_ok=True)
    (settings / "keepassxc.ini").write_text(SETTINGS)

    with beside(bed, "keepassxc", ["keepassxc", "--pw-stdin", database], b"pw\n"):
        done = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain")
        assert done.returncode == 1, done
        results = sorted(line.split("\t")[0].replace(" ", "-") for line in done.stdout.splitlines())
        assert results == ["kept"] * 3 + ["left-out"] * 3, done.stdout
        again = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain")
        assert "kept\t" not in again.stdout, again.stdout
        with bed.client() as client:
            session = client.open_session()
            [item] = client.search({"service": "gh:github.com"})[0]
            found = client.get_all(item, ITEM)
            assert found["Attributes"] == {"service": "gh:github.com", "username": "bob"}, found
            assert (found["Created"], found["Modified"], found["Label"]) == (1577934245, 1609556645, "gh"), found
            assert client.secret(session, item)[0] == b"tok"
            [key] = client.search({"application": "chromium"})[0]
            assert client.secret(session, key)[0] == b"key"
            [mail] = client.search({"Title": "Mail"})[0]
            assert client.secret(session, mail)[0] == b"geheim"
            assert "Notes" not in client.get(mail, ITEM, "Attributes")


@contextlib.contextmanager
def beside(bed, name, words, input=b""):
    """Another provider with the name that programs ask, and ours beside it under another one, with the keychain open."""
    bed.end("provider")
    with bed.client() as client:
        owner = client.watch_owner(NAME)
        other = bed.spawn(name, words, environment={"QT_QPA_PLATFORM": "offscreen"}, stdin=-1)
        other.stdin.write(input)
        other.stdin.close()
        while not owner():
            assert other.poll() is None, bed.log(name)
            client.wait_signal(0.2)
    bed.name = "org.llavero.Test"
    try:
        bed.start()
        yield
    finally:
        bed.end(name)
        bed.end("provider")
        bed.name = NAME
        bed.start()


WALLET = """[Wallet]
Enabled=true
First Use=false
Default Wallet=kdewallet
Prompt on Open=false
Leave Open=true
[org.freedesktop.secrets]
apiEnabled=true
"""


KWALLET = DBusAddress("/modules/kwalletd5", "org.kde.kwalletd5", "org.kde.KWallet")


class Wallet:
    """A wallet of kwalletd5, open for a client of the bus: as PAM's module opens it, with the key that the passphrase makes, and no
    window."""

    def __init__(self, client, key=bytes(range(56)), name="kdewallet"):
        self.client = client
        unwrap_msg(client.connection.send_and_get_reply(new_method_call(KWALLET, "pamOpen", "sayi", (name, key, 0))))
        self.handle = self.ask("open", "sxs", name, 0, "bed")
        assert self.handle >= 0, "the wallet stays closed"

    def ask(self, member, signature, *values):
        return unwrap_msg(self.client.connection.send_and_get_reply(new_method_call(KWALLET, member, signature, values)))[0]

    def write(self, member, kind, folder, name, value, *more):
        if not self.ask("hasFolder", "iss", self.handle, folder, "bed"):
            assert self.ask("createFolder", "iss", self.handle, folder, "bed")
        signature = f"iss{kind}{'i' * len(more)}s"
        assert self.ask(member, signature, self.handle, folder, name, value, *more, "bed") == 0, name

    def close(self):
        assert self.ask("close", "ibs", self.handle, True, "bed") == 0


def row_26_kwallet(bed):
    """What lies in KWallet comes over: passwords of programs that ask it by its own interface."""
    if not shutil.which("kwalletd5"):
        raise Skipped("kwalletd5 is not installed")
    (bed.folder / "config/kwalletrc").write_text(WALLET)
    with beside(bed, "kwallet", ["kwalletd5"]), bed.client() as client:
        wallet = Wallet(client)
        wallet.write("writePassword", "s", "Mail", "ada", "geheim")
        wallet.close()
    # It shows the wallets that there are when it starts.
    with beside(bed, "kwallet", ["kwalletd5"]):
        with bed.client() as program:
            # It closes a wallet when nobody is left who opened it.
            Wallet(program)
            done = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain", check=True)
        assert "Mail/ada" in done.stdout, done
        with bed.client() as client:
            session = client.open_session()
            secrets = [client.secret(session, path)[0] for path in client.search({})[0]]
            assert b"geheim" in secrets, secrets


def text(value):
    """A text as Qt writes it."""
    data = value.encode("utf-16-be")
    return len(data).to_bytes(4, "big") + data


def import_file(bed, path, password, *options):
    """`llavero import` of a sealed file."""
    here, there = os.pipe()
    os.write(there, password)
    os.close(there)
    done = bed.run(bed.programs / "llavero", "import", path, "--fd", here, "--plain", *options, pass_fds=[here])
    os.close(here)
    return done


def row_26_kwallet_file(bed):
    """A wallet's file has what KWallet shows of it, and nothing twice: passwords, bytes, maps, and what programs stored by the
    Secret Service, with its attributes. Another password opens nothing; an empty one is not asked for."""
    if not shutil.which("kwalletd5"):
        raise Skipped("kwalletd5 is not installed")
    (bed.folder / "config/kwalletrc").write_text(WALLET)
    wallets, password = bed.folder / "data/kwalletd", b"correct horse \xc3\xbc"
    # A wallet of another row would be asked for its password.
    shutil.rmtree(wallets, ignore_errors=True)
    wallets.mkdir(parents=True)
    salt = bytes((number * 7 + 3) % 256 for number in range(56))

    def key(password):
        return hashlib.pbkdf2_hmac("sha512", password, salt, 50_000, 56)

    for name in ["kdewallet", "empty"]:
        (wallets / f"{name}.salt").write_bytes(salt)
    with beside(bed, "kwallet", ["kwalletd5"]), bed.client() as client:
        wallet = Wallet(client, key(b""), "empty")
        wallet.write("writePassword", "s", "Open", "door", "wide")
        wallet.close()
        wallet = Wallet(client, key(password))
        wallet.write("writePassword", "s", "Post", "ada", "geheim")
        wallet.write("writePassword", "s", "Post", "ünï😀", "pä\nß😀")
        wallet.write("writePassword", "s", "Post", "nothing", "")
        wallet.write("writeEntry", "ay", "Keys", "bytes", bytes(range(256)), 2)
        wallet.write("writeMap", "ay", "Form", "login", (2).to_bytes(4, "big") + text("user") + text("ada") + text("word") + text("ß"))
        wallet.close()
    (wallets / "empty.kwl").rename(bed.folder / "empty.kwl")
    (wallets / "empty.salt").rename(bed.folder / "empty.salt")
    with beside(bed, "kwallet", ["kwalletd5"]):
        with bed.client() as program:
            wallet = Wallet(program, key(password))
            # What was stored by its own interface it shows only until the first program stores by the Secret Service.
            live = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain", check=True)
            assert live.stdout.count("kept\t") == 5, live
            store(program, {"service": "gh", "username": "bob", "xdg:schema": "org.example.Token"}, b"tok", "text/plain")
            store(program, {"service": "ümlaut"}, bytes([0, 255]), "application/octet-stream")
            live = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain", check=True)
            assert live.stdout.count("kept\t") == 2, live
            wallet.close()
        file = wallets / "kdewallet.kwl"
        before = file.read_bytes()
        again = import_file(bed, file, password, "--as-secret-service")
        assert again.returncode == 0 and "0 kept, 7 here already, 0 left out" in again.stderr, again
        found = import_file(bed, file, password)
        assert found.returncode == 0 and "8 kept, 0 here already, 0 left out" in found.stderr, found
        assert "Form/login (word)" in found.stdout, found
        assert bed.tool("get", "Post/ünï😀").stdout == "pä\nß😀\n"
        assert bed.tool("get", "Form/login (word)").stdout == "ß\n"
        assert "8 here already" in import_file(bed, file, password).stderr
        assert file.read_bytes() == before
        wrong = import_file(bed, file, password + b"!")
        assert wrong.returncode == 1 and "the password is wrong" in wrong.stderr, wrong
        opened = bed.tool("import", bed.folder / "empty.kwl", "--plain")
        assert "Open/door" in opened.stdout, opened
        (bed.folder / "empty.salt").unlink()
        bare = bed.run(bed.programs / "llavero", "import", bed.folder / "empty.kwl")
        assert bare.returncode == 1 and "NAME.salt" in bare.stderr, bare


def store(client, attributes, secret, content_type):
    """Stores an item as a program of the Secret Service does, with the program that has its name."""
    def call(path, interface, member, signature, *values):
        address = DBusAddress(path, NAME, "org.freedesktop.Secret." + interface)
        return unwrap_msg(client.connection.send_and_get_reply(new_method_call(address, member, signature, values)))

    root = "/org/freedesktop/secrets"
    session = call(root, "Service", "OpenSession", "sv", "plain", ("s", ""))[1]
    [collection] = call(root, "Service", "ReadAlias", "s", "default")
    properties = {ITEM + ".Label": ("s", attributes["service"]), ITEM + ".Attributes": ("a{ss}", attributes)}
    _, prompt = call(collection, "Collection", "CreateItem", "a{sv}(oayays)b", properties, (session, b"", secret, content_type), False)
    assert prompt == "/", prompt


TESTS = [row_26_keepassxc, row_26_kwallet, row_26_kwallet_file]
