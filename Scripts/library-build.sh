#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds libSecurity.so.1 for programs in C and puts all that it is installed with into a folder, as it lies below a prefix:
# library-build.sh. Prints the folder.
# UNOPTIMIZED=yes takes a third of the time, for tests of what is installed; into another folder, then (BUILT_LIBRARY).
# In a folder of its own: unlike the programs it stands on Swift's shared libraries, for a client calls the Core Foundation that
# is in them, and there must be one only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

scratch=${BUILT_LIBRARY:-.build/library}
flags=(
    -Xlinker -s -Xlinker -z -Xlinker now -Xlinker --gc-sections -Xlinker -soname=libSecurity.so.1
    -Xlinker "--version-script=$PWD/Scripts/library.map"
    -Xswiftc -use-ld=lld -Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath=\$ORIGIN/llavero/swift
)
if [[ -n ${UNOPTIMIZED:-} ]]; then flags+=(-Xswiftc -Onone); fi
# Debug information would be stripped again (-s).
swift build --configuration release -debug-info-format none --traits TPM --scratch-path "$scratch" --product SecurityC "${flags[@]}" >&2

stage=$scratch/stage
rm -rf "$stage"
mkdir -p "$stage/lib/llavero/swift" "$stage/lib/pkgconfig" "$stage/include/llavero/swift" "$stage/bin"
# The compiler says where its runtime is: `swift` may be another program that starts it, such as swiftly's.
swift_lib=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p')
[[ -d $swift_lib/linux ]] || {
    echo "Swift's runtime is not found: ${swift_lib:-swift -print-target-info names none}" >&2
    exit 1
}
cp "$scratch/release/libSecurityC.so" "$stage/lib/libSecurity.so.1"

# The parts of Swift's runtime that it needs, and that those need; they look for each other beside themselves.
LD_LIBRARY_PATH=$swift_lib/linux ldd "$stage/lib/libSecurity.so.1" | sed -n "s|.* => \($swift_lib/linux/[^ ]*\) .*|\1|p" |
    while read -r library; do cp --dereference "$library" "$stage/lib/llavero/swift/"; done
# Without their names for debuggers.
strip --strip-unneeded "$stage"/lib/llavero/swift/*.so

cp -r Sources/CSecurity/Headers/Security Sources/CSecurity/Shim/CoreFoundation "$stage/include/llavero/"
for folder in CoreFoundation dispatch Block os; do
    if [[ -d $swift_lib/$folder ]]; then cp -rL "$swift_lib/$folder" "$stage/include/llavero/swift/"; fi
done
find "$stage/include" -type f ! -name '*.h' -delete
cp Packaging/library/security.pc "$stage/lib/pkgconfig/"
cp Packaging/library/llavero-cc "$stage/bin/"
# What was not built again is not older than its sources either.
touch "$stage/lib/libSecurity.so.1"
echo "$PWD/$stage"
