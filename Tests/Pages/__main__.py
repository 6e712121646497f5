# SPDX-License-Identifier: Apache-2.0
"""Opens pages in a headless Chromium, light and dark, wide and narrow: python3 Tests/Pages --axe FILE [--site FOLDER] [--pictures FOLDER]

Each must complain of nothing in the console, ask nobody for anything, be usable by the keyboard, and have no violation that
axe-core finds. Without --site it is the page of `llavero report`, of a keychain that is made for it.
"""
import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import browser  # noqa: E402
import report  # noqa: E402
import site_pages  # noqa: E402

LOOKS = [("light", dict(dark=False)), ("dark", dict(dark=True)), ("narrow", dict(dark=True, width=360, height=780))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--axe", required=True, type=pathlib.Path)
    parser.add_argument("--tool", type=pathlib.Path)
    parser.add_argument("--site", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    axe = options.axe.read_text()
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as chromium:
        folder = pathlib.Path(folder)
        (folder / "bad.html").write_text("<!DOCTYPE html><title>x</title><img src=data:,><input>")
        if len(chromium.page(folder / "bad.html").violations(axe)) < 3:
            sys.exit("axe-core finds nothing in a page that has no language, an image without words and a field without a name")
        if options.site:
            failures = site_pages.check(chromium, options.site.resolve(), axe, LOOKS, options.pictures)
        else:
            failures = report.check(chromium, options.tool.resolve(), folder, axe, LOOKS, options.pictures)
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
