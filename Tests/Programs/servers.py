# SPDX-License-Identifier: Apache-2.0
"""Servers on loopback that want a password or a token, and remember whom they answered."""

import base64
import hashlib
import io
import json
import ssl
import struct
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server:
    """A server on a free port, for as long as the block lasts; `answer` says what becomes of a request."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                status, headers, content = outer.answer(self.command, self.path, self.headers, body)
                outer.requests.append(f"{self.command} {self.path} {status}")
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = serve

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"127.0.0.1:{self.server.server_address[1]}"

    def answer(self, method, path, headers, body):
        raise NotImplementedError

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def wheel(name: str, version: str) -> tuple[str, bytes]:
    """The file name and the bytes of a package with one empty module."""
    data = io.BytesIO()
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(data, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return f"{name}-{version}-py3-none-any.whl", data.getvalue()


class PackageIndex(Server):
    """An index of Python packages, and the place where they are uploaded, for one user."""

    def __init__(self, user: str, password: str) -> None:
        super().__init__()
        # In either encoding: programs that use Python's requests send Latin-1.
        words = f"{user}:{password}"
        self.expected = ["Basic " + base64.b64encode(words.encode(name)).decode() for name in ("utf-8", "latin-1")]
        self.file, self.content = wheel("hello_keychain", "1.0")
        self.uploads: list[bytes] = []

    @property
    def simple(self) -> str:
        return f"http://{self.address}/simple/"

    @property
    def legacy(self) -> str:
        return f"http://{self.address}/legacy/"

    def answer(self, method, path, headers, body):
        if headers.get("Authorization") not in self.expected:
            return 401, {"WWW-Authenticate": 'Basic realm="index"'}, b"who are you?"
        if method == "POST" and path == "/legacy/":
            self.uploads.append(body)
            return 200, {}, b""
        if path == "/simple/hello-keychain/":
            digest = hashlib.sha256(self.content).hexdigest()
            page = f'<html><body><a href="/files/{self.file}#sha256={digest}">{self.file}</a></body></html>'
            return 200, {"Content-Type": "text/html"}, page.encode()
        if path == f"/files/{self.file}":
            return 200, {"Content-Type": "application/octet-stream"}, self.content
        return 404, {}, b""


class CrateRegistry(Server):
    """A registry of crates with a sparse index, all of which wants a token."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self.token = token
        self.index: dict[str, list[dict]] = {}
        self.crates: dict[str, bytes] = {}

    def answer(self, method, path, headers, body):
        if headers.get("Authorization") != self.token:
            return 401, {"WWW-Authenticate": f'Cargo login_url="http://{self.address}/me"'}, b""
        if path == "/index/config.json":
            at = f"http://{self.address}"
            config = {"dl": f"{at}/crates/{{crate}}-{{version}}", "api": at, "auth-required": True}
            return 200, {}, json.dumps(config).encode()
        if method == "PUT" and path == "/api/v1/crates/new":
            (size,) = struct.unpack("<I", body[:4])
            said = json.loads(body[4 : 4 + size])
            crate = body[8 + size :]
            entry = {
                "name": said["name"],
                "vers": said["vers"],
                "deps": [],
                "cksum": hashlib.sha256(crate).hexdigest(),
                "features": {},
                "yanked": False,
            }
            name = said["name"]
            self.index.setdefault(f"/index/{name[:2]}/{name[2:4]}/{name}", []).append(entry)
            self.crates[f"/crates/{name}-{said['vers']}"] = crate
            return 200, {}, b"{}"
        if method == "DELETE" and path.startswith("/api/v1/crates/") and path.endswith("/yank"):
            return 200, {}, b'{"ok":true}'
        if path in self.index:
            return 200, {}, "".join(json.dumps(entry) + "\n" for entry in self.index[path]).encode()
        if path in self.crates:
            return 200, {}, self.crates[path]
        return 404, {}, b""


class Cluster(Server):
    """As much of Kubernetes as `kubectl get --raw /version` asks for; over TLS, for kubectl tells nobody else its token."""

    def __init__(self, token: str, certificate: str, key: str) -> None:
        super().__init__()
        self.token = token
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)

    def answer(self, method, path, headers, body):
        if headers.get("Authorization") != f"Bearer {self.token}":
            return 401, {}, b""
        return 200, {"Content-Type": "application/json"}, b'{"major":"1","minor":"0"}'
