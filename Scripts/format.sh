#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rewrites the Swift sources in the house format; with --lint it only complains.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

places=()
for place in Package.swift Sources Tests Fuzz/Targets Fuzz/Driver Examples Benchmarks/Package.swift Benchmarks/Sources; do
    if [[ -e $place ]]; then places+=("$place"); fi
done

if [[ ${1:-} == --lint ]]; then
    exec swift format lint --strict --parallel --recursive "${places[@]}"
fi
exec swift format --in-place --parallel --recursive "${places[@]}"
