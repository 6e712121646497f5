#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Remembers which commit a run passed on, for tag.sh: passed.sh begin | note NAME BEGUN | commit NAME
# `begin` prints the commit when nothing in the clone differs from it, and nothing otherwise; `note` writes it down when the run ended
# on the same.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

clean_commit() {
    if [[ -e .git && -z $(git status --porcelain 2>/dev/null) ]]; then git rev-parse --quiet --verify HEAD || true; fi
}
case ${1:-} in
begin) clean_commit ;;
note)
    if [[ -n ${3:-} && $(clean_commit) == "$3" ]]; then
        mkdir -p .build/passed
        echo "$3" >".build/passed/$2"
    fi
    ;;
commit) cat ".build/passed/$2" 2>/dev/null || true ;;
*)
    echo "usage: passed.sh begin | note NAME BEGUN | commit NAME" >&2
    exit 2
    ;;
esac
