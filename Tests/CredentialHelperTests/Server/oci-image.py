# SPDX-License-Identifier: Apache-2.0
"""Writes an image of one small file into a folder, in the layout of the Open Container Initiative."""

import hashlib
import io
import json
import os
import sys
import tarfile

folder = sys.argv[1]
os.makedirs(folder + "/blobs/sha256")


def put(kind, content):
    name = hashlib.sha256(content).hexdigest()
    with open(f"{folder}/blobs/sha256/{name}", "wb") as file:
        file.write(content)
    return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": "sha256:" + name, "size": len(content)}


def put_json(kind, content):
    return put(kind, json.dumps(content).encode())


layer = io.BytesIO()
with tarfile.open(fileobj=layer, mode="w") as archive:
    entry = tarfile.TarInfo("hello")
    entry.size = 5
    archive.addfile(entry, io.BytesIO(b"hello"))
layers = [put("layer.v1.tar", layer.getvalue())]
config = put_json("config.v1+json", {
    "architecture": "amd64", "os": "linux", "config": {},
    "rootfs": {"type": "layers", "diff_ids": [layers[0]["digest"]]},
})
manifest = put_json("manifest.v1+json", {
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": layers,
})
with open(folder + "/oci-layout", "w") as file:
    json.dump({"imageLayoutVersion": "1.0.0"}, file)
with open(folder + "/index.json", "w") as file:
    json.dump({"schemaVersion": 2, "manifests": [manifest]}, file)
