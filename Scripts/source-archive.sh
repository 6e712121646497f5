#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs what is committed into an archive of the sources, the same bytes whoever packs it where and when: source-archive.sh FOLDER
# Prints its path. Sorted by name, of owner 0, with modes and times that depend on the commit alone.
set -euo pipefail
to=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

git rev-parse --quiet --verify HEAD >/dev/null || {
    echo "only a clone can be packed, for the archive is of a commit" >&2
    exit 1
}
umask 022
name="llavero-$(Scripts/version.sh)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive --format=tar --prefix="$name/" HEAD | tar --extract --directory "$work"
tar --create --directory "$work" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$(Scripts/version.sh time)" "$name" | gzip --best --no-name >"$to/$name.tar.gz"
echo "$to/$name.tar.gz"
