# A database of version 4 whose second entry has a field without a value: make-damaged-database.py, to standard output. Password: pw.
import base64
import hashlib
import hmac
import struct
import subprocess
import sys


def cipher(name, key, text, vector=None, padded=False):
    words = ["openssl", "enc", "-" + name, "-K", key.hex()] + (["-iv", vector.hex()] if vector else []) + ([] if padded else ["-nopad"])
    return subprocess.run(words, input=text, capture_output=True, check=True).stdout


def field(number, value):
    return bytes([number]) + struct.pack("<I", len(value)) + value


def term(kind, name, value):
    return bytes([kind]) + struct.pack("<I", len(name)) + name + struct.pack("<I", len(value)) + value


salt, seed, vector = b"\1" * 32, b"\2" * 32, b"\3" * 16
password = hashlib.sha256(hashlib.sha256(b"pw").digest()).digest()
transformed = hashlib.sha256(cipher("aes-256-ecb", salt, password)).digest()
key = hashlib.sha256(seed + transformed).digest()
base = hashlib.sha512(seed + transformed + b"\1").digest()
function = bytes.fromhex("c9d9f39a628a4460bf740d08c18a4fea")
terms = struct.pack("<H", 0x100) + term(0x42, b"$UUID", function) + term(5, b"R", struct.pack("<Q", 1)) + term(0x42, b"S", salt) + b"\0"
header = bytes.fromhex("03d9a29a67fb4bb5") + struct.pack("<HH", 0, 4)
header += field(2, bytes.fromhex("31c1f2e6bf714350be5805216afc5aff")) + field(3, struct.pack("<I", 0))
header += field(4, seed) + field(7, vector) + field(11, terms) + field(0, b"\r\n\r\n")

inside = b"k" * 64
both = hashlib.sha512(inside).digest()
stream = cipher("chacha20", both[:32], bytes(4096), bytes(4) + both[32:44])


def sealed(text):
    global stream
    bytes_ = bytes(a ^ b for a, b in zip(text.encode(), stream))
    stream = stream[len(text):]
    return base64.b64encode(bytes_).decode()


def entry(title, damage=""):
    value = sealed("password of " + title)
    return (
        f"<Entry><String><Key>Title</Key><Value>{title}</Value></String>{damage}"
        f'<String><Key>Password</Key><Value Protected="True">{value}</Value></String></Entry>')


entries = entry("one") + entry("two", "<String><Key>X</Key></String>") + entry("three") + entry("four")
text = f"<KeePassFile><Root><Group><Name>R</Name>{entries}</Group></Root></KeePassFile>"
body = cipher("aes-256-cbc", key, field(1, struct.pack("<I", 3)) + field(2, inside) + field(0, b"") + text.encode(), vector, padded=True)


def code(number, bytes_):
    return hmac.new(hashlib.sha512(struct.pack("<Q", number) + base).digest(), bytes_, hashlib.sha256).digest()


output = header + hashlib.sha256(header).digest() + code(2**64 - 1, header)
for number, block in enumerate([body, b""]):
    size = struct.pack("<I", len(block))
    output += code(number, struct.pack("<Q", number) + size + block) + size + block
sys.stdout.write(base64.b64encode(output).decode())
