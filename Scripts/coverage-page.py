#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes Docs/Coverage.md: of each public name of Apple's headers (Scripts/apple-names.txt) whether the Swift modules have it.

A name is present, refused (the function is there and answers a status), or absent with the reason. One that is absent without a
reason is not there yet. With --check nothing is written, and the exit code says whether the page is that of the code.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ROOT / "Scripts/apple-names.txt"
PAGE = ROOT / "Docs/Coverage.md"

# The function is there, does nothing, and says so with a status.
REFUSED = {
    "SecAddSharedWebCredential": "errSecUnimplemented",
    "SecRequestSharedWebCredential": "errSecUnimplemented",
    "SecKeychainItemCopyAccess": "errSecNoAccessForItem",
    "SecKeychainItemSetAccess": "errSecUnimplemented",
    "SecKeychainCopyAccess": "errSecNoAccessForItem",
    "SecKeychainSetAccess": "errSecUnimplemented",
}

CDSA = "CDSA, the module interface of the first Mac OS X: there are no such modules, handles and numbers"
RUN_BY_APPLE = "asks the kernel of Apple's systems about another process; here a daemon asks the kernel who calls"
COUNTED = "Swift counts references itself; Apple's Swift does not have it either, or advises against it"
MEMORY = "allocators choose how memory is given back, and nothing is allocated with them"
NO_WINDOW = "part of Apple's window system"
# Names, or beginnings of names with a star, and why a Linux machine has nothing for them.
ABSENT = {
    "SecKeyGetCSPHandle": CDSA, "SecKeyGetCSSMKey": CDSA, "SecKeyGetCredentials": CDSA, "SecKeyCreatePair": CDSA,
    "SecKeyGenerate": CDSA, "SecKeychainGetCSPHandle": CDSA, "SecKeychainGetDLDBHandle": CDSA,
    "SecKeychainItemGetDLDBHandle": CDSA, "SecKeychainItemGetUniqueRecordID": CDSA, "SecAccessCopySelectedACLList": CDSA,
    "SecAccessCreateFromOwnerAndACL": CDSA, "SecAccessGetOwnerAndACL": CDSA, "SecACLCopySimpleContents": CDSA,
    "SecACLCreateFromSimpleContents": CDSA, "SecACLGetAuthorizations": CDSA, "SecACLSetAuthorizations": CDSA,
    "SecACLSetSimpleContents": CDSA, "SecTrustGetCssmResult": CDSA, "SecTrustGetCssmResultCode": CDSA,
    "SecTrustGetTPHandle": CDSA, "SecTrustSetParameters": CDSA, "SecTrustGetResult": CDSA + "; SecTrustGetTrustResult is there", "SecPolicyGetTPHandle": CDSA, "SecPolicySetValue": CDSA,
    "SecPolicyGetValue": CDSA, "SecCertificateGetCLHandle": CDSA, "SecCertificateGetAlgorithmID": CDSA,
    "SecCertificateGetData": CDSA, "SecCertificateGetIssuer": CDSA, "SecCertificateGetSubject": CDSA,
    "SecCertificateGetType": CDSA, "SecCertificateCreateFromData": CDSA,
    "SecPolicyGetOID": CDSA,
    "SecTaskCreateWithAuditToken": RUN_BY_APPLE, "SecTaskGetCodeSignStatus": RUN_BY_APPLE,
    "SecIdentityCopySystemIdentity": "identities of Apple's own services", "SecIdentitySetSystemIdentity": "identities of Apple's own services",
    "kSecIdentityDomain*": "identities of Apple's own services",
    "SecTrustSetSignedCertificateTimestamps": "needs a list of logs that Apple keeps",
    "kSecTrustCertificateTransparencyWhiteList": "needs a list of logs that Apple keeps",
    "kSecTrustQWACValidation": "needs a list of authorities that Apple keeps",
    "kSecTrustQCStatements": "needs a list of authorities that Apple keeps",
    "kSecCrl*": "there are no items of revocation lists",
    "CFRetain": COUNTED, "CFRelease": COUNTED, "CFAutorelease": COUNTED, "CFMakeCollectable": COUNTED, "CFGetRetainCount": COUNTED,
    "CFGetAllocator": MEMORY, "CFAllocatorAllocate": MEMORY, "CFAllocatorDeallocate": MEMORY, "CFAllocatorGetDefault": MEMORY,
    "kCFAllocatorMallocZone": MEMORY, "kCFAllocatorUseContext": MEMORY, "kCFErrorDomainMach": "statuses of Apple's kernel",
    "CFStringCreateWithFormat": "takes any number of arguments, and so Swift does not have it on Apple's systems either",
    "LAContext.maxBiometryFailures": "without effect on Apple's systems since iOS 9 and macOS 10.11",
    "LAPolicy.deviceOwnerAuthenticationWithWristDetection": "for a watch that is worn",
    "kLAPolicyDeviceOwnerAuthenticationWithWristDetection": "for a watch that is worn",
    "LACredentialType.smartCardPIN": "no smart card is asked", "kLACredentialSmartCardPIN": "no smart card is asked",
    "LocalAuthenticationView": NO_WINDOW, "LAPresentationContext": NO_WINDOW,
    "LAEnvironment.Observer": "nothing tells a program of a new finger or passcode; LAEnvironment.State says what there is now",
    "LAEnvironment.addObserver": "as LAEnvironment.Observer", "LAEnvironment.removeObserver": "as LAEnvironment.Observer",
}
# Cases that Swift writes as no option at all.
EMPTY = {"kSecPaddingNone", "kSecKeyUsageUnspecified", "kCMSAttrNone"}


