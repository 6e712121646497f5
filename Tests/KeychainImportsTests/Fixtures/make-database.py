#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a database of KeePass: make-database.py FILE PASSWORD KEYFILE|- aes|argon2 aes256|chacha20 ENTRIES

Debian's pykeepass seals it. Of each five entries one has an attachment, one a protected field and one a seed of one-time codes;
tags, an expiry and groups are spread over all. Prints how many of each there are: entries, attachments, fields, codes.
"""
import datetime
import os
import sys

from construct import Container
from pykeepass import create_database
from pykeepass.kdbx_parsing import kdbx4

file, password, keyfile, kdf, cipher, count = sys.argv[1:]
book = create_database(file, password=password or None, keyfile=None if keyfile == "-" else keyfile)
header = book.kdbx.header.value.dynamic_header
if kdf == "aes":
    terms = header.kdf_parameters.data.dict
    value = lambda kind, name, data, last: Container(type=kind, key=name, value=data, next_byte=last)
    terms.clear()
    terms["$UUID"] = value(0x42, "$UUID", kdbx4.kdf_uuids["aeskdf"], 0x05)
    terms["R"] = value(0x05, "R", 6000, 0x42)
    terms["S"] = value(0x42, "S", os.urandom(32), 0x00)
header.cipher_id.data = cipher
header.encryption_iv.data = os.urandom(16 if cipher == "aes256" else 12)
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
# The bytes that were read are written again as long as they are there.
del book.kdbx.header.data
book.save()
print(count, files, fields, codes)
