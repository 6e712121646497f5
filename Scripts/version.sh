#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints what a release is named by: version.sh [version | package | commit | time]
# The version stands in Sources/CVersion/version.c alone. `package` is that of packages: between two releases, where no tag names the
# commit, it comes before the next release's. `time` is the commit's, or SOURCE_DATE_EPOCH: files in archives and packages have it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version() { sed -n 's/^#define LLAVERO_VERSION "\(.*\)"$/\1/p' Sources/CVersion/version.c; }
# `make install` by root in somebody's clone asks git, too.
git() { command git -c "safe.directory=$PWD" "$@"; }
is_clone() { [[ -e .git ]] && git rev-parse --quiet --verify HEAD >/dev/null 2>&1; }
# In an archive of the sources this file says it.
of_archive() { sed -n "s/^$1 \([0-9a-f]*\)$/\1/p" Packaging/source; }

case ${1:-version} in
version) version ;;
commit)
    if is_clone; then
        commit=$(git rev-parse HEAD)
        if [[ -n $(git status --porcelain -- Sources Package.swift) ]]; then commit="${commit:0:12} with changes"; fi
        echo "$commit"
    else
        of_archive commit
    fi
    ;;
time)
    if [[ -n ${SOURCE_DATE_EPOCH:-} ]]; then
        echo "$SOURCE_DATE_EPOCH"
    elif is_clone; then
        git log -1 --format=%ct
    else
        of_archive time
    fi
    ;;
package)
    if is_clone && [[ $(git tag --points-at HEAD --list "v$(version)") == "" ]]; then
        echo "$(version)~git$(date --utc --date="@$(git log -1 --format=%ct)" +%Y%m%d).$(git rev-parse --short=8 HEAD)"
    else
        version
    fi
    ;;
*)
    echo "usage: version.sh [version | package | commit | time]" >&2
    exit 2
    ;;
esac
