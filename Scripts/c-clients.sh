#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C interface, compiles the clients of Tests/SecurityCTests/Clients with gcc and with clang against it, and runs
# each on a keychain of its own: Scripts/c-clients.sh [NAME…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

names=("$@")
sources=Tests/SecurityCTests/Clients
if [[ $# -eq 0 ]]; then
    for file in "$sources"/*.c; do names+=("$(basename "$file" .c)"); done
fi
if [[ -z ${LIBRARY:-} ]]; then
    swift build --product SecurityC "${strict_flags[@]}" >/dev/null
    LIBRARY=$PWD/$(swift build --show-bin-path "${strict_flags[@]}" | sed "s|^$PWD/||")/libSecurityC.so
fi
swift_lib=$(dirname "$(dirname "$(command -v swift)")")/lib/swift
clang=$(dirname "$(command -v swift)")/clang

work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
# The loader looks for what it was linked as, whatever SONAME this build has.
ln -s "$LIBRARY" "$work/libSecurity.so"
ln -s "$LIBRARY" "$work/libSecurityC.so"
include=(-I Sources/CSecurity/Headers -I Sources/CSecurity/Shim -isystem "$swift_lib")
link=(-L "$work" -lSecurity -L "$swift_lib/linux" -lFoundation -Wl,-rpath,"$work" -Wl,-rpath,"$swift_lib/linux")
link+=(-Wl,-rpath-link,"$swift_lib/linux" -pthread)
export LLAVERO_TEST_KEYCHAIN=real

failed=0
# try LABEL COMPILER FLAG…: compiles one client and runs it.
try() {
    local label=$1
    shift
    local home
    home=$(mktemp --directory "$work/home.XXXX")
    if "$@" "${include[@]}" -o "$work/client" "$source" "${link[@]}" &&
        HOME=$home XDG_DATA_HOME=$home/data XDG_RUNTIME_DIR=$home "$work/client" >"$work/said"; then
        echo "$label: $(tail -n 1 "$work/said")"
    else
        echo "$label: FAILED" >&2
        failed=1
    fi
}

for name in "${names[@]}"; do
    source=$sources/$name.c
    try "$name, gcc, C11" gcc -std=gnu11 -Wall -Wextra -Werror
    try "$name, clang, C11" "$clang" -std=gnu11 -Wall -Wextra -Werror
done
exit "$failed"
