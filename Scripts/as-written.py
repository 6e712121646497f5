#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs commands of a document as they are written: as-written.py ROOT USER DOCUMENT HEADING [BLOCK]

The lines of the shell blocks below the heading, or of one of them by its number, are typed into bash at a terminal, by the user in the
Debian below ROOT, in the user's home. Questions are answered as a person would. A line that ends with another status than 0 fails.
"""
import re
import sys

from typed import Terminal, fail

# What is asked, and what a person types.
ANSWERS = [
    (rb"Do you want to continue\? \[Y/n\] $", b"\r"),
    # On a line, or in the box that pinentry draws.
    (rb"(?i)(password|passcode|passphrase|again)[^\r\n]*: (_+|$)", b"seven wet lanterns 41 hum\r"),
]


def blocks(document, heading):
    """The lines of each block of shell below the heading, up to the next one."""
    section, fence, found = None, None, []
    for line in open(document, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("```"):
            fence = None if fence is not None else line[3:]
            if section == heading and fence == "sh":
                found.append([])
        elif fence is not None:
            if section == heading and fence == "sh" and line.strip():
                found[-1].append(line)
        elif line.startswith("#"):
            section = line.lstrip("#").strip()
    return found


def main():
    root, user, document, heading, *block = sys.argv[1:]
    found = blocks(document, heading)
    lines = [line for lines in (found[int(block[0]) - 1:int(block[0])] if block else found) for line in lines]
    if not lines:
        fail(f"{document} has no commands below {heading}")
    terminal = Terminal(root, user, "/bin/bash")
    terminal.type(b"PS1=; PROMPT_COMMAND='printf \"<ended %d>\" $?'; bind 'set enable-bracketed-paste off'\r")
    terminal.wait(rb"<ended \d+>$")
    for line in lines:
        terminal.type(line.encode() + b"\r")
        ended, shown = terminal.wait(rb"<ended (\d+)>$", ANSWERS, seconds=300)
        if not ended or ended[1] != b"0":
            fail(f"{document}: this {'ends with ' + ended[1].decode() if ended else 'does not end'}: {line}\n{shown}")
    print(f"{document}, {heading}: {len(lines)} lines work as they are written")


main()
