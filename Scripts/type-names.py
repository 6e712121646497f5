#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the name of a type means one thing in all of Sources: it is declared once, and no type inside of another has the
name of a type that stands alone.

Types inside of others may share their names (`Session.State`, `Waiting.State`): the outer name tells them apart. Private ones do
not count there, because only one file sees them. Relies on the indentation that Scripts/format.sh keeps.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "Sources"

ALLOWED = {
    # What programs see of something that a type below Security has the same name for.
    "IsolatedKeychain.LockState", "Llavero.CertificateRequest", "Llavero.Enclave", "Llavero.LockState", "Llavero.Passcode",
    "Llavero.RecoveryKey",
    # The shape of a wrapper that programs already know.
    "KeychainPasswordItem.KeychainError",
    # With the trait TPM, and without it.
    "TPMEnclave",
    # Each is what its layer refuses with: a TPM, and the row that says which keychain a database holds.
    "KeychainRow.Refusal",
}

MODIFIERS = (
    r"((?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated|distributed)"
    r"(?:\(\w+\))?\s+)*)")
DECLARATION = re.compile(r"( *)" + MODIFIERS + r"(struct|class|enum|actor|protocol|typealias|extension)\s+([A-Za-z_][\w.]*)")


def declarations(path):
    """The full name of each type that a file declares, the line, and whether the type is private."""
    outer = []
    is_text = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.count('"""') % 2:
            is_text = not is_text
            continue
        match = None if is_text else DECLARATION.match(line)
        # `class func` and the like are no types.
        if not match or match[4] in {"func", "var", "let", "subscript"}:
            continue
        indentation = len(match[1])
        outer = [(depth, name) for depth, name in outer if depth < indentation]
        outer.append((indentation, match[4]))
        if match[3] != "extension":
            yield ".".join(name for _, name in outer), number, "private" in match[2]


def main():
    found = collections.defaultdict(list)
    for path in sorted(ROOT.rglob("*.swift")):
        # All its names are Apple's, where they are what others here are made of has other names, or the same.
        if path.relative_to(ROOT).parts[0] == "CryptoKit":
            continue
        for name, line, is_private in declarations(path):
            found[name].append((f"Sources/{path.relative_to(ROOT)}:{line}", is_private))
    if not found:
        sys.exit("Scripts/type-names.py: no type found in Sources")
    complaints = []
    for name, places in sorted(found.items()):
        if name in ALLOWED:
            continue
        last = name.rpartition(".")[2]
        if len(places) > 1:
            complaints += [f"{place}: error: {name} is also declared at {places[0][0]}" for place, _ in places[1:]]
        elif last != name and last in found and not places[0][1]:
            complaints.append(f"{places[0][0]}: error: {name} has the name of another type, at {found[last][0][0]}")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


sys.exit(main())
