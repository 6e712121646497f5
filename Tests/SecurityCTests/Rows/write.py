# SPDX-License-Identifier: Apache-2.0
"""Writes the rows of Tests/Vectors/secitem as a program in C: write.py FOLDER. In the folder are then table.c, a function for
each row, and rows.json, what each needs around it. Prints what C cannot say, which Tests/ConformanceTests runs."""
import base64
import collections
import json
import pathlib
import re
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent.parent / "Vectors"
NAMES = ["kSecAccessControl" + name for name in (
    "UserPresence", "BiometryAny", "BiometryCurrentSet", "DevicePasscode", "Companion", "Or", "And", "PrivateKeyUsage",
    "ApplicationPassword")]
FLAGS = {name[17].lower() + name[18:]: name for name in NAMES}
# Steps that no function of C's stands for, and why.
BEYOND = {
    "a person who answers": ("passcode", "context", "fingers", "invalidate", "questions"),
    "the state of the lock": ("lock",),
    "a backup": ("backup", "restore"),
    "another start of the program": ("restart",),
}


class Unsayable(Exception):
    """What a row has that C has no words for."""


def quoted(content):
    """Bytes as a literal, and how many."""
    text = "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in content)
    return f'"{text}", {len(content)}'


def text(words):
    return f"text({quoted(words.encode())})"


def literal(word):
    return "NULL" if word is None else quoted(word.encode()).rsplit(",", 1)[0]


