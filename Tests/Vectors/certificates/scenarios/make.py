#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes keys.json and certificates.json: what the scenarios in ../../secitem call by name.

Keys and signatures are made by the `openssl` command, which also checks what comes out. The certificates between them
are put together here, because every field matters: versions 1 and 2, dates long past, kinds of text, names in a loop.
What is said about an object beside its bytes (label, subject, issuer, serial number) is worked out here as well, so
that the scenarios compare with something that no part of the keychain has written.

Every run makes new keys: run it only to add something, and run all scenarios afterwards.
"""
import base64, hashlib, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = tempfile.mkdtemp()
NOW, PAST = ("20200101000000Z", "20491231235959Z"), ("20160407000000Z", "20170407000000Z")


def openssl(*arguments, given=None):
    return subprocess.run(
        ["openssl", *arguments], cwd=FOLDER, input=given, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ).stdout


# DER


def tlv(tag, *parts):
    content = b"".join(parts)
    size = len(content)
    if size < 128: return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*parts): return tlv(0x30, *parts)
def octets(data): return tlv(0x04, data)
def bits(data, unused=0): return tlv(0x03, bytes([unused]), data)
def integer(number): return tlv(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def oid(text):
    numbers = [int(part) for part in text.split(".")]
    out = bytes([numbers[0] * 40 + numbers[1]])
    for number in numbers[2:]:
        group = bytes([number & 0x7F])
        while number := number >> 7: group = bytes([0x80 | number & 0x7F]) + group
        out += group
    return tlv(0x06, out)


def elements(der):
    """The contents of the elements of a SEQUENCE."""
    def header(at):
        size, at = der[at + 1], at + 2
        if size & 0x80: count = size & 0x7F; size = int.from_bytes(der[at:at + count], "big"); at += count
        return at, at + size
    at, _ = header(0)
    while at < len(der):
        start, at = header(at)
        yield der[start:at]


# Names: a text is PrintableString, (tag, text) is what it says.

ATTRIBUTES = {"CN": "2.5.4.3", "O": "2.5.4.10", "OU": "2.5.4.11", "C": "2.5.4.6", "E": "1.2.840.113549.1.9.1"}
UTF8, PRINTABLE, T61, IA5, BMP = 0x0C, 0x13, 0x14, 0x16, 0x1E
ENCODINGS = {UTF8: "utf-8", PRINTABLE: "ascii", T61: "latin-1", IA5: "ascii", BMP: "utf-16-be"}


def name_content(name):
    out = b""
    for kind, value in name:
        tag, text = value if isinstance(value, tuple) else (PRINTABLE, value)
        out += tlv(0x31, sequence(oid(ATTRIBUTES[kind]), tlv(tag, text.encode(ENCODINGS[tag]))))
    return out


# Keys

keys = {}


def key(name, kind="ec"):
    if name in keys: return keys[name]
    path = f"{name}.key"
    if kind == "ec":
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)
        secret = list(elements(openssl("ec", "-in", path, "-outform", "DER")))[1]
        info = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")
        public = list(elements(info))[1][1:]
        private, number, size = public + secret, 73, 256
    else:
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", path)
        info = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")
        private = openssl("rsa", "-in", path, "-traditional", "-outform", "DER")
        public = openssl("rsa", "-in", path, "-RSAPublicKey_out", "-outform", "DER")
        number, size = 42, 2048
    keys[name] = {"path": path, "info": info, "type": number, "bits": size, "private": private, "public": public}
    return keys[name]


# Certificates

certificates = {}
ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"))
RSA_SHA256 = sequence(oid("1.2.840.113549.1.1.11"), tlv(0x05))


def extension(identifier, value, critical=False):
    return sequence(oid(identifier), tlv(0x01, b"\xff") if critical else b"", octets(value))


def certificate(
    name, subject, pair, issuer=None, version=3, serial=None, dates=NOW, authority=False, usage=None, names=None
):
    """issuer: (its name, the key it signs with, that key's name); the subject itself by default."""
    own = key(pair, "rsa" if pair.startswith("rsa") else "ec")
    issuer_name, signer = issuer if issuer else (subject, pair)
    signing = key(signer)
    identifier = hashlib.sha1(own["public"]).digest()
    number = serial if serial else int.from_bytes(hashlib.sha1(name.encode()).digest()[:8], "big") >> 1
    algorithm = ECDSA_SHA256 if signing["type"] == 73 else RSA_SHA256
    more = []
    if version == 3:
        more.append(extension("2.5.29.19", sequence(tlv(0x01, b"\xff") if authority else b""), critical=True))
        more.append(extension(
            "2.5.29.15", bits(b"\x06", 1) if authority else bits(b"\x80", 7), critical=True))
        more.append(extension("2.5.29.14", octets(identifier)))
        if issuer:
            more.append(extension("2.5.29.35", sequence(tlv(0x80, hashlib.sha1(signing["public"]).digest()))))
        if usage: more.append(extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3." + usage))))
        if names:
            more.append(extension("2.5.29.17", sequence(*(tlv(tag, text.encode()) for tag, text in names))))
    body = sequence(
        tlv(0xA0, integer(version - 1)) if version > 1 else b"", integer(number), algorithm,
        sequence(name_content(issuer_name)), sequence(*(date(moment) for moment in dates)),
        sequence(name_content(subject)), own["info"], tlv(0xA3, sequence(*more)) if more else b"")
    signature = openssl("dgst", "-sha256", "-sign", signing["path"], given=body)
    der = sequence(body, algorithm, bits(signature))
    openssl("x509", "-inform", "DER", "-noout", given=der)
    certificates[name] = {
        "key": pair, "der": der, "version": version, "subject": name_content(subject),
        "subjectName": sequence(name_content(subject)), "issuer": name_content(issuer_name),
        "issuerName": sequence(name_content(issuer_name)), "serial": next(elements(sequence(integer(number)))),
        "label": hashlib.sha1(own["public"]).digest(),
        "keyIdentifier": identifier if version == 3 else None}
    return subject, pair


def date(moment):
    # RFC 5280: until 2049 with two digits of the year.
    return tlv(0x17, moment[2:].encode())


def single(text, tag=PRINTABLE): return [("CN", (tag, text))]


EMAIL, DNS = 0x81, 0x82

# Subjects in capitals are already in the form in which the keychain compares names.
certificate("alice", [("C", "ES"), ("O", "LLAVERO"), ("CN", "ALICE")], "alice", serial=0x0102030405)
certificate("alice-again", [("C", "ES"), ("O", "LLAVERO"), ("CN", "ALICE AGAIN")], "alice")
certificate("bob", [("C", "ES"), ("O", "LLAVERO"), ("CN", "BOB")], "rsa-bob", serial=0xFEDC)
certificate("first", single("FIRST"), "versions", version=1)
certificate("second", single("SECOND"), "versions", version=2)
certificate("mixed", [("O", "Llavero Project"), ("CN", "Mixed Case")], "mixed")

# root > sub-1 > leaf-1, root > sub-2 > leaf-2, and one that has nothing to do with them.
root = certificate("root", single("ROOT"), "root", authority=True)
for number in "12":
    sub = certificate(f"sub-{number}", single(f"SUB {number}"), f"sub-{number}", root, authority=True)
    certificate(f"leaf-{number}", single(f"LEAF {number}"), f"leaf-{number}", sub)
certificate("stranger", single("STRANGER"), "stranger")

# deep-0 > deep-1 > … > deep-14; and two names that issue each other.
above = certificate("deep-0", single("DEEP 0"), "deep", authority=True)
for number in range(1, 15):
    above = certificate(f"deep-{number}", single(f"DEEP {number}"), "deep", above, authority=True)
certificate("loop-a", single("LOOP A"), "loop", (single("LOOP B"), "loop"), authority=True)
certificate("loop-b", single("LOOP B"), "loop", (single("LOOP A"), "loop"), authority=True)

# Six of the past, of an issuer nobody trusts: for mail, for servers, for clients.
past = (single("PAST"), "past")
for number, (address, host) in enumerate([("One@Example.com", "www.example.com"), ("two@example.com", "*.example.org")]):
    number += 1
    certificate(f"mail-{number}", single(f"MAIL {number}"), "past-leaf", past, dates=PAST, usage="4",
                names=[(EMAIL, address)])
    certificate(f"server-{number}", single(f"SERVER {number}"), "past-leaf", past, dates=PAST, usage="1",
                names=[(DNS, host)])
    certificate(f"client-{number}", single(f"CLIENT {number}"), "past-leaf", past, dates=PAST, usage="2")

# Texts to search for.
for name, subject in {
    "smith": [("O", "Acme Tools"), ("CN", "Bob Smith")],
    "jose": single("Jos\u00e9 Garc\u00eda", UTF8),
    "jose-apart": single("Jose\u0301 Garci\u0301a", UTF8),
    "wide": single("\uff22\uff4f\uff42 Wide", UTF8),
    "letter": single("a", UTF8),
    "letter-wide": single("\uff41", UTF8),
    "bmp": single("\u03a9mega Board", BMP),
    "t61": single("T\u00e9l\u00e9", T61),
    "mail-subject": [("CN", "Carol Post"), ("E", (IA5, "Carol@Example.net"))],
}.items():
    certificate(name, subject, "texts")

# A key that no certificate is for.
key("eve")
key("rsa-eve", "rsa")


def text(data): return base64.b64encode(data).decode()


def check():
    for name, entry in certificates.items():
        with open(f"{FOLDER}/{name}.pem", "wb") as file:
            file.write(openssl("x509", "-inform", "DER", given=entry["der"]))
    for leaf, between in [("alice", []), ("bob", []), ("leaf-1", ["sub-1"]), ("leaf-2", ["sub-2"]),
                          ("deep-14", [f"deep-{number}" for number in range(1, 14)])]:
        anchor = {"l": "root", "d": "deep-0"}.get(leaf[0], leaf)
        steps = [part for step in between for part in ("-untrusted", f"{step}.pem")]
        openssl("verify", "-x509_strict", "-no-CApath", "-no-CAstore", "-CAfile", f"{anchor}.pem", *steps,
                f"{leaf}.pem")


def write(file, entries):
    with open(f"{HERE}/{file}", "w") as out:
        json.dump(entries, out, indent=1)
        out.write("\n")


check()
write("keys.json", {
    name: {"type": entry["type"], "bits": entry["bits"], "label": hashlib.sha1(entry["public"]).hexdigest(),
           "public": text(entry["public"]), "private": text(entry["private"])}
    for name, entry in keys.items() if name not in ("past",)})
write("certificates.json", {
    name: {field: text(value) if field == "der" else value.hex() if isinstance(value, bytes) else value
           for field, value in entry.items() if value is not None}
    for name, entry in certificates.items()})
