#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How long a program in C takes from its start to its end with one find, in release, by turns with one that has the library
# loaded, one that has Foundation alone, and one that has neither; and how many instructions: c-start.sh [STARTS]
# LIBRARY=FOLDER takes what was built before, as Scripts/library-build.sh leaves it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stage=${LIBRARY:-$(Scripts/library-build.sh)}
swift=$stage/lib/llavero/swift
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
# The name that a linker looks for, which an installed library has beside it.
ln -s "$stage/lib/libSecurity.so.1" "$work/libSecurity.so"
programs=(nothing foundation loaded find)
for name in "${programs[@]}"; do
    link=()
    if [[ $name != nothing ]]; then link=(-L "$swift" -lFoundation -Wl,-rpath,"$swift" -Wl,-rpath-link,"$swift"); fi
    if [[ $name == loaded || $name == find ]]; then link=(-L "$work" -lSecurity -Wl,-rpath,"$stage/lib" "${link[@]}"); fi
    gcc -std=gnu11 -O1 -I "$stage/include/llavero" -isystem "$stage/include/llavero/swift" -o "$work/$name" \
        "Tests/SecurityCTests/Start/$name.c" "${link[@]}"
done
export HOME=$work/home XDG_DATA_HOME=$work/home/data XDG_RUNTIME_DIR=$work LLAVERO_TEST_KEYCHAIN=real
mkdir -p "$HOME"
"$work/find" add
python3 Tests/SecurityCTests/Start/starts.py "${1:-200}" "${programs[@]/#/$work/}"
for name in "${programs[@]}"; do
    count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/$name" 2>&1 | sed -n 's/^==[0-9]*== Collected : //p')
    echo "$name: $count instructions"
done
