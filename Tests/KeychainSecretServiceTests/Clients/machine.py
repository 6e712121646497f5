# SPDX-License-Identifier: Apache-2.0
"""A machine of its own: the files of this one, where every change is thrown away, with a user who has a service manager of theirs."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from bed import NAME, UNPACKED, journal
from clients import Skipped

LIMIT = 300
USER = 4242
MANAGER = "/usr/lib/systemd/systemd"
# The first process: it has the folders as they are here and notes what is changed elsewhere, then waits for what loses its parent.
FIRST = r"""
set -e
mount -t tmpfs tmpfs "$1"
for folder in etc usr; do
    mkdir -p "$1/$folder" "$1/$folder.work"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$1/$folder,workdir=$1/$folder.work" "/$folder"
done
for folder in run home; do mount -t tmpfs -o mode=755 tmpfs "/$folder"; done
mkdir -p /run/systemd/system
echo ready
while :; do sleep 1000 & wait $!; done
"""


class Machine:
    """Use as a context: the processes and the changes end with it."""

    def __init__(self, programs):
        self.programs = pathlib.Path(programs)
        self.groups, self.running, self.units = [], [], []
        self.first = None

    def __enter__(self):
        if os.geteuid() != 0:
            raise Skipped("mounts need root")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="llavero-machine-"))
        try:
            self.enter_groups()
            self.first = subprocess.Popen(
                ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "bash", "-c", FIRST, "first", self.folder],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if self.first.stdout.readline() != "ready\n":
                raise Skipped("no namespace of its own: " + self.first.stderr.read().strip())
            children = pathlib.Path(f"/proc/{self.first.pid}/task/{self.first.pid}/children").read_text().split()
            join = "".join(f'echo $$ >"{group}/cgroup.procs"; ' for group in self.groups)
            self.inside = ["/bin/sh", "-ec", join + 'exec "$@"', "join", "nsenter", "--target", children[0], "--mount", "--pid", "--wd=/"]
            self.root = pathlib.Path(f"/proc/{children[0]}/root")
            self.install()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in [*self.running, *([self.first] if self.first else [])]:
            process.kill()
            process.wait()
        for group in self.groups:
            folders = sorted((pathlib.Path(folder) for folder, _, _ in os.walk(group)), reverse=True)
            for folder in folders:
                self.remove_group(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def remove_group(folder, tries=200):
        # The last process is gone from it a moment after it has ended, and nothing tells of that.
        for _ in range(tries):
            with contextlib.suppress(OSError):
                return folder.rmdir()
            time.sleep(0.05)

    def enter_groups(self):
        """A group of processes of its own in each tree that a service manager uses; the user may make others in it."""
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            number, name, path = line.split(":", 2)
            if (number, name) == ("0", ""):
                trees = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]
            elif name == "name=systemd":
                trees = ["/sys/fs/cgroup/systemd"]
            else:
                continue
            parent = next((tree + path for tree in trees if pathlib.Path(tree + path, "cgroup.procs").exists()), None)
            if parent is None:
                continue
            # The manager expects the same path in all of them.
            group = pathlib.Path(parent, self.folder.name)
            try:
                group.mkdir()
            except OSError as error:
                raise Skipped(f"no group of processes can be made: {error}")
            self.groups.append(group)
            for file in [group, *(group / name for name in ("cgroup.procs", "cgroup.threads", "cgroup.subtree_control", "tasks"))]:
                if file.exists():
                    os.chown(file, USER, USER)

    def install(self):
        """Llavero, where `make install` puts it."""
        local = self.root / "usr/local"
        for program in ("llavero", "llaverod"):
            (local / "bin").mkdir(exist_ok=True)
            shutil.copy(self.programs / program, local / "bin" / program)
        units = local / "lib/systemd/user"
        units.mkdir(parents=True, exist_ok=True)
        for unit in (pathlib.Path(__file__).parents[3] / "Packaging/systemd/user").glob("llaverod.*"):
            self.units.append(units / unit.name)
            self.units[-1].write_text(unit.read_text().replace("@PREFIX@", "/usr/local"))

    def run(self, *words, user=None, input=None, check=True, environment={}):
        """Runs a program inside to its end: as root, or as the user of a session."""
        done = subprocess.run(
            self.words(words, user), env=self.environment(user) | environment, input=input, text=True, capture_output=True,
            timeout=LIMIT, errors="replace")
        if check and done.returncode != 0:
            raise RuntimeError(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def spawn(self, name, *words, user=None):
        """Starts a program inside."""
        return self.start(name, self.words(words, user), env=self.environment(user))

    def start(self, name, words, **more):
        with open(self.folder / (name + ".log"), "ab") as log:
            self.running.append(subprocess.Popen(words, stdout=log, stderr=log, **more))
        return self.running[-1]

    def words(self, words, user):
        become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--"] if user else []
        return [str(word) for word in self.inside + become + list(words)]

    @staticmethod
    def environment(user):
        shared = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"}
        if not user:
            return shared | {"HOME": "/root"}
        runtime = f"/run/user/{USER}"
        return shared | {"HOME": "/home/somebody", "USER": "somebody", "XDG_RUNTIME_DIR": runtime,
                         "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus"}

    # The user's session

    def install_broker(self):
        """Has sessions use dbus-broker, as its package would when it is installed."""
        if not (UNPACKED / "usr/bin/dbus-broker").exists():
            raise Skipped("dbus-broker is not unpacked")
        for place in ("usr/bin/dbus-broker", "usr/bin/dbus-broker-launch", "usr/lib/systemd/user/dbus-broker.service"):
            shutil.copy(UNPACKED / place, self.root / place)
        (self.root / "etc/systemd/user/dbus.service").symlink_to("/usr/lib/systemd/user/dbus-broker.service")
        (self.root / "run/systemd/journal").mkdir()
        journal(self.root / "run/systemd/journal/socket", lambda name, words, **more: self.start(name, words, **more))

    def add_user(self):
        with open(self.root / "etc/passwd", "a") as accounts:
            accounts.write(f"somebody:x:{USER}:{USER}::/home/somebody:/bin/sh\n")
        for folder in (self.root / "home/somebody", self.root / f"run/user/{USER}"):
            folder.mkdir(parents=True, mode=0o700)
            os.chown(folder, USER, USER)

    def log_in(self):
        """Starts the user's service manager, which has the message bus started when somebody connects."""
        if not pathlib.Path(MANAGER).exists():
            raise Skipped("systemd is not installed")
        self.manager = self.spawn("manager", MANAGER, "--user", user=True)
        # It has no address before it has begun.
        while not (self.root / f"run/user/{USER}/systemd/private").exists():
            if self.manager.poll() is not None:
                raise RuntimeError("no service manager: " + (self.folder / "manager.log").read_text())
            time.sleep(0.02)
        self.control("is-system-running", "--wait", check=False)

    def log_out(self):
        self.control("exit")
        self.manager.wait(LIMIT)

    def control(self, *words, check=True):
        """Asks the user's service manager."""
        return self.run("systemctl", "--user", *words, user=True, check=check).stdout.strip()

    def main_process(self, unit):
        """0 while it does not run."""
        return int(self.control("show", "--property=MainPID", "--value", unit))

    def bus(self, member, signature, *values):
        """What the message bus answers."""
        return self.run("busctl", "--user", "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", member, signature, *values,
                        user=True).stdout.split()[1]

    def has_owner(self):
        return self.bus("NameHasOwner", "s", NAME) == "true"

    def owner(self):
        """The process that is the Secret Service."""
        return int(self.bus("GetConnectionUnixProcessID", "s", NAME))

    def start_by_bus(self):
        self.bus("StartServiceByName", "su", NAME, "0")

    def store(self, number, secret, check=True):
        return self.run("secret-tool", "store", f"--label=Item {number}", "number", number, user=True, input=secret, check=check)

    def find(self, number):
        return self.run("secret-tool", "lookup", "number", number, user=True).stdout

    @contextlib.contextmanager
    def talking(self, *words):
        """A program of the user's that is asked, a line each, and answers a line each."""
        with subprocess.Popen(self.words(words, True), env=self.environment(True), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, bufsize=1) as process:
            def ask(line="go on"):
                process.stdin.write(line + "\n")
                return process.stdout.readline().rstrip("\n")
            try:
                yield ask
            finally:
                process.kill()
