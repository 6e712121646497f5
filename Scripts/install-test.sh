#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder that is thrown away, uses what was installed there, changes a file, installs again, uninstalls, and
# looks at what is left: install-test.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
daemon=""
finish() {
    if [[ -n $daemon ]]; then kill "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "error: $*" >&2
    exit 1
}

export PREFIX=/opt/llavero DESTDIR="$work/root"
root="$DESTDIR$PREFIX"
Scripts/install.sh --build
echo "built: $SECONDS s"
SECONDS=0
before=$(date +%s%N)
Scripts/install.sh
echo "installed in $((($(date +%s%N) - before) / 1000000)) ms: $(du -sh --apparent-size "$DESTDIR" | cut -f 1)"

# What is there: exactly what the list says, nothing outside of PREFIX, and nobody but its owner may write to it.
diff <(cd "$root" && find . -type f -o -type l | sed 's|^\./||' | sort) \
    <({ sed -n 's/^\(file\|link\) [^ ]* //p' "$root/share/llavero/manifest"; echo share/llavero/manifest; } | sort) ||
    fail "the list of what was installed is another one"
[[ $(find "$DESTDIR" -mindepth 1 -maxdepth 1) == "$DESTDIR/opt" ]] || fail "something lies outside of $PREFIX"
[[ -z $(find "$DESTDIR" ! -type l -perm /022 -print -quit) ]] || fail "others may write to what was installed"
! grep --recursive --files-with-matches '@PREFIX@' "$root" --include='*.service' --include='*.conf' --include='llavero-*' ||
    fail "these do not know where they were installed"

# No program wants Swift's libraries, which only a developer has, or anything of the place it was built at.
for program in "$root"/bin/* "$root/libexec/llavero/llavero-prompt-agent"; do
    # The wrapper of a compiler is a script.
    if [[ $program == */llavero-cc ]]; then continue; fi
    needs=$(ldd "$program")
    if grep --quiet --extended-regexp 'not found|libswift|lib_?Foundation|libdispatch|libBlocksRuntime' <<<"$needs"; then
        fail "$program needs more than the system has: $needs"
    fi
    if readelf --dynamic "$program" 2>/dev/null | grep --extended-regexp 'R(UN)?PATH.*(/swift|/\.build)'; then
        fail "$program looks for libraries where it was built"
    fi
    # What only a debug build may do.
    if grep --quiet --text --extended-regexp 'LLAVERO_(TRACE|DEBUGGER)' "$program"; then
        fail "$program can be traced or debugged as a debug build can"
    fi
done

# A client in C by the wrapper, and one in Go by pkg-config, with this machine's compiler and what was installed alone. The prefix is below
# another folder here, so its names are put in the place of the ones that it will have.
cc=$work/llavero-cc
sed "s|=$PREFIX|=$root|" "$root/bin/llavero-cc" >"$cc"
chmod 755 "$cc"
CC=gcc "$cc" -std=gnu11 -Wall -Wextra -Werror -framework Security -framework CoreFoundation \
    -o "$work/client" Tests/SecurityCTests/Clients/password.c || fail "no client can be compiled"
mkdir -m 700 "$work/client-home"
env -i "HOME=$work/client-home" LLAVERO_ENCLAVE=software "$work/client" | grep --quiet '^[0-9]* held, 0 failed' ||
    fail "a client in C does not work"
sed "s|=$PREFIX|=$root|" "$root/lib/pkgconfig/security.pc" >"$work/security.pc"
sed 's|^#include <Security/Security.h>|#cgo pkg-config: security\n&|' Tests/SecurityCTests/Clients/keychain.go >"$work/client.go"
PKG_CONFIG_PATH=$work CGO_ENABLED=1 GOFLAGS=-mod=mod GOPROXY=off GO111MODULE=auto GOPATH=$work/go GOCACHE=$work/go-cache \
    go build -o "$work/client" "$work/client.go" || fail "no client in Go can be compiled"
env -i "HOME=$work/client-home" LLAVERO_ENCLAVE=software "$work/client" | grep --quiet '^[0-9]* held, 0 failed' ||
    fail "a client in Go does not work"
