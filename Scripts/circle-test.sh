#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs circles of several machines against a PostgreSQL server of their own, with each thing that a server, a stolen role, a clone
# or a kill can do to them:
#     Scripts/circle-test.sh [--long] [ROW…]
# Tests/Circle says what is looked at. With the programs as they are installed, or those in PROGRAMS (PROGRAMS=.build/debug).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ " $* " == *" --long "* ]]; then Scripts/install-packages.sh build tpm test unpacked; fi
if [[ -z ${PROGRAMS:-} ]]; then
    PROGRAMS=${BUILT:-.build/install}/release
    # As install.sh builds it, or it would be built again for the other.
    for product in llavero llaverod; do Scripts/release-build.sh --traits TPM --product "$product"; done
fi
exec env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 Tests/Circle --programs "$PROGRAMS" "$@"
