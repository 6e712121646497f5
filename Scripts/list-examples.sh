#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the executable products whose sources are below Examples/, one a line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

swift package describe --type json | awk '
    function quoted(line) { gsub(/^[^"]*"|"[^"]*$/, "", line); return line }

    /^  "targets" : \[/       { in_targets = 1; next }
    /^  \]/                   { in_targets = 0 }
    !in_targets               { next }
    /^    {/                  { product = ""; is_example = is_executable = 0 }
    /^      "product_memberships" : \[/ { expect_name = 1; next }
    expect_name               { if (product == "") product = quoted($0); expect_name = 0 }
    /^      "path" : "Examples\//       { is_example = 1 }
    /^      "type" : "executable"/      { is_executable = 1 }
    /^    }/                  { if (is_example && is_executable && product != "") print product }
' | sort
