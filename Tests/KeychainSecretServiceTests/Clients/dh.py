# SPDX-License-Identifier: Apache-2.0
"""The programs' side of dh-ietf1024-sha256-aes128-cbc-pkcs7, with Python's integers."""
import hashlib
import hmac
import secrets

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

NAME = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
P = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF", 16)


class Agreement:
    def __init__(self):
        self.exponent = secrets.randbits(256) | 2
        self.number = pow(2, self.exponent, P)

    def key(self, size=128):
        """Our public key in so many bytes."""
        return self.number.to_bytes(size, "big")

    def finish(self, other):
        shared = pow(int.from_bytes(other, "big"), self.exponent, P).to_bytes(128, "big")
        self.is_short = shared[0] == 0
        early = hmac.new(bytes(32), shared, hashlib.sha256).digest()
        self.aes = hmac.new(early, b"\x01", hashlib.sha256).digest()[:16]
        return self

    def seal(self, text):
        vector, count = secrets.token_bytes(16), 16 - len(text) % 16
        writer = Cipher(algorithms.AES(self.aes), modes.CBC(vector)).encryptor()
        return vector, writer.update(text + bytes([count]) * count) + writer.finalize()

    def open(self, vector, sealed):
        reader = Cipher(algorithms.AES(self.aes), modes.CBC(vector)).decryptor()
        text = reader.update(sealed) + reader.finalize()
        count = text[-1] if text else 0
        if not (1 <= count <= 16 and text[-count:] == bytes([count]) * count):
            raise ValueError("the padding is wrong: another key")
        return text[:-count]
