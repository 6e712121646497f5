# SPDX-License-Identifier: Apache-2.0
"""Starts programs by turns and prints for each how long it took, its processor time and its page faults:
starts.py COUNT PROGRAM…"""
import os
import statistics
import sys
import time


def start(program):
    """Milliseconds by the clock and of processor time, and page faults, from the start of a program to its end."""
    before = time.perf_counter_ns()
    child = os.posix_spawn(program, [program], os.environ)
    _, status, used = os.wait4(child, 0)
    taken = time.perf_counter_ns() - before
    if status != 0:
        sys.exit(f"{program} ended with {status}")
    return taken / 1e6, (used.ru_utime + used.ru_stime) * 1e3, used.ru_minflt


def main():
    count, programs = int(sys.argv[1]), sys.argv[2:]
    taken = {program: [] for program in programs}
    for turn in range(count + 3):
        for program in programs:
            figures = start(program)
            # The first ones read files from the disk.
            if turn >= 3:
                taken[program].append(figures)
    print(f"{'':12} {'clock: least':>12} {'median':>8} {'processor: least':>18} {'median':>8} {'page faults':>12}")
    for program, figures in taken.items():
        clock, processor, faults = zip(*figures)
        print(
            f"{os.path.basename(program):12} {min(clock):12.2f} {statistics.median(clock):8.2f} {min(processor):18.2f}"
            f" {statistics.median(processor):8.2f} {statistics.median(faults):12.0f}"
        )


main()
