#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs that use the Secret Service, and suites of their libraries, against llaverod on a message bus of their own:
#     Scripts/secret-service.sh [--long] [--provider gnome-keyring] [--bus dbus-broker] [TEST…]
# Tests/KeychainSecretServiceTests/Clients says what is looked at. With the programs as they are installed, or those in PROGRAMS
# (PROGRAMS=.build/debug). With gnome-keyring as provider it shows that the tests ask what programs are used to.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ " $* " == *" --long "* ]]; then Scripts/install-packages.sh build tpm test secret-service unpacked; fi
if [[ " $* " == *" gnome-keyring "* ]]; then
    PROGRAMS=.
elif [[ -z ${PROGRAMS:-} ]]; then
    PROGRAMS=${BUILT:-.build/install}/release
    # As install.sh builds them, or each would be built again for the other.
    for product in llavero llaverod; do Scripts/release-build.sh --traits TPM --product "$product"; done
fi
# The distribution's Python: the libraries that are tried are its packages.
exec env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 Tests/KeychainSecretServiceTests/Clients --programs "$PROGRAMS" "$@"
