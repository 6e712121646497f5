#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Damages every byte of a keychain's files in turn, uses it and repairs it: Scripts/damage.sh [--every N] [--only FILE] [--jobs N]
# [--repairs-every N]. Builds in release, where a case takes some milliseconds; Tests/Support/Damage says what is looked at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

Scripts/release-build.sh --product llavero-damage
exec "${BUILT:-.build/install}/release/llavero-damage" "$@"
