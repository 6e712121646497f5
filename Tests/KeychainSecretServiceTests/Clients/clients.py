# SPDX-License-Identifier: Apache-2.0
"""Programs that people have, and the suites that come with libraries: unchanged, on the bed's bus."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from bed import COLLECTION, ITEM, PASSCODE, ROOT, Bed

PYTHON = "/usr/bin/python3"
DOWNLOADS = pathlib.Path(__file__).resolve().parents[3] / ".build" / "downloads"


class Skipped(Exception):
    """Why a test could not be run here."""


def items_of(bed, attributes):
    with bed.client() as client:
        return sorted(path for paths in client.search(attributes) for path in paths)


def locked(bed):
    """Locks the default collection, with nobody there to open it."""
    bed.answer_prompts(None)
    with bed.client() as client:
        client.lock(client.default())


def unlocked(bed):
    with bed.client() as client:
        bed.unlock([client.default()])


# Row 2: secretstorage

def sources_of_secretstorage():
    """The suite is in the source distribution alone."""
    DOWNLOADS.mkdir(parents=True, exist_ok=True)
    place = DOWNLOADS / "secretstorage-3.5.0"
    if not place.exists():
        wanted = DOWNLOADS / "secretstorage.txt"
        wanted.write_text(
            "SecretStorage==3.5.0 --hash=sha256:f04b8e4689cbce351744d5537bf6b1329c6fc68f91fa666f60a380edddcd11be\n")
        got = subprocess.run(
            [PYTHON, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", "--require-hashes",
             "-r", wanted, "-d", DOWNLOADS], capture_output=True, text=True)
        if got.returncode != 0:
            raise Skipped("secretstorage's source distribution could not be downloaded")
        subprocess.run(["tar", "xf", DOWNLOADS / "secretstorage-3.5.0.tar.gz", "-C", DOWNLOADS], check=True)
    return place


def run_secretstorage(bed, script=None):
    tests = sources_of_secretstorage() / "tests" / "run_tests.py"
    done = bed.run(PYTHON, "-B", tests, *([script] if script else []), cwd=tests.parent.parent)
    ran = re.search(r"Ran (\d+) tests", done.stderr)
    skipped = re.search(r"skipped=(\d+)", done.stderr)
    assert done.returncode == 0 and ran, done.stdout + done.stderr
    return int(ran[1]), int(skipped[1]) if skipped else 0


def row_2_secretstorage(bed):
    """secretstorage's own tests, on the name that all programs know."""
    count, skipped = run_secretstorage(bed)
    assert count >= 27 and skipped <= 6, (count, skipped)
    return f"{count - skipped} ok, {skipped} skipped"


def row_2_secretstorage_with_its_collections(bed):
    """The same with the collections that the tests of a mocked service ask for, on a name of its own."""
    if not bed.is_ours:
        raise Skipped("gnome-keyring has one name")
    with Bed(bed.provider, name="org.llavero.test.secrets", programs=bed.programs) as scene:
        scene.answer_prompts(PASSCODE)
        with scene.client() as client:
            session = client.open_session()
            english = client.make_collection("english")
            assert english == ROOT + "/collection/english", english
            client.set(english, COLLECTION, "Label", "s", "Collection One")
            client.call(ROOT, "org.freedesktop.Secret.Service", "SetAlias", "so", ("default", english))
            for number, (word, even) in enumerate([("one", "false"), ("two", "true"), ("three", "false")], 1):
                client.create(session, english, {"number": str(number), "string": word, "even": even})
            spanish = client.make_collection("spanish")
            client.create(session, spanish, {"number": "1", "string": "uno", "even": "false"})
        script = scene.folder / "named.py"
        # What the tests take for a mocked service: a program that says its name and goes on.
        script.write_text(f"import signal\nprint('{scene.name}', flush=True)\nsignal.pause()\n")
        count, skipped = run_secretstorage(scene, script)
        assert skipped <= 2, skipped
        return f"{count - skipped} ok, {skipped} skipped"


# Row 3: keyring

KEYRING = '''
from keyring.backends import SecretService
from keyring.testing.backend import BackendBasicTests

class TestSecretService(BackendBasicTests):
    def init_keyring(self):
        keyring = SecretService.Keyring()
        keyring.preferred_collection = "/org/freedesktop/secrets/collection/{collection}"
        return keyring
'''


