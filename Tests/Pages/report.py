# SPDX-License-Identifier: Apache-2.0
"""The page of `llavero report`, of a keychain with something of each kind."""
import os
import subprocess

from browser import look

WEAK = ["password1", "Summer2026", "qwertyuiop", "letmein", "ada2001", "elephant"]


def check(chromium, tool, folder, axe, looks, pictures):
    environment = dict(os.environ, HOME=str(folder), LLAVERO_HOME=str(folder / "keychains"), LC_ALL="C.UTF-8")

    def llavero(*words, secret=""):
        subprocess.run([tool, *words], input=secret.encode(), env=environment, check=True, cwd=folder, capture_output=True)

    for number in range(24):
        secret = WEAK[number % len(WEAK)] if number % 3 == 0 else f"rT5.kQ9+mZ{number * 7919}"
        llavero("add", f"service {number} <b>", "--user", "ada@example.org", "--stdin", "--quiet", secret=secret)
    llavero("add", "a name that is longer than names mostly are, and has aVeryLongWordThatNobodyCanBreakAnywhere" * 2,
            "--url", "https://ada@shop.example/with/a/long/path", "--stdin", "--quiet", secret="password1")
    (folder / ".netrc").write_text("machine forum login ada password rT5.kQ9+mZ7919\n")
    for name, days in (("soon", "10"), ("later", "400")):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
             folder / f"{name}.pem", "-days", days, "-subj", f"/CN={name}.example"], check=True, capture_output=True)
        (folder / "security").unlink(missing_ok=True)
        (folder / "security").symlink_to(tool)
        subprocess.run([folder / "security", "import", folder / f"{name}.pem"], env=environment, check=True, capture_output=True)
    llavero("report", "--html", "report.html")
    failures = look(chromium, folder / "report.html", axe, looks, pictures, "report")
    return failures + keyboard(chromium, folder / "report.html")


def keyboard(chromium, path):
    """The first stop leads past the summary to the findings, and each table that may be wider than the window is a stop."""
    page = chromium.page(path, width=360, height=780)
    page.tab()
    stops = [page.focus]
    page.enter()
    stops.append(page.focus)
    page.tab()
    stops.append(page.focus)
    page.tab()
    stops.append(page.focus)
    page.call("Page.close")
    wanted = ["skip", "findings", "scroll", "scroll"]
    return [] if stops == wanted else [f"the keyboard stops at {stops}, not at {wanted}"]
