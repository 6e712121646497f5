# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the tests' own, and machines with keychains of their own that share a circle on it."""
import glob
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

UNPACKED = pathlib.Path(".build/unpacked").resolve()
TABLES = ["lv_head", "lv_record", "lv_share", "lv_seen", "lv_mail", "lv_right"]
# How long what has to come may take on a machine that is busy with something else, in seconds.
LIMIT = 900
FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1") + glob.glob(f"{UNPACKED}/usr/lib/*/faketime/libfaketime.so.1")), None)


class Wrong(Exception):
    """What a row found that must not be."""


class Skipped(Exception):
    """Why a row cannot be run here."""


def check(holds, text):
    if not holds:
        raise Wrong(text)


def awaited(holds, what, why=lambda: "", seconds=LIMIT):
    limit = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > limit:
            raise Wrong(f"{what} does not come: {why()}")
        time.sleep(0.1)


class Answer:
    def __init__(self, code, output, complaint):
        self.code, self.output, self.complaint = code, output, complaint

    def __str__(self):
        return f"{self.code}: {self.output.strip()[-300:]} {self.complaint.strip()[-500:]}"


class Server:
    """It runs as nobody when the tests run as root, for a server refuses to be root's."""

    def __init__(self, tls=False):
        programs = sorted(
            glob.glob("/usr/lib/postgresql/*/bin") + glob.glob(f"{UNPACKED}/usr/lib/postgresql/*/bin"),
            key=lambda path: int(path.split("/")[-2]))
        if not programs:
            raise Skipped("no PostgreSQL server; Scripts/install-packages.sh test unpacked")
        self.programs = programs[-1]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lv-circle-"))
        self.folder.chmod(0o755)
        self.user = "nobody" if os.geteuid() == 0 else os.environ.get("USER") or subprocess.check_output(["id", "-un"], text=True).strip()
        self.prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
        self.data = self.folder / "pg"
        # A daemon of root's has no right to look into others' folders.
        self.socket = self.folder / "socket"
        for folder in (self.data, self.socket):
            folder.mkdir()
            if self.prefix:
                shutil.chown(folder, "nobody", "nogroup")
        self.run("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        self.port = 5432
        listening = ["-c", "listen_addresses="]
        if tls:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
            listening = ["-c", "listen_addresses=127.0.0.1", "-c", "ssl=on", "-c", f"ssl_cert_file={self.certificate()}", "-c", f"ssl_key_file={self.folder}/server.key"]
            (self.data / "pg_hba.conf").write_text("local all all trust\nhostssl circles +lv_member 127.0.0.1/32 scram-sha-256\n", encoding="utf-8")
        self.process = subprocess.Popen(
            [*self.prefix, f"{self.programs}/postgres", "-D", self.data, "-p", str(self.port), *listening, "-c", f"unix_socket_directories={self.data},{self.socket}",
             "-c", "unix_socket_permissions=0777", "-c", "fsync=off", "-c", "log_min_messages=fatal"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        limit = time.monotonic() + LIMIT
        while subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", self.data, "-p", str(self.port)], check=False).returncode != 0:
            if time.monotonic() > limit or self.process.poll() is not None:
                raise Wrong("PostgreSQL does not start")
            time.sleep(0.05)
        self.sql("create database circles", database="postgres")

    def run(self, program, *arguments, **more):
        answer = subprocess.run(
            [*self.prefix, f"{self.programs}/{program}", *map(str, arguments)], capture_output=True, text=True, cwd="/", check=False, **more)
        if answer.returncode != 0:
            raise Wrong(f"{program}: {answer.stderr.strip()}")
        return answer.stdout

    def sql(self, text, role="postgres", database="circles", fails=False):
        answer = subprocess.run(
            [f"{self.programs}/psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", str(self.data), "-p", str(self.port), "-U", role, "-d", database],
            input=text, capture_output=True, text=True, check=False)
        if fails:
            return answer.returncode != 0
        if answer.returncode != 0:
            raise Wrong(f"SQL failed: {answer.stderr.strip()} in {text[:200]}")
        return answer.stdout.strip()

    def address(self, role):
        return f"host={self.socket} dbname=circles user={role} requirepeer={self.user}"

    def secure(self, role):
        """Its address over TLS, where a role needs its password."""
        return f"postgresql://{role}@localhost:{self.port}/circles?sslmode=verify-full&sslrootcert={self.folder}/authority.pem"

    def certificate(self):
        """A certificate of localhost's, by an authority of the server's own."""
        def openssl(*words):
            subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

        new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        openssl("req", "-x509", *new, "-days", "30", "-subj", "/CN=authority of tests", "-keyout", "authority.key", "-out", "authority.pem")
        openssl("req", *new, "-subj", "/CN=server of tests", "-keyout", "server.key", "-out", "server.csr")
        (self.folder / "names").write_text("subjectAltName=DNS:localhost\n", encoding="utf-8")
        openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-days", "30", "-extfile", "names", "-out", "server.pem")
        if self.prefix:
            shutil.chown(self.folder / "server.key", "nobody", "nogroup")
        return self.folder / "server.pem"

    # What the tables had at a moment, which is yesterday's dump.
    def keep(self, name="kept"):
        self.sql(f"drop schema if exists {name} cascade; create schema {name};" + "".join(
            f"create table {name}.{table} as table llavero.{table};" for table in TABLES))

    def put_back(self, name="kept"):
        self.sql("begin;" + "".join(f"delete from llavero.{table}; insert into llavero.{table} select * from {name}.{table};" for table in TABLES) + "commit;")

    def stop(self):
        self.process.send_signal(3)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Machine:
    """A keychain in a folder, with the tool that works on it."""

    def __init__(self, scene, name):
        self.scene, self.name = scene, name
        self.home = scene.folder / name
        # Variables of its own.
        self.more = {}

    def command(self, arguments, clock, descriptors):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.scene.folder), "LLAVERO_HOME": str(self.home), "LC_ALL": "C.UTF-8"} | self.more
        if clock:
            if not FAKETIME:
                raise Skipped("no libfaketime")
            environment |= {"LD_PRELOAD": FAKETIME, "FAKETIME": clock, "DONT_FAKE_MONOTONIC": "1"}
        words, files = [str(self.scene.programs / "llavero")], []
        for word in arguments:
            # What goes over a descriptor stands in the place of its number.
            if isinstance(word, bytes):
                reader, writer = os.pipe()
                os.write(writer, word)
                os.close(writer)
                files.append(reader)
                word = str(reader)
            words.append(str(word))
        descriptors += files
        return words, environment

    def start(self, *arguments, clock=None, **more):
        files = []
        words, environment = self.command(arguments, clock, files)
        process = subprocess.Popen(
            words, env=environment, pass_fds=files, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=more.pop("stdin", subprocess.PIPE), **more)
        for file in files:
            os.close(file)
        return process

    def tool(self, *arguments, text="", clock=None, limit=LIMIT):
        process = self.start(*arguments, clock=clock)
        try:
            output, complaint = process.communicate(text, timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            output, complaint = process.communicate()
            return Answer(-1, output, f"{complaint} (did not end)")
        return Answer(process.returncode, output, complaint)

    def security(self, *arguments):
        """The same program by its other name."""
        words, environment = self.command(arguments, None, [])
        done = subprocess.run(["security", *words[1:]], executable=words[0], env=environment, text=True, capture_output=True, check=False)
        return Answer(done.returncode, done.stdout, done.stderr)

    def do(self, *arguments, **more):
        answer = self.tool(*arguments, **more)
        check(answer.code == 0, f"{self.name}: llavero {' '.join(str(word) for word in arguments[:3])} ended with {answer}")
        return answer.output

    def add(self, name, secret, **more):
        self.do("add", name, "--user", f"user-of-{name}", "--sync", "--stdin", "--quiet", text=secret, **more)

    def edit(self, name, secret, **more):
        self.do("edit", name, "--stdin", "--quiet", text=secret, **more)

    def remove(self, *names, **more):
        self.do("remove", *names, "--quiet", **more)

    def sync(self, *more, clock=None):
        """One exchange; what it complains of is what has to be told."""
        return self.tool("sync", "--quiet", *more, clock=clock)

    def synced(self, *more, clock=None):
        return self.do("sync", *more, clock=clock)

    def exported(self):
        answer = self.tool("export", "--apps", "--all")
        check(answer.code == 0, f"{self.name}: export: {answer}")
        return json.loads(answer.output)

    def shared(self):
        """What is for sharing: the secrets and the times of change by name and user."""
        return {(item["name"], item.get("user")): (item["secret"], item["changed"]) for item in self.exported()["items"] if item.get("synchronizable")}

    def take(self, secrets):
        """Many items at once."""
        if sum(map(len, secrets.values())) > 4 << 20:
            for name, secret in secrets.items():
                self.take({name: secret})
            return
        file = self.scene.folder / f"{self.name}.json"
        template = {"kind": "password", "synchronizable": True, "group": "llavero.passwords", "protection": "when-unlocked"}
        file.write_text(json.dumps({"llavero": 2, "items": [
            template | {"name": name, "label": name, "service": name, "user": f"user-of-{name}", "secret": secret} for name, secret in secrets.items()]}))
        self.do("import", file, "--format", "llavero-json")

    def names(self):
        return sorted(item["name"] for item in json.loads(self.do("list", "--json")))

    def ids(self):
        return {item["name"]: item["id"] for item in json.loads(self.do("list", "--json"))}

    def secret(self, name):
        answer = self.tool("get", name)
        return answer.output.rstrip("\n") if answer.code == 0 else None

    def clean(self):
        answer = self.tool("check", "--plain")
        check(answer.code == 0, f"{self.name}: check found {answer}")

    def circle(self):
        return next(line.split("\t")[1] for line in self.do("circle", "status", "--plain").splitlines() if line.startswith("circle\t"))

    def device(self):
        return next(line.split("\t")[1] for line in self.do("circle", "status", "--plain").splitlines() if line.startswith("device\t"))

    def daemon(self, *options):
        """Its daemon, by which the tool works from now on; what it says is in the file that this gives."""
        socket, log = (self.scene.folder / f"{self.name}.{kind}" for kind in ("socket", "log"))
        self.more = self.more | {"LLAVERO_SOCKET": str(socket)}
        environment = self.command([], None, [])[1]
        with open(log, "w", encoding="utf-8") as said:
            process = subprocess.Popen(
                [str(self.scene.programs / "llaverod"), "--socket", str(socket), "--no-lock-events", "--sync-every", "1", *options],
                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)

        def stop():
            process.terminate()
            process.wait()

        self.scene.ends.append(stop)
        awaited(socket.exists, f"the daemon of {self.name}", lambda: log.read_text(encoding="utf-8"))
        return log

    # The newest key of any view.
    def generation(self):
        return max(view["generation"] for view in json.loads(self.do("circle", "views", "--json")))

    # Its folder as it was.
    def keep(self, name="kept"):
        kept = self.scene.folder / f"{self.name}.{name}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.home, kept, symlinks=True)

    def put_back(self, name="kept"):
        shutil.rmtree(self.home)
        shutil.copytree(self.scene.folder / f"{self.name}.{name}", self.home, symlinks=True)


class Scene:
    """A server, and a circle of some machines, each with a role in the database of its own name."""

    def __init__(self, server, programs, *names):
        self.server, self.programs = server, programs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="m", dir=server.folder))
        server.sql("drop schema if exists llavero cascade; drop schema if exists kept cascade;")
        for role in server.sql("select rolname from pg_roles where rolname like 'm\\_%' or rolname like 'lv\\_%'").split():
            server.sql(f"drop owned by {role}; drop role {role}")
        self.machines = {}
        # What is to be called when it ends.
        self.ends = []
        first = self.machine(names[0])
        server.sql(first.do("circle", "sql"))
        first.add("seed", "seed-secret")
        begun = first.tool("circle", "create", "--server", server.address(f"m_{names[0]}"), "--name", names[0])
        check(begun.code != 0, "a role that does not exist could found a circle")
        check("--certificate | psql" in begun.complaint and "at a socket it needs a role" in begun.complaint, f"what to do at a socket: {begun}")
        told = first.tool("circle", "status")
        check(told.code != 0 and "the same `llavero circle create` as before" in told.complaint, f"status of a founding that has begun: {told}")
        server.sql(first.do("circle", "sql", "--member", f"m_{names[0]}", "--certificate"))
        first.do("circle", "create", "--server", server.address(f"m_{names[0]}"), "--name", names[0])
        self.id = first.circle()
        for name in names[1:]:
            self.join(name)
        for machine in self.machines.values():
            machine.synced()

    def machine(self, name):
        self.machines.setdefault(name, Machine(self, name))
        return self.machines[name]

    def __getitem__(self, name):
        return self.machines[name]

    def role(self, name):
        first = next(iter(self.machines.values()))
        self.server.sql(first.do("circle", "sql", "--member", f"m_{name}", "--certificate", "--circle", self.id))
        return self.server.address(f"m_{name}")

    def join(self, name, *roles):
        """By pasted codes, as over ssh."""
        first = next(iter(self.machines.values()))
        address = self.role(name)
        machine = self.machine(name)
        process = machine.start("circle", "join", "--server", address, "--circle", self.id)
        request = process.stdout.readline().strip()
        if not request:
            raise Wrong(f"join: {process.communicate()[1]}")
        answer = first.do("circle", "admit", request, "--name", name, *roles)
        try:
            complaint = process.communicate(answer, timeout=LIMIT)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"join does not end: {process.communicate()[1]}") from None
        check(process.returncode == 0, f"join: {complaint}")
        return machine

    def exchange(self, times=2):
        for _ in range(times):
            for machine in self.machines.values():
                machine.synced()

    def quiet(self, *machines):
        """That these say nothing in a round: no alarm is left."""
        said = [machine.sync().complaint.strip() for machine in machines]
        check(not any(said), f"alarms stayed: {said}")

    def equal(self, *machines):
        """That all have the same, with the same times of change; how many items that is."""
        machines = machines or list(self.machines.values())
        first = machines[0].shared()
        for other in machines[1:]:
            theirs = other.shared()
            check(first.keys() == theirs.keys(), f"{machines[0].name} and {other.name} differ by {sorted(set(first) ^ set(theirs))[:5]}")
            for key, found in first.items():
                check(found == theirs[key], f"{key} is {found} in {machines[0].name} and {theirs[key]} in {other.name}")
        return len(first)

    def end(self):
        while self.ends:
            self.ends.pop()()
        shutil.rmtree(self.folder, ignore_errors=True)
