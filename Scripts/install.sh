#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the daemon and what belongs to it: make install PREFIX=/usr/local DESTDIR=
# Builds first, unless what `make release` built is still of these sources; so `sudo make install` needs no Swift. What it
# installs is listed in PREFIX/share/llavero/manifest, which uninstall.sh goes by. Nothing is started, enabled or fetched.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

prefix=${PREFIX:-/usr/local} destdir=${DESTDIR:-}
if [[ $prefix != /* || $prefix == *[!A-Za-z0-9/._+-]* || ( -n $destdir && $destdir != /* ) ]]; then
    echo "PREFIX and DESTDIR are absolute paths, and PREFIX is one that a unit file can name" >&2
    exit 2
fi
prefix=${prefix%/} destdir=${destdir%/}

# Those of these programs that this version has, and where each belongs.
programs=(llaverod llavero llavero-prompt-agent)
place() { if [[ $1 == llavero-prompt-agent ]]; then echo "libexec/llavero/$1"; else echo "bin/$1"; fi; }
scratch=${BUILT:-.build/install}

has_program() { grep --quiet "executable(name: \"$1\"" Package.swift; }

is_built() {
    local program="$scratch/release/$1"
    [[ -x $program && -z $(find Sources Package.swift -newer "$program" -print -quit) ]]
}

build() {
    local program=$1
    echo "==> building $program in release (minutes when fresh)"
    Scripts/release-build.sh --traits TPM --product "$program"
    # What was not linked again is not older than its sources either.
    touch "$scratch/release/$program"
}

for program in "${programs[@]}"; do
    if has_program "$program" && ! is_built "$program"; then build "$program"; fi
done
# The library for programs in C, with what it stands on.
library=${BUILT_LIBRARY:-.build/library}/stage
if [[ ! -f $library/lib/libSecurity.so.1 ||
    -n $(find Sources Package.swift -newer "$library/lib/libSecurity.so.1" -print -quit) ]]; then
    echo "==> building libSecurity.so.1 in release (minutes when fresh)"
    Scripts/library-build.sh >/dev/null
fi
if [[ ${1:-} == --build ]]; then exit 0; fi

umask 022
manifest=share/llavero/manifest
old="$destdir$prefix/$manifest"
list=$(mktemp)
trap 'rm -f "$list"' EXIT

# Makes a folder below PREFIX, and notes those that were not there.
make_folder() {
    local folder=$1
    if [[ $folder == . || -d $destdir$prefix/$folder ]]; then return 0; fi
    make_folder "$(dirname "$folder")"
    mkdir "$destdir$prefix/$folder"
    echo "folder $folder" >>"$list"
}

# put MODE FILE PLACE: installs a file below PREFIX, under its new name.
put() {
    make_folder "$(dirname "$3")"
    install -m "$1" "$2" "$destdir$prefix/$3"
    echo "file $(sha256sum <"$destdir$prefix/$3" | cut -c 1-64) $3" >>"$list"
}

# link TARGET PLACE: a name for a file that stands beside it.
link() {
    make_folder "$(dirname "$2")"
    # A program of another package with that name is not ours to replace.
    if [[ -e $destdir$prefix/$2 && $(readlink "$destdir$prefix/$2") != "$1" ]]; then
        echo "left as it is, for it is not ours: $destdir$prefix/$2" >&2
        return 0
    fi
    ln -sfn "$1" "$destdir$prefix/$2"
    echo "link $1 $2" >>"$list"
}

# The same, with the prefix in its place.
fill() {
    local filled
    filled=$(mktemp)
    sed "s|@PREFIX@|$prefix|g" "$2" >"$filled"
    put "$1" "$filled" "$3"
    rm -f "$filled"
}

mkdir -p "$destdir$prefix"
# What an earlier version made is still ours to remove.
if [[ -f $old ]]; then grep '^folder ' "$old" >>"$list" || true; fi

# What they answer to --version: the commit, and for the test of an upgrade another version.
commit=$(Scripts/version.sh commit)
stamped=$(mktemp -d)
trap 'rm -rf "$list" "$stamped"' EXIT
for program in "${programs[@]}"; do
    if ! has_program "$program"; then continue; fi
    cp "$scratch/release/$program" "$stamped/$program"
    # The agent does not say its version.
    if [[ $program != llavero-prompt-agent ]]; then Scripts/stamp.sh "$stamped/$program" "$commit" "${STAMPED_VERSION:-}"; fi
    put 755 "$stamped/$program" "$(place "$program")"
done
# The names that scripts, git, docker and cargo look for: all are the one tool.
for name in security {git,docker,cargo}-credential-llavero llavero-askpass; do link llavero "bin/$name"; done
# The manual and the completions are what the tool says of itself.
pages=$(mktemp -d)
trap 'rm -rf "$list" "$stamped" "$pages"' EXIT
"$scratch/release/llavero" manual "$pages"
"$scratch/release/llaverod" --manual >"$pages/llaverod.8"
cp Packaging/library/llavero-cc.1 "$pages/"
# The tool has no date; the commit has one.
sed --in-place "1s/^\(\.TH [^ ]* [18]\) \"\"/\1 \"$(date --utc --date="@$(Scripts/version.sh time)" +%F)\"/" "$pages"/*.[18]
for page in "$pages"/*.[18]; do put 644 "$page" "share/man/man${page##*.}/$(basename "$page")"; done
for shell in bash zsh fish; do "$scratch/release/llavero" completion "$shell" >"$pages/$shell"; done
put 644 "$pages/bash" share/bash-completion/completions/llavero
put 644 "$pages/zsh" share/zsh/site-functions/_llavero
put 644 "$pages/fish" share/fish/vendor_completions.d/llavero.fish
# These shells look for a file by the command's name; zsh finds both in one.
link llavero share/bash-completion/completions/security
link llavero.fish share/fish/vendor_completions.d/security.fish
put 644 "$library/lib/libSecurity.so.1" lib/libSecurity.so.1
link libSecurity.so.1 lib/libSecurity.so
for file in "$library"/lib/llavero/swift/*; do put 644 "$file" "lib/llavero/swift/$(basename "$file")"; done
while read -r header; do put 644 "$library/$header" "$header"; done < <(cd "$library" && find include -name '*.h' | sort)
fill 644 "$library/lib/pkgconfig/security.pc" lib/pkgconfig/security.pc
fill 755 "$library/bin/llavero-cc" bin/llavero-cc
for kind in user system; do
    for unit in Packaging/systemd/$kind/*; do fill 644 "$unit" "lib/systemd/$kind/$(basename "$unit")"; done
done
for kind in user system; do put 644 Packaging/systemd/presets/llavero.preset "lib/systemd/$kind-preset/80-llavero.preset"; done
for example in Packaging/systemd/examples/*; do
    fill 644 "$example" "share/doc/llavero/examples/$(basename "$example")"
done
for example in Packaging/entitlements/*; do
    fill 644 "$example" "share/doc/llavero/examples/entitlements/$(basename "$example")"
done
put 644 Packaging/sysusers.d/llavero.conf lib/sysusers.d/llavero.conf
put 644 Packaging/tmpfiles.d/llavero.conf lib/tmpfiles.d/llavero.conf
put 644 Packaging/portal/llavero.portal share/xdg-desktop-portal/portals/llavero.portal
for script in Packaging/pam/* Packaging/digests/llavero-*; do fill 755 "$script" "libexec/llavero/$(basename "$script")"; done
for document in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE Docs/*.md Docs/Reading/*.md Docs/Pictures/*.svg; do
    put 644 "$document" "share/doc/llavero/$document"
done

# Files of an earlier version that this one has no more.
if [[ -f $old ]]; then
    names=$(sed -n 's/^file [0-9a-f]* //p' "$list")
    while read -r kind digest name; do
        if [[ $kind != file || "/$name/" == */../* || ! -f $destdir$prefix/$name ]]; then continue; fi
        if grep --quiet --line-regexp --fixed-strings -- "$name" <<<"$names"; then continue; fi
        if [[ $(sha256sum <"$destdir$prefix/$name" | cut -c 1-64) == "$digest" ]]; then rm -f "$destdir$prefix/$name"; fi
    done <"$old"
fi
make_folder share/llavero
install -m 644 "$list" "$old"
echo "installed below $destdir$prefix; $destdir$prefix/share/doc/llavero/Docs/Daemon.md says how it is started"
