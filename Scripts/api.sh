#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Says what in the public modules would break the source of a program that uses them: compares with the last release's tag, or,
# as long as there is no tag, with the commit recorded in Scripts/api-baseline: api.sh [REVISION]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

if [[ -n ${1:-} ]]; then
    baseline=$1
elif baseline=$(git describe --tags --abbrev=0 --match '[v0-9]*' 2>/dev/null); then
    echo "compared with the release $baseline"
else
    baseline=$(sed '/^#/d' Scripts/api-baseline)
    echo "there is no release tag; compared with the commit in Scripts/api-baseline, $baseline"
fi
git rev-parse --quiet --verify "$baseline^{commit}" >/dev/null || {
    echo "the commit $baseline is not in this clone; fetch it (git fetch --unshallow --tags), or name another one" >&2
    exit 1
}
exec swift package --scratch-path .build/api diagnose-api-breaking-changes "$baseline" \
    --products Security LocalAuthentication KeychainWrappers CryptoKit
