#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the constants of the C interface of those of the module Security, so that neither language lacks one of them.

Reads every `public let`, static member and case of Sources/Security with its documentation, and writes
Sources/CSecurity/constants.c and Sources/CSecurity/Headers/Security/SecConstants.h. With --check nothing is written, and
the exit code says whether the two are those of the Swift sources. It also compares the functions that the headers declare
with those that Sources/SecurityC exports.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources/Security"
CONSTANTS = ROOT / "Sources/CSecurity/constants.c"
HEADER = ROOT / "Sources/CSecurity/Headers/Security/SecConstants.h"

# What stands before and behind a member's name in C, by its type. A type that is not here is an error.
AFFIXES = {
    "SecAccessControlCreateFlags": ("kSecAccessControl", ""),
    "SecCredentialType": ("kSecCredentialType", ""),
    "SecAuthenticationType": ("kSecAuthenticationType", ""),
    "SecExternalFormat": ("kSec", ""),
    "SecExternalItemType": ("kSec", ""),
    "SecItemAttr": ("kSec", ""),
    "SecItemClass": ("kSec", ""),
    "SecItemImportExportFlags": ("kSecItem", ""),
    "SecKeyAlgorithm": ("kSecKeyAlgorithm", ""),
    "SecKeyImportExportFlags": ("kSecKey", ""),
    "SecKeyKeyExchangeParameter": ("kSecKeyKeyExchangeParameter", ""),
    "SecKeyOperationType": ("kSecKeyOperationType", ""),
    "SecKeyUsage": ("kSecKeyUsage", ""),
    "SecKeychainEvent": ("kSec", ""),
    "SecKeychainEventMask": ("kSec", ""),
    "SecKeySizes": ("kSec", ""),
    "SecKeychainPromptSelector": ("kSecKeychainPrompt", ""),
    "SecPadding": ("kSecPadding", ""),
    "SecPreferencesDomain": ("kSecPreferencesDomain", ""),
    "SecProtocolType": ("kSecProtocolType", ""),
    "SecTrustOptionFlags": ("kSecTrustOption", ""),
    "SecTrustResultType": ("kSecTrustResult", ""),
    "SecTrustSettingsDomain": ("kSecTrustSettingsDomain", ""),
    "SecTrustSettingsKeyUsage": ("kSecTrustSettingsKey", ""),
    "SecTrustSettingsResult": ("kSecTrustSettingsResult", ""),
    "CMSCertificateChainMode": ("kCMSCertificate", ""),
    "CMSSignedAttributes": ("kCMS", ""),
    "CMSSignerStatus": ("kCMSSigner", ""),
}
# Swift writes these in lower case where a name begins with them.
ACRONYMS = ("rsa", "ecdsa", "ecies", "ecdh", "crl", "ssl")
# Not for C: what Core Foundation's own headers have, a number object, and our own extensions.
ABSENT = re.compile(r"kCF|noErr$|kSecAttrCertificateEncodingDER$|kSecRandomDefault$|Llavero")
# What has C's own types is written as a string here.
STRINGS = {"CFString", "SecKeyAlgorithm", "SecKeyKeyExchangeParameter"}

LET = re.compile(r"^(?:@safe )?(?:nonisolated\(unsafe\) )?public (?:let|var) (\w+)(?:: (\w+)!?)? =\s*(.+)$")
MEMBER = re.compile(r"^    (?:@safe )?(?:nonisolated\(unsafe\) )?public static let (\w+)(?:: \w+)? =\s*(.+)$")
CASE = re.compile(r"^    case `?(\w+)`? = (.+)$")
SCOPE = re.compile(r"^(?:@\w+ )*(public )?(?:extension|struct|enum|final class|class) (\w+)(?:: (\w+))?")


class Constant:
    """One name: its words, and a text, a number or the name that it is another spelling of."""

    def __init__(self, name, words, text=None, number=None, other=None, group=""):
        self.name, self.words, self.text, self.number, self.other, self.group = name, words, text, number, other, group


