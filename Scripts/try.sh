#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to seeing the main job done, on a throw-away keychain.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh
# shellcheck source=Scripts/steps.sh
source Scripts/steps.sh

program=.build/release/llavero-try
add_step packages - setup "system packages" Scripts/install-packages.sh build
add_step build packages quiet "building llavero-try in release (minutes when fresh)" \
    swift build --configuration release --product llavero-try
add_step try build setup "$program" "$program"
run_steps
if any_step_failed; then exit 1; fi
