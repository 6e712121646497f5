#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the rows of Tests/Vectors/secitem as a program in C, compiles it with gcc against the library, and runs each row on a
# keychain of its own, in the program, and through the socket of a llaverod, which believes as to rights what root alone can
# write: as another user that half is left out. Scripts/c-rows.sh [ROW…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

for product in SecurityC llaverod; do strict_build --product "$product"; done
swift_lib=$(dirname "$(dirname "$(command -v swift)")")/lib/swift
# Not in the temporary folder, where anybody may write.
work=$(mktemp --directory "$PWD/.build/c-rows.XXXXXX")
trap 'rm -rf "$work"' EXIT
rows=Tests/SecurityCTests/Rows
python3 "$rows/write.py" "$work"
ln -s "$PWD/.build/debug/libSecurityC.so" "$work/libSecurityC.so"
gcc -std=gnu11 -Wall -Wextra -Werror -I "$rows" -I Sources/CSecurity/Headers -I Sources/CSecurity/Shim -isystem "$swift_lib" \
    -o "$work/rows" "$work/table.c" "$rows/rows.c" -L "$work" -lSecurityC -L "$swift_lib/linux" -lFoundation \
    -Wl,-rpath,"$work" -Wl,-rpath,"$swift_lib/linux" -Wl,-rpath-link,"$swift_lib/linux"
python3 "$rows/run.py" "$work" "" "$@"
if [[ $(id -u) == 0 ]]; then
    python3 "$rows/run.py" "$work" "$PWD/.build/debug/llaverod" "$@"
else
    echo "not as root: no row went through the socket of a daemon here"
fi
