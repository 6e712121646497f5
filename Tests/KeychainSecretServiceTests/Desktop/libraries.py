# SPDX-License-Identifier: Apache-2.0
"""Libraries of other desktops and programs that stand on libsecret."""
import pathlib

from bed import ITEM
from clients import Skipped

QT = r"""
#include <QCoreApplication>
#include <QTextStream>
#include <qt6keychain/keychain.h>

// qtkeychain, as its programs call it: write KEY TEXT, read KEY, delete KEY. Ends with the error's number.
int main(int count, char **words)
{
    QCoreApplication app(count, words);
    const QString what = words[1], key = words[2];
    QKeychain::Job *job;
    if (what == "write") {
        auto *write = new QKeychain::WritePasswordJob("org.llavero.Test");
        QByteArray bytes = QByteArray::fromHex(words[3]);
        write->setBinaryData(bytes);
        job = write;
    } else if (what == "read") {
        job = new QKeychain::ReadPasswordJob("org.llavero.Test");
    } else {
        job = new QKeychain::DeletePasswordJob("org.llavero.Test");
    }
    job->setKey(key);
    job->setAutoDelete(false);
    QObject::connect(job, &QKeychain::Job::finished, &app, [&] { app.quit(); });
    job->start();
    app.exec();
    if (auto *read = qobject_cast<QKeychain::ReadPasswordJob *>(job); read && !read->error())
        QTextStream(stdout) << read->binaryData().toHex() << Qt::endl;
    QTextStream(stderr) << job->errorString();
    return job->error();
}
"""


def row_18_qtkeychain(bed):
    """qtkeychain, with which programs of Qt keep secrets: bytes come back, also after the provider was started again."""
    if not pathlib.Path("/usr/include/qt6keychain/keychain.h").exists():
        raise Skipped("qtkeychain is not installed")
    source, program = bed.folder / "qt.cpp", bed.folder / "qt"
    source.write_text(QT)
    flags = bed.run("pkg-config", "--cflags", "--libs", "Qt6Core", check=True).stdout.split()
    bed.run("g++", "-std=c++17", "-fPIC", "-o", program, source, *flags, "-lqt6keychain", check=True)
    desktop = {"XDG_CURRENT_DESKTOP": "GNOME"}
    secret = bytes(range(256)).hex()
    bed.run(program, "write", "somebody", secret, environment=desktop, check=True)
    with bed.client() as client:
        [item] = client.search({"server": "org.llavero.Test"})[0]
        attributes = client.get(item, ITEM, "Attributes")
        assert attributes["user"] == "somebody", attributes
    assert bed.run(program, "read", "somebody", environment=desktop, check=True).stdout.strip() == secret
    bed.restart()
    assert bed.run(program, "read", "somebody", environment=desktop, check=True).stdout.strip() == secret
    with bed.client() as client:
        client.lock(client.default())
        bed.tool("apps", "refuse", f"program:{program}")
        done = bed.run(program, "read", "somebody", environment=desktop)
        assert done.returncode != 0 and not done.stdout, (done.returncode, done.stdout)
        bed.tool("apps", "forget", f"program:{program}")
        bed.unlock([client.default()])
    bed.run(program, "delete", "somebody", environment=desktop, check=True)
    assert bed.run(program, "read", "somebody", environment=desktop).returncode != 0


EVOLUTION = """
import gi
gi.require_version("EDataServer", "1.2")
from gi.repository import EDataServer
import sys
if sys.argv[1] == "store":
    assert EDataServer.secret_store_store_sync("account-1", "of the mail", "Evolution Data Source account-1", True, None)
elif sys.argv[1] == "lookup":
    found, password = EDataServer.secret_store_lookup_sync("account-1", None)
    print(password)
else:
    assert EDataServer.secret_store_delete_sync("account-1", None)
"""


