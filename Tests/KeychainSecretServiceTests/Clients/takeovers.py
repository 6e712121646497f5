# SPDX-License-Identifier: Apache-2.0
"""`llavero secret-service` on a machine of its own: for all users, and in sessions that have a service manager."""
import hashlib
import json
import time

from machine import Machine

UNIT, THEIRS = "llaverod.service", "gnome-keyring-daemon"
PLACES = ["etc", "usr/local", "usr/share/dbus-1", "usr/lib/systemd/user"]
# A program that has an item open, and asks for it again by what it knew of it, whenever it is told to.
HOLDER = """
import sys
import secretstorage
bus = secretstorage.dbus_init()
item = next(secretstorage.search_items(bus, {"number": "1"}))
for line in sys.stdin:
    try:
        print(bus.unique_name, secretstorage.Item(bus, item.item_path).get_secret().decode(), flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)
"""

# Makes or opens gnome-keyring's usual keyring; its own tool for that does not wait until it can be done.
KEYRING = """
import sys
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection
bus, root, kind = open_dbus_connection(), "/org/freedesktop/secrets", "org.freedesktop.Secret."
def call(interface, member, *body):
    answer = bus.send_and_get_reply(new_method_call(DBusAddress(root, "org.freedesktop.secrets", interface), member, *body))
    assert answer.header.message_type.name == "method_return", answer.body
    return answer.body
_, session = call(kind + "Service", "OpenSession", "sv", ("plain", ("s", "")))
secret = (session, b"", b"of gnome", "text/plain")
what, internal = sys.argv[1], "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
if what == "CreateWithMasterPassword":
    call(internal, what, "a{sv}(oayays)", ({kind + "Collection.Label": ("s", "login")}, secret))
else:
    call(internal, what, "o(oayays)", (root + "/collection/login", secret))
"""


def files(machine):
    """Everything that may be changed: kinds, owners, modes and contents."""
    found = {}
    for place in PLACES:
        for path in [machine.root / place, *(machine.root / place).rglob("*")]:
            facts = path.lstat()
            about = [oct(facts.st_mode), facts.st_uid, facts.st_gid]
            if path.is_symlink():
                about.append(str(path.readlink()))
            elif path.is_file():
                about.append(hashlib.sha256(path.read_bytes()).hexdigest())
            found[str(path.relative_to(machine.root))] = about
    return found


def status(machine, **more):
    return json.loads(machine.run("llavero", "secret-service", "--json", **more).stdout)


def system_wide(bed):
    """`enable --system` makes llaverod the one for every user, however private root's new files are, and `disable` leaves the
    machine as it was, byte for byte."""
    with Machine(bed.programs) as machine:
        machine.add_user()
        # Somebody's own, in the way.
        autostart = machine.root / "etc/xdg/autostart/gnome-keyring-secrets.desktop"
        autostart.parent.mkdir(parents=True, exist_ok=True)
        autostart.write_text("[Desktop Entry]\nType=Application\nName=mine\nExec=/usr/bin/gnome-keyring-daemon\n[Desktop Action x]\nName=y")
        autostart.chmod(0o640)
        before = files(machine)
        assert not status(machine)["enabled-for-all"]
        done = machine.run("llavero", "secret-service", "enable", "--system", "--now", check=False)
        assert done.returncode == 2 and files(machine) == before, done
        machine.run("sh", "-c", "umask 077; llavero secret-service enable --system")
        enabled, now = files(machine), status(machine)
        assert now["enabled-for-all"] and now["activation-ours"] and not now["others-started-by"] and not now["changed-since"], now
        assert "Hidden=true" in autostart.read_text().splitlines()
        changed = sorted(name for name in enabled if enabled[name] != before.get(name))
        # A second one changes nothing, and a user sees the same.
        machine.run("llavero", "secret-service", "enable", "--system")
        assert files(machine) == enabled
        seen = status(machine, user=True)
        assert seen["enabled-for-all"] and not seen["enabled"] and seen["activation-ours"] and not seen["others-started-by"], seen
        done = machine.run("llavero", "secret-service", "disable", "--system", user=True, check=False)
        assert done.returncode == 1 and "root" in done.stderr, done
        done = machine.run("llavero", "secret-service", "disable", user=True, check=False)
        assert done.returncode == 1 and "--system" in done.stderr, done
        # The bus of that user's next login starts it, by the service manager.
        machine.log_in()
        machine.store("1", "of all")
        assert machine.owner() == machine.main_process(UNIT) and machine.find("1") == "of all"
        machine.log_out()
        machine.run("llavero", "secret-service", "disable", "--system")
        after = files(machine)
        assert after == before, [name for name in {*before, *after} if before.get(name) != after.get(name)]
        assert machine.run("llavero", "secret-service", "disable", "--system", check=False).returncode == 1
        return f"{len(changed)} files and folders changed, and back"


