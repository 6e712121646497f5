#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a package of what install.sh installs, for this release of Debian or Ubuntu: deb.sh
# Prints its path; beside it are libsecurity-llavero1 and libsecurity-llavero-dev. Which packages it needs is read out of the
# programs themselves, by dpkg-shlibdeps of dpkg-dev; nothing is started when it is installed, and no keychain is touched when it
# goes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v dpkg-shlibdeps >/dev/null || {
    echo "dpkg-shlibdeps is missing: apt-get install dpkg-dev" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

stage="$work/llavero"
mkdir -m 755 "$stage"
PREFIX=/usr DESTDIR="$stage" Scripts/install.sh >&2
# The package's own list takes its place.
rm "$stage/usr/share/llavero/manifest"
rmdir "$stage/usr/share/llavero"
find "$stage/usr/share/man" -name '*.[18]' -exec gzip --best --no-name {} +
mv "$stage/usr/share/doc/llavero/LICENSE" "$stage/usr/share/doc/llavero/copyright"
gzip --best --no-name "$stage/usr/share/doc/llavero/CHANGELOG.md"

# What is for programs in C goes into packages of its own.
runtime="$work/libsecurity-llavero1" headers="$work/libsecurity-llavero-dev"
move() {
    local to=$1
    shift
    for name in "$@"; do
        mkdir -p -m 755 "$to/usr/$(dirname "$name")"
        mv "$stage/usr/$name" "$to/usr/$name"
    done
}
move "$runtime" lib/libSecurity.so.1 lib/llavero/swift
move "$headers" lib/libSecurity.so lib/pkgconfig/security.pc include/llavero bin/llavero-cc
find "$stage/usr" -type d -empty -delete

# depends FILE…: the line that a package has of what these were linked with: each package from the first version on that has what
# they call. The libraries beside them, of Swift's runtime, come along.
mkdir -p "$work/source/debian"
printf 'Source: llavero\n\nPackage: llavero\nArchitecture: any\n' >"$work/source/debian/control"
depends() {
    local line
    # It warns of each library that no package has, which is those of Swift.
    line=$(cd "$work/source" && dpkg-shlibdeps -O --ignore-missing-info -l"$runtime/usr/lib/llavero/swift" "${@/#/-e}" \
        2>"$work/warnings") || {
        cat "$work/warnings" >&2
        exit 1
    }
    line=${line#shlibs:Depends=}
    [[ $line == *libc6* && $line == *libssl3* && $line == *libsqlite3-0* ]] || {
        echo "what the programs need cannot be found out: ${line:-nothing}" >&2
        exit 1
    }
    echo "$line"
}
depends=$(depends "$stage"/usr/bin/{llavero,llaverod} "$stage/usr/libexec/llavero/llavero-prompt-agent")
depends_of_library=$(depends "$runtime/usr/lib/libSecurity.so.1" "$runtime"/usr/lib/llavero/swift/*.so)

version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/KeychainTools/CommandLine/Tool.swift)
# A version that Debian takes begins with a digit; one between releases comes before the next.
if [[ $version != [0-9]* ]]; then version="0~$(git log -1 --format=%cd --date=format:%Y%m%d).$(git rev-parse --short HEAD)"; fi
architecture=$(dpkg --print-architecture)

mkdir -m 755 "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<CONTROL
Package: llavero
Version: $version
Architecture: $architecture
Maintainer: Llavero
Section: utils
Priority: optional
Installed-Size: $(du --summarize --apparent-size --block-size=1K "$stage/usr" | cut -f 1)
Depends: $depends
Recommends: pinentry-curses | pinentry
Suggests: fprintd, swtpm, openssl-provider-legacy
Description: keychain without a desktop
 An encrypted keychain for servers, containers, ssh sessions and CI: the command
 line tools llavero and security, helpers for git, docker and ssh, and a daemon
 that keeps the keys. Programs in Swift use it as they use Apple's.
CONTROL
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
cat >"$stage/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
# The user of the system's daemon, which runs when somebody enables it.
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    systemd-sysusers llavero.conf || true
    systemd-tmpfiles --create llavero.conf || true
    systemctl daemon-reload || true
fi
SCRIPT
cat >"$stage/DEBIAN/prerm" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now llaverod.socket llaverod.service >/dev/null 2>&1 || true
fi
SCRIPT
cat >"$stage/DEBIAN/postrm" <<'SCRIPT'
#!/bin/sh
set -e
# Keychains stay, in people's homes and in /var/lib/llavero: nobody deletes those but their owners.
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
SCRIPT
chmod 755 "$stage/DEBIAN/postinst" "$stage/DEBIAN/prerm" "$stage/DEBIAN/postrm"

# describe FOLDER PACKAGE SECTION DEPENDS SHORT (the long description comes in): its control files.
describe() {
    mkdir -m 755 "$1/DEBIAN"
    mkdir -p -m 755 "$1/usr/share/doc/$2"
    install -m 644 LICENSE "$1/usr/share/doc/$2/copyright"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: Llavero\nSection: %s\nPriority: optional\n' \
            "$2" "$version" "$architecture" "$3"
        printf 'Installed-Size: %s\nDepends: %s\nDescription: %s\n' \
            "$(du --summarize --apparent-size --block-size=1K "$1/usr" | cut -f 1)" "$4" "$5"
        cat
    } >"$1/DEBIAN/control"
    (cd "$1" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
    chmod -R u=rwX,go=rX "$1/usr"
}
describe "$runtime" libsecurity-llavero1 libs "$depends_of_library" "keychain for programs in C" <<'WORDS'
 The library with the functions of Apple's Keychain Services, on the keychain of
 the package llavero, and the parts of Swift's runtime that it stands on.
WORDS
printf 'activate-noawait ldconfig\n' >"$runtime/DEBIAN/triggers"
describe "$headers" libsecurity-llavero-dev libdevel "libsecurity-llavero1 (= $version), libc6-dev" \
    "keychain for programs in C, headers" <<'WORDS'
 Headers, the file of pkg-config, and llavero-cc, which hands a compiler the
 options that "-framework Security -framework CoreFoundation" stands for.
WORDS

mkdir -p .build/deb
for folder in "$runtime" "$headers"; do
    package="$PWD/.build/deb/$(basename "$folder")_${version}_$architecture.deb"
    dpkg-deb --build --root-owner-group "$folder" "$package" >&2
done
package="$PWD/.build/deb/llavero_${version}_$architecture.deb"
dpkg-deb --build --root-owner-group "$stage" "$package" >&2
echo "$package"
