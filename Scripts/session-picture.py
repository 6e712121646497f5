#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a session of the tools, as they really answer, into Docs/Pictures/session.svg: Scripts/session-picture.py [--check] FOLDER

FOLDER has the built `llavero`. The commands below are run one after the other on a terminal of 92 columns, with a home folder
that is thrown away; what comes back is drawn, colours and all. With --check nothing is written, and the exit code says whether the picture is
that of today's tools; dates may differ.
"""
import html
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "Docs/Pictures/session.svg"
COLUMNS = 92
# A command, and what a person types when it asks.
SESSION = [
    ("llavero add github --user ada --url https://github.com --generate", []),
    ("llavero add mail --user ada --stdin < password.txt", []),
    ("llavero list", []),
    ("llavero get githb", []),
    ("llavero run --env TOKEN=github -- ./deploy", []),
    ("cat config.tpl", []),
    ("llavero inject config.tpl --out config", []),
    ("llavero remove mail", []),
    ("llavero undelete mail", []),
    ("llavero passcode set", ["a long passcode of mine", "a long passcode of mine"]),
    ("llavero lock", []),
    ("llavero get mail", ["a long passcode of mine"]),
]
SIZE, LEADING, MARGIN = 13, 19, 18
# Readable on a light and on a dark page: the terminal has a ground of its own.
GROUND, TEXT, FAINT, PROMPT, TYPED = "#1e2127", "#d7dae0", "#8b919d", "#98c379", "#ffffff"


def answer(command, typed, environment, folder):
    """What a command shows on a terminal of its own."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe("/bin/sh", ["sh", "-c", f"stty cols {COLUMNS}; {command}"], environment)
    shown, left, deadline = b"", list(typed), time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.2)[0]:
            # It waits for an answer.
            if left and shown.rstrip(b" ").endswith(b":"):
                os.write(terminal, left.pop(0).encode() + b"\n")
                shown += b" "
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    os.waitpid(process, 0)
    return shown.decode(errors="replace").replace("\r\n", "\n").rstrip("\n").split("\n")


def folded(line):
    """A line as a terminal folds it, at words where it can, each with its class."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
    lines = []
    while len(plain) > COLUMNS:
        cut = plain.rfind(" ", 0, COLUMNS) + 1 or COLUMNS
        lines.append(plain[:cut].rstrip())
        plain = plain[cut:]
    # What the tool says beside its answer.
    kind = "beside" if line.startswith("llavero: ") else "said"
    return [(kind, part) for part in lines + [plain]]


def session(tools):
    """The lines of the picture, each with its class."""
    with tempfile.TemporaryDirectory() as home:
        work = pathlib.Path(home, "work")
        work.mkdir()
        (work / "password.txt").write_text("correct horse battery staple\n")
        (work / "deploy").write_text('#!/bin/sh\necho "deployed, with a token of ${#TOKEN} letters in \\$TOKEN"\n')
        (work / "deploy").chmod(0o755)
        (work / "config.tpl").write_text("user: {{ llavero://github/user }}\npassword: {{ llavero://github }}\n")
        (pathlib.Path(home) / "run").mkdir(mode=0o700)
        environment = {
            "PATH": f"{tools}:/usr/bin:/bin", "HOME": home, "LC_ALL": "C.UTF-8", "TERM": "xterm", "TZ": "UTC",
            "XDG_RUNTIME_DIR": f"{home}/run", "PINENTRY": "/bin/false"}
        lines = []
        try:
            for command, typed in SESSION:
                lines.append(("typed", command))
                lines += [part for line in answer(command, typed, environment, work) if line.strip() for part in folded(line)]
        finally:
            subprocess.run(["llavero", "lock", "--end-agent"], env=environment, cwd=work, capture_output=True)
        return lines


def drawn(lines):
    width = round(COLUMNS * SIZE * 0.602) + 2 * MARGIN
    height = LEADING * len(lines) + 2 * MARGIN + 16
    rows = []
    for number, (kind, text) in enumerate(lines):
        y = MARGIN + 16 + LEADING * number + SIZE
        body = html.escape(text)
        if kind == "typed":
            body = f'<tspan class="p">$ </tspan><tspan class="t">{body}</tspan>'
        elif kind == "beside":
            body = f'<tspan class="f">{body}</tspan>'
        rows.append(f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{body}</text>')
    dots = "".join(f'<circle cx="{MARGIN + 16 * n}" cy="14" r="5" fill="#4b515d"/>' for n in range(3))
    title = "A session at a terminal: passwords are added, listed, found, given to a command, filled into a file, removed and brought back, and locked"
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}">
<title>{title}</title>
<!-- Made by Scripts/session-picture.py of what the tools answer. -->
<style>text {{ font: {SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: {TEXT} }} .p {{ fill: {PROMPT} }} .t {{ fill: {TYPED} }} .f {{ fill: {FAINT} }}</style>
<rect width="{width}" height="{height}" rx="8" fill="{GROUND}"/>
{dots}
{chr(10).join(rows)}
</svg>
"""


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if len(words) != 1 or not shutil.which("llavero", path=words[0]):
        sys.exit("usage: Scripts/session-picture.py [--check] FOLDER, which has the built llavero")
    picture = drawn(session(pathlib.Path(words[0]).resolve()))
    if "--check" in sys.argv[1:]:
        def timeless(text):
            return re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)
        if not PICTURE.exists() or timeless(PICTURE.read_text()) != timeless(picture):
            sys.exit(f"{PICTURE.relative_to(ROOT)} is not what the tools answer; Scripts/session-picture.py {words[0]} draws it")
        return
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture)


main()
