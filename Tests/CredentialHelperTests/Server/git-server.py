#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Git over HTTP with basic authentication: git's own http-backend behind Python's server.

git-server.py FOLDER USER:PASSWORD-FILE PIPE serves the repositories of FOLDER on a free port, whose number and a line feed it
writes to PIPE. The one user is read anew for each request, and each request's answer is a line in FOLDER/requests.
"""

import base64
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

folder, secret, pipe = sys.argv[1:]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def note(self, code, user):
        with open(os.path.join(folder, "requests"), "a", encoding="utf-8") as log:
            log.write(f"{code} {user}\n")

    def user(self):
        kind, _, words = self.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "basic":
            return None, "-"
        given = base64.b64decode(words).decode("utf-8")
        with open(secret, encoding="utf-8") as file:
            wanted = file.read()
        user = given.partition(":")[0]
        return (user if given == wanted else None), user

    def serve(self):
        user, claimed = self.user()
        if user is None:
            self.note(401, claimed)
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("WWW-Authenticate", 'Bearer error="none"')
            self.end_headers()
            return
        url = urlsplit(self.path)
        size = int(self.headers.get("Content-Length", "0"))
        variables = {
            "PATH": "/usr/bin:/bin",
            "GIT_PROJECT_ROOT": folder,
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": folder,
            "REQUEST_METHOD": self.command,
            "PATH_INFO": unquote(url.path),
            "QUERY_STRING": url.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(size),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": user,
            "REMOTE_ADDR": "127.0.0.1",
        }
        answer = subprocess.run(
            ["git", "http-backend"], input=self.rfile.read(size), stdout=subprocess.PIPE, env=variables, check=False
        ).stdout
        head, _, body = answer.partition(b"\r\n\r\n")
        headers = [line.partition(": ") for line in head.decode("latin-1").split("\r\n") if line]
        code = next((int(value.split()[0]) for name, _, value in headers if name == "Status"), 200)
        self.note(code, user)
        self.send_response(code)
        for name, _, value in headers:
            if name != "Status":
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = serve
    do_POST = serve


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(pipe, "w", encoding="ascii") as ready:
    ready.write(f"{server.server_address[1]}\n")
server.serve_forever()
