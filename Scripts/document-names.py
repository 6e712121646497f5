#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks that what the documents name in `code` exists: files, folders, and names of types, functions and constants.

A path (`Sources/KeychainStore`, `KeychainCrypto/Sealing`) and a file (`Matching.swift`, `+Changes` apart) has to exist; a name with
a capital inside (`StoreConnection`, `findPlain`, `Call.status`) has to occur in the code. Links between the documents have to lead
somewhere, to a heading too. The changelog may name what is gone; names of others are listed below.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
code_folders = ["Sources", "Tests", "Examples", "Benchmarks", "Fuzz", "Scripts", "Packaging", "Python"]

# Names of others, which no code of ours has; at the end those of the examples in CONTRIBUTING.
others = set("""
    bundleIdentifier InhibitDelayMaxSec LimitMEMLOCK MADV_DONTDUMP
    RemainAfterExit itemCount kSecAttrTicket kSecMatchTicketPrefix
""".split())
# Files that the documents tell of and the repository does not have: what is made, a reader's own, an example's.
made = set("""
    results.json auth.json count.txt
    Sources/app/main.swift Sources/llavero/Verbs/CountVerb.swift
""".split())

tracked = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True).stdout.split("\n")
files = [name for name in tracked if name]
folders = {str(parent) for name in files for parent in pathlib.PurePath(name).parents} - {"."}
basenames = {pathlib.PurePath(name).name for name in files}
tops = {name.split("/")[0] for name in folders} | {folder.split("/")[1] for folder in folders if folder.startswith("Sources/")}


def words_of_code() -> set[str]:
    found: set[str] = set()
    for name in files:
        if name == "Package.swift" or name.split("/")[0] in code_folders and re.search(r"\.(swift|[chy]|sh|py|txt|modulemap)$|/[a-z-]+$", name):
            path = root / name
            if path.is_file():
                found.update(re.findall(r"\w+", path.read_text(errors="replace")))
    return found


def exists(path: str) -> bool:
    """Whether there is such a file or folder; targets are named without `Sources/`, and files sometimes without `.swift`."""
    known = {*files, *folders}
    path = path.rstrip("/")
    tries = [start + path + end for start in ("", "Sources/") for end in ("", ".swift")]
    return any(name in known or "*" in name and any(pathlib.PurePath(file).match(name) for file in files) for name in tries)


def anchors(page: pathlib.Path) -> set[str]:
    """What links may point to in a page: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ +(.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", re.sub(r"[`*]", "", heading).lower()).replace(" ", "-") for heading in headings}


def broken_link(page: pathlib.Path, target: str) -> bool:
    if re.match(r"[a-z]+:", target):
        return False
    path, _, anchor = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    if not found.exists():
        return True
    return anchor != "" and found.suffix == ".md" and anchor not in anchors(found)


def main() -> int:
    words = words_of_code()
    bad = 0
    pages = [root / name for name in files if name.endswith(".md") and (name.startswith("Docs/") or "/" not in name)]
    for page in sorted(pages):
        if page.name == "CHANGELOG.md":
            continue
        fenced = False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if broken_link(page, target):
                    print(f"{page.relative_to(root)}:{number}: error: the link leads nowhere: {target}")
                    bad += 1
            for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
                lost = None
                if span in made:
                    continue
                if re.fullmatch(r"[\w.+-]+(/[\w.+*-]*)+", span) and span.split("/")[0] in tops:
                    if not exists(span) and not exists(span + ".swift"):
                        lost = "path"
                elif re.fullmatch(r"[\w+-]+\.(swift|c|h|sh|py|md|json|map|txt)", span):
                    if span not in basenames:
                        lost = "file"
                elif re.fullmatch(r"[A-Za-z_]\w*([.]\w+)*(\([\w:]*\)|=\S+)?", span):
                    for word in re.findall(r"\w+", span.split("=")[0]):
                        if re.search(r"[a-z][A-Z]|[A-Z][A-Z][a-z]|^(LLAVERO|KEYCHAIN)_", word) and word not in words and word not in others:
                            lost = "name"
                if lost:
                    print(f"{page.relative_to(root)}:{number}: error: there is no {lost} `{span}`")
                    bad += 1
    if bad:
        return 1
    print("documents: what they name exists")
    return 0


if __name__ == "__main__":
    sys.exit(main())
