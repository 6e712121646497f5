#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reference.json: the algorithms by their definitions, in Python integers, without any library of cryptography.

Deterministic: every "random" value is a SHA-256 of its name. The RSA keys are in rsa-keys.json (made once by `openssl
genrsa`). RFC 8017 (RSA), SEC 1 and FIPS 186-4 (curves), ANSI X9.63 (derivation), SP 800-38D (GCM), FIPS 197 (AES),
RFC 8018 (PBKDF2). The forms Apple defines (OAEP with AES-GCM, ECIES) are here as Sources/KeychainKeys describes them:
these rows show that the description is what is done, not that a Mac does it.
"""
import hashlib, hmac, json, os, sys

HASHES = {"MD5": "md5", "SHA1": "sha1", "SHA224": "sha224", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512"}
PREFIX = {  # RFC 8017 §9.2, note 1
    "MD5": "3020300c06082a864886f70d020505000410", "SHA1": "3021300906052b0e03021a05000414",
    "SHA224": "302d300d06096086480165030402040500041c", "SHA256": "3031300d060960864801650304020105000420",
    "SHA384": "3041300d060960864801650304020205000430", "SHA512": "3051300d060960864801650304020305000440"}


def H(name, data): return hashlib.new(HASHES[name], data).digest()
def xor(a, b): return bytes(x ^ y for x, y in zip(a, b))


def draw(name, count):
    out = b""
    while len(out) < count: out += hashlib.sha256(f"{name}/{len(out)}".encode()).digest()
    return out[:count]


# RSA
def numbers(der):
    def element(at):
        n = der[at + 1]; at += 2
        if n & 0x80: k = n & 0x7f; n = int.from_bytes(der[at:at + k], "big"); at += k
        return at, at + n
    at, _ = element(0)
    out = []
    while at < len(der): s, e = element(at); out.append(int.from_bytes(der[s:e], "big")); at = e
    return out


def der_int(n):
    b = n.to_bytes(n.bit_length() // 8 + 1, "big")
    return b"\x02" + der_len(len(b)) + b


def der_len(n): return bytes([n]) if n < 128 else (lambda b: bytes([0x80 | len(b)]) + b)(n.to_bytes((n.bit_length() + 7) // 8, "big"))
def seq(c): return b"\x30" + der_len(len(c)) + c


def mgf(h, seed, n):
    out = b""; i = 0
    while len(out) < n: out += H(h, seed + i.to_bytes(4, "big")); i += 1
    return out[:n]


def pkcs1_type1(data, k): return b"\0\1" + b"\xff" * (k - 3 - len(data)) + b"\0" + data


def pss(h, digest, salt, bits):
    size = (bits + 7) // 8
    w = H(h, bytes(8) + digest + salt)
    db = bytes(size - len(salt) - len(w) - 2) + b"\1" + salt
    masked = bytearray(xor(db, mgf(h, w, len(db))))
    masked[0] &= 0xff >> (8 * size - bits)
    return bytes(masked) + w + b"\xbc"


def oaep(h, m, k, seed):
    l = H(h, b"")
    db = l + bytes(k - len(m) - 2 * len(l) - 2) + b"\1" + m
    db = xor(db, mgf(h, seed, len(db)))
    return b"\0" + xor(seed, mgf(h, db, len(seed))) + db


# Curves
CURVES = {
    256: (2**256 - 2**224 + 2**192 + 2**96 - 1, 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
          0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
          0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
          0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5),
    384: (2**384 - 2**128 - 2**96 + 2**32 - 1,
          0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef,
          0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973,
          0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7,
          0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f),
    521: (2**521 - 1,
          0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00,
          0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409,
          0x00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66,
          0x011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650),
}


def check_curves():
    for bits, (p, b, n, x, y) in CURVES.items():
        assert (y * y - x**3 + 3 * x - b) % p == 0, bits
        assert multiply(bits, n - 1, (x, y)) == (x, p - y), bits


def add(p, a, b):
    if a is None: return b
    if b is None: return a
    if a[0] == b[0]:
        if (a[1] + b[1]) % p == 0: return None
        l = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, p) % p
    else: l = (b[1] - a[1]) * pow(b[0] - a[0], -1, p) % p
    x = (l * l - a[0] - b[0]) % p
    return x, (l * (a[0] - x) - a[1]) % p


def multiply(bits, k, point=None):
    p, _, n, gx, gy = CURVES[bits]
    point = point or (gx, gy); out = None
    while k:
        if k & 1: out = add(p, out, point)
        point = add(p, point, point); k >>= 1
    return out


def size(bits): return (bits + 7) // 8
def encode(bits, q): return b"\4" + q[0].to_bytes(size(bits), "big") + q[1].to_bytes(size(bits), "big")


class ECKey:
    def __init__(self, bits, name):
        self.bits = bits
        self.k = int.from_bytes(draw(name, size(bits) + 8), "big") % (CURVES[bits][2] - 1) + 1
        self.q = multiply(bits, self.k)
        self.public = encode(bits, self.q)
        self.private = self.public + self.k.to_bytes(size(bits), "big")

    def shared(self, other): return multiply(self.bits, self.k, other.q)[0].to_bytes(size(self.bits), "big")

    def sign(self, digest, name):
        n = CURVES[self.bits][2]
        e = int.from_bytes(digest, "big")
        if 8 * len(digest) > n.bit_length(): e >>= 8 * len(digest) - n.bit_length()
        k = int.from_bytes(draw(name, size(self.bits) + 8), "big") % (n - 1) + 1
        r = multiply(self.bits, k)[0] % n
        return r, pow(k, -1, n) * (e + r * self.k) % n


def x963(h, z, info, count):
    out = b""; i = 1
    while len(out) < count: out += H(h, z + i.to_bytes(4, "big") + info); i += 1
    return out[:count]


# AES-GCM
def make_sbox():
    p = q = 1; box = [0] * 256
    while True:
        p = p ^ (p << 1) & 0xff ^ (0x1b if p & 0x80 else 0)
        q ^= q << 1; q ^= q << 2; q ^= q << 4; q &= 0xff
        if q & 0x80: q ^= 0x09
        r = lambda v, n: (v << n | v >> (8 - n)) & 0xff
        box[p] = q ^ r(q, 1) ^ r(q, 2) ^ r(q, 3) ^ r(q, 4) ^ 0x63
        if p == 1: break
    box[0] = 0x63
    return box


SBOX = make_sbox()


def aes_block(key, block):
    nk = len(key) // 4; rounds = nk + 6
    w = [list(key[4 * i:4 * i + 4]) for i in range(nk)]; rcon = 1
    for i in range(nk, 4 * (rounds + 1)):
        t = list(w[i - 1])
        if i % nk == 0:
            t = [SBOX[b] for b in t[1:] + t[:1]]; t[0] ^= rcon; rcon = rcon << 1 ^ (0x11b if rcon & 0x80 else 0)
        elif nk > 6 and i % nk == 4: t = [SBOX[b] for b in t]
        w.append([a ^ b for a, b in zip(w[i - nk], t)])
    x2 = lambda b: (b << 1 ^ (0x1b if b & 0x80 else 0)) & 0xff
    s = [a ^ b for a, b in zip(block, sum(w[:4], []))]
    for r in range(1, rounds + 1):
        s = [SBOX[s[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if r < rounds:
            o = []
            for c in range(4):
                a = s[4 * c:4 * c + 4]; t = a[0] ^ a[1] ^ a[2] ^ a[3]
                o += [a[i] ^ t ^ x2(a[i] ^ a[(i + 1) % 4]) for i in range(4)]
            s = o
        s = [a ^ b for a, b in zip(s, sum(w[4 * r:4 * r + 4], []))]
    return bytes(s)


def gmul(x, y):
    z = 0
    for i in range(127, -1, -1):
        if y >> i & 1: z ^= x
        x = x >> 1 ^ (0xe1 << 120 if x & 1 else 0)
    return z


def ghash(h, data):
    y = 0
    for i in range(0, len(data), 16): y = gmul(y ^ int.from_bytes(data[i:i + 16], "big"), h)
    return y


def pad16(d): return d + bytes(-len(d) % 16)


def gcm(key, iv, aad, plain):
    h = int.from_bytes(aes_block(key, bytes(16)), "big")
    j0 = int.from_bytes(iv + b"\0\0\0\1", "big") if len(iv) == 12 else \
        ghash(h, pad16(iv) + bytes(8) + (8 * len(iv)).to_bytes(8, "big"))
    def counter(i): return aes_block(key, ((j0 >> 32 << 32) | (j0 + i) & 0xffffffff).to_bytes(16, "big"))
    out = b"".join(xor(plain[i:i + 16], counter(i // 16 + 1)) for i in range(0, len(plain), 16))
    s = ghash(h, pad16(aad) + pad16(out) + (8 * len(aad)).to_bytes(8, "big") + (8 * len(out)).to_bytes(8, "big"))
    return out + xor(s.to_bytes(16, "big"), counter(0))


def pbkdf2(h, password, salt, rounds, count):
    out = b""; i = 1
    while len(out) < count:
        u = t = hmac.new(password, salt + i.to_bytes(4, "big"), HASHES[h]).digest()
        for _ in range(rounds - 1): u = hmac.new(password, u, HASHES[h]).digest(); t = xor(t, u)
        out += t; i += 1
    return out[:count]


rows, keys = [], {}


def row(id, op, **fields):
    fields = {k: v.hex() if isinstance(v, bytes) else v for k, v in fields.items()}
    if "key" in fields:
        # Each key once: its private and public bytes are long.
        key = {k: fields.pop(k) for k in ("type", "key", "public") if k in fields}
        key = {{"key": "private"}.get(k, k): v for k, v in key.items()}
        fields["key"] = next((n for n, k in keys.items() if k == key), f"{key['type']} {len(keys) + 1}")
        keys[fields["key"]] = key
    rows.append({"id": id, "op": op, **fields})


def rsa_rows(bits, private):
    _, n, e, d, *_ = numbers(private)
    k = (n.bit_length() + 7) // 8
    public = seq(der_int(n) + der_int(e))
    message = draw(f"rsa message {bits}", 77)
    raw = lambda m, x: pow(int.from_bytes(m, "big"), x, n).to_bytes(k, "big")
    turned = lambda b: b[::-1] + bytes(-len(b) % 8)
    def both(id, algorithm, data, signature, exact=True):
        row(f"{id} {bits}", "sign" if exact else "verify", type="rsa", key=private, public=public,
            algorithm=f"algid:sign:RSA:{algorithm}", input=data, output=signature)
    def sealed(id, algorithm, plain, text):
        row(f"{id} {bits}", "decrypt", type="rsa", key=private, public=public,
            algorithm=f"algid:encrypt:RSA:{algorithm}", input=text, output=plain)
    # A large key only where its size matters.
    for h in HASHES if bits < 4096 else ["SHA256"]:
        digest = H(h, message)
        s = raw(pkcs1_type1(bytes.fromhex(PREFIX[h]) + digest, k), d)
        both(f"PKCS1 {h} message", f"message-PKCS1v15:{h}", message, s)
        both(f"PKCS1 {h} digest", f"digest-PKCS1v15:{h}", digest, s)
        if h == "MD5": continue
        if len(digest) * 2 + 2 <= (n.bit_length() + 6) // 8:
            em = pss(h, digest, draw(f"salt {h}", len(digest)), n.bit_length() - 1)
            s = pow(int.from_bytes(em, "big"), d, n).to_bytes(k, "big")
            length = {"SHA224": 24}.get(h, len(digest))  # the name only: Apple's says 24, the salt has 28 bytes
            both(f"PSS {h} message", f"message-PSS:{h}:{h}:{length}", message, s, exact=False)
            both(f"PSS {h} digest", f"digest-PSS:{h}:{h}:{length}", digest, s, exact=False)
        if len(digest) * 2 + 2 <= k:
            for plain in [b"", draw("oaep", 5), draw("oaep", k - 2 * len(digest) - 2)]:
                if len(plain) <= k - 2 * len(digest) - 2:
                    sealed(f"OAEP {h} {len(plain)}", f"OAEP:{h}", plain,
                           raw(oaep(h, plain, k, draw(f"seed {h}", len(digest))), e))
        count = 32 if bits >= 4096 else 16
        if count + len(digest) * 2 + 2 <= k:
            session = draw(f"session {h}", count)
            for plain in [b"", draw("session text", 100)]:
                sealed(f"OAEP-AESGCM {h} {len(plain)}", f"OAEP:{h}:AESGCM", plain,
                       raw(oaep(h, session, k, draw(f"seed 2 {h}", len(digest))), e)
                       + gcm(session, bytes(16), public, plain))
    both("PKCS1 any", "digest-PKCS1v15", message[:40], raw(pkcs1_type1(message[:40], k), d))
    number = b"\0" + draw("raw", k - 1)
    both("raw", "raw", number, raw(number, d))
    both("raw short", "raw", number[5:], raw(number[5:], d))
    both("raw reversed", "raw-cc", number[::-1], turned(raw(number, d)))
    sealed("raw", "raw", number, raw(number, e))
    sealed("raw reversed", "raw-cc", turned(number), turned(raw(number, e)))
    filler = bytes(b or 1 for b in draw("filler", k - 3 - 33))
    sealed("PKCS1", "PKCS1", draw("pkcs1", 33), raw(b"\0\2" + filler + b"\0" + draw("pkcs1", 33), e))


def ec_rows(bits):
    key, other = ECKey(bits, f"key {bits}"), ECKey(bits, f"other {bits}")
    message = draw(f"ec message {bits}", 50)
    for h in list(HASHES)[1:]:
        for kind, data in (("message", message), ("digest", H(h, message))):
            r, s = key.sign(H(h, message), f"nonce {bits} {h}")
            for form, text in (("X962", seq(der_int(r) + der_int(s))),
                               ("RFC4754", r.to_bytes(size(bits), "big") + s.to_bytes(size(bits), "big"))):
                row(f"ECDSA {form} {kind} {h} {bits}", "verify", type="ec", key=key.private, public=key.public,
                    algorithm=f"algid:sign:ECDSA:{kind}-{form}:{h}", input=data, output=text)
        z = key.shared(other)
        for name in ("ECDH", "ECDHC"):
            for count, info in ((16, b""), (65, draw("info", 9))):
                row(f"{name} {h} {count} {bits}", "exchange", type="ec", key=key.private, public=key.public,
                    peer=other.public, algorithm=f"algid:keyexchange:{name}:KDFX963:{h}", requestedSize=count,
                    sharedInfo=info, output=x963(h, z, info, count))
            ephemeral = ECKey(bits, f"ephemeral {h} {bits}")
            z2 = ephemeral.shared(key); n = 16 if bits <= 256 else 32
            for variable in (False, True):
                if variable and h == "SHA1": continue
                material = x963(h, z2, ephemeral.public, n + (16 if variable else 0))
                for plain in (b"", draw("ecies", 70)):
                    row(f"ECIES {name} {h} {variable} {len(plain)} {bits}", "decrypt", type="ec", key=key.private,
                        public=key.public, output=plain,
                        algorithm=f"algid:encrypt:ECIES:{name}:KDFX963:{h}:AESGCM" + ("-KDFIV" if variable else ""),
                        input=ephemeral.public + gcm(material[:n], material[n:] or bytes(16), b"", plain))
    for name in ("ECDH", "ECDHC"):
        row(f"{name} {bits}", "exchange", type="ec", key=key.private, public=key.public, peer=other.public,
            algorithm=f"algid:keyexchange:{name}", output=key.shared(other))
    for count in (0, 1, 20, 64, 100):
        digest = draw("any", count)
        r, s = key.sign(digest, f"nonce any {bits} {count}")
        text = r.to_bytes(size(bits), "big") + s.to_bytes(size(bits), "big")
        for algorithm, signature in (("RFC4754", text), ("digest-RFC4754", text), ("digest-X962", seq(der_int(r) + der_int(s)))):
            row(f"ECDSA {algorithm} any {count} {bits}", "verify", type="ec", key=key.private, public=key.public,
                algorithm=f"algid:sign:ECDSA:{algorithm}", input=digest, output=signature)


def main():
    check_curves()
    # FIPS 197 §C.1, and the GCM specification's test case 2: or all below would be worthless.
    assert aes_block(bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")).hex() == \
        "69c4e0d86a7b0430d8cdb78070b4c55a"
    assert gcm(bytes(16), bytes(12), b"", bytes(16)).hex() == \
        "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
    folder = os.path.dirname(os.path.abspath(__file__))
    for bits, key in json.load(open(os.path.join(folder, "rsa-keys.json"))).items(): rsa_rows(int(bits), bytes.fromhex(key))
    for bits in CURVES: ec_rows(bits)
    for count in (16, 24, 32):
        for length in (0, 1, 16, 100):
            key, plain, nonce = draw(f"aes {count}", count), draw("aes text", length), draw("aes nonce", 12)
            row(f"AES-GCM {8 * count} {length}", "decrypt", type="aes", key=key,
                algorithm="algid:encrypt:AES:GCM", input=nonce + gcm(key, nonce, b"", plain), output=plain)
    for h in list(HASHES)[1:]:
        for rounds, count in ((1, 16), (1000, 100)):
            row(f"PBKDF2 {h} {rounds}", "pbkdf2", algorithm=f"h{h.lower()}", input=b"a password", sharedInfo=draw("salt", 8),
                rounds=rounds, requestedSize=count, output=pbkdf2(h, b"a password", draw("salt", 8), rounds, count))
    with open(os.path.join(folder, "reference.json"), "w") as file:
        lines = lambda members: ",\n".join("    " + m for m in members)
        file.write('{\n  "keys": {\n' + lines(f"{json.dumps(n)}: {json.dumps(k)}" for n, k in keys.items())
                   + '\n  },\n  "rows": [\n' + lines(map(json.dumps, rows)) + "\n  ]\n}\n")
    print(len(rows), "rows")


main()
