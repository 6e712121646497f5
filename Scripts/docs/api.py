# SPDX-License-Identifier: Apache-2.0
"""The reference of a module, from the symbol graph that the compiler makes: a page for each folder of its sources.

DocC's own site of the same graphs is 40 MB in 5,500 files that need scripts and a server; this one is read from a folder.
"""
import json
import pathlib
import re

import pages

KINDS = {"swift.func": "Functions", "swift.func.op": "Operators", "swift.var": "Constants and variables", "swift.typealias": "Type aliases"}


def add(site, path):
    graph = json.loads(path.read_text())
    module = graph["module"]["name"]
    parents = {one["source"]: one["target"] for one in graph["relationships"] if one["kind"] == "memberOf"}
    symbols = {one["identifier"]["precise"]: one for one in graph["symbols"] if "::SYNTHESIZED::" not in one["identifier"]["precise"]}
    members = {}
    for name, symbol in symbols.items():
        members.setdefault(parents.get(name), []).append(symbol)
    folders = {}
    for name, symbol in symbols.items():
        if parents.get(name) not in symbols:
            folders.setdefault(folder_of(symbol, module), []).append(symbol)
    for folder, ones in sorted(folders.items()):
        text = [f"# {folder}\n\nOf the module `{module}`; what the compiler says of `Sources/{module}`.\n"]
        types = [one for one in ones if one["kind"]["identifier"] not in KINDS]
        for symbol in sorted(types, key=title):
            text.append(f"## {title(symbol)}\n\n{told(symbol)}")
            text += [f"### {title(one)}\n\n{told(one)}" for one in flat(symbol, members)]
        for kind, heading in KINDS.items():
            here = sorted((one for one in ones if one["kind"]["identifier"] == kind), key=title)
            if here:
                text.append(f"## {heading}\n")
                text += [f"### {title(one)}\n\n{told(one)}" for one in here]
        site.add(f"API: {module}", folder, f"api/{module}-{folder}.html".lower().replace(" ", "-"), pages.markdown("\n".join(text)))


def flat(symbol, members):
    """What belongs to a type, and to the types in it."""
    for one in sorted(members.get(symbol["identifier"]["precise"], []), key=title):
        yield one
        yield from flat(one, members)


def title(symbol):
    return ".".join(symbol["pathComponents"]).replace("_", "\\_").replace("*", "\\*").replace("<", "\\<")


def folder_of(symbol, module):
    """The folder below the module's, of the file that declares it."""
    uri = symbol.get("location", symbol.get("docComment", {})).get("uri", "")
    parts = pathlib.PurePosixPath(uri.partition(f"/Sources/{module}/")[2]).parts
    return parts[0] if len(parts) > 1 else module


def told(symbol):
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    declaration = broken(re.sub(r"^(@\w+(?:\([^)]*\))?) ", r"\1\n", declaration))
    lines = [line["text"] for line in symbol.get("docComment", {}).get("lines", [])]
    # Two marks are a link of DocC's.
    words = re.sub(r"``([^`]*)``", r"`\1`", "\n".join(lines))
    return f"```swift\n{declaration}\n```\n\n{words}\n"


def broken(declaration):
    """With a line for each parameter, where one line would be too long."""
    start = declaration.find("(", declaration.rfind("\n") + 1)
    if len(declaration) - declaration.rfind("\n") < 90 or start < 0:
        return declaration
    result, depth = declaration[:start], 0
    for place, letter in enumerate(declaration[start:], start):
        if letter in "([<":
            depth += 1
        if letter in ")]" or letter == ">" and declaration[place - 1] != "-":
            depth -= 1
        if depth == 1 and letter == "(":
            result += "(\n    "
        elif depth == 1 and letter == ",":
            result += ",\n   "
        elif depth == 0:
            return result + "\n" + declaration[place:]
        else:
            result += letter
    return declaration
