#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the packages with the libraries that the programs load when they first need them (dlopen), as far as this machine has
# them: loaded-later.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

grep --recursive --no-filename --only-matching 'dlopen("[^"]*"' Sources --include='*.c' | sed 's/.*"\(.*\)"/\1/' | sort --unique |
    while read -r name; do dpkg-query --search "*/$name" 2>/dev/null | sed 's/:.*//' || true; done | sort --unique
