#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one built example to its end, on a keychain folder of its own: example.sh NAME
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

LLAVERO_HOME=$(mktemp -d)
export LLAVERO_HOME
trap 'rm -rf "$LLAVERO_HOME"' EXIT
chmod 700 "$LLAVERO_HOME"
timeout --kill-after=5 900 ".build/debug/$1" </dev/null