def row_3_keyring(bed):
    """keyring's tests of a backend, in the collection that they use and in the usual one."""
    counts = []
    for collection in ("session", "login"):
        file = bed.folder / f"test_{collection}.py"
        file.write_text(KEYRING.format(collection=collection))
        done = bed.run(PYTHON, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", file)
        ran = re.search(r"(\d+) passed", done.stdout)
        assert done.returncode == 0 and ran, done.stdout + done.stderr
        counts.append(int(ran[1]))
    assert min(counts) >= 10, counts
    bed.run(PYTHON, "-m", "keyring", "set", "row 3", "somebody", input="from the command line\n", check=True)
    assert bed.run(PYTHON, "-m", "keyring", "get", "row 3", "somebody", check=True).stdout.strip() == "from the command line"
    locked(bed)
    done = bed.run(PYTHON, "-m", "keyring", "get", "row 3", "somebody")
    assert done.returncode != 0 and "from the command line" not in done.stdout, done.stdout
    unlocked(bed)
    bed.run(PYTHON, "-m", "keyring", "del", "row 3", "somebody", check=True)
    assert not items_of(bed, {"service": "row 3"})
    return f"{counts[0]} and {counts[1]} ok"


# Row 4: libsecret

# They give an item the label of a collection, which is no property of an item; gnome-keyring refuses that as well.
DIFFERENT = {"test-paths /service/create-item-sync", "test-paths /service/create-item-async"}
# All that speak to a service, but for test-prompt: it shows prompts that only its own service has.
SUITES = ["test-service", "test-session", "test-paths", "test-methods", "test-password", "test-item", "test-collection"]


def sources_of_libsecret():
    """Of the installed release; the suite is in the source package alone."""
    # Where it is built is written into its programs.
    apt = DOWNLOADS / "libsecret"
    if not (apt / "built").exists():
        (apt / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        release = next(line.split("=")[1].strip().strip('"') for line in open("/etc/os-release") if line.startswith("VERSION_CODENAME"))
        (apt / "sources.list").write_text(
            f"deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian {release} main\n")
        options = ["-qq", "-o", f"Dir::Etc::sourcelist={apt}/sources.list", "-o", "Dir::Etc::sourceparts=-",
                   "-o", f"Dir::State::lists={apt}/lists"]
        got = [subprocess.run(["apt-get", *options, *words], cwd=apt, capture_output=True, text=True)
               for words in (["update"], ["source", "--download-only", "libsecret"])]
        archives = list(apt.glob("libsecret_*.orig.tar.*"))
        if not archives:
            raise Skipped("libsecret's source package could not be downloaded: " + got[-1].stderr[-200:])
        unpacked = apt / "unpacked"
        unpacked.mkdir(exist_ok=True)
        subprocess.run(["tar", "xf", archives[0], "-C", unpacked, "--strip-components=1"], check=True)
        for words in (["meson", "setup", apt / "build", unpacked, "-Dintrospection=false", "-Dvapi=false", "-Dgtk_doc=false",
                       "-Dmanpage=false"], ["ninja", "-C", apt / "build"]):
            done = subprocess.run(words, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
            assert done.returncode == 0, done.stdout[-2000:]
        (apt / "built").touch()
    return apt


def row_4_libsecret(bed):
    """libsecret's own tests, which start a service of their own: here a stand-in that passes their calls on."""
    place = sources_of_libsecret()
    with Bed(bed.provider, programs=bed.programs) as scene:
        scene.answer_prompts(PASSCODE)
        folder = scene.folder / "bin"
        folder.mkdir()
        script = folder / "python3"
        script.write_text(f'#!/bin/sh\nexec {PYTHON} -B {pathlib.Path(__file__).with_name("stand_in.py")} "$@" 2>>{scene.folder}/stand-in.log\n')
        script.chmod(0o755)
        passed, failed = 0, []
        for suite in SUITES:
            program = place / "build" / "libsecret" / suite
            names = [name for name in scene.run(program, "-l", check=True).stdout.split() if name.startswith("/")]
            for name in names:
                done = scene.run(program, "-p", name, environment={
                    "PATH": f"{folder}:{scene.environment['PATH']}", "LD_LIBRARY_PATH": str(program.parent)})
                if done.returncode == 0:
                    passed += 1
                else:
                    failed.append((f"{suite} {name}", (done.stdout + done.stderr)[-400:]))
        unknown = [name for name, _ in failed if name not in DIFFERENT]
        if unknown and bed.is_ours:
            log = scene.folder / "stand-in.log"
            raise AssertionError(
                f"{passed} passed, not {unknown}: {[text for _, text in failed]}\n{log.read_text()[-3000:] if log.exists() else ''}")
        return f"{passed} passed; not: {[name for name, _ in failed]}"


# Row 5: secret-tool

def row_5_secret_tool(bed):
    """secret-tool stores, looks up, searches and clears; while it is locked it finds nothing in time, and nothing is lost."""
    def tool(*words, **more):
        return bed.run("secret-tool", *words, **more)

    tool("store", "--label=Mail", "row", "5", "user", "ü", input="pä\nss", check=True)
    assert tool("lookup", "row", "5", check=True).stdout == "pä\nss"
    tool("store", "--label=Mail", "row", "5", "user", "ü", input="again", check=True)
    assert tool("lookup", "row", "5", "user", "ü", check=True).stdout == "again"
    found = tool("search", "--all", "row", "5", check=True)
    text = found.stdout + found.stderr
    assert text.count("label = Mail") == 1 and "secret = again" in text and "attribute.user = ü" in text, text
    tool("store", "--label=Other", "row", "5", "user", "v", input="other", check=True)
    text = tool("search", "--all", "row", "5", check=True).stdout
    assert text.count("label = ") == 2, text
    if bed.is_ours:
        assert text.index("label = Other") < text.index("label = Mail"), "the newest stands first"
    assert tool("lookup", "row", "5", "user", "w").returncode == 1
    tool("clear", "row", "5", "user", "v", check=True)
    kept = items_of(bed, {"row": "5"})
    assert len(kept) == 1
    locked(bed)
    for words, code in ((("lookup", "row", "5"), 1), (("clear", "row", "5"), 1), (("search", "row", "5"), 0)):
        began = time.monotonic()
        done = tool(*words)
        # gnome-keyring ends `clear` in its own way.
        assert done.returncode == code or not bed.is_ours, (words, done.returncode, done.stdout, done.stderr)
        assert "again" not in done.stdout
        assert time.monotonic() - began < 100, f"{words} waited for somebody"
    assert tool("store", "--label=Mail", "row", "5", "user", "ü", input="lost?").returncode != 0
    unlocked(bed)
    assert items_of(bed, {"row": "5"}) == kept and tool("lookup", "row", "5", check=True).stdout == "again"
    tool("clear", "row", "5", check=True)
    assert not items_of(bed, {"row": "5"})
    if bed.is_ours:
        # With somebody there it opens.
        tool("store", "--label=Mail", "row", "5", input="asked", check=True)
        locked(bed)
        bed.answer_prompts(PASSCODE)
        assert tool("lookup", "row", "5", check=True).stdout == "asked"
        bed.answer_prompts(None)
        tool("clear", "row", "5", check=True)


# Row 15: docker

def row_15_docker(bed):
    """docker-credential-secretservice with two users of one server; locked it finds nothing, and loses nothing."""
    def docker(verb, text="", code=0):
        done = bed.run("docker-credential-secretservice", verb, input=text)
        assert done.returncode == code, (verb, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def store(server, user, secret):
        docker("store", json.dumps({"ServerURL": server, "Username": user, "Secret": secret}))

    server, other = "https://registry.example/v1/", "https://other.example"
    store(server, "first", "one")
    assert json.loads(docker("get", server)) == {"ServerURL": server, "Username": "first", "Secret": "one"}
    store(server, "first", "two")
    assert json.loads(docker("get", server))["Secret"] == "two"
    store(other, "somebody", "three")
    assert json.loads(docker("list")) == {server: "first", other: "somebody"}
    store(server, "second", "four")
    # It keeps the last of what is found, so the older one where the newest stands first.
    got = json.loads(docker("get", server))
    assert (got["Username"], got["Secret"]) in {("first", "two"), ("second", "four")}, got
    assert got["Username"] == "first" or not bed.is_ours, got
    kept = items_of(bed, {"server": server})
    assert len(kept) == 2
    locked(bed)
    # Older ones crash where newer ones say that there are no credentials.
    done = bed.run("docker-credential-secretservice", "get", input=server)
    assert done.returncode != 0 and not done.stdout.startswith("{"), (done.returncode, done.stdout)
    # Users are no secret; newer ones answer with none.
    assert json.loads(docker("list")).items() <= {(server, "first"), (server, "second"), (other, "somebody")}
    bed.run("docker-credential-secretservice", "erase", input=other)
    unlocked(bed)
    assert items_of(bed, {"server": server}) == kept and len(items_of(bed, {"server": other})) == 1, "something is lost"
    docker("erase", server)
    docker("erase", other)
    left = items_of(bed, {"docker_cli": "1"})
    while left:
        docker("erase", server)
        assert (left := items_of(bed, {"docker_cli": "1"})) != left or not left
    return f"of two users it gave {got['Username']}"


# Row 16: git

def build_git_helper(bed):
    source = pathlib.Path("/usr/share/doc/git/contrib/credential/libsecret")
    if not source.exists():
        raise Skipped("this git has no contributed helper")
    flags = bed.run("pkg-config", "--cflags", "--libs", "libsecret-1", "glib-2.0", check=True).stdout.split()
    program = bed.folder / "git-credential-libsecret"
    bed.run("gcc", "-w", "-o", program, source / "git-credential-libsecret.c", *flags, check=True)
    return program


def row_16_git(bed):
    """git's helper keeps an item a path, and gives the user alone where it may not open."""
    helper = build_git_helper(bed)

    def call(verb, **fields):
        text = "".join(f"{name}={value}\n" for name, value in fields.items()) + "\n"
        done = bed.run(helper, verb, input=text)
        assert done.returncode == 0, (verb, done.stderr)
        return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)

    place = {"protocol": "https", "host": "git.example"}
    call("store", **place, username="somebody", password="one")
    assert call("get", **place) == {"username": "somebody", "password": "one"}
    call("store", **place, username="somebody", password="two")
    assert call("get", **place)["password"] == "two"
    call("store", **place, path="a.git", username="somebody", password="of a")
    call("store", **place, path="b.git", username="somebody", password="of b")
    assert call("get", **place, path="a.git")["password"] == "of a" and call("get", **place, path="b.git")["password"] == "of b"
    # git itself, which asks its helper.
    asked = bed.run(
        "git", "-c", f"credential.helper={helper}", "-c", "credential.useHttpPath=true", "credential", "fill",
        input="protocol=https\nhost=git.example\npath=a.git\n\n", environment={"GIT_TERMINAL_PROMPT": "0"}, check=True)
    assert "password=of a" in asked.stdout, asked.stdout
    kept = items_of(bed, {"server": "git.example"})
    assert len(kept) == 3, kept
    locked(bed)
    seen = call("get", **place, path="a.git")
    assert "password" not in seen or not seen["password"], seen
    call("erase", **place, path="a.git", username="somebody")
    unlocked(bed)
    assert items_of(bed, {"server": "git.example"}) == kept, "something is lost"
    for more in ({"path": "a.git"}, {"path": "b.git"}, {}):
        call("erase", **place, **more, username="somebody")
    assert not items_of(bed, {"server": "git.example"})


# Speed

def measured(bed, sizes):
    """Microseconds by call and number of items."""
    program = bed.folder / "timing"
    flags = bed.run("pkg-config", "--cflags", "--libs", "libsystemd", check=True).stdout.split()
    bed.run("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, pathlib.Path(__file__).with_name("timing.c"), *flags, check=True)
    lines = bed.run(program, bed.name, *sizes, check=True).stdout.splitlines()
    return {(name, int(size)): float(median) for name, size, median, _ in (line.rsplit(" ", 3) for line in lines)}


def speed(bed, sizes=(10, 100, 1000, 10000), others=(10, 100, 1000)):
    """Milliseconds a call takes, ours beside gnome-keyring's in the same run."""
    with Bed("llaverod", programs=bed.programs) as scene:
        ours = measured(scene, sizes)
    # It writes its whole file for every item: the first 10000 would take the better part of an hour.
    with Bed("gnome-keyring") as scene:
        theirs = measured(scene, others)
    for name in dict.fromkeys(name for name, _ in ours):
        columns = []
        for size in sizes:
            beside = theirs.get((name, size))
            columns.append(f"{ours[name, size] / 1000:.2f} / {'-' if beside is None else f'{beside / 1000:.2f}'}")
        print(f"    {name:18}" + "".join(f"{column:>20}" for column in columns))
    print(f"    {'items':18}" + "".join(f"{size:>20}" for size in sizes))
    limits = {("SearchItems, one", sizes[-1]): 300, ("CreateItem", sizes[-1]): 1000, ("GetSecrets, all", 1000): 30000}
    missed = [f"{name} at {size}: {ours[name, size] / 1000:.2f} ms" for (name, size), limit in limits.items() if ours[name, size] > limit]
    return "ours / gnome-keyring, ms; " + ("beyond the limit: " + ", ".join(missed) if missed else "within the limits")


TESTS = [
    row_2_secretstorage, row_2_secretstorage_with_its_collections, row_3_keyring, row_5_secret_tool, row_15_docker, row_16_git,
]
LONG = [row_4_libsecret, speed]