# Strings outside functions, as in sources for a Mac: the wrapper knows clang's options for them.
CC=$(dirname "$(command -v swift)")/clang "$cc" -std=gnu11 -Wall -Wextra -Werror -framework Security -framework CoreFoundation \
    -o "$work/client" Tests/SecurityCTests/Clients/strings.c || fail "no constant strings outside functions with clang"
env -i "HOME=$work/client-home" LLAVERO_ENCLAVE=software "$work/client" | grep --quiet '^[0-9]* held, 0 failed' ||
    fail "constant strings outside functions do not work"
if CC=gcc "$cc" -framework AppKit -o "$work/client" Tests/SecurityCTests/Clients/password.c 2>/dev/null; then
    fail "the wrapper takes any framework"
fi
readelf --dynamic "$root/lib/libSecurity.so.1" | grep --quiet 'SONAME.*libSecurity.so.1' || fail "the library has another name"
strange=$(nm --dynamic --defined-only "$root/lib/libSecurity.so.1" | awk '{print $3}' |
    grep --invert-match --extended-regexp '^(k?(Sec|CMS|SSL)|LLAVERO_1$)' || true)
[[ -z $strange ]] || fail "the library exports: $strange"
rm -r "$work/client-home"

# Each says the commit that it was installed from, and the format and libraries that a report of a fault has to name.
for name in llavero security llaverod; do
    said=$("$root/bin/$name" --version) || fail "$name does not say its version"
    for line in "^$name .*$(Scripts/version.sh)\$" "^commit       $(Scripts/version.sh commit)\$" '^file format  [0-9]' '^SQLite       3' \
        '^OpenSSL      3' '^tpm2-tss     '; do
        grep --quiet "$line" <<<"$said" || fail "$name --version does not say \"$line\": $said"
    done
done

# Every name that the tool goes by answers, with nothing of Swift's on the machine's path.
mkdir -m 700 "$work/tools"
tool() { env -i "HOME=$work/tools" "PATH=$root/bin:/usr/bin:/bin" LLAVERO_ENCLAVE=software "$@"; }
tool security add-generic-password -s installed -a me -w 'is it there?'
[[ $(tool security find-generic-password -s installed -w) == 'is it there?' ]] || fail "security finds nothing"
printf 'protocol=https\nhost=example.org\nusername=me\npassword=by git\n' | tool git credential-llavero store
printf 'protocol=https\nhost=example.org\n' | tool git credential-llavero get | grep --quiet --line-regexp 'password=by git' ||
    fail "git-credential-llavero gives nothing"
tool docker-credential-llavero list | grep --quiet '^{' || fail "docker-credential-llavero lists nothing"
printf '{"v":1,"registry":{"index-url":"sparse+https://example.org/"},"kind":"get","operation":"read","args":[]}\n' |
    tool cargo-credential-llavero --cargo-plugin | grep --quiet not-found || fail "cargo-credential-llavero does not answer"
tool llavero list --plain | grep --quiet example.org || fail "llavero lists nothing"

# The agent is where the tool looks for it, and where no daemon of the system's answers it says so.
if said=$(tool env LLAVERO_SYSTEM_SOCKET=/nonexistent/socket llavero prompt-agent 2>&1); then fail "the agent asks for nobody"; fi
grep --quiet '^llavero-prompt-agent: ' <<<"$said" || fail "the tool does not find its agent: $said"
rm -r "$work/tools"

# The manual has a page for each program, and nothing that its formatter does not know.
for page in man1/llavero.1 man1/llavero-unlock.1 man1/llavero-prompt-agent.1 man1/security.1 man8/llaverod.8; do
    [[ -s $root/share/man/$page ]] || fail "there is no manual page $page"
