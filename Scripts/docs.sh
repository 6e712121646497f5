#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the documents a site of files in .build/site: guide and references from Docs/, the API from what the compiler says of the
# public modules, the tools' own help, plots of what was measured, a search that needs no server. --quick builds nothing: where
# modules or tools are not built, their pages are left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

modules=(Security LocalAuthentication KeychainWrappers CryptoKit)
if [[ ${1:-} != --quick ]]; then
    Scripts/install-packages.sh build tpm docs
    for module in "${modules[@]}"; do strict_build --target "$module"; done
    strict_build --product llavero
fi

graphs=.build/symbol-graphs
rm -rf "$graphs"
mkdir -p "$graphs"
for module in "${modules[@]}"; do
    if [[ ! -e .build/debug/Modules/$module.swiftmodule ]]; then continue; fi
    swift-symbolgraph-extract -module-name "$module" -I .build/debug/Modules -minimum-access-level public \
        -target "$(uname -m)-unknown-linux-gnu" -output-dir "$graphs"
done
PYTHONDONTWRITEBYTECODE=1 python3 Scripts/docs --graphs "$graphs" --tool .build/debug/llavero --output .build/site
# Whatever is not HTML is named, with its page. What tidy does not know: what says which page this is, and names of titles in pictures.
unknown='proprietary attribute "aria-current"|<title> proprietary attribute "id"'
complaints=$(find .build/site -name '*.html' | sort | xargs -n 1 sh -c \
    'tidy -quiet -errors --drop-empty-elements no "$1" 2>&1 | sed "s|^|$1: |"' sh | grep -vE "$unknown" || true)
if [[ -n $complaints ]]; then
    echo "$complaints" >&2
    exit 1
fi
echo "the site is .build/site/index.html"
