# SPDX-License-Identifier: Apache-2.0
"""KeePassXC as the provider from which a person moves over."""
import base64
import shutil
import uuid

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

    bed.end("provider")
    with bed.client() as client:
        owner = client.watch_owner(NAME)
        other = bed.spawn(
            "keepassxc", ["keepassxc", "--pw-stdin", database], environment={"QT_QPA_PLATFORM": "offscreen"}, stdin=-1)
        other.stdin.write(b"pw\n")
        other.stdin.close()
        while not owner():
            assert other.poll() is None, bed.log("keepassxc")
            client.wait_signal(0.2)
    # Beside it, with the keychain open.
    bed.name = "org.llavero.Test"
    try:
        bed.start()
        done = bed.run(bed.programs / "llavero", "import", "--from-secret-service", "--plain")
        assert done.returncode == 1, done
        results = [line.split("\t")[0] for line in done.stdout.splitlines()]
        assert sorted(results) == ["kept"] * 3 + ["left-out"] * 3 or sorted(results) == ["kept"] * 3 + ["left out"] * 3, done.stdout
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
    finally:
        bed.end("keepassxc")
        bed.end("provider")
        bed.name = NAME
        bed.start()


TESTS = [row_26_keepassxc]
