#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the targets of Package.swift into Docs/Architecture.md, between the marks <!-- targets --> and <!-- /targets -->.

A target's rank is one more than that of the highest target it stands on. An arrow that others already say (A → B → C says A → C) is
left out. With --check nothing is written, and the exit code says whether the picture is current.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Docs/Architecture.md"
BEGIN, END = "<!-- targets -->\n", "<!-- /targets -->"


def targets():
    """What stands on what, of the targets in Sources."""
    package = json.loads(subprocess.run(
        ["swift", "package", "--scratch-path", ".build/description", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    below = {}
    for target in package["targets"]:
        if target.get("path") or target["type"] == "test":
            continue
        # Products of other packages are not drawn.
        below[target["name"]] = {
            next(iter(need.values()))[0] for need in target["dependencies"] if "product" not in need}
    return below


def reach(below, name, known):
    """Everything a target stands on, at any distance."""
    if name not in known:
        known[name] = set().union(below[name], *(reach(below, other, known) for other in below[name]))
    return known[name]


def picture(below):
    known = {}
    for name in below:
        reach(below, name, known)
    rank = {}
    for name in sorted(below, key=lambda name: len(known[name])):
        rank[name] = 1 + max((rank[other] for other in below[name]), default=-1)
    lines = ["```mermaid", "flowchart BT"]
    for level in range(max(rank.values()) + 1):
        lines.append(f"    subgraph rank{level}[rank {level}]")
        lines += [f"        {name}" for name in below if rank[name] == level]
        lines.append("    end")
    for name in below:
        for other in sorted(below[name], key=lambda other: (rank[other], other)):
            if not any(other in known[middle] for middle in below[name]):
                lines.append(f"    {name} --> {other}")
    return "\n".join(lines + ["```"]) + "\n"


def main():
    text = PAGE.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    now = picture(targets())
    if text[start:end] == now:
        return 0
    if "--check" in sys.argv[1:]:
        print("Docs/Architecture.md: the picture of the targets is not that of Package.swift; Scripts/target-picture.py draws it")
        return 1
    PAGE.write_text(text[:start] + now + text[end:])
    return 0


sys.exit(main())
