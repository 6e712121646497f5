#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a package that depends on this one as users' packages do, with the trait SwiftCrypto and without TPM, beside one that does
# not depend on it and asks canImport(Security); Tests/Workspace/README.md says what has to come of it. Arguments go to swift build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

scratch=$PWD/.build/without-tpm
log=.build/logs/workspace-build.log
mkdir -p .build/logs
: >"$log"

swift_in_workspace() {
    local verb=$1
    shift
    swift "$verb" --package-path Tests/Workspace/App --scratch-path "$scratch" "$@"
}

# What the modules are found in has to be there before the bystander is compiled: it names no dependency that would order them.
swift_in_workspace build --target AppCore "${whole_modules[@]}" "$@" 2>&1 | tee -a "$log"
rm -f "$scratch"/debug/Bystander.build/*.o "$scratch"/debug/Modules/Bystander.*
swift_in_workspace build --build-tests "${whole_modules[@]}" "$@" 2>&1 | tee -a "$log"

# SwiftPM warns that the stand-in for swift-crypto is not at the address of the package that it stands for.
if grep -n 'warning:' "$log" | grep -v 'Conflicting identity for swift-crypto'; then
    echo "error: the build of a dependent package prints warnings, which are the first thing its user sees"
    exit 1
fi

said=$("$scratch/debug/App" 2>&1 </dev/null)
wanted='refused with -25291
the bystander sees Security: true
and makes of nonsense: nothing'
if [[ $said != "$wanted" ]]; then
    printf 'error: the app said:\n%s\ninstead of:\n%s\n' "$said" "$wanted"
    exit 1
fi

swift_in_workspace test --skip-build </dev/null 2>&1

said=$("$scratch/debug/CryptoProgram" 2>&1 </dev/null)
wanted="signs with swift-crypto's types: true
agrees: true"
if [[ $said != "$wanted" ]]; then
    printf 'error: the program said:\n%s\ninstead of:\n%s\n' "$said" "$wanted"
    exit 1
fi

# Who turns on nothing gets no other package. SwiftPM calls one by its folder's name.
own=$(basename "$PWD")
said=$(swift package --package-path Tests/Workspace/Plain --scratch-path "$PWD/.build/plain" show-dependencies --format flatlist 2>"$log")
if [[ $said != "${own,,}" ]] || grep -n 'warning:' "$log"; then
    printf 'error: a package that turns on nothing depends on:\n%s\n%s\n' "$said" "$(cat "$log")"
    exit 1
fi
