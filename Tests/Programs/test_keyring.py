# SPDX-License-Identifier: Apache-2.0
"""The backend itself: keyring's own tests of backends, its command, errors, and what others see of its items."""

import json

import keyring
import keyring.backend
import keyring_llavero
import pytest
from conftest import PASSCODE, Scene
from keyring import errors
from keyring.testing.backend import BackendBasicTests

SECRET = "ge heim\n\"é\\\t"


@pytest.fixture
def ring(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> keyring_llavero.Keyring:
    for name, value in scene.environment.items():
        monkeypatch.setenv(name, value)
    return keyring_llavero.Keyring()


class TestBackend(BackendBasicTests):
    """Keyring's own tests."""

    @pytest.fixture(autouse=True)
    def _scene(self, ring):
        self.ring = ring

    @pytest.fixture(autouse=True)
    def _init_properties(self, request, _scene):
        self.keyring = self.ring
        self.credentials_created = set()
        request.addfinalizer(self.cleanup)


def test_it_is_the_one_that_keyring_chooses(scene: Scene):
    assert scene.need("python", "-c", "import keyring; print(keyring.get_keyring())") == (
        "keyring_llavero.Keyring (priority: 11)\n"
    )


def test_without_the_program_it_is_not_there_and_who_insists_gets_an_error(ring, monkeypatch: pytest.MonkeyPatch):
    assert type(ring).viable
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    assert not type(ring).viable
    with pytest.raises(RuntimeError, match="the program llavero is not installed"):
        keyring.core.load_keyring("keyring_llavero.Keyring")
    with pytest.raises(errors.InitError, match="the program llavero is not installed"):
        ring.get_password("mail", "ada")


def test_a_program_that_is_too_old_is_no_backend(scene: Scene):
    (scene.tools / "llavero").unlink()
    (scene.tools / "llavero").write_text("#!/bin/sh\necho 'llavero: unknown verb: keyring' >&2\nexit 2\n")
    (scene.tools / "llavero").chmod(0o755)
    assert "llavero" not in scene.need("keyring", "--list-backends")
    done = scene.run("keyring", "get", "mail", "ada", PYTHON_KEYRING_BACKEND="keyring_llavero.Keyring")
    assert "does not work, or is too old: unknown verb: keyring" in done.stderr


def test_the_command_of_keyring(scene: Scene):
    assert scene.run("keyring", "get", "mail", "ada").returncode == 1
    scene.need("keyring", "set", "mail", "ada", input=SECRET)
    assert scene.need("keyring", "get", "mail", "ada") == SECRET + "\n"
    assert json.loads(scene.need("keyring", "--mode", "creds", "--output", "json", "get", "mail")) == {
        "username": "ada",
        "password": SECRET,
    }
    scene.need("keyring", "del", "mail", "ada")
    assert scene.run("keyring", "get", "mail", "ada").returncode == 1
    assert scene.leaks(SECRET) == []


def test_items_are_those_that_security_and_llavero_see(scene: Scene, ring):
    ring.set_password("mail", "ada", "one")
    assert scene.need("security", "find-generic-password", "-s", "mail", "-a", "ada", "-w") == "one\n"
    assert scene.need("llavero", "get", "mail/ada") == "one\n"
    scene.need("security", "add-generic-password", "-s", "other", "-a", "bob", "-w", "two")
    assert ring.get_password("other", "bob") == "two"
    # A person's own item is changed where it is: no second one of the same name comes to stand beside it.
    for add in (["llavero", "add", "own", "--user", "eve", "--stdin"], ["true"]):
        scene.need(*add, input="three")
        ring.set_password("own", "eve", "four")
        ring.set_password("other", "bob", "five")
        assert ring.get_password("own", "eve") == "four"
        assert ring.get_password("other", "bob") == "five"
    assert len(json.loads(scene.need("llavero", "list", "--apps", "--json"))) == 3
    ring.delete_password("mail", "ada")
    assert scene.run("security", "find-generic-password", "-s", "mail", "-a", "ada").returncode == 44
    # It was a person's: the tool brings it back.
    scene.need("llavero", "undelete", "mail")
    assert ring.get_password("mail", "ada") == "one"


def test_nothing_of_a_password_or_a_name_is_on_a_command_line(scene: Scene, ring):
    (scene.tools / "llavero").rename(scene.tools / "llavero.real")
    (scene.tools / "llavero").write_text(
        f'#!/bin/bash\necho "llavero $*" >>"{scene.folder}/words"\nexec -a llavero "$0.real" "$@"\n'
    )
    (scene.tools / "llavero").chmod(0o755)
    ring.set_password("the service", "the user", "the password")
    assert ring.get_password("the service", "the user") == "the password"
    ring.delete_password("the service", "the user")
    words = (scene.folder / "words").read_text()
    assert words.count("llavero keyring ") == 3
    assert "the " not in words


def test_a_locked_keychain_is_said_to_be_locked_at_once(scene: Scene, ring):
    ring.set_password("mail", "ada", "one")
    scene.lock()
    for call in (
        lambda: ring.get_password("mail", "ada"),
        lambda: ring.get_credential("mail", None),
        lambda: ring.set_password("mail", "ada", "two"),
        lambda: ring.set_password("mail", "eve", "two"),
        lambda: ring.delete_password("mail", "ada"),
    ):
        with pytest.raises(errors.KeyringLocked, match="^the keychain is locked; `llavero unlock` unlocks it$"):
            call()
    # No other backend takes its place, though one that keeps everything in the clear would be there.
    script = (
        "import keyring, keyring.backend\n"
        "class Plain(keyring.backend.KeyringBackend):\n"
        "    priority = 5\n"
        "    def get_password(self, *_): return 'from elsewhere'\n"
        "    def set_password(self, *_): print('stored elsewhere')\n"
        "keyring.core.init_backend()\n"
        "print(keyring.get_keyring())\n"
        "for call in (lambda: keyring.set_password('mail', 'ada', 'x'), lambda: keyring.get_password('mail', 'ada')):\n"
        "    try: print(call())\n"
        "    except keyring.errors.KeyringLocked as error: print('locked:', error)\n"
    )
    said = scene.need("python", "-c", script)
    assert said.splitlines() == [
        "keyring_llavero.Keyring (priority: 11)",
        "locked: the keychain is locked; `llavero unlock` unlocks it",
        "locked: the keychain is locked; `llavero unlock` unlocks it",
    ]


def test_a_keychain_that_is_unlocked_is_so_for_python_too(scene: Scene, ring, monkeypatch: pytest.MonkeyPatch):
    ring.set_password("mail", "ada", "one")
    scene.lock()
    (scene.folder / "run").mkdir(mode=0o700)
    scene.environment["XDG_RUNTIME_DIR"] = str(scene.folder / "run")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(scene.folder / "run"))
    # Starts a daemon, which keeps it unlocked.
    scene.need("llavero", "unlock", "--stdin", input=PASSCODE)
    try:
        assert ring.get_password("mail", "ada") == "one"
        ring.set_password("mail", "ada", "two")
        scene.need("llavero", "lock")
        with pytest.raises(errors.KeyringLocked):
            ring.get_password("mail", "ada")
        scene.need("llavero", "unlock", "--stdin", input=PASSCODE)
        assert ring.get_password("mail", "ada") == "two"
    finally:
        scene.need("llavero", "lock", "--end-agent")


