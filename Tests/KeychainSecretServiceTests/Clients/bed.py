# SPDX-License-Identifier: Apache-2.0
"""A message bus of its own, a provider of the Secret Service on it, and programs that speak to that: nothing here is the user's.

Bed("llaverod") is ours on a new keychain, Bed("gnome-keyring") the one that programs are used to: whatever a test says of both
shows that the test asks the right thing.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_method_call
from jeepney.io.blocking import open_dbus_connection

# Long after anything that works has answered, however busy the machine is.
LIMIT = 300
NAME = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
PASSCODE = "bed passcode"
PREFIX = "org.freedesktop.Secret."
SERVICE, COLLECTION, ITEM, SESSION, PROMPT = (PREFIX + kind for kind in ("Service", "Collection", "Item", "Session", "Prompt"))
PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"

# Those of the session bus that the distribution configures: the built-in ones are the system bus's, and far smaller.
LIMITS = {
    "max_incoming_bytes": 1000000000, "max_incoming_unix_fds": 250000000, "max_outgoing_bytes": 1000000000,
    "max_outgoing_unix_fds": 250000000, "max_message_size": 1000000000, "service_start_timeout": 120000,
    "auth_timeout": 240000, "pending_fd_timeout": 150000, "max_completed_connections": 100000,
    "max_incomplete_connections": 10000, "max_connections_per_user": 100000, "max_pending_service_starts": 10000,
    "max_names_per_connection": 50000, "max_match_rules_per_connection": 50000, "max_replies_per_connection": 50000,
}


class Refused(Exception):
    """An error that a call was answered with."""

    def __init__(self, name, text):
        super().__init__(f"{name}: {text}")
        self.name = name


class Bed:
    """Use as a context: what was started ends with it."""

    def __init__(self, provider, *, name=NAME, programs=None, bus="dbus-daemon"):
        self.provider, self.name, self.programs, self.bus = provider, name, pathlib.Path(programs or "."), bus
        self.is_ours = provider == "llaverod"
        self.running = {}

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="llavero-bus-"))
        for folder in ("home", "data", "config", "runtime", "cache"):
            (self.folder / folder).mkdir(mode=0o700)
        self.address = f"unix:path={self.folder}/bus"
        self.environment = {
            "PATH": f"{self.programs}:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "HOME": str(self.folder / "home"),
            "XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"), "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
            "XDG_DATA_DIRS": str(self.folder / "data"), "DBUS_SESSION_BUS_ADDRESS": self.address,
            "LLAVERO_HOME": str(self.folder / "keychains"), "LLAVERO_SOCKET": str(self.folder / "socket"),
            "LLAVERO_SYSTEM_SOCKET": "/nonexistent/llavero/socket", "PINENTRY": str(self.folder / "pinentry"),
            "SECRET_SERVICE_BUS_NAME": self.name, "PROVIDER_NAME": self.name, "PROVIDER": self.provider,
        }
        try:
            self.answer_prompts(None)
            (self.folder / "pinentry").write_text(PINENTRY.format(folder=self.folder))
            (self.folder / "pinentry").chmod(0o700)
            self.start_bus()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in reversed(list(self.running)):
            self.end(name, signal.SIGKILL)
        if os.environ.get("KEEP_BED"):
            print("kept:", self.folder)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    def spawn(self, name, words, environment={}, **more):
        log = open(self.folder / (name + ".log"), "ab")
        self.running[name] = subprocess.Popen(
            words, env=self.environment | environment, stdout=log, stderr=log, cwd=self.folder, **more)
        return self.running[name]

    def end(self, name, how=signal.SIGTERM):
        process = self.running.pop(name)
        if process.poll() is None:
            process.send_signal(how)
        return process.wait(LIMIT)

    def log(self, name):
        return (self.folder / (name + ".log")).read_text(errors="replace")

    def start_bus(self):
        limits = "".join(f'<limit name="{name}">{value}</limit>' for name, value in LIMITS.items())
        (self.folder / "bus.conf").write_text(
            f"<busconfig><type>session</type><listen>unix:path={self.folder}/bus</listen><auth>EXTERNAL</auth>"
            '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>'
            f"</policy>{limits}</busconfig>")
        if self.bus == "dbus-broker":
            return self.start_broker()
        here, there = os.pipe()
        self.spawn("bus", [
            "/usr/bin/dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile", "--nosyslog",
            f"--print-address={there}"], pass_fds=[there])
        os.close(there)
        with open(here) as line:
            if not line.readline():
                raise RuntimeError("no bus: " + self.log("bus"))

    def start_broker(self):
        """The other message bus. As a service manager would, this hands it its socket, and reads what it tells the journal; there
        is none to start programs, without which it starts none."""
        journal(self.folder / "journal", self.spawn)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{self.folder}/bus")
            listener.listen(4096)
            self.spawn("bus", ["unshare", "--mount", "bash", "-ec", BROKER, "broker", UNPACKED, self.folder], stdin=listener)

    def start(self, unlocks=True):
        """Starts the provider, and returns when it has its name and an open keychain, or one that waits for its passcode."""
        with self.client() as client:
            owner = client.watch_owner(self.name)
            if self.is_ours:
                is_new = not (self.folder / "keychains").exists()
                option = "--secret-service" + ("" if self.name == NAME else "=" + self.name)
                self.spawn("provider", [
                    self.programs / "llaverod", "--home", self.folder / "keychains", "--socket", self.folder / "socket",
                    "--no-lock-events", option], environment={"DISPLAY": ":bed"})
                self.wait_owner(client, owner)
                if is_new:
                    self.tool("passcode", "set", "--stdin", input=PASSCODE)
                if unlocks:
                    self.tool("unlock", "--stdin", "--no-agent", input=PASSCODE)
            else:
                process = self.spawn(
                    "provider", ["/usr/bin/gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"],
                    stdin=subprocess.PIPE)
                # Its whole input is the password, the end of a line included.
                process.stdin.write(PASSCODE.encode())
                process.stdin.close()
                self.wait_owner(client, owner)

    def wait_owner(self, client, owner):
        while not owner():
            if self.running["provider"].poll() is not None:
                raise RuntimeError(f"the provider ended: {self.log('provider')}")
            client.wait_signal(0.2)

    def tool(self, *words, input=None):
        """Runs `llavero`."""
        return self.run(self.programs / "llavero", *words, input=input, check=True)

    def run(self, *words, input=None, check=False, environment={}, timeout=LIMIT, **more):
        """Runs a program of this bus to its end."""
        done = subprocess.run(
            [str(word) for word in words], env=self.environment | environment, input=input, text=True,
            capture_output=True, timeout=timeout, cwd=more.pop("cwd", self.folder), errors="replace", **more)
        if check and done.returncode != 0:
            raise RuntimeError(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}\n{self.log('provider')[-2000:]}")
        return done

    def restart(self, how=signal.SIGTERM):
        self.end("provider", how)
        self.start()

    def answer_prompts(self, text):
        """What the person says who is asked from now on: a passcode, "none" for an empty one, "" for a refusal, or None where
        nobody can be asked."""
        file = self.folder / "answer"
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.write_text(text)

    def unlock(self, paths):
        """Opens what was locked, as a person would have to."""
        if self.is_ours:
            self.tool("unlock", "--stdin", "--no-agent", input=PASSCODE)
        else:
            with self.client() as client:
                session = client.open_session()
                for path in paths:
                    client.call(ROOT, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword",
                                "o(oayays)", (path, (session, b"", PASSCODE.encode(), "text/plain")))

    def client(self):
        return Client(self)


class Client:
    """A program's connection to the bus; use as a context."""

    def __init__(self, bed):
        self.bed = bed
        self.connection = open_dbus_connection(bed.address, auth_timeout=LIMIT)
        self.me = self.connection.unique_name
        self.signals = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        with contextlib.suppress(Exception):
            self.connection.close()

    def send(self, path, interface, member, signature=None, body=()):
        """Sends a call and returns its number; the answer is awaited by `reply`."""
        message = new_method_call(DBusAddress(path, self.bed.name, interface), member, signature, body)
        serial = next(self.connection.outgoing_serial)
        self.connection.send(message, serial=serial)
        return serial

    def reply(self, serial, limit=LIMIT):
        end = time.monotonic() + limit
        while True:
            message = self.connection.receive(timeout=max(0, end - time.monotonic()))
            fields = message.header.fields
            if fields.get(HeaderFields.reply_serial) == serial:
                if message.header.message_type == MessageType.error:
                    raise Refused(fields[HeaderFields.error_name], message.body[0] if message.body else "")
                return message.body
            if message.header.message_type == MessageType.signal:
                self.signals.append(message)

    def call(self, path, interface, member, signature=None, body=(), limit=LIMIT):
        """Calls a method, and returns what it gives: nothing, the one value, or a tuple."""
        if signature is not None and not isinstance(body, tuple):
            body = (body,)
        values = self.reply(self.send(path, interface, member, signature, body), limit)
        return None if not values else values[0] if len(values) == 1 else values

    def bus(self, member, signature=None, body=()):
        message = new_method_call(message_bus, member, signature, body)
        serial = next(self.connection.outgoing_serial)
        self.connection.send(message, serial=serial)
        values = self.reply(serial)
        return values[0] if values else None

    # Signals

    def watch(self, **rule):
        """Hears of signals from now on."""
        text = ",".join(f"{key}='{value}'" for key, value in {"type": "signal", **rule}.items())
        self.bus("AddMatch", "s", (text,))

    def watch_owner(self, name):
        """A function that says whether the name has an owner; true at once when it had one before."""
        self.watch(sender="org.freedesktop.DBus", interface="org.freedesktop.DBus", member="NameOwnerChanged", arg0=name)
        return lambda: self.bus("NameHasOwner", "s", (name,))

    def wait_signal(self, limit=LIMIT):
        """The next signal; None when none comes in time."""
        if self.signals:
            return self.signals.pop(0)
        end = time.monotonic() + limit
        while True:
            try:
                message = self.connection.receive(timeout=max(0, end - time.monotonic()))
            except TimeoutError:
                return None
            if message.header.message_type == MessageType.signal:
                return message

    def heard(self):
        """The signals so far, as (member, path, body); asking the provider something first makes sure that none is on its way."""
        self.get(ROOT, SERVICE, "Collections")
        fields = [(message.header.fields, message.body) for message in self.signals]
        self.signals = []
        return [(field[HeaderFields.member], field[HeaderFields.path], body) for field, body in fields]

    # The service

    def get(self, path, interface, name):
        return self.call(path, PROPERTIES, "Get", "ss", (interface, name))[1]

    def set(self, path, interface, name, signature, value):
        return self.call(path, PROPERTIES, "Set", "ssv", (interface, name, (signature, value)))

    def get_all(self, path, interface):
        return {name: value for name, (_, value) in self.call(path, PROPERTIES, "GetAll", "s", (interface,)).items()}

    def open_session(self):
        return self.call(ROOT, SERVICE, "OpenSession", "sv", ("plain", ("s", "")))[1]

    def default(self):
        return self.call(ROOT, SERVICE, "ReadAlias", "s", ("default",))

    def create(self, session, collection, attributes, secret=b"secret", *, label="label", replace=False,
               content_type="text/plain", properties=None):
        values = {ITEM + ".Label": ("s", label), ITEM + ".Attributes": ("a{ss}", attributes)}
        item, prompt = self.call(collection, COLLECTION, "CreateItem", "a{sv}(oayays)b", (
            values if properties is None else properties, (session, b"", secret, content_type), replace))
        if prompt != "/":
            raise AssertionError(f"CreateItem answered with the prompt {prompt}")
        return item

    def secret(self, session, item):
        """The secret and its content type."""
        owner, parameters, value, content_type = self.call(item, ITEM, "GetSecret", "o", (session,))
        assert owner == session, (owner, session)
        return bytes(value), content_type

    def search(self, attributes):
        """Paths of what is unlocked, and of what is locked."""
        return self.call(ROOT, SERVICE, "SearchItems", "a{ss}", (attributes,))

    def prompt(self, path, limit=LIMIT):
        """Has a prompt shown: whether it was dismissed, and its result."""
        self.watch(interface=PROMPT, path=path)
        self.call(path, PROMPT, "Prompt", "s", ("",))
        end = time.monotonic() + limit
        while True:
            message = self.wait_signal(max(0, end - time.monotonic()))
            if message is None:
                raise AssertionError("the prompt never completed")
            if message.header.fields[HeaderFields.member] == "Completed":
                dismissed, result = message.body
                return dismissed, result[1]

    def delete(self, path, interface):
        prompt = self.call(path, interface, "Delete")
        if prompt != "/":
            dismissed, _ = self.prompt(prompt)
            assert not dismissed, f"deleting {path} was dismissed"

    def lock(self, *paths):
        locked, prompt = self.call(ROOT, SERVICE, "Lock", "ao", (list(paths),))
        assert prompt == "/", "locking prompted"
        return locked

    def make_collection(self, label, alias=""):
        if not self.bed.is_ours:
            # What its programs call that have no display.
            return self.call(ROOT, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "CreateWithMasterPassword",
                             "a{sv}(oayays)", ({COLLECTION + ".Label": ("s", label)},
                                               (self.open_session(), b"", PASSCODE.encode(), "text/plain")))
        path, prompt = self.call(ROOT, SERVICE, "CreateCollection", "a{sv}s", ({COLLECTION + ".Label": ("s", label)}, alias))
        if prompt != "/":
            dismissed, path = self.prompt(prompt)
            assert not dismissed, "making a collection was dismissed"
        return path


