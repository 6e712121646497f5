#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of a find through the C interface, in release, with callgrind, beside the Swift call's that
# Benchmarks/instructions.txt has: the difference of two lengths, so that starting and ending cost nothing. CLIENT_ITEMS=1000
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

items=${CLIENT_ITEMS:-1000}
stage=$(Scripts/library-build.sh)
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
swift=$stage/lib/llavero/swift
ln -s libSecurity.so.1 "$stage/lib/libSecurity.so" 2>/dev/null || true
gcc -std=gnu11 -O1 -I "$stage/include/llavero" -isystem "$stage/include/llavero/swift" -o "$work/count" \
    Tests/SecurityCTests/Clients/count.c -L "$stage/lib" -lSecurity -L "$swift" -lFoundation \
    -Wl,-rpath,"$stage/lib:$swift" -Wl,-rpath-link,"$swift"
export HOME=$work/home XDG_DATA_HOME=$work/home/data XDG_RUNTIME_DIR=$work LLAVERO_TEST_KEYCHAIN=real CLIENT_ITEMS=$items
mkdir -p "$HOME"
CLIENT_FINDS=0 "$work/count" >/dev/null

# count FINDS: the instructions of a process that finds so often.
count() {
    CLIENT_FINDS=$1 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/count" 2>&1 |
        sed -n 's/^==[0-9]*== Collected : //p'
}
few=$(count 100) many=$(count 600)
find=$(((many - few) / 500))
swift_find=$(sed -n "s/^find $items //p" Benchmarks/instructions.txt)
echo "a find through C: $find instructions, through Swift ${swift_find:-unknown}, with $items items"
if [[ -n $swift_find ]]; then echo "ratio: $((find * 100 / swift_find)) of 100; at most 120 are asked for"; fi
