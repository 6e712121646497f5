#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the package in a fresh Debian of this release, uses it as a user there, removes it, and looks whether the user's
# keychain is still there: deb-test.sh. As root, with debootstrap; takes two or three minutes,
# half a gigabyte of downloads, and what `make deb` takes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "error: $*" >&2
    exit 1
}
[[ $(id -u) == 0 ]] || fail "a fresh Debian is set up by root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

package=$(Scripts/deb.sh)
work=$(mktemp -d)
finish() {
    # What is mounted must not be removed with the folder.
    if mountpoint --quiet "$work/debian/proc"; then umount "$work/debian/proc"; fi
    rm -rf --one-file-system "$work"
}
trap finish EXIT
chmod 755 "$work"
root="$work/debian"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep --invert-match security | head -n 1 || true)
debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    fail "no fresh Debian"
}
mountpoint --quiet "$root/proc" || mount -t proc proc "$root/proc"
# The proxy and the way to the mirror are this machine's.
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+"http_proxy=$http_proxy"} chroot "$root" "$@"; }
as_user() { inside su -s /bin/sh user -c "$1"; }

cp "$package" "$root/tmp/llavero.deb"
inside apt-get -qq update >>"$work/log" 2>&1 || true
inside apt-get install -qq --yes --no-install-recommends /tmp/llavero.deb >>"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    fail "the package cannot be installed"
}
inside useradd --create-home user
# There is neither a terminal nor a toolchain, nor a session.
as_user 'security add-generic-password -s fresh -a me -w "kept here" && security find-generic-password -s fresh -w' |
    grep --quiet --line-regexp 'kept here' || fail "security does not work there"
as_user 'llavero generate --length 30 | llavero add fresh --stdin && llavero get fresh | wc --chars' |
    grep --quiet --line-regexp 31 || fail "llavero does not work there"
as_user 'llavero doctor; llavero version' >"$work/doctor" || true
grep --quiet '^llavero ' "$work/doctor" || fail "no version: $(cat "$work/doctor")"
for page in man1/llavero.1 man1/security.1 man8/llaverod.8; do
    inside test -s "/usr/share/man/$page.gz" || fail "there is no manual page $page"
done

# Programs in C, with a compiler of Debian's, and no Swift.
for name in libsecurity-llavero1 libsecurity-llavero-dev; do
    cp "$(dirname "$package")/$name$(basename "$package" | sed 's/^llavero//')" "$root/tmp/$name.deb"
done
cp Tests/SecurityCTests/Clients/{password.c,threads.c,raii.cc,keyring.py,expect.h} "$root/tmp/"
inside apt-get install -qq --yes --no-install-recommends gcc g++ clang pkg-config python3 /tmp/libsecurity-llavero1.deb \
    /tmp/libsecurity-llavero-dev.deb >>"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    fail "the packages for programs in C cannot be installed"
}
inside sh -c 'command -v swift || find / -xdev -name "*.swiftmodule" | grep .' && fail "there is Swift in a fresh Debian"
for command in 'gcc -o /tmp/client /tmp/password.c $(pkg-config --cflags --libs security)' \
    'clang -o /tmp/client /tmp/password.c $(pkg-config --cflags --libs security)' \
    'CC=gcc llavero-cc -framework Security -framework CoreFoundation -o /tmp/client /tmp/password.c' \
    'CC=clang llavero-cc -framework Security -framework CoreFoundation -o /tmp/client /tmp/password.c' \
    'CC=gcc llavero-cc -framework Security -pthread -o /tmp/client /tmp/threads.c' \
    'CC=g++ llavero-cc -std=c++17 -framework Security -o /tmp/client /tmp/raii.cc' \
    'CC=clang++ llavero-cc -std=c++17 -framework Security -o /tmp/client /tmp/raii.cc'; do
    inside sh -c "$command -Wall -Wextra -Werror" || fail "this does not compile there: $command"
    as_user /tmp/client | grep --quiet '^[0-9]* held, 0 failed' || fail "this does not work there: $command"
done
as_user 'python3 /tmp/keyring.py' | grep --quiet '^[0-9]* held, 0 failed' || fail "this does not work there: keyring.py"
inside apt-get purge -qq --yes libsecurity-llavero-dev libsecurity-llavero1 >>"$work/log" 2>&1 || fail "they cannot be removed"

inside apt-get purge -qq --yes llavero >>"$work/log" 2>&1 || fail "it cannot be removed"
left=$(inside find /usr /etc /lib /var/lib -name '*llavero*' -not -path '*/dpkg/*' -not -path '*/apt/*')
[[ -z $left ]] || fail "these are left: $left"
inside test -s /home/user/.local/share/llavero/login/keychain.db || fail "the user's keychain went with the package"
inside apt-get install -qq --yes --no-install-recommends /tmp/llavero.deb >>"$work/log" 2>&1
as_user 'security find-generic-password -s fresh -w' | grep --quiet --line-regexp 'kept here' ||
    fail "the user's keychain is not what it was"
echo "$(basename "$package"): installed, used, removed and installed again in a fresh $release"
