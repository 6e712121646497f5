#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second implementation of what devices of a circle exchange, written from Docs/Sync.md alone.

read.py makes every vector beside it from its keys, compares, and opens it; read.py --make writes vectors anew (signatures are
others each time). Prints a line for each vector; ends with 1 where anything is not as the document says.
"""
import datetime
import decimal
import hashlib
import hmac
import json
import os
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

# The codec ------------------------------------------------------------------------------------------------------------


class Date(float):
    """Seconds since 2001."""

    def text(self):
        exact = decimal.Decimal(repr(float(self)))
        whole = int(exact // 1) if exact >= 0 else -int(-exact // 1) - (exact % 1 != 0)
        day = datetime.datetime(2001, 1, 1) + datetime.timedelta(seconds=whole)
        fraction = format(exact - whole, "f").rstrip("0")[1:] if exact != whole else ""
        return day.strftime("%Y%m%d%H%M%S") + fraction + "Z"

    @staticmethod
    def read(text):
        assert text[-1] == "Z"
        day = datetime.datetime.strptime(text[:14], "%Y%m%d%H%M%S") - datetime.datetime(2001, 1, 1)
        whole = day.days * 86400 + day.seconds
        return Date(decimal.Decimal(whole) + decimal.Decimal("0" + text[14:-1]))


def element(tag, content):
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def encode(value):
    if isinstance(value, bool):
        return element(0x01, bytes([value]))
    if isinstance(value, Date):
        return element(0x18, value.text().encode())
    if isinstance(value, int):
        # Of a negative number one bit less: -128 is one byte.
        size = (value if value >= 0 else ~value).bit_length() // 8 + 1
        assert size <= 8
        return element(0x02, value.to_bytes(size, "big", signed=True))
    if isinstance(value, str):
        return element(0x0C, value.encode())
    if isinstance(value, bytes):
        return element(0x04, value)
    if isinstance(value, list):
        return element(0x30, b"".join(map(encode, value)))
    return element(0x31, b"".join(sorted(element(0x30, encode(key) + encode(value[key])) for key in value)))


def elements(data):
    """The elements that stand one after the other: pairs of tag and contents."""
    place = 0
    while place < len(data):
        tag, size, place = data[place], data[place + 1], place + 2
        if size >= 0x80:
            count = size & 0x7F
            size, place = int.from_bytes(data[place : place + count], "big"), place + count
        assert place + size <= len(data)
        yield tag, data[place : place + size]
        place += size


def value(tag, data):
    if tag == 0x01:
        return data == b"\x01"
    if tag == 0x18:
        return Date.read(data.decode())
    if tag == 0x02:
        return int.from_bytes(data, "big", signed=True)
    if tag == 0x0C:
        return data.decode()
    if tag == 0x04:
        return data
    if tag == 0x30:
        return [value(*part) for part in elements(data)]
    assert tag == 0x31
    return {key[1].decode(): value(*what) for key, what in (elements(entry) for _, entry in elements(data))}


def decode(data):
    (only,) = elements(data)
    result = value(*only)
    assert encode(result) == data
    return result


# Primitives -----------------------------------------------------------------------------------------------------------


def sha256(data):
    return hashlib.sha256(data).digest()


def hkdf(secret, info, size=32):
    return HKDF(hashes.SHA256(), size, None, info).derive(secret)


def private(scalar):
    return ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())


def point(scalar):
    return private(scalar).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public(data):
    assert len(data) == 65 and data[0] == 4
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


def padded(count):
    if count <= 512:
        return 512
    if count <= 1024:
        return 1024
    exponent = count.bit_length() - 1
    step = 1 << (exponent - exponent.bit_length())
    return (count + step - 1) // step * step


# RFC 9180, with its names.
KEM, SUITE = b"KEM\x00\x10", b"HPKE\x00\x10\x00\x01\x00\x02"


def labeled_extract(suite, salt, label, ikm):
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, "sha256")


def labeled_expand(suite, prk, label, info, size):
    return HKDFExpand(hashes.SHA256(), size, struct.pack(">H", size) + b"HPKE-v1" + suite + label + info).derive(prk)


def hpke(scalar, other, enc, recipient, info):
    dh = private(scalar).exchange(ec.ECDH(), public(other))
    prk = labeled_extract(KEM, b"", b"eae_prk", dh)
    shared = labeled_expand(KEM, prk, b"shared_secret", enc + recipient, 32)
    context = b"\x00" + labeled_extract(SUITE, b"", b"psk_id_hash", b"") + labeled_extract(SUITE, b"", b"info_hash", info)
    secret = labeled_extract(SUITE, shared, b"secret", b"")
    key = labeled_expand(SUITE, secret, b"key", context, 32)
    return AESGCM(key), labeled_expand(SUITE, secret, b"base_nonce", context, 12)


def hpke_seal(ephemeral, recipient, info, text):
    enc = point(ephemeral)
    cipher, nonce = hpke(ephemeral, recipient, enc, recipient, info)
    return enc + cipher.encrypt(nonce, text, b"")


def hpke_open(scalar, sealed, info):
    enc = sealed[:65]
    cipher, nonce = hpke(scalar, enc, enc, point(scalar), info)
    return cipher.decrypt(nonce, sealed[65:], b"")


# Cards and signed bodies ----------------------------------------------------------------------------------------------


def card(signing, agreement, kind):
    return encode(["llavero card", 1, kind, point(signing), point(agreement)])


def device(card):
    title, suite, kind, signing, agreement = decode(card)
    assert title == "llavero card" and suite == 1 and kind in (0, 1, 2)
    public(signing), public(agreement)
    return sha256(card)[:16]


def signed(content, *signers):
    """A body, signed by (card, scalar of the signing key)."""
    algorithm = ec.ECDSA(Prehashed(hashes.SHA256()))
    pairs = [[device(card), private(scalar).sign(sha256(content), algorithm)] for card, scalar in signers]
    return encode(["llavero signed", content, sorted(pairs)])


def verified(body, *cards):
    """The content of a body that has the signatures of these cards, and no others."""
    title, content, signatures = decode(body)
    assert title == "llavero signed" and len(signatures) <= 16
    names = [name for name, _ in signatures]
    assert names == sorted(set(names)) and set(names) == {device(card) for card in cards}
    for card in cards:
        signature = dict(signatures)[device(card)]
        public(decode(card)[3]).verify(signature, sha256(content), ec.ECDSA(Prehashed(hashes.SHA256())))
    return content


# View keys ------------------------------------------------------------------------------------------------------------


class ViewKey:
    def __init__(self, circle, view, generation, secret, names=None):
        self.circle, self.view, self.generation, self.secret = circle, view, generation, secret
        self.names = names or hkdf(secret, b"llavero view ids")
        self.sealing = {b"A": hkdf(secret, b"llavero view A", 64), b"C": hkdf(secret, b"llavero view C", 64)}
        self.commitment = hkdf(secret + self.names, b"llavero view commitment")


# Records --------------------------------------------------------------------------------------------------------------

COMMON = "pdmn agrp cdat mdat labl alis sync vwht tkid tomb acct desc icmt crtr type invi nega prot scrp cusi".split()
LETTERS = [set(COMMON + "svce gena".split()), set(COMMON + "sdmn srvr ptcl atyp port path".split())]
PARTS = ["acct svce".split(), "acct srvr sdmn ptcl atyp port path".split()]


def part(name, value):
    if name in ("ptcl", "port"):
        return 0 if value is None else value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int):
        return struct.pack("<i" if -(1 << 31) <= value < 1 << 31 else "<q", value)
    return value or b""


def record_name(key, kind, attributes):
    parts = [part(name, attributes.get(name)) for name in PARTS[kind]]
    identity = ["llavero item", kind] + parts + [attributes.get("agrp", ""), attributes.get("vwht", "")]
    return hmac.digest(key.names, encode(identity), "sha256")[:16]


def record_class(item):
    attributes = item["attributes"]
    assert item["class"] in (0, 1) and attributes["sync"] == 1 and attributes["agrp"] and not attributes.get("tkid")
    assert not attributes.get("tomb") or item["secret"] is None
    return {"ak": b"A", "ck": b"C", "dk": b"C"}[attributes["pdmn"]]


def counted(data):
    return struct.pack(">I", len(data)) + data


def record_text(item):
    if item is None:
        text = b"\x02"
    else:
        secret = b"\x00" if item["secret"] is None else b"\x01" + counted(item["secret"])
        text = struct.pack(">BBI", 1, item["class"], item["secretGeneration"])
        text += counted(encode(item["attributes"])) + counted(item["later"]) + secret
    return text + bytes(padded(len(text)) - len(text))


def record_data(key, name, head, letter):
    data = b"llavero record 1" + key.circle + key.view + name + struct.pack(">QI", head, key.generation) + letter
    return data


def record_seal(key, item, name, head, nonce):
    letter = b"C" if item is None else record_class(item)
    sealed = AESSIV(key.sealing[letter]).encrypt(record_text(item), [record_data(key, name, head, letter), nonce])
    return b"\x01" + letter + struct.pack(">I", key.generation) + nonce + sealed


def record_open(keys, name, head, body):
    """The item, or None of a void record."""
    assert body[0] == 1
    letter, generation, nonce = body[1:2], struct.unpack(">I", body[2:6])[0], body[6:22]
    key = keys[generation]
    text = AESSIV(key.sealing[letter]).decrypt(body[22:], [record_data(key, name, head, letter), nonce])
    place = 0

    def take(count):
        nonlocal place
        assert place + count <= len(text)
        place += count
        return text[place - count : place]

    def take_counted():
        return take(struct.unpack(">I", take(4))[0])

    if take(1) == b"\x02":
        item = None
    else:
        assert text[0] == 1
        item = {"class": take(1)[0], "secretGeneration": struct.unpack(">I", take(4))[0]}
        item["attributes"], item["later"] = decode(take_counted()), take_counted()
        has_secret = take(1)[0]
        assert has_secret in (0, 1)
        item["secret"] = take_counted() if has_secret else None
        assert 1 <= item["secretGeneration"] <= generation and set(item["attributes"]) <= LETTERS[item["class"]]
        assert record_class(item) == letter and record_name(key, item["class"], item["attributes"]) == name
    assert padded(place) == len(text) <= 1 << 20 and not any(text[place:])
    return item


# Shares and names -----------------------------------------------------------------------------------------------------


def share_info(circle, receiver, names):
    return b"llavero share 1" + circle + receiver + b"".join(view + struct.pack(">I", number) for view, number in names)


def share_content(keys, receiver_card, ephemeral):
    circle, receiver, names = keys[0].circle, device(receiver_card), [[key.view, key.generation] for key in keys]
    plain = b"".join(key.secret + key.names for key in keys)
    sealed = hpke_seal(ephemeral, decode(receiver_card)[4], share_info(circle, receiver, names), plain)
    return encode(["llavero keys", circle, receiver, names, sealed])


def share_leaf(content):
    return sha256(b"\0" + content)


def share_node(one, other):
    return sha256(b"\1" + min(one, other) + max(one, other))


def share_paths(contents):
    """The root over shares, and for each the hashes that lead there."""
    level, paths, places = [share_leaf(content) for content in contents], [b""] * len(contents), list(range(len(contents)))
    while len(level) > 1:
        for share, place in enumerate(places):
            paths[share] += level[place ^ 1] if place ^ 1 < len(level) else b""
        pairs = [level[start : start + 2] for start in range(0, len(level), 2)]
        level, places = [share_node(*pair) if len(pair) == 2 else pair[0] for pair in pairs], [place // 2 for place in places]
    return level[0], paths


def share_open(body, agreement, circle, receiver, sender_card, commitments):
    title, content, path, root = decode(body)
    assert title == "llavero share" and len(path) % 32 == 0 and len(path) <= 1024
    title, there, sender, signed_root = decode(verified(root, sender_card))
    assert title == "llavero shares" and there == circle and sender == device(sender_card)
    climbed = share_leaf(content)
    for start in range(0, len(path), 32):
        climbed = share_node(climbed, path[start : start + 32])
    assert climbed == signed_root
    title, there, whom, names, sealed = decode(content)
    assert title == "llavero keys" and (there, whom) == (circle, receiver) and 1 <= len(names) <= 4096
    assert all(tuple(one) < tuple(other) for one, other in zip(names, names[1:]))
    plain = hpke_open(agreement, sealed, share_info(circle, receiver, names))
    assert len(plain) == 64 * len(names)
    keys = []
    for place, (view, number) in enumerate(names):
        key = ViewKey(circle, view, number, plain[64 * place : 64 * place + 32], plain[64 * place + 32 : 64 * place + 64])
        if key.commitment == commitments.get((view, number)):
            keys.append(key)
    return keys


def name_size(count):
    return next((size for size in (64, 128, 256) if count <= size), None) or padded(count)


def name_data(key, about):
    return b"llavero name 1" + key.circle + struct.pack(">I", key.generation) + about


def name_seal(key, about, name):
    text = counted(name)
    text += bytes(name_size(len(text)) - len(text))
    sealed = AESSIV(key.sealing[b"C"]).encrypt(text, [name_data(key, about)])
    return b"\x01" + struct.pack(">I", key.generation) + sealed


def name_open(key, about, sealed):
    assert sealed[0] == 1 and struct.unpack(">I", sealed[1:5])[0] == key.generation
    text = AESSIV(key.sealing[b"C"]).decrypt(sealed[5:], [name_data(key, about)])
    count = struct.unpack(">I", text[:4])[0]
    assert name_size(4 + count) == len(text) and not any(text[4 + count :])
    return text[4 : 4 + count]


# The log and heads ----------------------------------------------------------------------------------------------------


def circle_name(card, chance, commitment):
    return sha256(encode(["llavero circle", card, chance, commitment]))[:16]


def log_read(bodies):
    """The contents of entries that all count, with what each says of itself; and the SHA-256 of their contents."""
    entries, cards, tips = [], {}, {0: [0, b""]}
    for number, body in enumerate(bodies, 1):
        content = decode(body)[1]
        title, circle, at, previous, skip, time, author, action, state = decode(content)
        if action[0] in ("found", "admit"):
            cards[device(action[1])] = action[1]
        if number == 1:
            assert action[0] == "found" and circle == circle_name(*action[1:4])
        assert title == "llavero log entry" and at == number and circle == decode(decode(bodies[0])[1])[1]
        verified(body, *(cards[name] for name, _ in decode(body)[2]))
        assert author in [name for name, _ in decode(body)[2]]
        assert previous == tips[number - 1] and skip == tips[number & (number - 1)]
        tips[number] = [number, sha256(content)]
        entries.append((circle, author, action, state))
    return entries, tips


def membership_read(data):
    title, circle, quorum, members, views, invites, allowances, moved = decode(data)
    assert title == "llavero membership" and quorum >= 1 and len(moved) in (0, 2)
    devices = [device(member[0]) for member in members]
    for names in (devices, [view[0] for view in views], [one[0] for one in invites], [one[0] for one in allowances]):
        assert names == sorted(set(names))
    listing = b"".join(name + sha256(encode(member)) for name, member in zip(devices, members))
    state = sha256(encode(["llavero membership state", circle, quorum, listing, views, invites, allowances, moved]))
    return circle, dict(zip(devices, members)), state


def tree_root(leaves):
    """Of a dictionary from names to pairs of head and digest."""
    buckets = [b"\x01"] * 4096
    for name in sorted(leaves):
        head, digest = leaves[name]
        buckets[name[0] << 4 | name[1] >> 4] += sha256(b"\x00" + name + struct.pack(">Q", head) + digest)
    hashes = [sha256(bucket) for bucket in buckets]
    nodes = [sha256(b"\x02" + b"".join(hashes[place : place + 64])) for place in range(0, 4096, 64)]
    return sha256(b"\x03" + b"".join(nodes))


# Vectors --------------------------------------------------------------------------------------------------------------

FOLDER = os.path.dirname(os.path.abspath(__file__))


def to_json(value):
    """Attributes: text and numbers are themselves, data {"data": hex}, dates {"date": seconds}."""
    if isinstance(value, Date):
        return {"date": float(value)}
    return {"data": value.hex()} if isinstance(value, bytes) else value


def from_json(value):
    if isinstance(value, dict):
        return Date(value["date"]) if "date" in value else bytes.fromhex(value["data"])
    return value


def item_of(row):
    if row is None:
        return None
    secret = None if row["secret"] is None else bytes.fromhex(row["secret"])
    attributes = {name: from_json(value) for name, value in row["attributes"].items()}
    return {**row, "attributes": attributes, "secret": secret, "later": bytes.fromhex(row["later"])}


def card_of(row):
    return card(bytes.fromhex(row["signing"]), bytes.fromhex(row["agreement"]), row["kind"])


def keys_of(row):
    circle, view, names, keys = bytes.fromhex(row["circle"]), bytes.fromhex(row["view"]), None, {}
    for entry in row["keys"]:
        key = ViewKey(circle, view, entry["generation"], bytes.fromhex(entry["secret"]), names)
        names, keys[key.generation] = key.names, key
        first = key.sealing[b"C"] + key.names
        check(entry, first=first.hex(), commitment=key.commitment.hex())
    return keys


def check(row, **values):
    """Compares with what the row has; fills it in where it has nothing."""
    for name, made in values.items():
        if MAKING:
            row.setdefault(name, made)
        assert row[name] == made, "%s is %s, not %s" % (name, made, row[name])


def check_card(row):
    made = card_of(row)
    check(row, bytes=made.hex(), device=device(made).hex())
    return ["card %s" % row["device"]]


def check_record(row):
    keys, lines = keys_of(row), []
    for entry in row["records"]:
        item, key = item_of(entry["item"]), keys[entry["generation"]]
        name = bytes.fromhex(entry["name"]) if item is None else record_name(key, item["class"], item["attributes"])
        body = record_seal(key, item, name, entry["head"], bytes.fromhex(entry["nonce"]))
        check(entry, name=name.hex(), body=body.hex())
        assert record_open(keys, name, entry["head"], body) == item
        lines.append("record %s" % entry["what"])
    return lines


def check_share(row):
    keys, sender, circle = keys_of(row), card_of(row["sender"]), bytes.fromhex(row["circle"])
    row["given"].sort(key=lambda one: device(card_of(one["receiver"])))
    contents = [
        share_content([keys[number] for number in one["generations"]], card_of(one["receiver"]), bytes.fromhex(one["ephemeral"]))
        for one in row["given"]
    ]
    root, paths = share_paths(contents)
    check(row, root=root.hex())
    if MAKING:
        over = encode(["llavero shares", circle, device(sender), root])
        over = signed(over, (sender, bytes.fromhex(row["sender"]["signing"])))
        for one, content, path in zip(row["given"], contents, paths):
            one["body"] = encode(["llavero share", content, path, over]).hex()
    commitments, lines = {(key.view, key.generation): key.commitment for key in keys.values()}, []
    for one, content, path in zip(row["given"], contents, paths):
        body, receiver = bytes.fromhex(one["body"]), device(card_of(one["receiver"]))
        assert decode(body)[:3] == ["llavero share", content, path]
        opened = share_open(body, bytes.fromhex(one["receiver"]["agreement"]), circle, receiver, sender, commitments)
        mine = [keys[number] for number in one["generations"]]
        assert [(key.secret, key.names) for key in opened] == [(key.secret, key.names) for key in mine]
        lines.append("share of %d keys, among %d" % (len(opened), len(contents)))
    return lines


def check_name(row):
    keys, lines = keys_of(row), []
    for entry in row["names"]:
        key = keys[entry["generation"]]
        about, name = bytes.fromhex(entry["about"]), entry["text"].encode()
        about = entry["kind"].encode() + about
        sealed = name_seal(key, about, name)
        check(entry, sealed=sealed.hex())
        assert name_open(key, about, sealed) == name
        lines.append("name of kind %s" % entry["kind"])
    return lines


def check_entry(row):
    bodies = [bytes.fromhex(entry["body"]) for entry in row["entries"]]
    entries, _ = log_read(bodies)
    for (circle, author, action, state), entry in zip(entries, row["entries"]):
        membership = bytes.fromhex(entry["membership"])
        there, members, led_to = membership_read(membership)
        assert (circle.hex(), led_to, action[0]) == (row["circle"], state, entry["action"]) and there == circle
        assert author in members
    return ["entry %s" % entry["action"] for entry in row["entries"]]


def check_head(row):
    leaves, previous, lines = {}, b"", []
    circle, view, author = bytes.fromhex(row["circle"]), bytes.fromhex(row["view"]), card_of(row["author"])
    for number, entry in enumerate(row["heads"], 1):
        listing = {}
        for record in entry["records"]:
            listing[bytes.fromhex(record["name"])] = sha256(bytes.fromhex(record["body"]))
        leaves.update({name: (number, digest) for name, digest in listing.items()})
        root, listed = tree_root(leaves), b"".join(name + listing[name] for name in sorted(listing))
        log = [entry["logNumber"], bytes.fromhex(entry["logHash"])]
        content = ["llavero head", circle, view, number, previous, *log, entry["generation"], entry["chance"], listed, root]
        content = encode(content + [entry["oldestTombstone"], entry["time"], device(author)])
        check(entry, root=root.hex(), content=content.hex())
        if MAKING:
            entry["body"] = signed(content, (author, bytes.fromhex(row["author"]["signing"]))).hex()
        assert verified(bytes.fromhex(entry["body"]), author) == content
        previous = sha256(content)
        lines.append("head %d" % number)
    return lines


CHECKS = {"entry": check_entry, "head": check_head, "card": check_card, "record": check_record, "share": check_share, "name": check_name}
MAKING = "--make" in sys.argv

for name, check_one in CHECKS.items():
    path = os.path.join(FOLDER, name + ".json")
    with open(path) as file:
        rows = json.load(file)
    for row in rows:
        for line in check_one(row):
            print(line)
    if MAKING:
        with open(path, "w") as file:
            json.dump(rows, file, indent=1, ensure_ascii=False)
            file.write("\n")
