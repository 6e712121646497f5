#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the benchmark in release and runs it from the repository's root; it writes results.json there.
# Without arguments it is the long form, with the peers installed for comparison; --smoke is the short one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

if [[ " $* " == *" --smoke "* ]]; then
    Scripts/install-packages.sh build tpm
else
    Scripts/install-packages.sh build tpm test bench
fi
echo "==> building the benchmark in release, then running it"
# Not `swift run --package-path`: that would also change the folder the program starts in.
for product in llavero-bench llavero-client llaverod; do
    swift build --configuration release --package-path Benchmarks --product "$product"
done
# The programs as they are installed, with Swift's runtime inside them; the short form takes the tool that may be there already.
built=${BUILT:-$PWD/.build/install}/release
if [[ " $* " != *" --smoke "* ]]; then
    Scripts/install.sh --build
    # Linked like them; the flag recompiles everything, hence a scratch folder of its own.
    swift build --configuration release --package-path Benchmarks --product llavero-cold \
        --static-swift-stdlib --scratch-path Benchmarks/.build/static
    export LLAVERO_COLD="$PWD/Benchmarks/.build/static/release/llavero-cold"
    export LLAVERO_DAEMON="${LLAVERO_DAEMON:-$built/llaverod}"
fi
export LLAVERO_TOOL="${LLAVERO_TOOL:-$built/llavero}"
program=$(swift build --configuration release --package-path Benchmarks --show-bin-path)/llavero-bench
exec "$program" "$@"
