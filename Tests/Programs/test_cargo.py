# SPDX-License-Identifier: Apache-2.0
"""Real cargo with `cargo-credential-llavero`, and a registry on loopback that wants a token for everything."""

import os
import pathlib
import re
import subprocess

import pytest
from conftest import UNPACKED, Scene
from servers import CrateRegistry

TOKEN = "a-token-of-the-test"


def cargo_that_knows_providers() -> tuple[str, dict[str, str]] | None:
    """A cargo of 1.74 or newer: this machine's, or the one that Scripts/install-packages.sh unpacks; with its variables."""
    libraries = ":".join(str(path) for path in UNPACKED.glob("usr/lib/*-linux-gnu"))
    own = pathlib.Path.home() / ".rustup"
    variables = {"RUSTUP_HOME": str(own)} if own.is_dir() else {}
    for folder in [*os.environ["PATH"].split(":"), f"{UNPACKED}/usr/bin"]:
        program = f"{folder}/cargo"
        if not os.access(program, os.X_OK):
            continue
        more = {"LD_LIBRARY_PATH": libraries} if folder.startswith(str(UNPACKED)) else variables
        said = subprocess.run([program, "--version"], env={**os.environ, **more}, capture_output=True, text=True)
        version = re.match(r"cargo (\d+)\.(\d+)", said.stdout)
        if version and (int(version[1]), int(version[2])) >= (1, 74):
            return program, more
    return None


CARGO = cargo_that_knows_providers()


@pytest.fixture
def registry():
    with CrateRegistry(TOKEN) as registry:
        yield registry


@pytest.fixture
def cargo(scene: Scene, registry: CrateRegistry):
    assert CARGO is not None, "there is no cargo of 1.74 or newer"
    program, variables = CARGO
    (scene.home / ".cargo").mkdir()
    (scene.home / ".cargo/config.toml").write_text(
        '[registry]\nglobal-credential-providers = ["cargo-credential-llavero"]\n'
        f'[registries.local]\nindex = "sparse+http://{registry.address}/index/"\n'
    )
    path = f"{scene.tools}:{os.path.dirname(program)}:/usr/bin:/bin"

    def run(*words, need=True, **more):
        call = scene.need if need else scene.run
        return call(program, *words, PATH=path, **variables, **more)

    return run


def crate(scene: Scene, name: str, more: str = "") -> pathlib.Path:
    folder = scene.folder / name
    (folder / "src").mkdir(parents=True)
    (folder / "src/lib.rs").write_text("")
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "{name}"\nversion = "1.0.0"\nedition = "2021"\ndescription = "d"\nlicense = "MIT"\n{more}'
    )
    return folder


def test_login_publish_use_yank_logout(scene: Scene, registry: CrateRegistry, cargo):
    own = crate(scene, "hello-keychain")
    publish = ["publish", "--registry", "local", "--no-verify", "--allow-dirty"]
    assert "no token found" in cargo(*publish, cwd=own, need=False).stderr
    cargo("login", "--registry", "local", input=TOKEN + "\n")
    # Named as cargo's own helper for the Mac names it.
    service = f"cargo-registry:sparse+http://{registry.address}/index/"
    assert scene.need("security", "find-generic-password", "-s", service, "-w") == TOKEN + "\n"
    assert scene.need("llavero", "get", "cargo: local") == TOKEN + "\n"
    cargo(*publish, cwd=own)
    assert list(registry.crates) == ["/crates/hello-keychain-1.0.0"]
    other = crate(scene, "user", '[dependencies]\nhello-keychain = { version = "1", registry = "local" }\n')
    # Downloads it, and needs no compiler.
    cargo("vendor", cwd=other)
    assert (other / "vendor/hello-keychain/Cargo.toml").exists()
    cargo("yank", "--registry", "local", "hello-keychain@1.0.0")
    assert "DELETE /api/v1/crates/hello-keychain/1.0.0/yank 200" in registry.requests
    assert scene.leaks(TOKEN) == []
    cargo("logout", "--registry", "local")
    assert scene.run("security", "find-generic-password", "-s", service).returncode == 44
    assert "not currently logged in" in cargo("logout", "--registry", "local", need=False).stderr
    assert "no token found" in cargo("yank", "--registry", "local", "hello-keychain@1.0.0", need=False).stderr


def test_a_token_that_a_person_stored_or_changed_is_used(scene: Scene, registry: CrateRegistry, cargo):
    scene.add(f"cargo-registry:sparse+http://{registry.address}/index/", TOKEN)
    cargo("yank", "--registry", "local", "hello-keychain@1.0.0")
    # A new login takes its place.
    cargo("login", "--registry", "local", input="another")
    assert "401" in cargo("yank", "--registry", "local", "hello-keychain@1.0.0", need=False).stderr
    assert scene.need("llavero", "list", "--json").count('"name"') == 1


def test_a_locked_keychain_is_named_and_no_other_provider_is_asked(scene: Scene, registry: CrateRegistry, cargo):
    cargo("login", "--registry", "local", input=TOKEN)
    scene.lock()
    done = cargo("yank", "--registry", "local", "hello-keychain@1.0.0", need=False)
    assert "the keychain is locked; `llavero unlock` unlocks it" in done.stderr
    done = cargo("login", "--registry", "local", need=False, input="x")
    assert "the keychain is locked; `llavero unlock` unlocks it" in done.stderr
    assert not (scene.home / ".cargo/credentials.toml").exists()


def test_where_nobody_can_be_asked_a_login_says_so(scene: Scene, registry: CrateRegistry, cargo):
    done = cargo("login", "--registry", "local", need=False)
    assert done.returncode != 0
    assert "no prompt can be shown" in done.stderr
