#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a package of what install.sh installs, for this release of Debian or Ubuntu: deb.sh
# Prints its path; beside it, in .build/deb or $DEBS, are libsecurity-llavero1, libsecurity-llavero-dev and python3-keyring-llavero. Which
# packages it needs is read out of the programs themselves, by dpkg-shlibdeps of dpkg-dev; nothing is started when it is installed, and no
# keychain is touched when it goes. STAMPED_VERSION makes packages of an earlier version of the same programs, for the test of an upgrade; PACKED=fast larger ones in less time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

umask 022
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
rm "$stage/usr/share/doc/llavero/LICENSE"
# Where a line to paste has the place of `make install`, the package's own is meant here.
sed --in-place 's|/usr/local/libexec/|/usr/libexec/|g' "$stage"/usr/share/doc/llavero/Docs/*.md
# Debian's zsh looks for completions of packages here alone.
mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions"

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
move "$headers" lib/libSecurity.so lib/pkgconfig/security.pc include/llavero bin/llavero-cc share/man/man1/llavero-cc.1.gz
find "$stage/usr" -type d -empty -delete

# So does the backend of Python's keyring, with what pip would write beside it: by the entry point keyring finds the module.
python="$work/python3-keyring-llavero" project=Python/keyring-llavero/pyproject.toml
modules="$python/usr/lib/python3/dist-packages"
information="$modules/keyring_llavero-$(Scripts/version.sh).dist-info"
mkdir -p -m 755 "$information"
install -m 644 Python/keyring-llavero/keyring_llavero.py "$modules/"
sed -n '/^\[project\.entry-points\./,/^$/ { s/^\[project\.entry-points\."\(.*\)"\]$/[\1]/; s/"//g; /./p }' "$project" \
    >"$information/entry_points.txt"
{
    printf 'Metadata-Version: 2.1\nName: keyring-llavero\nVersion: %s\n' "$(Scripts/version.sh)"
    sed -n 's/^description = "\(.*\)"$/Summary: \1/p; s/^requires-python = "\(.*\)"$/Requires-Python: \1/p
        s/^dependencies = \["\(.*\)"\]$/Requires-Dist: \1/p' "$project"
} >"$information/METADATA"
echo debian >"$information/INSTALLER"
# A line that somebody writes in another form must not be missing.
[[ $(wc -l <"$information/METADATA") == 6 && $(wc -l <"$information/entry_points.txt") == 2 ]] || {
    echo "what the Python package is made of cannot be read in $project" >&2
    exit 1
}

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

version=${STAMPED_VERSION:-$(Scripts/version.sh package)}
# The same programs make the same packages: no file in them is younger than the commit.
SOURCE_DATE_EPOCH=$(Scripts/version.sh time)
export SOURCE_DATE_EPOCH
architecture=$(dpkg --print-architecture)

# What a program looks for when it first wants it, and does without. Every Debian with systemd has systemd's; what draws
# `llavero browse` is small, and who installs the rest wants circles or a TPM.
found_later=$(Scripts/loaded-later.sh)
recommended=$(grep '^libncurses' <<<"$found_later" | sed 's/$/, /' | tr -d '\n' || true)
suggested=$(grep --invert-match --extended-regexp '^(libsystemd0|libncurses.*)$' <<<"$found_later" |
    sed 's/$/, /' | tr -d '\n' || true)
# Whoever publishes packages is who answers for them.
maintainer=${MAINTAINER:-"Llavero <maintainers@llavero.invalid>"}

# documents FOLDER PACKAGE: what each package has in its own folder of documents, and what lintian need not say of it.
documents() {
    local place="$1/usr/share/doc/$2"
    mkdir -p -m 755 "$place"
    install -m 644 Packaging/debian/copyright "$place/copyright"
    {
        printf 'llavero (%s) %s; urgency=medium\n\n' "$version" "$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")"
        printf '  * What changed is in /usr/share/doc/llavero/CHANGELOG.md.gz.\n\n'
        printf ' -- %s  %s\n' "$maintainer" "$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")"
    } | gzip --best --no-name >"$place/changelog.gz"
    mkdir -p -m 755 "$1/usr/share/lintian/overrides"
    install -m 644 "Packaging/debian/$2.lintian-overrides" "$1/usr/share/lintian/overrides/$2"
}
gzip --best --no-name "$stage/usr/share/doc/llavero/CHANGELOG.md"
# What README names is there under Debian's names.
sed --in-place 's|(CHANGELOG.md)|(CHANGELOG.md.gz)|g; s|(LICENSE)|(copyright)|g' "$stage/usr/share/doc/llavero/README.md"
documents "$stage" llavero
documents "$runtime" libsecurity-llavero1
documents "$headers" libsecurity-llavero-dev
documents "$python" python3-keyring-llavero

mkdir -m 755 "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<CONTROL
Package: llavero
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: utils
Priority: optional
Installed-Size: $(du --summarize --apparent-size --block-size=1K "$stage/usr" | cut -f 1)
Depends: $depends
Recommends: ${recommended}pinentry-curses | pinentry
Suggests: ${suggested}fprintd, swtpm, openssl-provider-legacy
Description: keychain without a desktop
 An encrypted keychain for servers, containers, ssh sessions and CI: the command
 line tools llavero and security, helpers for git, docker and ssh, and a daemon
 that keeps the keys. Programs in Swift use it as they use Apple's.
CONTROL
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
install -m 755 Packaging/debian/{postinst,prerm,postrm} "$stage/DEBIAN/"

# describe FOLDER PACKAGE SECTION DEPENDS SHORT (the long description comes in): its control files.
describe() {
    mkdir -m 755 "$1/DEBIAN"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nSection: %s\nPriority: optional\n' \
            "$2" "$version" "$architecture" "$maintainer" "$3"
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
# What programs that are linked with it depend on.
printf 'libSecurity 1 libsecurity-llavero1 (>= %s~)\n' "$(Scripts/version.sh)" >"$runtime/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' >"$runtime/DEBIAN/triggers"
printf 'libSecurity 1 libsecurity-llavero1 (>= %s)\n' "$(Scripts/version.sh)~" >"$runtime/DEBIAN/shlibs"
describe "$headers" libsecurity-llavero-dev libdevel "libsecurity-llavero1 (= $version), libc6-dev" \
    "keychain for programs in C, headers" <<'WORDS'
 Headers, the file of pkg-config, and llavero-cc, which hands a compiler the
 options that "-framework Security -framework CoreFoundation" stands for.
WORDS
architecture=all describe "$python" python3-keyring-llavero python \
    "python3 (>= 3.9), python3-keyring (>= 23.9), llavero (>= $(Scripts/version.sh)~)" "keychain for Python's keyring" <<'WORDS'
 The backend that has Python's keyring, and with it pip, twine and poetry, keep
 passwords in the keychain of the package llavero. It needs no desktop and no
 bus.
WORDS
install -m 755 Packaging/debian/python3-keyring-llavero.postinst "$python/DEBIAN/postinst"
install -m 755 Packaging/debian/python3-keyring-llavero.prerm "$python/DEBIAN/prerm"

# One thread, for more cut the same into other pieces. PACKED=fast is for tests.
packing=(--root-owner-group --threads-max=1)
if [[ ${PACKED:-} == fast ]]; then packing+=(-Zgzip -z1); fi
folder_of_packages=${DEBS:-$PWD/.build/deb}
mkdir -p "$folder_of_packages"
for folder in "$runtime" "$headers" "$python"; do
    package="$folder_of_packages/$(basename "$folder")_${version}_$(sed -n 's/^Architecture: //p' "$folder/DEBIAN/control").deb"
    dpkg-deb --build "${packing[@]}" "$folder" "$package" >&2
done
package="$folder_of_packages/llavero_${version}_$architecture.deb"
dpkg-deb --build "${packing[@]}" "$stage" "$package" >&2
echo "$package"
