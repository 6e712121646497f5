# SPDX-License-Identifier: Apache-2.0
"""The operations: what is there before, the line that is run, and what else belongs to what is there afterwards."""
from typing import NamedTuple


class Operation(NamedTuple):
    before: str
    line: str
    # A line whose output is a part of the state, beside the items and the passcode.
    also: str = "true"
    # Whether what it begins with cannot be read.
    begins_unreadable: bool = False
    # Whether a daemon may be left behind when something goes wrong.
    has_daemon: bool = False


ADD = "printf {1} | llavero add {0} --user ada --stdin --quiet"
TWO = ADD.format("site", "one") + " && " + ADD.format("mail", "two")
THIRD = ADD.format("third", "three")
PASSCODE = TWO + " && llavero passcode set --new-fd 3 --no-agent --quiet 3<$WORK/old"
EDIT = "printf changed | llavero edit site --stdin --quiet"
BACKUP = "llavero backup $WORK/saved --device-only --quiet"
SCHEMA = "dd if=/dev/zero of=$LLAVERO_HOME/login/keychain.db bs=4096 count=1 conv=notrunc status=none"
UNLOCK = "llavero unlock --fd 3 --quiet 3<$WORK/{0}"
# The agent ends with its operation, whatever became of that.
END = "; status=$?; llavero lock --end-agent --quiet; exit $status"

OPERATIONS = {
    "birth": Operation("true", ADD.format("site", "one")),
    "get": Operation(TWO, "llavero get site"),
    "list": Operation(TWO, "llavero list --all --plain"),
    "add": Operation(TWO, THIRD),
    "update": Operation(TWO, EDIT),
    "rename": Operation(TWO, "llavero rename site place --quiet"),
    "delete": Operation(TWO, "llavero remove site --quiet"),
    "delete-forever": Operation(TWO, "llavero remove site --forever --quiet"),
    "undelete": Operation(TWO + " && llavero remove site --quiet", "llavero undelete site --quiet"),
    "restore-version": Operation(
        TWO + " && " + EDIT,
        "version=$(llavero history site --plain | cut -f1) && llavero restore-version site $version --quiet"),
    "forget": Operation(TWO + " && llavero remove site --quiet", "llavero forget site --quiet"),
    "passcode-set": Operation(TWO, "llavero passcode set --new-fd 3 --no-agent --quiet 3<$WORK/old"),
    "passcode-change": Operation(
        PASSCODE, "llavero passcode change --fd 3 --new-fd 4 --quiet 3<$WORK/old 4<$WORK/new"),
    "passcode-remove": Operation(PASSCODE, "llavero passcode remove --fd 3 --quiet 3<$WORK/old"),
    "unlock": Operation(PASSCODE, UNLOCK.format("old") + " && llavero get site" + END, has_daemon=True),
    # What is added while it is unlocked, the daemon writes.
    "lock": Operation(
        PASSCODE, UNLOCK.format("old") + " && " + THIRD + " && llavero lock --quiet" + END, has_daemon=True),
    "rotate-keys": Operation(TWO, "llavero rotate-keys"),
    "recovery-make": Operation(TWO, "llavero recovery make --quiet >/dev/null"),
    "recover": Operation(
        TWO + " && llavero recovery make --quiet >$WORK/words && rm $LLAVERO_HOME/login/device.key",
        "llavero recovery use --stdin --no-passcode --quiet <$WORK/words", begins_unreadable=True),
    "backup": Operation(
        TWO, BACKUP,
        also="test ! -e $WORK/saved || { llavero backup --verify $WORK/saved >/dev/null && echo whole || echo damaged; }"),
    "restore": Operation(
        TWO + " && " + BACKUP + " && llavero remove site --forever --quiet", "llavero restore $WORK/saved --quiet"),
    "restore-replace": Operation(
        TWO + " && " + BACKUP + " && " + THIRD + " && " + EDIT, "llavero restore $WORK/saved --replace --yes --quiet"),
    "compact": Operation(TWO + " && llavero remove mail --forever --quiet", "llavero compact --quiet"),
    "upgrade": Operation("cp -r $VECTORS/1/login $LLAVERO_HOME/login && chmod -R go= $LLAVERO_HOME", THIRD),
    "repair": Operation(TWO + " && " + SCHEMA, "llavero repair --quiet", begins_unreadable=True),
    "erase": Operation(TWO, "llavero erase login --yes --quiet"),
}
