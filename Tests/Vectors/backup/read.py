#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reader of backups, written from Docs/FileFormat.md alone: read.py FILE PASSPHRASE-FILE [DEVICE-SECRET-HEX]

Prints a line for each item: class, account, secret in hexadecimal; and the counts at the end. Ends with 1 where anything is not
as the document says.
"""
import hashlib
import hmac
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import aes_key_unwrap


def hkdf(secret, salt, info):
    return HKDF(hashes.SHA256(), 32, salt, info).derive(secret)


def elements(data):
    """The DER elements that stand one after the other: pairs of tag and contents."""
    place = 0
    while place < len(data):
        tag, length, place = data[place], data[place + 1], place + 2
        if length >= 0x80:
            count = length & 0x7F
            length, place = int.from_bytes(data[place : place + count], "big"), place + count
        yield tag, data[place : place + length]
        place += length


def value(tag, data):
    if tag == 0x0C:
        return data.decode()
    if tag == 0x02:
        return int.from_bytes(data, "big", signed=True)
    if tag == 0x30:
        return [value(*element) for element in elements(data)]
    if tag == 0x31:
        pairs = [list(elements(entry)) for _, entry in elements(data)]
        return {key[1].decode(): value(*what) for key, what in pairs}
    return data


def decoded(data):
    (element,) = elements(data)
    return value(*element)


def main():
    data = open(sys.argv[1], "rb").read()
    passphrase = open(sys.argv[2], "rb").read()
    device = bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else None
    assert data[:8] == b"LLVBACK1"
    (size,) = struct.unpack(">I", data[8:12])
    head, place = data[: 12 + size], 12 + size
    header = decoded(head[12:])
    seal, place = data[place : place + 32], place + 32
    file = header["file"]
    stanza = next(s for s in header["stanzas"] if s["kind"] == "passphrase")
    stretched = hashlib.scrypt(
        passphrase, salt=stanza["salt"], n=1 << stanza["log2N"], r=stanza["r"], p=stanza["p"], dklen=32,
        maxmem=1 << 30)
    key = aes_key_unwrap(stretched, stanza["key"])
    assert hmac.digest(hkdf(key, file, b"llavero backup header"), head, "sha256") == seal

    plain, number, last = b"", 0, 0
    while not last:
        last, size = struct.unpack(">BI", data[place : place + 5])
        sealed, place = data[place + 5 : place + 5 + size], place + 5 + size
        secret = hkdf(key, file, b"llavero backup chunk" + struct.pack(">QB", number, last))
        part = AESGCM(secret).decrypt(bytes(12), sealed, b"")
        assert last or len(part) == 65536
        plain, number = plain + part, number + 1
    digest = hashlib.sha256(data[:place]).digest()
    assert data[place : place + 8] == b"LLVBEND1" and data[place + 8 : place + 40] == digest
    Ed25519PublicKey.from_public_bytes(header["signer"]).verify(data[place + 40 : place + 104], b"llavero backup" + digest)
    assert len(data) == place + 104

    place = 0
    while place < len(plain):
        kind, size = struct.unpack(">BI", plain[place : place + 5])
        record, place = plain[place + 5 : place + 5 + size], place + 5 + size
        if kind == 3:
            print("items %d, bound %d, left out %d" % struct.unpack(">QQQ", record))
            assert place == len(plain)
            break
        if kind == 2:
            if device is None:
                print("bound")
                continue
            secret = hkdf(key + device, file, b"llavero backup bound" + record[:17])
            record = AESGCM(secret).decrypt(bytes(12), record[17:], b"")
        (size,) = struct.unpack(">I", record[17:21])
        attributes = decoded(record[21 : 21 + size])
        has_secret, secret = record[21 + size], record[22 + size :]
        print("genp inet cert keys".split()[record[0]], attributes.get("acct"), secret.hex() if has_secret else "none")


main()