def sources() -> str:
    folders = [ROOT / "Sources/Security", ROOT / "Sources/LocalAuthentication"]
    return "\n".join(path.read_text() for folder in folders for path in sorted(folder.rglob("*.swift")))


def members(code: str) -> dict[str, set[str]]:
    """The cases and static constants of each public type, without regard to case."""
    found: dict[str, set[str]] = {}
    for match in re.finditer(r"^(?:@\w+ )*public (?:enum|struct) (\w+)[^{]*\{(.*?)^\}", code, re.M | re.S):
        names = re.findall(r"(?:case|public static let) `?(\w+)`?", match[2])
        found.setdefault(match[1], set()).update(name.lower() for name in names)
    return found


def declared(code: str) -> tuple[set[str], set[str]]:
    """The public types, and the members of each, by their whole names. The sources are indented as the formatter does it."""
    kinds, owned, around = set(), set(), []
    for line in code.splitlines():
        depth = len(line) - len(line.lstrip())
        if line.strip().startswith("}"):
            around = [level for level in around if level[0] < depth]
            continue
        opened = re.match(
            r"\s*(?:@[\w.()]+ )*(?:package |final |open |public |indirect )*(class|struct|enum|protocol|extension|typealias) ([\w.]+)", line)
        whole = around[-1][1] if around and depth == around[-1][0] + 4 else ""
        if opened and opened[2] not in ("func", "var"):
            name = f"{whole}.{opened[2]}" if whole else opened[2]
            if opened[1] != "extension" and re.search(r"\b(?:public|open)\b", line):
                kinds.add(name)
            if opened[1] != "typealias" and (whole or depth == 0) and not line.rstrip().endswith("}"):
                around.append((depth, name))
            continue
        found = re.match(
            r"\s*(?:@[\w.()]+ )*(?:(?:public|open|static|class|override|final|convenience|required) )*"
            r"(case|let|var|func|init)\b ?`?(\w*)", line)
        if found and whole and (found[1] == "case" or re.search(r"\b(?:public|open)\b", line)):
            owned.add(f"{whole}.{found[2] or 'init'}")
    return kinds, owned


def reason(name: str) -> str | None:
    for pattern, why in ABSENT.items():
        if name == pattern or pattern.endswith("*") and re.fullmatch(pattern.replace("*", ".*"), name):
            return why
    return None


def state(kind: str, name: str, code: str, types: dict[str, set[str]], shapes: tuple[set[str], set[str]]) -> tuple[str, str]:
    if kind in ("type", "member"):
        there = name in shapes[kind == "member"]
    elif kind == "func":
        there = re.search(rf"func {name}\(", code)
    elif kind == "let":
        there = re.search(rf"public (?:let|var|static let) {name}\b", code)
        if not there and name.startswith("kSecKeyKeyExchangeParameter"):
            there = "static let " + name[27].lower() + name[28:] in code
        # Tags of certificates, which the classic functions take without a name for each.
        if not there:
            there = any(name.lower().removeprefix("ksec") in group for group in types.values())
    else:
        there = name in EMPTY or any(name.lower().endswith(member) for member in types.get(kind, ()))
    if there:
        return ("refused", f"`{REFUSED[name]}`") if name in REFUSED else ("present", "")
    why = reason(name)
    return ("absent", why) if why else ("not yet", "")


def page() -> str:
    code = sources()
    types = members(code)
    shapes = declared(code)
    headers: list[tuple[str, list[tuple[str, str, str]]]] = []
    for line in NAMES.read_text().splitlines():
        if line.startswith("["):
            headers.append((line.strip("[]"), []))
        elif line and not line.startswith("#"):
            kind, name = line.split()
            headers[-1][1].append((name, *state(kind, name, code, types, shapes)))
    kinds = ["present", "refused", "absent", "not yet"]
    rows = [(header, [sum(1 for name in names if name[1] == kind) for kind in kinds]) for header, names in headers]
    total = [sum(row[1][index] for row in rows) for index in range(len(kinds))]
    text = (
        "# Coverage\n\nWhich public names of Apple's headers the Swift modules `Security` and `LocalAuthentication` have; of Core Foundation,\nthose that code around the keychain calls. `Scripts/coverage-page.py` makes this page of the code"
        " and of\n`Scripts/apple-names.txt`; `make check` fails where they differ. A name is *refused* when the function is there and"
        " answers a status, and\n*absent* with the reason why a Linux machine has nothing for it. What is *not yet* there has no"
        " reason but time.\n\n"
        "| Header | Present | Refused | Absent | Not yet |\n|---|---|---|---|---|\n")
    for header, counts in rows + [("all", total)]:
        text += f"| {header} | " + " | ".join(map(str, counts)) + " |\n"
    for title, kind in (("Refused", "refused"), ("Absent", "absent"), ("Not yet", "not yet")):
        text += f"\n## {title}\n"
        for header, names in headers:
            groups: dict[str, list[str]] = {}
            for name, is_, why in names:
                if is_ == kind:
                    groups.setdefault(why, []).append(name)
            if not groups:
                continue
            text += f"\n### {header}: {title.lower()}\n\n"
            for why, listed in groups.items():
                text += f"- {', '.join(listed)}{': ' + why if why else ''}\n"
    text += "\n## Present\n"
    for header, names in headers:
        listed = [name for name, is_, _ in names if is_ == "present"]
        if listed:
            text += f"\n### {header}\n\n{', '.join(listed)}\n"
    return text


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.is_file() or text != PAGE.read_text():
            sys.exit("Docs/Coverage.md is not what the code has; Scripts/coverage-page.py writes it")
    else:
        PAGE.write_text(text)


main()
