#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Removes what install.sh installed, and nothing else: make uninstall PREFIX=/usr/local DESTDIR=
# A file that somebody changed since stays, and so does every keychain and everything in /etc/llavero.
set -euo pipefail

prefix=${PREFIX:-/usr/local} destdir=${DESTDIR:-}
root="${destdir%/}${prefix%/}"
manifest="$root/share/llavero/manifest"
if [[ ! -f $manifest ]]; then
    echo "nothing of Llavero was installed below $root" >&2
    exit 1
fi

# A name in the list leads to nothing outside.
is_inside() { [[ -n $1 && $1 != /* && "/$1/" != */../* ]]; }

kept=0
while read -r kind digest name; do
    if [[ $kind == link ]] && is_inside "$name" && [[ $(readlink "$root/$name") == "$digest" ]]; then
        rm -f "$root/$name"
    fi
    if [[ $kind != file ]] || ! is_inside "$name" || [[ ! -e $root/$name ]]; then continue; fi
    if [[ $(sha256sum <"$root/$name" | cut -c 1-64) == "$digest" ]]; then
        rm -f "$root/$name"
    else
        echo "kept, for it was changed: $root/$name"
        kept=$((kept + 1))
    fi
done <"$manifest"

folders=$(sed -n 's/^folder //p' "$manifest" | LC_ALL=C sort --unique --reverse)
rm -f "$manifest"
# The deepest first; one with something else in it stays.
while IFS= read -r folder; do
    if is_inside "$folder" && [[ -d $root/$folder ]]; then
        rmdir --ignore-fail-on-non-empty "$root/$folder"
    fi
done <<<"$folders"
echo "removed what was installed below $root; $kept files were kept. Keychains and /etc/llavero are as they were."