def session_moves(bed):
    """In a session with a service manager, a program's items move from gnome-keyring to llaverod and back, at once."""
    with Machine(bed.programs) as machine:
        machine.add_user()
        return moved(machine)


def broker_moves(bed):
    """The same where dbus-broker is the message bus, and where it has no unit of llaverod to start."""
    with Machine(bed.programs) as machine:
        machine.install_broker()
        machine.add_user()
        found = moved(machine)
        assert machine.main_process("dbus-broker.service")
        for unit in machine.units:
            unit.unlink()
        machine.run("llavero", "secret-service", "enable", "--without-import", user=True)
        machine.control("stop", "llaverod.socket", UNIT, THEIRS + ".socket", THEIRS + ".service", check=False)
        assert machine.find("2") == "secret 2" and machine.main_process(UNIT) == 0
        return found + "; without a unit it was started, too"


def moved(machine):
    machine.log_in()
    machine.control("start", THEIRS + ".service")
    while not machine.has_owner():
        time.sleep(0.02)
    machine.run("/usr/bin/python3", "-c", KEYRING, "CreateWithMasterPassword", user=True)
    for number in range(3):
        machine.store(str(number), f"secret {number}")
    theirs = machine.owner()
    assert theirs == machine.main_process(THEIRS + ".service")
    # One that runs already, on its socket alone.
    machine.control("start", UNIT)
    first = machine.main_process(UNIT)
    done = machine.run("llavero", "secret-service", "enable", "--now", user=True, check=False)
    assert done.returncode == 1 and "3 items" in done.stderr and machine.owner() == theirs, done
    machine.run("llavero", "import", "--from-secret-service", user=True)
    machine.run("llavero", "secret-service", "enable", "--now", user=True)
    # The unit has the name, and the other's are masked and have ended.
    ours = machine.main_process(UNIT)
    assert ours not in (0, first) and machine.owner() == ours, (ours, first, machine.owner())
    for kind in ("socket", "service"):
        states = [machine.control(question, f"{THEIRS}.{kind}", check=False) for question in ("is-enabled", "is-active")]
        assert states == ["masked", "inactive"], (kind, states)
    now = status(machine, user=True)
    assert now["ours"] and now["owner"] == "/usr/local/bin/llaverod" and now["owner-process"] == ours and now["enabled"], now
    assert [machine.find(str(number)) for number in range(3)] == [f"secret {number}" for number in range(3)]
    assert "llaverod provides it" in machine.run("llavero", "doctor", user=True, check=False).stdout
    # Nothing to do the second time.
    assert "already" in machine.run("llavero", "secret-service", "enable", "--now", user=True).stderr
    assert machine.main_process(UNIT) == ours
    restarts(machine)
    # Back.
    done = machine.run("llavero", "secret-service", "disable", user=True)
    assert "systemctl --user restart llaverod" in done.stderr, done.stderr
    assert machine.control("is-enabled", THEIRS + ".socket") == machine.control("is-enabled", THEIRS + ".service") == "enabled"
    machine.control("restart", UNIT)
    machine.start_by_bus()
    machine.run("/usr/bin/python3", "-c", KEYRING, "UnlockWithMasterPassword", user=True)
    now = status(machine, user=True)
    assert now["owner"].endswith(THEIRS) and not now["enabled"] and not now["ours"], now
    assert machine.find("2") == "secret 2"
    return "3 items moved; restarted, killed and stopped, it came back; gnome-keyring has them again"


def restarts(machine):
    """Programs that stay go on after the daemon was started again, killed, or stopped and started by the bus."""
    with machine.talking("/usr/bin/python3", "-c", HOLDER) as ask:
        name, text = ask().split(" ", 1)
        assert text == "secret 1", text
        for words in (["restart", UNIT], ["kill", "--signal=KILL", UNIT], ["stop", UNIT], ["stop", "llaverod.socket", UNIT]):
            process = machine.main_process(UNIT)
            machine.control(*words)
            # One that is being killed may still be sent a call.
            while machine.main_process(UNIT) == process:
                time.sleep(0.02)
            assert ask() == f"{name} secret 1", words
            now = machine.main_process(UNIT)
            assert now not in (0, process) and machine.owner() == now, (words, process, now, machine.owner())


TESTS = [system_wide, session_moves, broker_moves]
