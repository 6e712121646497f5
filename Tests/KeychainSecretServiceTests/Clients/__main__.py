# SPDX-License-Identifier: Apache-2.0
"""Runs programs that use the Secret Service against a provider: python3 Clients [--provider gnome-keyring] [NAME…]

A name is that of a test, or its first words (`row_9`). Each line says what was found; the end is 1 when anything failed.
"""
import argparse
import os
import pathlib
import signal
import sys
import time
import traceback

import bed
import clients
import imitations
import programs
import rows
import takeovers

GROUPS = [rows.TESTS, imitations.TESTS, clients.TESTS]


def main():
    parser = argparse.ArgumentParser(prog="secret-service.sh")
    parser.add_argument("--provider", default="llaverod", choices=["llaverod", "gnome-keyring"])
    parser.add_argument("--bus", default="dbus-daemon", choices=["dbus-daemon", "dbus-broker"])
    parser.add_argument("--programs", default=".build/debug", type=pathlib.Path, help="where llaverod and llavero are")
    parser.add_argument("--long", action="store_true", help="searches among 10000 items, more kills, and the speed beside gnome-keyring")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.bus == "dbus-broker" and (os.geteuid() != 0 or not (bed.UNPACKED / "usr/bin/dbus-broker").exists()):
        print("skipped: dbus-broker needs root here, and Scripts/install-packages.sh unpacked")
        return
    passed = skipped = 0
    failures = []
    ours = [programs.TESTS + takeovers.TESTS] if options.provider == "llaverod" else []
    for group in GROUPS + ours + [clients.LONG]:
        # The long ones are run where they are asked for.
        if group is clients.LONG and not options.long and not options.names:
            continue
        tests = [test for test in group if not options.names or any(f"{test.__name__}_".startswith(name + "_") for name in options.names)]
        if not tests:
            continue
        with bed.Bed(options.provider, programs=options.programs.resolve(), bus=options.bus) as scene:
            for test in tests:
                began = time.monotonic()
                more = {"sizes": (10, 100, 1000, 10000)} if options.long and test is rows.row_9_search else {}
                if options.long and test is rows.row_25_kill:
                    more = {"rounds": 30}
                try:
                    found = test(scene, **more)
                    passed += 1
                    word = "ok"
                except clients.Skipped as reason:
                    skipped += 1
                    word, found = "skipped", str(reason)
                except Exception as error:
                    word, found = "FAILED", f"{type(error).__name__}: {error}"
                    failures.append(f"{test.__name__}: {traceback.format_exc()}")
                    traceback.print_exc()
                    if "provider" in scene.running and scene.running["provider"].poll() is not None:
                        print("the provider ended:", scene.log("provider")[-3000:], file=sys.stderr)
                        scene.running.pop("provider")
                        scene.start()
                    elif "provider" not in scene.running:
                        scene.start()
                    scene.answer_prompts(None)
                    clients.unlocked(scene)
                print(f"{test.__name__}: {word}, {time.monotonic() - began:.1f} s{'; ' + found if found else ''}", flush=True)
    if "STEP_COUNTS" in os.environ:
        pathlib.Path(os.environ["STEP_COUNTS"]).write_text(f"{passed} {len(failures)} {skipped}\n")
    # Once more: of a long log the end is what is read.
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(bool(failures))


main()
