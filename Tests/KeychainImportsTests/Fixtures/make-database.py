#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a database of KeePass: make-database.py FILE PASSWORD KEYFILE|- aes|argon2d|argon2id aes256|chacha20|twofish ENTRIES [plugin]

Debian's pykeepass seals it. Of each five entries one has an attachment, one a protected field and one a seed of one-time codes;
tags, an expiry and groups are spread over all; with `plugin` the last entry has data of a plug-in. Prints how many of each there are: entries, attachments, fields, codes.
"""
import datetime
import os
import sys

from construct import Container
from lxml.builder import E
from pykeepass import create_database
from pykeepass.kdbx_parsing import kdbx4

file, password, keyfile, kdf, cipher, count = sys.argv[1:7]
book = create_database(file, password=password or None, keyfile=None if keyfile == "-" else keyfile)
header = book.kdbx.header.value.dynamic_header
terms = header.kdf_parameters.data.dict
if kdf == "aes":
    value = lambda kind, name, data, last: Container(type=kind, key=name, value=data, next_byte=last)
    terms.clear()
    terms["$UUID"] = value(0x42, "$UUID", kdbx4.kdf_uuids["aeskdf"], 0x05)
    terms["R"] = value(0x05, "R", 6000, 0x42)
    terms["S"] = value(0x42, "S", os.urandom(32), 0x00)
else:
    # Little of it, for tests that are quick.
    terms["$UUID"].value = kdbx4.kdf_uuids["argon2" if kdf == "argon2d" else "argon2id"]
    terms["I"].value, terms["M"].value, terms["P"].value = 2, 1 << 20, 2
header.cipher_id.data = cipher
header.encryption_iv.data = os.urandom(12 if cipher == "chacha20" else 16)
groups = [book.root_group] + [book.add_group(book.root_group, name) for name in ("Work", "Home & <co>")]
files = fields = codes = 0
for number in range(int(count)):
    entry = book.add_entry(
        groups[number % 3], f"entry {number}", f"user {number}", f"p&ss <{number}> é",
        url=f"https://site{number}.example/path?q=1" if number % 2 else None, notes="note" if number % 4 == 0 else None,
        tags=["red", "blue"] if number % 3 == 0 else None)
    if number % 5 == 0:
        entry.add_attachment(book.add_binary(os.urandom(100 + number)), f"file {number}.bin")
        files += 1
    if number % 5 == 1:
        entry.set_custom_property("PIN", f"47{number}")
        # Protected in memory, so sealed by the inner stream; this version of the library sets it for passwords alone.
        entry._element.xpath("String/Key[text()='PIN']")[0].getparent().find("Value").set("Protected", "True")
        fields += 1
    if number % 5 == 2:
        entry._set_string_field("otp", f"otpauth://totp/x:{number}?secret=GEZDGNBVGY3TQOJQ&period=30")
        codes += 1
    if number % 7 == 0:
        entry.expires = True
        entry.expiry_time = datetime.datetime(2030, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
if "plugin" in sys.argv[7:]:
    entry._element.append(E.CustomData(E.Item(E.Key("KPH"), E.Value("{}"))))
# The bytes that were read are written again as long as they are there.
del book.kdbx.header.data
book.save()
print(count, files, fields, codes)
