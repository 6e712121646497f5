# SPDX-License-Identifier: Apache-2.0
"""Python's keyring on Llavero's keychain, by the program ``llavero``: no desktop, no bus, no daemon needed.

The items are generic passwords with the service and the user as their service and account, as on a Mac:
``security find-generic-password -s SERVICE -a USER`` finds the same.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import typing

from keyring import backend, credentials, errors

__all__ = ["Keyring"]

_LOCKED = 36


class _ForClass:
    """A property of the class itself."""

    def __init__(self, getter: typing.Callable[[type], float]) -> None:
        self.getter = getter

    def __get__(self, instance: object, owner: type) -> float:
        return self.getter(owner)


def _program() -> str:
    """The path of ``llavero``: as the shell finds it, else where packages put it."""
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/bin", "/usr/bin"])
    program = shutil.which("llavero", path=places)
    if program is None:
        raise RuntimeError("the program llavero is not installed")
    return program


_proven: set[str] = set()


def _prove(program: str) -> None:
    """Looks once in a process whether the program runs, and is new enough to know the verb."""
    if program in _proven:
        return
    try:
        done = subprocess.run(
            [program, "keyring", "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise RuntimeError(f"{program} cannot be run: {error}") from error
    if done.returncode != 0:
        raise RuntimeError(f"{program} does not work, or is too old: {_reason(done.stderr)}")
    _proven.add(program)


def _reason(complaint: bytes) -> str:
    """What the program wrote to standard error, without its name."""
    lines = complaint.decode("utf-8", "replace").splitlines()
    return " ".join(line.removeprefix("llavero: ") for line in lines) or "llavero gave no reason"


class Keyring(backend.KeyringBackend):
    """Llavero's keychain."""

    keychain: str | None = None
    """The name or path of another keychain; KEYRING_PROPERTY_KEYCHAIN sets it."""

    @_ForClass
    def priority(cls) -> float:
        # Above keyring's chain of backends (10): what is missing here, or locked, must not be looked for elsewhere.
        _prove(_program())
        return 11

    def get_password(self, service: str, username: str) -> str | None:
        found = self._ask("get", errors.KeyringError, service, username or "")
        return None if found is None else found["password"]

    def set_password(self, service: str, username: str, password: str) -> None:
        self._ask("set", errors.PasswordSetError, service, username or "", password=password)

    def delete_password(self, service: str, username: str) -> None:
        self._ask("delete", errors.PasswordDeleteError, service, username or "")

    def get_credential(self, service: str, username: str | None) -> credentials.Credential | None:
        """Without a user name: of anyone, the item that was stored first."""
        found = self._ask("get", errors.KeyringError, service, username)
        return None if found is None else credentials.SimpleCredential(found["username"], found["password"])

    def _ask(
        self, action: str, failure: type[errors.KeyringError], service: str, username: str | None, **more: str
    ) -> dict[str, str] | None:
        message = {"service": service, **({} if username is None else {"username": username}), **more}
        try:
            command = [_program(), "keyring", action]
            if self.keychain:
                command.append(f"--keychain={self.keychain}")
            # Not a terminal for its errors: so a locked keychain fails at once, and asks nobody.
            done = subprocess.run(command, input=json.dumps(message).encode("ascii"), capture_output=True, check=False)
        except (OSError, RuntimeError) as error:
            raise errors.InitError(f"llavero cannot be run: {error}") from error
        if done.returncode == _LOCKED:
            raise errors.KeyringLocked(_reason(done.stderr))
        if done.returncode != 0:
            raise failure(_reason(done.stderr))
        return json.loads(done.stdout) if action == "get" else None
