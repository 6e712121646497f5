#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of one operation each, in release, with callgrind: the difference of two lengths, so that starting and
# ending cost nothing. Free of noise: the same commit counts the same to a few in a thousand.
#
#   Scripts/instructions.sh [--gate | --record] [OPERATION…]     all operations where none is named; ITEMS=10000
#
# --record writes Benchmarks/instructions.txt, for 10 000 items and for the 1 000 that --gate counts with. --gate fails when an
# operation takes 3 % more than that file says. What SQLite, OpenSSL and the C library take counts too, so the file names the
# versions it was recorded with, and the gate says so and passes where others are installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

mode=""
if [[ ${1:-} == --* ]]; then
    mode=$1
    shift
fi
case $mode in "" | --gate | --record) ;; *)
    echo "unexpected argument: $mode" >&2
    exit 64
    ;;
esac
all=(limit-find find find-as-written find-shown limit-add add update update-kept delete list)
operations=("$@")
if [[ $# -eq 0 ]]; then operations=("${all[@]}"); fi

record=Benchmarks/instructions.txt
libraries() {
    local swift
    swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    echo "# $(uname -m), Swift $swift, SQLite $(pkg-config --modversion sqlite3)," \
        "OpenSSL $(pkg-config --modversion libcrypto), $(ldd --version | sed -n '1s/.*(\(.*\)).*/\1/p')"
}
if [[ $mode == --gate && $(head -n 1 "$record") != "$(libraries)" ]]; then
    echo "The instructions were recorded with $(head -n 1 "$record" | cut -c 3-)."
    echo "Here is $(libraries | cut -c 3-), so they are not compared."
    exit 0
fi

Scripts/release-build.sh --package-path Benchmarks --product llavero-bench >/dev/null
bench=${BUILT:-$PWD/.build/install}/release/llavero-bench
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
# Hashing of dictionaries is seeded at random else, and a find differs by 5000 from one process to the next.
export SWIFT_DETERMINISTIC_HASHING=1 LLAVERO_TEST_KEYCHAIN=real

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

recorded() { sed -n "s/^$1 $items //p" "$record" 2>/dev/null || true; }

failed=0
lines=()
# count_all ITEMS: every operation, in a keychain of so many.
count_all() {
    items=$1
    "$bench" --count "$folder/filled" "$items" fill 0
    printf '%-16s %12s %12s   with %d items\n' operation instructions recorded "$items"
    local operation now before
    for operation in "${operations[@]}"; do
        now=$(one "$operation")
        before=$(recorded "$operation")
        printf '%-16s %12d %12s\n' "$operation" "$now" "${before:--}"
        lines+=("$operation $items $now")
        if [[ $mode == --gate && -n $before && $((now * 100)) -gt $((before * 103)) ]]; then
            echo "$operation takes more than 3 % more instructions than recorded" >&2
            failed=1
        fi
    done
    rm -rf "$folder/filled"
}

case $mode in
--gate) count_all 1000 ;;
--record)
    count_all 1000
    count_all 10000
    # What was not counted now stays as it was.
    for line in "${lines[@]}"; do printf '^%s \n' "${line% *}" >>"$folder/counted"; done
    { grep -v '^#' "$record" 2>/dev/null | grep -v -f "$folder/counted" || true; } >"$folder/kept"
    { libraries && cat "$folder/kept" && printf '%s\n' "${lines[@]}"; } >"$folder/recorded"
    cp "$folder/recorded" "$record"
    ;;
"") count_all "${ITEMS:-10000}" ;;
esac
exit "$failed"
