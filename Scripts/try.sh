#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to seeing the main job done, on a throw-away keychain.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh
# shellcheck source=Scripts/steps.sh
source Scripts/steps.sh

built=.build/release
add_step packages - setup "system packages" Scripts/install-packages.sh build
build() {
    swift build --configuration release --product llavero
    swift build --configuration release --product llavero-try
}
export -f build
add_step build packages quiet "building llavero and llavero-try in release (minutes when fresh)" bash -ec build
add_step tools build setup "Scripts/try-tools.sh $built" Scripts/try-tools.sh "$built"
add_step try build setup "$built/llavero-try" "$built/llavero-try"
run_steps
if any_step_failed; then exit 1; fi
