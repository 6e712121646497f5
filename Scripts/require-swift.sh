# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced. Puts a Swift that is new enough on PATH, gives it a home folder, and defines the strict build flags.

oldest_swift=6.2

# What the gates build with. The tests use the very same flags, so nothing is compiled twice.
# shellcheck disable=SC2034
strict_flags=(
    -Xswiftc -warnings-as-errors
    -Xswiftc -require-explicit-sendable
    --explicit-target-dependency-import-check error
    --traits TPM
)
# Compiling modules whole, and without debug information, is two thirds of the work from nothing; but after an edit it is more. So a
# fresh clone is built that way by `make test`, and all go on with it until a source changes; then by files.
whole_modules=(
    -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -disable-batch-mode
    -debug-info-format none
)
by_modules=.build/by-modules
if [[ -e $by_modules && -n $(find Package.swift Sources Tests Fuzz Examples -name '*.swift' -newer $by_modules -print -quit) ]]; then
    rm -f "$by_modules"
fi
if [[ -e $by_modules ]]; then strict_flags+=("${whole_modules[@]}"); fi

# strict_build OPTION…: builds so, quietly; nothing where `make test` has built it all already (ALREADY_BUILT).
strict_build() {
    if [[ -z ${ALREADY_BUILT:-} ]]; then swift build "$@" "${strict_flags[@]}" >/dev/null; fi
}

# The version of the Swift in a folder, as 6.3; nothing when it does not run.
swift_version_in() {
    "$1/swift" --version 2>/dev/null </dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
}

require_swift() {
    local folder version found="" on_path
    on_path=$(command -v swift || true)
    for folder in "${on_path%/*}" /opt/swift/usr/bin "$HOME/.local/share/swiftly/bin" /usr/local/swift/usr/bin; do
        if [[ -z $folder || ! -x $folder/swift ]]; then continue; fi
        version=$(swift_version_in "$folder" || true)
        if [[ -z $version ]]; then continue; fi
        found="$folder/swift is $version"
        if [[ $(printf '%s\n' "$oldest_swift" "$version" | sort --version-sort | head -n 1) == "$oldest_swift" ]]; then
            PATH="$folder:$PATH"
            export PATH
            return 0
        fi
    done
    echo "Swift $oldest_swift or newer is needed; found: ${found:-none}." >&2
    echo "It comes from https://www.swift.org/install/linux (swiftly puts it in your home folder, without root)." >&2
    return 1
}

# SwiftPM keeps caches in the home folder; a service account or a bare container may have none.
require_home() {
    if [[ -n ${HOME:-} && -d ${HOME:-} && -w ${HOME:-} ]]; then return 0; fi
    HOME=$(getent passwd "$(id -u)" | cut -d : -f 6 || true)
    if [[ -z $HOME || ! -d $HOME || ! -w $HOME ]]; then
        HOME="$PWD/.build/home"
        mkdir -p "$HOME"
    fi
    export HOME
}

require_home
require_swift || exit 1