def row_19_evolution(bed):
    """Evolution's passwords, stored by its own library: read after the provider was started again."""
    if not any(pathlib.Path("/usr/lib").glob("*/girepository-1.0/EDataServer-1.2.typelib")):
        raise Skipped("Evolution's libraries are not installed")
    script = bed.folder / "evolution.py"
    script.write_text(EVOLUTION)
    bed.run("/usr/bin/python3", script, "store", check=True)
    bed.restart()
    assert bed.run("/usr/bin/python3", script, "lookup", check=True).stdout.strip() == "of the mail"
    bed.run("/usr/bin/python3", script, "delete", check=True)
    assert bed.run("/usr/bin/python3", script, "lookup", check=True).stdout.strip() == "None"


GOA = """
import ctypes
backend, glib = ctypes.CDLL("libgoa-backend-1.0.so.1"), ctypes.CDLL("libglib-2.0.so.0")
def function(library, name, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = ctypes.c_void_p, arguments
    return found
one, text = ctypes.c_void_p, ctypes.c_char_p
function(backend, "goa_provider_ensure_builtins_loaded")()
provider = function(backend, "goa_provider_get_for_provider_type", text)(b"owncloud")
values = function(glib, "g_variant_parse", one, text, one, one, one)(None, b"@a{sv} {'password': <'of the cloud'>}", None, None, None)
assert function(backend, "goa_utils_store_credentials_for_id_sync", one, text, one, one, one)(provider, b"account_1", values, None, None)
"""
ACCOUNT = """[Account account_1]
Provider=owncloud
Identity=account_1
PresentationIdentity=zoe@cloud.invalid
Uri=https://cloud.invalid/
CalendarEnabled=true
"""


def row_19_goa(bed):
    """GNOME Online Accounts: its library stores an account's password, and its daemon gives that to programs: when the keychain was
    locked meanwhile, and after llaverod and the daemon were started again."""
    daemon = pathlib.Path("/usr/libexec/goa-daemon")
    if not daemon.exists():
        raise Skipped("gnome-online-accounts is not installed")
    # It looks at the network, which is not there.
    alone = {"DBUS_SYSTEM_BUS_ADDRESS": bed.address}
    bed.run("/usr/bin/python3", "-c", GOA, environment=alone, check=True)
    accounts = bed.folder / "config/goa-1.0/accounts.conf"
    accounts.parent.mkdir()
    accounts.write_text(ACCOUNT)

    def password():
        name = "org.gnome.OnlineAccounts"
        done = bed.run("gdbus", "call", "--session", "--dest", name, "--object-path", "/org/gnome/OnlineAccounts/Accounts/account_1",
                       "--method", name + ".PasswordBased.GetPassword", "password")
        return done.stdout.strip() == "('of the cloud',)"

    bed.spawn("goa", [daemon], alone)
    bed.screen.until(password, "the password that the daemon gives", 60)
    with bed.client() as client:
        [item] = client.search({"goa-identity": "owncloud:gen0:account_1"})[0]
        client.lock(client.default())
        bed.unlock([client.default()])
        assert password(), "it was locked meanwhile"
        bed.end("goa")
        # One that starts with the session, and the keychain is opened later.
        client.lock(client.default())
        bed.tool("apps", "refuse", f"program:{daemon}")
        bed.spawn("goa", [daemon], alone)
        bed.screen.until(lambda: client.bus("NameHasOwner", "s", ("org.gnome.OnlineAccounts",)), "the daemon", 60)
        assert not password(), "a locked keychain gave a password"
        bed.tool("apps", "allow", f"program:{daemon}")
        bed.unlock([client.default()])
        bed.screen.until(password, "the password after the unlock", 60)
        bed.end("goa")
    bed.restart()
    bed.spawn("goa", [daemon], alone)
    bed.screen.until(password, "the password after both were started again", 60)
    bed.end("goa")
    with bed.client() as client:
        client.delete(item, ITEM)


TESTS = [row_18_qtkeychain, row_19_evolution, row_19_goa]