class Writer:
    """One pass over all rows."""

    def __init__(self):
        folder = VECTORS / "certificates/scenarios"
        self.keys = json.loads((folder / "keys.json").read_text())
        self.certificates = json.loads((folder / "certificates.json").read_text())
        self.arrays = {}

    def array(self, name, content):
        """A constant array of bytes, and its length."""
        self.arrays[name] = content
        return f"{name}, sizeof {name}"

    # Values

    def value(self, value):
        if isinstance(value, bool):
            return f"truth({str(value).lower()})"
        if isinstance(value, str):
            return text(value)
        if isinstance(value, int):
            return f"number(INT64_C({value}))" if value > -2**63 else "number(INT64_MIN)"
        if isinstance(value, float):
            return f"fraction({value!r})"
        return self.marked(value)

    def marked(self, value):
        if "$data" in value:
            return f"data({quoted(bytes.fromhex(value['$data']))})"
        if "$utf8" in value:
            return f"data({quoted(value['$utf8'].encode())})"
        if "$date" in value:
            return f"date({float(value['$date'])!r})"
        if "$double" in value:
            return f"fraction({float(value['$double'])!r})"
        if "$uuid" in value:
            return f"uuid({literal(value['$uuid'])})"
        if "$null" in value:
            return "kCFNull"
        if "$object" in value:
            return "unrelated()"
        if "$ref" in value:
            found = f"saved({literal(value['$ref'])})"
            return f"member({found}, {literal(value['member'])})" if "member" in value else found
        if "$array" in value:
            return f"ARRAY({len(value['$array'])}, {''.join(self.value(each) + ', ' for each in value['$array'])})"
        if "$dictionary" in value:
            return self.dictionary(value["$dictionary"])
        if "$repeat" in value:
            return f"repeated({value['$repeat']['byte']}, {value['$repeat']['count']})"
        if "$accessControl" in value:
            return self.access_control(value["$accessControl"])
        if "$policy" in value:
            return self.policy(value)
        return self.fixture(value)

    def fixture(self, value):
        if "$certificate" in value:
            entry = self.certificates[value["$certificate"]]
            if "member" in value:
                return self.fact(entry, value["member"], ("der",), ("version",))
            return self.certificate(value["$certificate"])
        if "$identity" in value:
            name = value["$identity"]
            return f"identity({self.certificate(name)}, {self.key(self.certificates[name]['key'], 'private')})"
        half = "private" if "$key" in value else "public" if "$publicKey" in value else None
        if half is None:
            raise Unsayable(", ".join(sorted(value)))
        name = value.get("$key", value.get("$publicKey"))
        if "member" in value:
            return self.fact(self.keys[name], value["member"], ("public", "private"), ("type", "bits"))
        return self.key(name, half)

    def fact(self, entry, member, encoded, numbers):
        if member in numbers:
            return f"number({entry[member]})"
        content = base64.b64decode(entry[member]) if member in encoded else bytes.fromhex(entry[member])
        return f"data({quoted(content)})"

    def certificate(self, name):
        array = self.array("certificate_" + re.sub(r"\W", "_", name), base64.b64decode(self.certificates[name]["der"]))
        return f"certificate({array})"

    def key(self, name, half):
        entry = self.keys[name]
        array = self.array(f"{half}_" + re.sub(r"\W", "_", name), base64.b64decode(entry[half]))
        return f"key({array}, {entry['type']}, \"{1 if half == 'private' else 0}\")"

    def policy(self, value):
        words = value.get("host", value.get("address"))
        words = "NULL" if words is None else text(words)
        return {
            "basic": "keep(SecPolicyCreateBasicX509())",
            "revocation": "keep(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod))",
            "server": f"keep(SecPolicyCreateSSL(true, {words}))",
            "client": "keep(SecPolicyCreateSSL(false, NULL))",
            "mail": f"mail_policy({words})",
        }[value["$policy"]]

    def access_control(self, value):
        protection = text(value["protection"]) if "protection" in value else "NULL"
        flags = self.flags(value["flags"]) if "flags" in value else "-1"
        constraints = "".join(
            f"{{{text(name)}, {self.value(constraint)}}}, " for name, constraint in sorted(value.get("constraints", {}).items()))
        return (
            f"access_control({protection}, {flags}, (const struct pair[]){{{constraints}{{NULL, NULL}}}}, "
            f"{str(value.get('requiresPassword', False)).lower()})")

    def flags(self, names):
        return " | ".join(f"(SInt64){FLAGS[name]}" for name in names) or "0"

    def dictionary(self, value):
        base, without, members = None, [], value
        if "$ref" in value:
            base, without, members = value["$ref"], value.get("$without", []), value.get("$with", {})
        pairs = []
        for name, content in members.items():
            if name == "$entries":
                pairs += [f"{{{self.value(key)}, {self.value(item)}}}" for key, item in content]
            elif name == "$many":
                pairs += [f"{{{text(content['prefix'] + str(index))}, truth(true)}}" for index in range(content["count"])]
            else:
                pairs.append(f"{{{text(name)}, {self.value(content)}}}")
        pairs = "".join(pair + ", " for pair in pairs)
        if base is None:
            return f"DICTIONARY({pairs})"
        without = "".join(literal(name) + ", " for name in without)
        return f"DERIVED(saved({literal(base)}), NAMES({without}), {pairs})"

    # What a result has to be

    def expected(self, value):
        if value is None:
            return "NULL"
        if value == "null":
            return "EXPECTED(.what = is_null)"
        if not isinstance(value, dict) or any(name.startswith("$") for name in value):
            return f"EXPECTED(.what = equals, .value = {self.value(value)})"
        if "dictionary" in value:
            members = "".join(f"{{{literal(name)}, {self.expected(each)}}}, " for name, each in sorted(value["dictionary"].items()))
            parts = [".what = of_members", f".members = MEMBERS({members})"]
            for name in ("absent", "keys"):
                if name in value:
                    parts.append(f".{name} = NAMES({''.join(literal(each) + ', ' for each in value[name])})")
            return f"EXPECTED({', '.join(parts)})"
        if "array" in value:
            elements = "".join(self.expected(each) + ", " for each in value["array"])
            order = str(value.get("anyOrder", False)).lower()
            return f"EXPECTED(.what = of_elements, .any_order = {order}, .elements = ELEMENTS({elements}))"
        for name, what in (("count", "counts"), ("atMost", "at_most")):
            if name in value:
                return f"EXPECTED(.what = {what}, .count = {value[name]})"
        if "length" in value:
            rest = f", .value = {self.value(value['rest'])}" if "rest" in value else ""
            return f"EXPECTED(.what = of_bytes, .count = {value['length']}, .word = {literal(value.get('prefix', ''))}{rest})"
        for name, what in (("equals", "equals"), ("data", "equals"), ("differs", "differs"), ("laterThan", "later")):
            if name in value:
                return f"EXPECTED(.what = {what}, .value = {self.value(value[name])})"
        return f"EXPECTED(.what = of_kind, .word = {literal(value['kind'])})"

    # Steps

    def step(self, step, place):
        operation = step["op"]
        if operation == "clock":
            if "set" in step:
                return f"    set_clock({float(step['set'])!r});\n"
            return f"    advance_clock({float(step['advance'])!r});\n"
        if operation == "entitle":
            return f"    declare_rights({literal(self.declared(step))});\n"
        for reason, operations in BEYOND.items():
            if operation in operations:
                raise Unsayable(reason)
        before, reply = self.call(operation, step)
        status = step.get("expectInC", step.get("expect", 0))
        expected = self.expected(step.get("resultInC", step.get("result")))
        lines = "".join(f"        {line}\n" for line in before)
        call = f"if (!step({literal(place)}, {reply}, {status}, {expected}, {literal(step.get('save'))})) return;"
        return f"    {{\n{lines}        {call}\n    }}\n"

    def declared(self, step):
        """Entries of an entitlement file of a daemon's, in XML."""
        refuse_wildcard(step)
        return "".join(
            f"<key>{name.rsplit('.', 1)[-1]}</key>" + (
                f"<string>{value}</string>" if isinstance(value, str) else
                f"<array>{''.join(f'<string>{each}</string>' for each in value)}</array>")
            for name, value in rights(step).items())

    def call(self, operation, step):
        """What goes before a reply, and the reply."""
        wants = str(not step.get("noResult", False)).lower()
        if operation in ("add", "copy"):
            return [], f"{operation}({self.dictionary(step['query'])}, {wants})"
        if operation == "update":
            query, attributes = self.dictionary(step["query"]), self.dictionary(step["attributes"])
            return [f"CFTypeRef query = {query};"], f"update(query, {attributes})"
        if operation == "delete":
            return [], f"delete({self.dictionary(step['query'])})"
        value = {name: self.value(step[name]) for name in (
            "data", "password", "key", "certificate", "identity", "signature", "peer", "protection", "accessControl",
            "operation", "constraint") if name in step}
        attributes = self.dictionary(step["attributes"]) if "attributes" in step else "NULL"
        algorithm = text(step["algorithm"]) if "algorithm" in step else "NULL"
        key, data = f"(SecKeyRef){value.get('key')}", value.get("data")
        control = f"(SecAccessControlRef){value.get('accessControl')}"
        # Those that give an object or an error.
        made = {
            "makeKey": f"SecKeyCreateRandomKey({attributes}, &error)",
            "readKey": f"SecKeyCreateWithData({data}, {attributes}, &error)",
            "deriveKey": f"SecKeyDeriveFromPassword({value.get('password')}, {attributes}, &error)",
            "exportKey": f"SecKeyCopyExternalRepresentation({key}, &error)",
            "sign": f"SecKeyCreateSignature({key}, {algorithm}, {data}, &error)",
            "encrypt": f"SecKeyCreateEncryptedData({key}, {algorithm}, {data}, &error)",
            "decrypt": f"SecKeyCreateDecryptedData({key}, {algorithm}, {data}, &error)",
            "exchange": f"SecKeyCopyKeyExchangeResult({key}, {algorithm}, (SecKeyRef){value.get('peer')}, {attributes}, &error)",
            "makeAccessControl": "SecAccessControlCreateWithFlags("
            f"NULL, {value.get('protection')}, (SecAccessControlCreateFlags)({self.flags(step.get('flags', []))}), &error)",
            "decodeAccessControl": f"SecAccessControlCreateFromData(NULL, {data}, &error)",
        }
        done = {
            "verify": f"SecKeyVerifySignature({key}, {algorithm}, {data}, {value.get('signature')}, &error)",
            "setProtection": f"SecAccessControlSetProtection({control}, {value.get('protection')}, &error)",
            "addConstraint": "SecAccessControlAddConstraintForOperation("
            f"{control}, {value.get('operation')}, {value.get('constraint')}, &error)",
        }
        if operation in made:
            return ["CFErrorRef error = NULL;", f"CFTypeRef object = {made[operation]};"], "made(object, error)"
        if operation in done:
            return ["CFErrorRef error = NULL;", f"bool succeeded = {done[operation]};"], "done(succeeded, error)"
        if operation == "setBound":
            return [f"SecAccessControlSetBound({control}, {str(step['bound']).lower()});"], "lent(NULL)"
        return [], {
            "makePair": f"pair_of({attributes})",
            "identityParts": f"parts_of({value.get('identity')})",
            "describeKey": f"given(SecKeyCopyAttributes({key}))",
            "publicKey": f"given(SecKeyCopyPublicKey({key}))",
            "certificateKey": f"given(SecCertificateCopyKey((SecCertificateRef){value.get('certificate')}))",
            "makeIdentity": f"given(SecIdentityCreate(NULL, (SecCertificateRef){value.get('certificate')}, {key}))",
            "encodeAccessControl": f"given(SecAccessControlCopyData({control}))",
            "constraint": f"lent(SecAccessControlGetConstraint({control}, {value.get('operation')}))",
            "protection": f"lent(SecAccessControlGetProtection({control}))",
            "requiresPassword": f"lent(truth(SecAccessControlGetRequirePassword({control})))",
            "isBound": f"lent(truth(SecAccessControlIsBound({control})))",
        }[operation]

    def row(self, row):
        if "person" in row:
            raise Unsayable("a person who answers")
        refuse_wildcard(row)
        return "".join(
            self.step(step, f"{row['id']} step {index + 1} ({step['op']})") for index, step in enumerate(row["steps"]))


