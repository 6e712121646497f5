#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Has each call that changes a file fail, be cut short or torn, or be the last: Scripts/faults.sh [--every N] [OPERATION…]
# Uses the debug build; Scripts/faults.py says what is looked at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

if [[ ! -x .build/debug/llavero ]]; then swift build --product llavero "${strict_flags[@]}"; fi
mkdir -p .build/faults
cc -shared -fPIC -O1 -Wall -Wextra -Werror -o .build/faults/fault_every.so Tests/Support/KillPoint/fault_every.c -ldl
exec python3 Scripts/faults.py "$PWD/.build/faults/fault_every.so" "$PWD/.build/debug" "$PWD/Tests/Vectors/formats" "$@"
