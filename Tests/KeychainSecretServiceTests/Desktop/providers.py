# SPDX-License-Identifier: Apache-2.0
"""KeePassXC and KWallet as providers from which a person moves over."""
import base64
import contextlib
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


def row_26_kwallet(bed):
    """What lies in KWallet comes over: passwords of programs that ask it by its own interface."""
    if not shutil.which("kwalletd5"):
        raise Skipped("kwalletd5 is not installed")
    (bed.folder / "config/kwalletrc").write_text(WALLET)
    address = DBusAddress("/modules/kwalletd5", "org.kde.kwalletd5", "org.kde.KWallet")

    def ask(client, member, signature, *values):
        return unwrap_msg(client.connection.send_and_get_reply(new_method_call(address, member, signature, values)))[0]

    def open_wallet(client):
        # As PAM's module opens it: with the key that the passphrase makes, and no window.
        unwrap_msg(client.connection.send_and_get_reply(
            new_method_call(address, "pamOpen", "sayi", ("kdewallet", bytes(range(56)), 0))))
        return ask(client, "open", "sxs", "kdewallet", 0, "bed")

    with beside(bed, "kwallet", ["kwalletd5"]), bed.client() as client:
        wallet = open_wallet(client)
        ask(client, "createFolder", "iss", wallet, "Mail", "bed")
        assert ask(client, "writePassword", "issss", wallet, "Mail", "ada", "geheim", "bed") == 0
        assert ask(client, "close", "ibs", wallet, True, "bed") == 0
    # It shows the wallets that there are when it starts.
    with beside(bed, "kwallet", ["kwalletd5"]):
        with bed.client() as program:
            # It closes a wallet when nobody is left who opened it.
            open_wallet(program)
            done = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain", check=True)
        assert "Mail/ada" in done.stdout, done
        with bed.client() as client:
            session = client.open_session()
            secrets = [client.secret(session, path)[0] for path in client.search({})[0]]
            assert b"geheim" in secrets, secrets


TESTS = [row_26_keepassxc, row_26_kwallet]