def refusal(call, *arguments, **named):
    """The name of the error that a call ends with; None when it works."""
    try:
        call(*arguments, **named)
    except Refused as refused:
        return refused.name
    return None


def journal(path, spawn):
    """Stands where programs send what they have to say, and writes it to a file."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(path))
        os.chmod(path, 0o666)
        spawn("journal", ["cat"], stdin=receiver)


# Where install-packages.sh puts programs that would start with the machine if they were installed.
UNPACKED = pathlib.Path(__file__).resolve().parents[3] / ".build/unpacked"
# Its two halves know each other by the paths of the package.
BROKER = r"""
mount -t overlay overlay -o "lowerdir=$1/usr/bin:/usr/bin" /usr/bin
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/journal
ln -s "$2/journal" /run/systemd/journal/socket
export LISTEN_PID=$$ LISTEN_FDS=1
exec dbus-broker-launch --scope user --config-file="$2/bus.conf" 3<&0
"""

# The person: says the passcode, refuses, or cannot be asked, as the file `answer` has it, and not before the file `hesitates` is
# gone; notes that somebody was asked.
PINENTRY = r"""#!/bin/sh
say() {{ printf '%s\n' "$1"; }}
say "OK ready"
while read -r word rest; do
    case $word in
    GETPIN | CONFIRM)
        echo "$word" >>'{folder}/asked'
        while [ -e '{folder}/hesitates' ]; do sleep 0.05; done
        if [ ! -e '{folder}/answer' ]; then say "ERR 83886340 No display <Pinentry>"
        elif [ ! -s '{folder}/answer' ]; then say "ERR 83886179 Operation cancelled <Pinentry>"
        elif [ $word = GETPIN ]; then
            answer=$(cat '{folder}/answer')
            if [ "$answer" != none ]; then say "D $answer"; fi
            say OK
        else say OK
        fi ;;
    BYE) say OK; exit 0 ;;
    *) say OK ;;
    esac
done
"""
