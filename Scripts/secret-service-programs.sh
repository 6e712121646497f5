#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs of a desktop that use the Secret Service against llaverod, on a bus and an X server of their own:
#     Scripts/secret-service-programs.sh [--quick] [TEST…]
# Chromium, Seahorse, qtkeychain, Evolution's library, GNOME Online Accounts, nm-applet, libsecret's objects, and what pinentry asks. --quick leaves out those whose
# packages are big. With the programs as they are installed, or those in PROGRAMS (PROGRAMS=.build/debug); PICTURES=FOLDER keeps
# pictures of the screen.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ " $* " != *" --quick "* ]]; then Scripts/install-packages.sh test desktop unpacked; fi
if [[ -z ${PROGRAMS:-} ]]; then
    PROGRAMS=${BUILT:-.build/install}/release
    for product in llavero llaverod; do Scripts/release-build.sh --traits TPM --product "$product"; done
fi
exec env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -W ignore::DeprecationWarning Tests/KeychainSecretServiceTests/Desktop \
    --programs "$PROGRAMS" "$@"
