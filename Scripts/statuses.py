#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes Sources/Security/Status/errSec.swift, the constants that programs use, of the rows in KeychainStatus/StatusTable.swift.

With --check nothing is written, and the exit code says whether the constants are those of the table.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources/KeychainStatus"
CONSTANTS = ROOT / "Sources/Security/Status/errSec.swift"

NAMED = re.compile(r"static let (\w+): SecurityStatus = (-?\d+)$", re.M)
GROUP = re.compile(r"^    // ([^\n]+)\n    private static let \w+: \[Row\] = \[\n(.*?)^    \]$", re.M | re.S)
ROW = re.compile(r'Row\(\s*(-?\d+|\.\w+),\s*"(\w+)",\s*"([^"\\]*)"(?:,\s*oldName: "(\w+)")?\s*\)')


def constant(name, number, words):
    """One constant with its documentation, whose first sentence stands alone."""
    first, *rest = re.split(r"(?<=\.) (?=[A-Z])", words, maxsplit=1)
    lines = ["/// " + first] + [line for more in rest for line in ("///", "/// " + more)]
    return "\n".join(lines + [f"public let {name}: OSStatus = {number}", ""])


def constants():
    named = dict(NAMED.findall((SOURCES / "SecurityStatus.swift").read_text()))
    table = (SOURCES / "StatusTable.swift").read_text()
    text = "// SPDX-License-Identifier: Apache-2.0\n"
    amount = 0
    for heading, rows in GROUP.findall(table):
        text += f"\n// {heading}\n\n"
        for status, name, sentence, old in ROW.findall(rows):
            number = named[status[1:]] if status.startswith(".") else status
            text += constant(name, number, sentence)
            if old:
                text += constant(old, number, f"Another spelling of ``{name}``, which old code uses.")
            amount += 1
    # A row in a form that is not known here must not be left out.
    if amount != table.count(" Row("):
        sys.exit("Scripts/statuses.py: StatusTable.swift has rows that this script cannot read; write them like the others")
    return text


def main():
    text = constants()
    if sys.argv[1:] == ["--check"]:
        if text != CONSTANTS.read_text():
            sys.exit("Sources/Security/Status/errSec.swift differs from the table of statuses; Scripts/statuses.py writes it")
    else:
        CONSTANTS.write_text(text)


main()