def test_errors_say_why(scene: Scene, ring):
    with pytest.raises(errors.PasswordDeleteError, match="no password is stored for this service and user"):
        ring.delete_password("mail", "ada")
    with pytest.raises(errors.PasswordSetError, match="NUL"):
        ring.set_password("ma\0il", "ada", "x")
    with pytest.raises(errors.PasswordSetError):
        ring.set_password("mail", "ada", "\ud800")
    scene.need("llavero", "add", "bytes", "--stdin", "--raw", input="\ufffd")
    scene.need("bash", "-c", r"printf '\xff' | llavero edit bytes --stdin --raw")
    with pytest.raises(errors.KeyringError, match="not text"):
        ring.get_password("bytes", "")
    # A keychain that is not there is no empty one.
    with pytest.raises(errors.KeyringError, match="there is no keychain elsewhere"):
        ring.with_properties(keychain="elsewhere").get_password("mail", "ada")


def test_another_keychain_by_its_name(scene: Scene, ring):
    scene.need("llavero", "keychains", "create", "work")
    work = ring.with_properties(keychain="work")
    work.set_password("mail", "ada", "of work")
    assert work.get_password("mail", "ada") == "of work"
    assert scene.need("llavero", "get", "mail", "--keychain", "work") == "of work\n"
    assert scene.need("keyring", "get", "mail", "ada", KEYRING_PROPERTY_KEYCHAIN="work") == "of work\n"


def test_any_text_is_given_back_as_it_was(ring):
    for password in ("\0", "a\0b\n", "\r\n", "é\u2028\U0001f600", "x" * 100_000, " "):
        ring.set_password("s", "u", password)
        assert ring.get_password("s", "u") == password
