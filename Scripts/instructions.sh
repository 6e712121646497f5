#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of one operation each, in release, with callgrind: the difference of two lengths, so that starting and
# ending cost nothing. Free of noise: the same commit counts the same to a few in a thousand.
# With --gate, fails when an operation takes 3 % more than Benchmarks/instructions.txt says; with --record, writes that file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
items=10000
if [[ $mode == --gate ]]; then items=1000; fi
Scripts/release-build.sh --package-path Benchmarks --product llavero-bench >/dev/null
bench=${BUILT:-$PWD/.build/install}/release/llavero-bench
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
# Hashing of dictionaries is seeded at random else, and a find differs by 5000 from one process to the next.
export SWIFT_DETERMINISTIC_HASHING=1 LLAVERO_TEST_KEYCHAIN=real

"$bench" --count "$folder/filled" "$items" fill 0

# count OPERATION TIMES: the instructions of a process on a fresh copy.
count() {
    local copy="$folder/$1-$2"
    cp -a "$folder/filled" "$copy"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --count "$copy" "$items" "$1" "$2" 2>&1 |
        sed -n 's/^==[0-9]*== Collected : //p'
    rm -rf "$copy"
}

# one OPERATION: what one costs. The two lengths run side by side.
one() {
    local few=100 many=600 each=1
    if [[ $1 == list ]]; then few=1 many=3 each=1000; fi
    count "$1" "$few" >"$folder/$1.few" &
    count "$1" "$many" >"$folder/$1.many"
    wait
    echo $((($(<"$folder/$1.many") - $(<"$folder/$1.few")) / (many - few) / each))
}

recorded() { sed -n "s/^$1 $items //p" Benchmarks/instructions.txt 2>/dev/null || true; }

failed=0
lines=()
printf '%-16s %12s %12s\n' operation instructions recorded
for operation in limit-find find find-as-written limit-add add update delete list; do
    now=$(one "$operation")
    before=$(recorded "$operation")
    printf '%-16s %12d %12s\n' "$operation" "$now" "${before:--}"
    lines+=("$operation $items $now")
    if [[ $mode == --gate && -n $before && $((now * 100)) -gt $((before * 103)) ]]; then
        echo "$operation takes more than 3 % more instructions than recorded" >&2
        failed=1
    fi
done
if [[ $mode == --record ]]; then
    { grep -v " $items " Benchmarks/instructions.txt 2>/dev/null || true; printf '%s\n' "${lines[@]}"; } >"$folder/recorded"
    cp "$folder/recorded" Benchmarks/instructions.txt
fi
exit "$failed"
