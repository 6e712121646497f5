# SPDX-License-Identifier: Apache-2.0
"""Runs programs of a desktop against llaverod, on a screen and a bus of their own: python3 Desktop [NAME…]

Each group has a bed of its own. A name is that of a test, or its first words; each line says what was found.
"""
import argparse
import importlib
import os
import pathlib
import signal
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))

import display  # noqa: E402
from clients import Skipped  # noqa: E402

QUICK, BIG = ["prompts", "libsecret"], ["chromium", "seahorse", "libraries", "network", "providers"]


def main():
    parser = argparse.ArgumentParser(prog="secret-service-programs.sh")
    parser.add_argument("--programs", default=".build/debug", type=pathlib.Path, help="where llaverod and llavero are")
    parser.add_argument("--quick", action="store_true", help="only what `make test` runs")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for group in QUICK if options.quick else QUICK + BIG:
        tests = [test for test in importlib.import_module(group).TESTS
                 if not options.names or any(f"{test.__name__}_".startswith(name + "_") for name in options.names)]
        if not tests:
            continue
        with display.Desk(programs=options.programs.resolve()) as desk:
            for test in tests:
                began = time.monotonic()
                try:
                    word, found = "passed", test(desk)
                except Skipped as reason:
                    word, found = "skipped", str(reason)
                except Exception as error:
                    word, found = "failed", f"{type(error).__name__}: {error}"
                    traceback.print_exc()
                counts[word] += 1
                shown = {"passed": "ok", "failed": "FAILED"}.get(word, word)
                print(f"{test.__name__}: {shown}, {time.monotonic() - began:.1f} s{'; ' + found if found else ''}", flush=True)
                if word == "failed":
                    # What comes next may not find what it expects.
                    break
    if "STEP_COUNTS" in os.environ:
        pathlib.Path(os.environ["STEP_COUNTS"]).write_text(f"{counts['passed']} {counts['failed']} {counts['skipped']}\n")
    print(f"{counts['passed']} passed, {counts['failed']} failed" + (f", {counts['skipped']} skipped" if counts["skipped"] else ""))
    sys.exit(counts["failed"] > 0)


main()