done
if command -v groff >/dev/null; then
    complaints=$(groff -man -Tutf8 -ww -z "$root"/share/man/man?/* 2>&1)
    [[ -z $complaints ]] || fail "the manual: $complaints"
fi

# The daemon runs with nothing but a home folder and a place for its socket, and stops when it is told to.
mkdir -m 700 "$work/home" "$work/run"
env -i "HOME=$work/home" "XDG_RUNTIME_DIR=$work/run" "$root/bin/llaverod" --no-lock-events &
daemon=$!
for ((i = 0; i < 12000; i++)); do
    if [[ -S $work/run/llavero/socket || ! -d /proc/$daemon ]]; then break; fi
    sleep 0.05
done
[[ -S $work/run/llavero/socket ]] || fail "llaverod does not serve"
# It is the only one there, and says so to the next.
if env -i "HOME=$work/home" "XDG_RUNTIME_DIR=$work/run" "$root/bin/llaverod" 2>"$work/second"; then
    fail "a second daemon took the place of the first"
fi
grep --quiet "another daemon already listens on this socket" "$work/second" || fail "the second daemon said: $(cat "$work/second")"
kill -TERM "$daemon"
wait "$daemon" || fail "llaverod did not end well"
daemon=""
env -i "HOME=$work/home" "$root/bin/llaverod" --give-back || fail "the keychain is not given back"
[[ -f $work/home/.local/share/llavero/login/keychain.db ]] || fail "there is no keychain"

# A first boot enables nothing: systemd would enable what no preset names.
if command -v systemctl >/dev/null; then
    mkdir -p "$work/boot/usr/lib"
    cp --recursive "$root/lib/systemd" "$work/boot/usr/lib/systemd"
    for scope in --system --global; do
        systemctl --quiet "$scope" --root="$work/boot" preset-all 2>/dev/null || fail "systemd cannot look for what a first boot enables"
    done
    enabled=$(find "$work/boot" -type l)
    [[ -z $enabled ]] || fail "a first boot enables $enabled"
fi
# The units are ones that systemd takes, where it is installed.
if command -v systemd-analyze >/dev/null; then
    for kind in user system; do
        mkdir "$work/units"
        for unit in "$root/lib/systemd/$kind"/*; do sed "s|$PREFIX/|$root/|" "$unit" >"$work/units/$(basename "$unit")"; done
        # A manager of users wants to be told where a session's files are.
        complaints=$(XDG_RUNTIME_DIR="$work/run" systemd-analyze --"$kind" --man=no verify "$work"/units/* 2>&1 |
            grep "$work" || true)
        [[ -z $complaints ]] || fail "systemd on the units of the $kind: $complaints"
        rm -r "$work/units"
    done
fi

# Once more, over an older version that had a file more; then away with it, but for what somebody wrote.
mkdir -p "$DESTDIR/etc/llavero/entitlements.d" "$root/share/other"
echo kept >"$DESTDIR/etc/llavero/entitlements.d/mine.plist"
echo gone >"$root/share/llavero/old"
echo "file $(sha256sum <"$root/share/llavero/old" | cut -c 1-64) share/llavero/old" >>"$root/share/llavero/manifest"
echo "file $(sha256sum </dev/null | cut -c 1-64) ../../../precious" >>"$root/share/llavero/manifest"
: >"$work/precious"
Scripts/install.sh >/dev/null
[[ ! -e $root/share/llavero/old && -f $work/precious ]] || fail "installing again removed the wrong files"
echo "# mine" >>"$root/lib/systemd/user/llaverod.service"
echo "file $(sha256sum </dev/null | cut -c 1-64) ../../../precious" >>"$root/share/llavero/manifest"
Scripts/uninstall.sh
left=$(cd "$DESTDIR" && find . -type f -o -type l | sort | tr '\n' ' ')
[[ $left == "./etc/llavero/entitlements.d/mine.plist .$PREFIX/lib/systemd/user/llaverod.service " ]] ||
    fail "these are left: $left"
[[ -f $work/precious && -d $root/share/other ]] || fail "something was removed that was not installed"
rm -r "$DESTDIR"

# And whole, with nothing changed.
Scripts/install.sh >/dev/null
Scripts/uninstall.sh
[[ -z $(find "$root" -mindepth 1) ]] || fail "these are left: $(find "$root" -mindepth 1)"
[[ -f $work/home/.local/share/llavero/login/keychain.db ]] || fail "the keychain went with the program"
echo "installed, used, uninstalled: $SECONDS s"
