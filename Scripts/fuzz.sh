#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes one target, or all of them one after the other, each for that many seconds: Scripts/fuzz.sh [TARGET] [SECONDS]
# What it learns goes into Fuzz/Corpora, as little of it as covers the same; a finding goes into .build/fuzz/findings, and ends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

target=${1:-all} seconds=${2:-300}
# SwiftPM's own way to ask for two sanitizers gives the compiler two options, of which one counts, and not always the same.
# Its `--sanitize fuzzer` is needed all the same: the program then keeps libFuzzer's `main`.
build=(--configuration release --scratch-path .build/fuzz --product llavero-fuzz --traits TPM --sanitize fuzzer
    -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address,fuzzer-no-link -Xswiftc -DFUZZING
    -Xswiftc -parse-as-library)
echo "==> building with libFuzzer and the address sanitizer (minutes when fresh)"
nice -n 15 swift build "${build[@]}"
program=$(swift build "${build[@]}" --show-bin-path)/llavero-fuzz

# Swift's own report of a crash would ask for a debugger and wait; libFuzzer's names the input.
export SWIFT_BACKTRACE=enable=no

# For the targets that read DER: what its elements begin with.
dictionary() {
    case $1 in
    certificate | name | pkcs12* | private-key | encrypted-key | status-response | revocation-list | import | cms | trust-settings)
        echo "-dict=Fuzz/der.dict" ;;
    esac
}

fuzz() {
    local corpus=Fuzz/Corpora/$1 found=.build/fuzz/corpora/$1 merged=.build/fuzz/merged/$1 log=.build/fuzz/$1.log
    local options
    mapfile -t options < <(dictionary "$1")
    options+=(-max_len=8192 -timeout=10 -rss_limit_mb=4096)
    mkdir -p "$found" "$corpus" .build/fuzz/findings
    echo "==> $1, $2 s (log: $log)"
    if ! LLAVERO_FUZZ=$1 nice -n 15 "$program" "$found" "$corpus" -max_total_time="$2" "${options[@]}" \
        -artifact_prefix=".build/fuzz/findings/$1-" -print_final_stats=1 >"$log" 2>&1; then
        grep --extended-regexp 'Fatal error|ERROR|SUMMARY|Test unit written' "$log" || tail -n 20 "$log"
        return 1
    fi
    grep --extended-regexp 'stat::number_of_executed_units|stat::peak_rss_mb' "$log"
    grep --extended-regexp '#[0-9]+.*DONE' "$log"
    # How often an edge is passed does not count here: it would keep ten times as many files.
    rm -rf "$merged" && mkdir -p "$merged"
    LLAVERO_FUZZ=$1 nice -n 15 "$program" -merge=1 -use_counters=0 "${options[@]}" "$merged" "$corpus" "$found" >>"$log" 2>&1
    # What somebody put there has a name and stays; what libFuzzer put there is replaced.
    find "$corpus" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -delete
    find "$merged" -type f -exec cp --target-directory "$corpus" {} +
    local name
    for name in "$corpus"/*-*; do rm -f "$corpus/$(sha1sum "$name" | cut -c 1-40)"; done
    echo "    $(find "$corpus" -type f | wc -l) files, $(du --bytes --summarize "$corpus" | cut -f 1) bytes"
}

if [[ $target != all ]]; then
    fuzz "$target" "$seconds"
    exit
fi
status=0
for name in $(find Fuzz/Corpora -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort); do
    fuzz "$name" "$seconds" || status=1
done
exit "$status"
