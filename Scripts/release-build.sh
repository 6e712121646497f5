#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds programs as they are installed, with Swift's runtime inside them: release-build.sh OPTION-OF-SWIFT-BUILD…
# All of them in one folder, the benchmark too, so that nothing is compiled twice. Nothing where `make test` has built them already
# (ALREADY_BUILT).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

if [[ -n ${ALREADY_BUILT:-} ]]; then exit 0; fi
scratch=${BUILT:-.build/install}
# What is read-only stays so. What a start costs is mostly the loader's work, so there is little for it to do: short tables, no
# names for others, no library of the compiler's.
flags=(
    -Xlinker -s -Xlinker -z -Xlinker now -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
    -Xlinker --gc-sections -Xlinker "--version-script=$PWD/Scripts/program.map"
    -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
)
# The runtime of C++ that Swift's own runtime needs, linked in with it where it can be: loading the shared one costs every start a
# millisecond. In a folder by itself, or the linker would find the shared one first.
library=$(gcc -print-file-name=libstdc++.a 2>/dev/null || true)
if [[ $library == /* && -f $library ]]; then
    mkdir -p "$scratch/cxx"
    ln -sfn "$library" "$scratch/cxx/libstdc++.a"
    flags+=(-Xswiftc "-L$(cd "$scratch/cxx" && pwd)")
fi
# Debug information would be stripped again (-s).
exec swift build --configuration release -debug-info-format none --static-swift-stdlib --scratch-path "$scratch" "${flags[@]}" "$@"
