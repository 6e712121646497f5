# SPDX-License-Identifier: Apache-2.0
"""Runs circles of real machines on a real PostgreSQL server: Scripts/circle-test.sh [--long] [NAME…]

A name is that of a row, or its first words (`row_20`). Each line says what was counted; the end is 1 when anything failed.
"""
import argparse
import pathlib
import signal
import sys
import time
import traceback

import chips
import items
import owners
import scene
import people
import servers

ROWS = people.ROWS + owners.ROWS + chips.ROWS + items.ROWS + servers.ROWS


def main():
    parser = argparse.ArgumentParser(prog="circle-test.sh")
    parser.add_argument("--programs", default=".build/debug", type=pathlib.Path, help="where llavero is")
    parser.add_argument("--long", action="store_true", help="every column of every table, and kills at more moments")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    server = scene.Server()
    passed = skipped = 0
    failures = []
    try:
        for row, machines, is_long in ROWS:
            if is_long and not options.long and not options.names:
                continue
            if options.names and not any(f"{row.__name__}_".startswith(name + "_") for name in options.names):
                continue
            began = time.monotonic()
            place = None
            try:
                place = scene.Scene(server, options.programs.resolve(), *machines)
                found = row(place, options.long)
                passed += 1
                word = "ok"
            except scene.Skipped as reason:
                skipped += 1
                word, found = "skipped", str(reason)
            except Exception as error:
                word, found = "FAILED", f"{type(error).__name__}: {error}"
                failures.append(f"{row.__name__}: {found}")
                if not isinstance(error, scene.Wrong):
                    traceback.print_exc()
            finally:
                if place:
                    place.end()
            print(f"{word:8}{row.__name__:34}{time.monotonic() - began:6.1f} s  {found}", flush=True)
    finally:
        server.stop()
    # Once more: of a long log the end is what is read.
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {skipped} skipped, {len(failures)} failed")
    sys.exit(bool(failures))


main()
