#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the pages of Docs/Reading true: each step names a file below Sources and a declaration in it.

A step is a line of a list that begins `1. [Folder/File.swift:0](…) `name` what happens there`. `Type.member` is a member of a type,
and `member(Word)` the overload whose declaration has that word. Without an argument the script fills in what can be counted:
the numbers of the steps, their lines and links, and, where a page says "files: 0, lines: 0", how many files the steps are in and
how many lines their declarations have. With --check it changes nothing, and fails where a page is no longer as it would write it.
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
step = re.compile(r"^(\s*)(-|\d+\.) \[([^\]:]+):(\d+)\]\([^)]*\) `([^`]+)`(.*)$")
counts = re.compile(r"files: \d+, lines: \d+")


def declares(word: str, line: str) -> bool:
    """Whether a line of Swift or C declares a name."""
    code = line.split("//")[0]
    if word == "init":
        return re.search(r"\binit[?<(]", code) is not None and not re.search(r"(\.|=|return |try )init", code)
    word = re.escape(word)
    return (
        re.search(
            r"\b(?:func|struct|class|enum|protocol|extension|actor|let|var|case|typealias|macro)"
            rf"\s+`?(?:[A-Za-z]+\.)*{word}\b", code) is not None
        or re.match(rf"^[a-z].*\b{word}\(.*[^;]$", code) is not None
    )


def signature(source: list[str], number: int) -> str:
    """A declaration up to its body."""
    text = ""
    for line in source[number:number + 10]:
        text += line.split("//")[0] + "\n"
        if "{" in text or text.count("(") == text.count(")"):
            break
    return text


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def line_of(name: str, source: list[str]) -> int | None:
    """The line of the declaration, counted from 0; a member stands one step to the right of its type."""
    start, indent = 0, 0
    for part in re.split(r"\.(?![^(]*\))", name):
        word, _, told = part.partition("(")
        words = re.findall(r"\w+", told)
        for number in range(start, len(source)):
            if indent_of(source[number]) == indent and declares(word, source[number]):
                text = signature(source, number)
                if all(re.search(rf"\b{told}\b", text) for told in words):
                    start, indent = number, indent + 4
                    break
        else:
            return None
    return start


def end_of(start: int, source: list[str]) -> int:
    """The last line of a declaration, by the house format: its brace stands below its first letter."""
    if "{" not in signature(source, start) or source[start].count("{") == source[start].count("}") > 0:
        return start
    indent = re.match(r" *", source[start]).group()
    for number in range(start + 1, len(source)):
        if source[number].startswith(indent + "}"):
            return number
    return start


def renewed(page: pathlib.Path, complaints: list[str]) -> str:
    """The page as it should be."""
    lines: list[str] = []
    read: dict[str, set[int]] = {}
    steps = 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        found = step.match(line)
        if found:
            lead, bullet, file, _, name, rest = found.groups()
            path = root / "Sources" / file
            where = f"{page.relative_to(root)}:{number}"
            if bullet != "-":
                steps += 1
                bullet = f"{steps}."
            if not path.is_file():
                alike = ", ".join(str(other.relative_to(root)) for other in (root / "Sources").rglob(path.name))
                complaints.append(f"{where}: there is no Sources/{file}" + (f"; of that name: {alike}" if alike else ""))
            else:
                source = path.read_text().splitlines()
                at = line_of(name, source)
                if at is None:
                    complaints.append(f"{where}: Sources/{file} declares no {name}")
                else:
                    if bullet != "-":
                        read.setdefault(file, set()).update(range(at, end_of(at, source) + 1))
                    line = f"{lead}{bullet} [{file}:{at + 1}](../../Sources/{file}#L{at + 1}) `{name}`{rest}"
        lines.append(line)
    total = sum(len(numbers) for numbers in read.values())
    return counts.sub(f"files: {len(read)}, lines: {total}", "\n".join(lines) + "\n")


def main() -> int:
    check = "--check" in sys.argv[1:]
    complaints: list[str] = []
    for page in sorted((root / "Docs/Reading").glob("*.md")):
        text = renewed(page, complaints)
        if text == page.read_text():
            continue
        if check:
            complaints.append(f"{page.relative_to(root)}: lines have moved; Scripts/reading-pages.py fills them in")
        else:
            page.write_text(text)
    print("\n".join(complaints) if complaints else "reading pages: each name is where its page says")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
