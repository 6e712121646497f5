# SPDX-License-Identifier: Apache-2.0
"""The recipes of Docs/Helpers.md for programs that run a command to get a secret, with these programs."""

import json

import pytest
from conftest import Scene
from servers import Cluster

SECRET = 'ge"heim é'
LOCKED = "the keychain is locked; `llavero unlock` unlocks it"

AWS = """
import botocore.session
found = botocore.session.Session(profile="work").get_credentials()
print(found.method, found.access_key, found.secret_key, found.token)
"""


def test_aws_credential_process(scene: Scene):
    (scene.home / ".aws").mkdir()
    (scene.home / ".aws/config").write_text("[profile work]\ncredential_process = llavero get aws-work --aws\n")
    scene.add("aws-work", SECRET, "--user", "AKIAEXAMPLE")
    assert scene.need("python", "-c", AWS) == f"custom-process AKIAEXAMPLE {SECRET} None\n"
    scene.lock()
    assert LOCKED in scene.run("python", "-c", AWS).stderr


def test_aws_wants_a_user(scene: Scene):
    scene.add("aws-work", SECRET)
    assert "access key's ID" in scene.run("llavero", "get", "aws-work", "--aws").stderr


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_kubectl_exec_credential(scene: Scene, need_program, version: str):
    kubectl = need_program("kubectl")
    token = "a-token-of-the-test"
    scene.add("kube-work", token)
    certificate, key = scene.folder / "certificate.pem", scene.folder / "key.pem"
    scene.need(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
        "-subj", "/CN=cluster", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    )  # fmt: skip
    with Cluster(token, str(certificate), str(key)) as cluster:
        user = {
            "apiVersion": f"client.authentication.k8s.io/{version}",
            "command": "llavero",
            "args": ["get", "kube-work", "--kubectl"],
            "interactiveMode": "Never",
            "provideClusterInfo": False,
        }
        server = {"server": f"https://{cluster.address}", "certificate-authority": str(certificate)}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": server}],
            "users": [{"name": "u", "user": {"exec": user}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
        (scene.home / ".kube").mkdir()
        (scene.home / ".kube/config").write_text(json.dumps(config))
        done = scene.run(kubectl, "get", "--raw", "/version")
        if version == "v1" and done.returncode != 0 and "exec plugin" in done.stderr:
            # Kubernetes 1.22 brought this version.
            assert 'invalid apiVersion "client.authentication.k8s.io/v1"' in done.stderr
            return
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["major"] == "1"
        scene.lock()
        assert LOCKED in scene.run(kubectl, "get", "--raw", "/version").stderr
        assert scene.leaks(token) == []


@pytest.mark.parametrize(
    "asked, answered",
    [
        (None, "client.authentication.k8s.io/v1"),
        ("client.authentication.k8s.io/v1alpha1", "client.authentication.k8s.io/v1alpha1"),
        ("client.authentication.k8s.io/v9", None),
    ],
)
def test_kubectl_gets_the_version_that_it_asks_for(scene: Scene, asked, answered):
    scene.add("kube-work", SECRET)
    info = json.dumps({"kind": "ExecCredential", "apiVersion": asked, "spec": {"interactive": False}}) if asked else None
    done = scene.run("llavero", "get", "kube-work", "--kubectl", KUBERNETES_EXEC_INFO=info)
    if answered is None:
        assert done.returncode == 1 and "unknown apiVersion" in done.stderr
    else:
        credential = json.loads(done.stdout)
        assert (credential["apiVersion"], credential["kind"]) == (answered, "ExecCredential")
        assert credential["status"] == {"token": SECRET}


def test_restic_password_command(scene: Scene, need_program):
    restic = need_program("restic")
    scene.environment["RESTIC_PASSWORD_COMMAND"] = "llavero get restic"
    scene.environment["RESTIC_REPOSITORY"] = str(scene.folder / "repository")
    scene.need("llavero", "add", "restic", "--generate", "--quiet")
    (scene.folder / "data").mkdir()
    (scene.folder / "data/file").write_text("content")
    scene.need(restic, "init")
    scene.need(restic, "backup", "data")
    scene.need(restic, "restore", "latest", "--target", scene.folder / "back")
    assert [path.read_text() for path in (scene.folder / "back").rglob("file")] == ["content"]
    scene.lock()
    done = scene.run(restic, "snapshots")
    assert done.returncode != 0 and LOCKED in done.stderr


def test_borg_passcommand(scene: Scene, need_program):
    borg = need_program("borg")
    scene.environment["BORG_PASSCOMMAND"] = "llavero get borg"
    scene.environment["BORG_REPO"] = str(scene.folder / "repository")
    scene.need("llavero", "add", "borg", "--generate", "--quiet")
    (scene.folder / "data").mkdir()
    (scene.folder / "data/file").write_text("content")
    scene.need(borg, "init", "--encryption", "repokey-blake2")
    scene.need(borg, "create", "::first", "data")
    (scene.folder / "back").mkdir()
    scene.need(borg, "extract", "::first", cwd=scene.folder / "back")
    assert (scene.folder / "back/data/file").read_text() == "content"
    scene.lock()
    done = scene.run(borg, "list")
    assert done.returncode != 0 and LOCKED in done.stderr


def test_ansible_vault_client(scene: Scene):
    client = scene.folder / "llavero-client"
    # With a name that ends so, ansible passes the vault's identity: --vault-id NAME.
    client.write_text('#!/bin/sh\nexec llavero get "ansible: $2"\n')
    client.chmod(0o755)
    scene.environment["ANSIBLE_LOCAL_TEMP"] = str(scene.folder / "local")
    scene.add("ansible: prod", "the vault's password")
    (scene.folder / "secret.yml").write_text(f"word: '{SECRET}'\n")
    vault = ["--vault-id", f"prod@{client}"]
    scene.need("ansible-vault", "encrypt", *vault, "secret.yml")
    assert SECRET not in (scene.folder / "secret.yml").read_text()
    said = scene.need(
        "ansible", "localhost", *vault, "-m", "ansible.builtin.debug", "-a", "var=word", "-e", "@secret.yml"
    )
    assert json.loads(said.partition("=>")[2])["word"] == SECRET
    # One password for every vault: a script without that ending is called without words.
    script = scene.folder / "vault-password"
    script.write_text('#!/bin/sh\nexec llavero get "ansible: prod"\n')
    script.chmod(0o755)
    assert SECRET in scene.need("ansible-vault", "view", "secret.yml", ANSIBLE_VAULT_PASSWORD_FILE=str(script))
    scene.lock()
    done = scene.run("ansible-vault", "view", "secret.yml", ANSIBLE_VAULT_PASSWORD_FILE=str(script))
    assert done.returncode != 0 and LOCKED in done.stderr