def in_c(kind, member):
    prefix, suffix = AFFIXES[kind]
    if kind == "SecKeySizes" and member.startswith("sec"):
        return prefix + member[3:]
    # Swift's names have their initials in small letters, C's have not, or the other way about.
    member = {"htmlForm": "HTMLForm", "httpBasic": "HTTPBasic", "httpDigest": "HTTPDigest"}.get(member, member)
    if kind == "SecItemAttr" and member.startswith("crl"):
        return prefix + "Crl" + member[3:]
    for acronym in ACRONYMS:
        if re.match(acronym + r"(?![a-z])", member):
            return prefix + acronym.upper() + member[len(acronym):] + suffix
    return prefix + member[0].upper() + member[1:] + suffix


def value_of(value, kind):
    """The keyword arguments of a value as Swift writes it."""
    value = re.sub(r"\s+//.*$", "", value.strip()).removeprefix(f"{kind}.")
    if value == "[]":
        return {"number": "0"}
    text = re.fullmatch(r'(?:[A-Z]\w*\(\s*(?:rawValue:\s*)?)?"([^"\\]*)"\s*\)?(?: as \w+)?', value)
    if text:
        return {"text": text[1]}
    number = re.fullmatch(r"(?:[A-Z]\w*\(\s*rawValue:\s*)?(-?[0-9][0-9A-Fa-fx_]*(?: << \d+)?)\s*\)?", value)
    if number:
        return {"number": number[1].replace("_", "")}
    packed = re.fullmatch(r'(?:[A-Z]\w*\(\s*(?:rawValue:\s*)?)?\w*[Cc]ode\("(.{4})"\)\)?', value)
    if packed:
        return {"number": "0x%08X" % int.from_bytes(packed[1].encode(), "big")}
    if re.fullmatch(r"\.?\w+", value):
        name = value.lstrip(".")
        return {"other": in_c(kind, name) if kind in AFFIXES else name}
    if re.fullmatch(r"[\w |]+", value):
        return {"number": value}
    return None


def read(path):
    lines = path.read_text().split("\n")
    words, scope, raw, is_public = [], None, None, False
    at = 0
    while at < len(lines):
        line = lines[at]
        # A declaration that goes on in the next line.
        if re.search(r"(= *|\()$", line) and "public" in line and " func " not in line:
            while at + 1 < len(lines) and not re.search(r'[")\w]$', line):
                at += 1
                line = line.rstrip() + ("" if line.endswith("(") else " ") + lines[at].strip()
            if line.count("(") > line.count(")") and at + 1 < len(lines):
                at += 1
                line += lines[at].strip()
        at += 1
        stripped = line.strip()
        if stripped.startswith("///"):
            words.append(stripped[3:].strip())
            continue
        if stripped.startswith(("@", "//")) and "public" not in stripped:
            continue
        said, words = words, []
        begin = SCOPE.match(line)
        if begin:
            is_public = bool(begin[1]) or line.startswith("extension")
            scope, raw = begin[2], begin[3]
            continue
        if line == "}":
            scope = raw = None
        found = LET.match(line)
        if found and not scope:
            name, kind, value = found.groups()
            group = "errSec" if kind == "OSStatus" else ""
        else:
            found = MEMBER.match(line) or (raw and CASE.match(line)) or None
            if not found or not scope or not is_public or not scope.startswith(("Sec", "CMS", "SSL")):
                continue
            if scope not in AFFIXES:
                if MEMBER.match(line) and "rawValue:" not in line:
                    continue
                sys.exit(f"Scripts/c-names.py: {path.name}: say in AFFIXES what {scope} is called in C")
            name, kind, group = in_c(scope, found[1]), scope, scope
            value = found[2]
        if ABSENT.match(name):
            continue
        value = value_of(value, kind)
        if value is None:
            sys.exit(f"Scripts/c-names.py: {path.name}: a value that this script cannot read: {line.strip()}")
        yield Constant(name, said, group=group, **value)


def comment(words):
    text = " ".join(words).split("  ")[0] if words else ""
    # The first paragraph.
    first = []
    for word in words:
        if not word or word.startswith("- "):
            break
        first.append(word)
    text = " ".join(first).replace("``", "").replace("`", "")
    text = re.sub(r"\(_:[_:]*\)", "()", text)
    if not text:
        return ""
    return "\n".join(textwrap.wrap("/* " + text + " */", 118, subsequent_indent="   ")) + "\n"


