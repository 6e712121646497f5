# SPDX-License-Identifier: Apache-2.0
"""pip, twine and poetry with a small index on loopback that wants a password."""

import os
import pathlib

import pytest
from conftest import PYTHON, Scene
from servers import PackageIndex

USER, PASSWORD = "alíce", "ge:heim é"
SOURCES = pathlib.Path(__file__).parents[2] / "Python/keyring-llavero"
LOCKED = "the keychain is locked; `llavero unlock` unlocks it"


@pytest.fixture
def index():
    with PackageIndex(USER, PASSWORD) as index:
        yield index


def install(scene: Scene, url: str, provider: str):
    return scene.run(
        "python", "-m", "pip", "--no-input", "--disable-pip-version-check", "install", "--no-cache-dir", "--no-deps",
        "--target", scene.folder / provider, "--keyring-provider", provider, "--index-url", url, "hello-keychain",
    )  # fmt: skip


@pytest.mark.parametrize("provider, user", [("import", ""), ("subprocess", ""), ("subprocess", "al%C3%ADce@")])
def test_pip_gets_the_password_of_an_index(scene: Scene, index: PackageIndex, provider: str, user: str):
    # Pip passes over a keyring of its own environment: it runs another one, as pipx would install it.
    (scene.tools / "keyring").symlink_to(f"{PYTHON}/keyring")
    url = index.simple.replace("//", f"//{user}")
    assert install(scene, url, provider).returncode != 0
    scene.need("keyring", "set", index.simple, USER, input=PASSWORD)
    done = install(scene, url, provider)
    assert done.returncode == 0, done.stderr
    assert (scene.folder / provider / "hello_keychain.py").exists()
    assert scene.leaks(PASSWORD, f"{USER}:{PASSWORD}") == []
    scene.lock()
    done = install(scene, url, provider)
    assert done.returncode != 0
    if provider == "import":
        assert LOCKED in done.stdout + done.stderr


def package() -> list[pathlib.Path]:
    return sorted(pathlib.Path(os.environ["LLAVERO_DIST"]).iterdir())


def test_twine_uploads_with_the_user_and_the_password_of_the_keychain(scene: Scene, index: PackageIndex):
    upload = ["twine", "upload", "--non-interactive", "--disable-progress-bar", "--repository-url", index.legacy]
    upload += package()
    assert scene.run(*upload).returncode != 0
    scene.add(index.legacy, PASSWORD, "--user", USER)
    scene.need(*upload)
    assert len(index.uploads) == 2
    assert all(b"keyring-llavero" in upload or b"keyring_llavero" in upload for upload in index.uploads)
    assert scene.leaks(PASSWORD, f"{USER}:{PASSWORD}") == []
    scene.lock()
    done = scene.run(*upload)
    assert done.returncode != 0
    assert LOCKED in " ".join(done.stdout.split())


def test_poetry_keeps_the_password_of_a_repository_in_the_keychain(scene: Scene, index: PackageIndex):
    (scene.folder / "project").mkdir()
    project = scene.folder / "project"
    (project / "pyproject.toml").write_text(
        '[project]\nname = "mine"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["hello-keychain"]\n'
        "[tool.poetry]\npackage-mode = false\n"
        f'[[tool.poetry.source]]\nname = "local"\nurl = "{index.simple}"\n'
    )
    scene.need("poetry", "config", "repositories.local", index.legacy)
    scene.need("poetry", "config", "http-basic.local", USER, PASSWORD)
    assert scene.need("llavero", "get", "poetry-repository-local", "--user", USER) == PASSWORD + "\n"
    scene.need("poetry", "--no-interaction", "lock", cwd=project)
    assert index.file in (project / "poetry.lock").read_text()
    scene.need("poetry", "--no-interaction", "publish", "--repository", "local", "--dist-dir", os.environ["LLAVERO_DIST"], cwd=SOURCES)  # fmt: skip
    assert len(index.uploads) == 2
    assert scene.leaks(PASSWORD, f"{USER}:{PASSWORD}") == []
    scene.lock()
    done = scene.run("poetry", "--no-interaction", "lock", "--regenerate", cwd=project)
    assert done.returncode != 0 and LOCKED in done.stderr
