#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmark in release and runs it from the repository's root; it writes results.json there.
# Without arguments it is the long form, with the peers installed for comparison; --smoke is the short one. With --build after
# those it builds, and runs nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What a circle costs is asked of parts that no other package can see: so it is a program of the tests.
if [[ ${1:-} == --circle || ${1:-} == --circle-change ]]; then
    Scripts/install-packages.sh build tpm test unpacked
    Scripts/release-build.sh --traits TPM --product llavero-circle-measure
    program=${BUILT:-$PWD/.build/install}/release/llavero-circle-measure
    if [[ $1 == --circle-change ]]; then exec "$program" change "${2:-1000}" "${3:-1000}"; fi
    # One figure by itself: removal 1000.
    if [[ ${2:-} == [a-z]* ]]; then exec "$program" "${@:2}"; fi
    "$program" "${2:-1000}" "${3:-100000}"
    exec Scripts/circle-find.sh "$program"
fi

if [[ " $* " == *" --smoke "* ]]; then
    Scripts/install-packages.sh build tpm
else
    Scripts/install-packages.sh build tpm test bench
fi
echo "==> building the benchmark in release"
products=(llavero-bench llavero-client)
if [[ " $* " != *" --smoke "* ]]; then products+=(llavero-cold); fi
# Not `swift run --package-path`: that would also change the folder the program starts in.
Scripts/install.sh --build
for product in "${products[@]}"; do Scripts/release-build.sh --package-path Benchmarks --product "$product"; done
if [[ ${!#} == --build ]]; then exit 0; fi
built=${BUILT:-$PWD/.build/install}/release
export LLAVERO_TOOL="${LLAVERO_TOOL:-$built/llavero}"
exec "$built/llavero-bench" "$@"
