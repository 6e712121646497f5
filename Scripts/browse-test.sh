#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Drives `llavero browse` in tmux, through every view, by its keys, waiting for what is on the screen:
#     Scripts/browse-test.sh [TEST…]
# With the programs as they are installed, or those in PROGRAMS (PROGRAMS=.build/debug).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ -z ${PROGRAMS:-} ]]; then
    PROGRAMS=${BUILT:-.build/install}/release
    # As install.sh builds them, or each would be built again for the other.
    for product in llavero llaverod; do Scripts/release-build.sh --traits TPM --product "$product"; done
fi
exec env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 Tests/KeychainBrowserTests/Terminal --programs "$PROGRAMS" "$@"
