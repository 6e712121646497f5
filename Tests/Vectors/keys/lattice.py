#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes lattice.json: ML-KEM and ML-DSA by kyber-py 1.2.0 and dilithium-py 1.5.1 (PyPI), which share no code with OpenSSL.

The seeds count upwards, as those of the example keys in RFC 9935 and RFC 9881 do: the public keys are theirs.
"""

import hashlib
import json
import pathlib

from dilithium_py.ml_dsa import ML_DSA_65, ML_DSA_87
from kyber_py.ml_kem import ML_KEM_768, ML_KEM_1024

SEED = bytes(range(64))
MESSAGE = b"what is signed"
CONTEXT = b"a context"


def row(name, seed, public, private, **more):
    return {
        "id": name,
        "seed": seed.hex(),
        "publicKey": hashlib.sha3_256(public).hexdigest(),
        "privateKey": private[-96:].hex(),
        **{key: value.hex() for key, value in more.items()},
    }


rows = []
for name, kem in (("ML-KEM-768", ML_KEM_768), ("ML-KEM-1024", ML_KEM_1024)):
    public, private = kem._keygen_internal(SEED[:32], SEED[32:])
    secret, encapsulated = kem._encaps_internal(public, hashlib.sha256(name.encode()).digest())
    rows.append(row(name, SEED, public, private, encapsulated=encapsulated, secret=secret))
for name, dsa in (("ML-DSA-65", ML_DSA_65), ("ML-DSA-87", ML_DSA_87)):
    public, private = dsa._keygen_internal(SEED[:32])
    signature = dsa.sign(private, MESSAGE, ctx=CONTEXT, deterministic=True)
    rows.append(row(name, SEED[:32], public, private, message=MESSAGE, context=CONTEXT, signature=signature))
pathlib.Path(__file__).with_name("lattice.json").write_text(json.dumps({"rows": rows}, indent=1) + "\n")
