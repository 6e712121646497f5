#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has each call of each operation go wrong in turn, and the power go behind it, and looks at what is there afterwards.

    Scripts/faults.sh [--every N] [--kinds changes,reads,locks,power] [OPERATION…]      everything, where nothing is said

An operation is run once without a fault, which counts and records its calls, and then once for each call and fault on a copy of
the keychains it began with; for a power cut the disk is made of the record. Afterwards, without faults: what is there is what was
there before or what the operation makes of it, and the latter where it said that it was done; `llavero check` finds nothing; a
failure has a sentence, and is never that something was not found; an answer is the right one; and the keychain takes another item.
"""
import collections
import sys
import tempfile

from ground import Tools
from operations import OPERATIONS
from trials import FAULTS, Trials

KINDS = [*FAULTS, "power"]


def examine(name, kinds, scratch, tools, every):
    """Tries one operation; says how much that was, and what is wrong."""
    trials = Trials(name, OPERATIONS[name], scratch, tools, every)
    for kind in kinds:
        if kind == "power":
            trials.cut_power()
        else:
            trials.have_calls_fail(kind)
    counts = " ".join("%4d %s" % (trials.counts[kind], kind) for kind in FAULTS)
    print("%-16s %s %6d runs %4d violations" % (name, counts, trials.runs, len(trials.complaints)), flush=True)
    cases = collections.defaultdict(list)
    for case, text in trials.complaints:
        cases[text].append(case)
    for text, found in cases.items():
        print("    %s\n        %d times, first %s, last %s" % (text, len(found), found[0], found[-1]), flush=True)
    return trials


def require_losses(scratch, tools):
    """Power cuts find what is lost: an item that was added is, on a disk that forgets what was synced."""
    trials = Trials("add", OPERATIONS["add"], scratch, tools, every=10_000)
    trials.cut_power(forgetting_syncs=True)
    if not any("it said that it was done, and it is not" in text for _, text in trials.complaints):
        sys.exit("a disk that forgets what was synced loses nothing: power cuts are not seen")


def main():
    tools, words = Tools(*sys.argv[1:5]), sys.argv[5:]
    options = {"--every": "1", "--kinds": ",".join(KINDS)}
    while words and words[0] in options:
        options[words[0]], words = words[1], words[2:]
    kinds = options["--kinds"].split(",")
    for word, known in [(word, OPERATIONS) for word in words] + [(kind, KINDS) for kind in kinds]:
        if word not in known:
            sys.exit("unknown: %s; there are %s" % (word, " ".join(known)))
    runs = violations = 0
    with tempfile.TemporaryDirectory(prefix="llavero-faults-") as scratch:
        if "power" in kinds:
            with tempfile.TemporaryDirectory(dir=scratch) as control:
                require_losses(control, tools)
        for name in words or OPERATIONS:
            trials = examine(name, kinds, scratch, tools, int(options["--every"]))
            runs, violations = runs + trials.runs, violations + len(trials.complaints)
    print("%d runs, %d violations" % (runs, violations))
    sys.exit(1 if violations else 0)


main()
