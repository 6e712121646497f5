#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reader of backups, written from Docs/FileFormat.md alone: read.py FILE PASSPHRASE-FILE [DEVICE-SECRET-HEX], or
read.py --chain PASSPHRASE-FILE FILE… for one that goes on from others, the oldest first.

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


def opened(path, key_of):
    """The header, the file key and the text of a file, each seen to be as the document says; and the hash at its end."""
    data = open(path, "rb").read()
    assert data[:8] == b"LLVBACK1"
    (size,) = struct.unpack(">I", data[8:12])
    head, place = data[: 12 + size], 12 + size
    header = decoded(head[12:])
    seal, place = data[place : place + 32], place + 32
    file = header["file"]
    key = key_of(header)
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
    return header, key, plain, digest


def stanza(header, kind):
    return next(s for s in header["stanzas"] if s["kind"] == kind)


def by_passphrase(path):
    passphrase = open(path, "rb").read()

    def key_of(header):
        lock = stanza(header, "passphrase")
        stretched = hashlib.scrypt(
            passphrase, salt=lock["salt"], n=1 << lock["log2N"], r=lock["r"], p=lock["p"], dklen=32, maxmem=1 << 30)
        return aes_key_unwrap(stretched, lock["key"])

    return key_of


def by_base(key):
    return lambda header: aes_key_unwrap(hkdf(key, header["file"], b"llavero backup base"), stanza(header, "base")["key"])


def records(plain):
    place = 0
    while place < len(plain):
        kind, size = struct.unpack(">BI", plain[place : place + 5])
        yield kind, plain[place + 5 : place + 5 + size], place + 5 + size == len(plain)
        place += 5 + size


def line(record):
    (size,) = struct.unpack(">I", record[17:21])
    attributes = decoded(record[21 : 21 + size])
    has_secret, secret = record[21 + size], record[22 + size :]
    return "%s %s %s" % ("genp inet cert keys".split()[record[0]], attributes.get("acct"), secret.hex() if has_secret else "none")


def read_one(path, passphrase, device):
    header, key, plain, _ = opened(path, by_passphrase(passphrase))
    for kind, record, is_last in records(plain):
        if kind == 3:
            print("items %d, bound %d, left out %d" % struct.unpack(">QQQQ", record)[:3])
            assert is_last
        elif kind == 2 and device is None:
            print("bound")
        elif kind == 2:
            secret = hkdf(key + device, header["file"], b"llavero backup bound" + record[:17])
            print(line(AESGCM(secret).decrypt(bytes(12), record[17:], b"")))
        elif kind == 1:
            print(line(record))


def read_chain(passphrase, paths):
    """The items of the last of some files, each of which goes on from the one before it."""
    key_of, before, items, listed = by_passphrase(passphrase), None, {}, {}
    for number, path in enumerate(paths):
        header, key, plain, digest = opened(path, key_of)
        base = header.get("base")
        assert (base is None) == (number == 0)
        assert base is None or (base["file"], base["hash"], base["depth"]) == (*before, number)
        listed = {}
        for kind, record, _ in records(plain):
            if kind == 1:
                items[record[1:17]] = line(record)
            if kind == 4:
                entries = [record[place : place + 26] for place in range(0, len(record), 26)]
                listed.update({entry[2:18]: entry[1] for entry in entries})
        key_of, before = by_base(key), (header["file"], digest)
    for name, state in listed.items():
        if state == 0:
            print(items[name])
    print("%d listed" % len(listed))


if sys.argv[1] == "--chain":
    read_chain(sys.argv[2], sys.argv[3:])
else:
    read_one(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]) if len(sys.argv) > 3 else None)
