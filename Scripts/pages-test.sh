#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens the page of `llavero report` in a headless Chromium, or with --site FOLDER the documents that `make docs` made; looks for
# complaints, requests, violations of accessibility rules: pages-test.sh [--site FOLDER] [--pictures FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

Scripts/install-packages.sh pages
if [[ " $* " != *" --site "* ]]; then swift build --product llavero "${strict_flags[@]}" >/dev/null; fi
place=$PWD/.build/pages
wanted=$(sha256sum <Tests/Pages/requirements.txt)
if [[ $(cat "$place/versions" 2>/dev/null) != "$wanted" ]]; then
    rm -rf "$place"
    mkdir -p "$place"
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$place/packages" \
        --requirement Tests/Pages/requirements.txt
    echo "$wanted" >"$place/versions"
fi
exec env PYTHONDONTWRITEBYTECODE=1 python3 Tests/Pages --axe "$place/packages/axe_playwright_python/axe.min.js" \
    --tool .build/debug/llavero "$@"
