#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How many instructions a find takes in a keychain that is in a circle, and in one that is in none, by callgrind: the difference of
# two lengths, so that starting and ending cost nothing. Scripts/bench.sh --circle runs it: circle-find.sh PROGRAM [ITEMS]
set -euo pipefail
program=$1 items=${2:-1000}
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
export SWIFT_DETERMINISTIC_HASHING=1

# count FOLDER TIMES
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" find "$1" "$items" "$2" 2>&1 |
        sed -n 's/^==[0-9]*== Collected : //p'
}

for circle in off on; do
    mkdir "$folder/$circle"
    "$program" fill "$folder/$circle" "$items" "$circle"
    few=$(count "$folder/$circle" 100)
    many=$(count "$folder/$circle" 600)
    finds[$([[ $circle == on ]] && echo 1 || echo 0)]=$(((many - few) / 500))
done
echo "find in a circle   ${finds[1]} instructions, in none ${finds[0]}, ratio" \
    "$(awk "BEGIN { printf \"%.3f\", ${finds[1]} / ${finds[0]} }")   aim 1.00"
