#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the C interface, compiles the clients of Tests/SecurityCTests/Clients with gcc and with clang against it, those in Go
# and Rust with their compilers, and runs each on a keychain of its own; gcc's address and leak sanitizers too:
# Scripts/c-clients.sh [FILE…]. CLIENT_CYCLES=20000 LIBRARY=FILE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

sources=Tests/SecurityCTests/Clients
if [[ -z ${LIBRARY:-} ]]; then
    strict_build --product SecurityC
    LIBRARY=$PWD/.build/debug/libSecurityC.so
fi
if [[ -z ${CLIENT_DAEMON:-} ]]; then
    strict_build --product llaverod
    CLIENT_DAEMON=$PWD/.build/debug/llaverod
fi
export CLIENT_DAEMON
toolchain=$(dirname "$(command -v swift)")
swift_lib=$(dirname "$toolchain")/lib/swift

work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
# The loader looks for what it was linked as, whatever SONAME this build has.
for name in libSecurity.so libSecurity.so.1 libSecurityC.so; do ln -s "$LIBRARY" "$work/$name"; done
# One that was built to be installed has its own part of Swift's runtime beside it.
if [[ -d ${LIBRARY%/*}/llavero ]]; then ln -s "${LIBRARY%/*}/llavero" "$work/llavero"; fi
include=(-I "$PWD/Sources/CSecurity/Headers" -I "$PWD/Sources/CSecurity/Shim" -isystem "$swift_lib")
link=(-L "$work" -lSecurity -L "$swift_lib/linux" -lFoundation -Wl,-rpath,"$work" -Wl,-rpath,"$swift_lib/linux")
link+=(-Wl,-rpath-link,"$swift_lib/linux" -pthread)
export LLAVERO_TEST_KEYCHAIN=real CLIENT_CERTIFICATE=$work/certificate.der CLIENT_CYCLES=${CLIENT_CYCLES:-2000}
export CLIENT_IDENTITY=$work/identity.p12
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/key.pem" -subj "/CN=client.example" -days 30 \
    -out "$work/certificate.pem" 2>/dev/null
openssl x509 -in "$work/certificate.pem" -outform DER -out "$CLIENT_CERTIFICATE"
openssl pkcs12 -export -inkey "$work/key.pem" -in "$work/certificate.pem" -passout pass:client -out "$CLIENT_IDENTITY"

failed=0
# run LABEL PROGRAM ARGUMENT…: with a keychain of its own.
run() {
    local label=$1 home
    shift
    home=$(mktemp --directory "$work/home.XXXX")
    if HOME=$home XDG_DATA_HOME=$home/data XDG_RUNTIME_DIR=$home "$@" >"$work/said"; then
        echo "$label: $(tail -n 1 "$work/said")"
    else
        echo "$label: FAILED" >&2
        failed=1
    fi
}

# try LABEL COMPILER FLAG…: compiles $source and runs it.
try() {
    local label=$1
    shift
    if "$@" -Wall -Wextra -Werror "${include[@]}" -o "$work/client" "$source" "${link[@]}" "${more[@]}"; then
        run "$label" "$work/client"
    else
        echo "$label: NOT COMPILED" >&2
        failed=1
    fi
}

# Beside the client, what it declares of itself.
declare_client() {
    cat >"$work/client.entitlements" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>application-identifier</key><string>org.example.client</string>
<key>keychain-access-groups</key><array><string>org.example.client</string></array>
</dict></plist>
END
}

wanted=" $* "
for source in "$sources"/*.c "$sources"/*.cc; do
    name=$(basename "$source")
    more=()
    if [[ $# -gt 0 && $wanted != *" $name "* ]]; then continue; fi
    case $name in
    *.cc)
        try "$name, g++, C++17" g++ -std=c++17
        if echo '#include <memory>' | "$toolchain/clang++" -x c++ -fsyntax-only - 2>/dev/null; then
            try "$name, clang++, C++17" "$toolchain/clang++" -std=c++17
        fi
        ;;
    strings.c) try "$name, clang, C11" "$toolchain/clang" -std=gnu11 -fcf-runtime-abi=swift -DSECURITY_BUILTIN_CFSTR ;;
    blocks.c)
        more=(-ldispatch -lBlocksRuntime)
        try "$name, clang with blocks" "$toolchain/clang" -std=gnu11 -fblocks
        ;;
    *)
        if [[ $name == tls.c ]]; then more=(-lssl -lcrypto); fi
        if [[ $name == more.c ]]; then declare_client; else rm -f "$work/client.entitlements"; fi
        try "$name, gcc, C11" gcc -std=gnu11
        try "$name, clang, C11" "$toolchain/clang" -std=gnu11
        if [[ $name != cycles.c ]]; then
            try "$name, gcc, addresses and leaks" gcc -std=gnu11 -g -fsanitize=address
        fi
        ;;
    esac
done
for client in "$sources"/*.go; do
    if [[ ! -e $client || ($# -gt 0 && $wanted != *" $(basename "$client") "*) ]]; then continue; fi
    # Nothing is fetched, and what it compiles of Go's own goes when the folder does.
    if CGO_ENABLED=1 GOFLAGS=-mod=mod GOPROXY=off GO111MODULE=auto GOPATH=$work/go GOCACHE=$work/go-cache \
        CGO_CFLAGS="${include[*]}" CGO_LDFLAGS="${link[*]}" go build -o "$work/client" "$client"; then
        run "$(basename "$client"), Go" env GODEBUG=cgocheck=2 "$work/client"
    else
        echo "$(basename "$client"), Go: NOT COMPILED" >&2
        failed=1
    fi
done
for client in "$sources"/*.rs; do
    if [[ ! -e $client || ($# -gt 0 && $wanted != *" $(basename "$client") "*) ]]; then continue; fi
    arguments=()
    for argument in "${link[@]}"; do arguments+=(-C "link-arg=$argument"); done
    if rustc --edition 2021 -D warnings -A non_upper_case_globals -L "$work" -L "$swift_lib/linux" "${arguments[@]}" \
        -o "$work/client" "$client"; then
        run "$(basename "$client"), Rust" "$work/client"
    else
        echo "$(basename "$client"), Rust: NOT COMPILED" >&2
        failed=1
    fi
done
for client in "$sources"/*.py; do
    if [[ ! -e $client || ($# -gt 0 && $wanted != *" $(basename "$client") "*) ]]; then continue; fi
    LD_LIBRARY_PATH=$work:$swift_lib/linux run "$(basename "$client"), Python" python3 "$client"
done
exit "$failed"