def is_big(number):
    shift = re.fullmatch(r"1 << (\d+)", number)
    try:
        plain = int(number, 0)
    except ValueError:
        plain = 0
    return bool(shift and int(shift[1]) >= 31) or plain > 0x7FFFFFFF


def resolve(constants):
    """Other spellings get the value of the name they stand for."""
    by_name = {constant.name: constant for constant in constants}
    for constant in constants:
        seen = set()
        target = constant
        while target.other and target.name not in seen:
            seen.add(target.name)
            target = by_name.get(target.other) or sys.exit(f"Scripts/c-names.py: {constant.name}: no {target.other}")
        constant.text, constant.number = target.text, target.number
    return constants


def header(constants):
    parts = [
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Written by Scripts/c-names.py of the module Security: edit that. */\n"
        "#ifndef SECURITY_SECCONSTANTS_H\n#define SECURITY_SECCONSTANTS_H\n\n"
        '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    ]
    groups = {}
    for constant in constants:
        if constant.number is not None:
            groups.setdefault(constant.group, []).append(constant)
    for group, members in groups.items():
        small = [member for member in members if not is_big(member.number)]
        parts.append(f"\n/* {'Results of calls' if group == 'errSec' else group or 'Numbers'}. */\nenum {{\n")
        parts += [
            textwrap.indent(comment(member.words) + f"{member.name} = {member.number},\n", "    ") for member in small
        ]
        parts.append("};\n")
        for member in members:
            if member not in small:
                number = member.number.replace("1 <<", "1u <<")
                number = number if "<<" in number else number + "u"
                parts.append(comment(member.words) + f"#define {member.name} ({number})\n")
    parts.append("\n/* Names and values in dictionaries, algorithms, policies. */\n\n")
    for constant in constants:
        if constant.text is not None:
            parts.append(comment(constant.words) + f"extern const CFStringRef {constant.name};\n")
    parts.append("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
    return "".join(parts)


def source(constants):
    strings = [constant for constant in constants if constant.text is not None]
    # In order, so that one is found by its text; names of one text are one object.
    texts = sorted({constant.text for constant in strings}, key=str.encode)
    places = {text: place for place, text in enumerate(texts)}
    text = (
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Written by Scripts/c-names.py of the module Security: edit that. */\n"
        f'#include "constants.h"\n\nstruct csec_constant_string csec_constant_strings[] = {{\n'
    )
    text += "".join(f'    STRING("{string}"),\n' for string in texts) + "};\n"
    text += "const size_t csec_constant_count = sizeof csec_constant_strings / sizeof *csec_constant_strings;\n\n"
    return text + "".join(f"CONSTANT({constant.name}, {places[constant.text]});\n" for constant in strings)


def functions():
    """Those that Swift exports, and those that the headers declare."""
    exported, declared = set(), set()
    for path in (ROOT / "Sources/SecurityC").rglob("*.swift"):
        exported |= set(re.findall(r'^@_cdecl\("(\w+)"\)', path.read_text(), re.M))
    for path in HEADER.parent.glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        declared |= set(re.findall(r"^\w[\w *]*?\b((?:Sec|CMS|SSL)\w+)\(", text, re.M))
    return exported, declared


def main():
    exported, declared = functions()
    if exported != declared:
        sys.exit(f"Scripts/c-names.py: in headers or exports alone: {' '.join(sorted(exported ^ declared))}")
    constants = [constant for path in sorted(SOURCES.rglob("*.swift")) for constant in read(path)]
    names = [constant.name for constant in constants]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"Scripts/c-names.py: these are there twice: {' '.join(sorted(twice))}")
    resolve(constants)
    made = {CONSTANTS: source(constants), HEADER: header(constants)}
    if sys.argv[1:] == ["--check"]:
        for path, text in made.items():
            if not path.exists() or path.read_text() != text:
                sys.exit(f"{path.relative_to(ROOT)} differs from the Swift constants; Scripts/c-names.py writes it")
        return
    for path, text in made.items():
        path.write_text(text)
    print(f"{len(constants)} names")


main()