def refuse_wildcard(given):
    """No declaration of its own opens all groups to a program."""
    if given.get("entitlements", {}).get("honoursWildcard"):
        raise Unsayable("a program that all groups are open to")


def tells_time(step):
    """Whether a result has the moment at which every row begins (`startOfTime` in Tests/ConformanceTests/RowRunner.swift)."""
    moments = re.findall(r'"\$date": (\d+)', json.dumps(step.get("result")))
    return any(int(moment) // 1_000_000 == 800 for moment in moments)


def rights(row):
    """The entries of an entitlement file."""
    given = row.get("entitlements", {"keychainAccessGroups": row.get("groups", ["G1", "G2"])})
    names = {
        "keychainAccessGroups": "keychain-access-groups",
        "applicationIdentifier": "application-identifier",
        "associatedApplicationIdentifiers": "com.apple.developer.associated-application-identifier",
        "applicationGroups": "com.apple.security.application-groups",
    }
    return {names[name]: value for name, value in given.items() if name in names}


def main():
    folder = pathlib.Path(sys.argv[1])
    writer, functions, around, beyond = Writer(), {}, {}, collections.Counter()
    for file in sorted((VECTORS / "secitem").glob("*.json")):
        for row in json.loads(file.read_text()) if file.name != "later.json" else []:
            try:
                functions[row["id"]] = writer.row(row)
            except Unsayable as reason:
                beyond[str(reason)] += 1
                continue
            operations = {step["op"] for step in row["steps"]}
            # The clock of a daemon is its own, and a program's own declaration is read when it starts.
            only = "program" if "clock" in operations or any(map(tells_time, row["steps"])) else "daemon" if "entitle" in operations else None
            around[row["id"]] = {"rights": rights(row), "only": only}
    parts = ['/* Written by Tests/SecurityCTests/Rows/write.py of Tests/Vectors/secitem. */\n#include "rows.h"\n\n']
    for name, content in sorted(writer.arrays.items()):
        parts.append(f"static const UInt8 {name}[] = {{{', '.join(map(str, content))}}};\n")
    for index, body in enumerate(functions.values()):
        parts.append(f"\nstatic void row_{index}(void) {{\n{body}}}\n")
    entries = "".join(f"    {{{literal(name)}, row_{index}}},\n" for index, name in enumerate(functions))
    parts.append(f"\nconst struct row rows[] = {{\n{entries}    {{NULL, NULL}},\n}};\n")
    (folder / "table.c").write_text("".join(parts))
    (folder / "rows.json").write_text(json.dumps(around))
    print(f"{len(functions)} rows in C; {sum(beyond.values())} need " + ", ".join(
        f"{reason} ({count})" for reason, count in beyond.most_common()))


main()
