#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The order of targets in Package.swift is the architecture: each may depend only on targets declared above it.
# Reads SwiftPM's own JSON by its indentation, which is regular; if that ever changes, this fails rather than passes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

# In a folder of its own, or it would wait for a build.
swift package --scratch-path .build/description dump-package | awk '
    function quoted(line) { gsub(/^[^"]*"|"[^"]*$/, "", line); return line }

    /^  "targets" : \[/  { in_targets = 1; next }
    /^  \]/              { in_targets = 0 }
    !in_targets          { next }
    /^      "dependencies" : \[/  { in_dependencies = 1; next }
    /^      \]/                   { in_dependencies = 0 }
    in_dependencies && /^ +"(byName|target)" : \[/ { expect_name = 1; next }
    in_dependencies && expect_name {
        wanted[++dependencies] = quoted($0); by[dependencies] = targets + 1; expect_name = 0
    }
    /^      "name" : "/ {
        sub(/^      "name" : /, "")
        name[++targets] = quoted($0); rank[name[targets]] = targets
    }
    END {
        if (targets == 0) { print "no target found: has the output of swift package dump-package changed?"; exit 1 }
        for (i = 1; i <= dependencies; i++) {
            if (wanted[i] in rank && rank[wanted[i]] >= by[i]) {
                printf "error: target %s depends on %s, which is declared below it\n", name[by[i]], wanted[i]
                bad++
            }
        }
        if (bad) exit 1
        printf "%d targets, %d dependencies, all upward\n", targets, dependencies
    }'
