#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the commit into a built program, where `--version` reads it: stamp.sh PROGRAM COMMIT [VERSION]
# Were it given to the compiler, each commit would mean minutes of building, of a changed sentence in a document, too. A VERSION of the
# same length takes the place of the program's own, so that a test has an earlier one to upgrade from.
set -euo pipefail

program=$1 commit=$2 version=${3:-}
# The field has forty bytes; Sources/CVersion/version.c has hyphens there.
[[ ${#commit} -le 40 && $commit != *[!0-9a-z\ ]* ]] || {
    echo "this is no commit: $commit" >&2
    exit 2
}
padded=$(printf '%-40s' "${commit// /_}" | tr ' _' '- ')
edits=(-e "s/llavero-commit=[-0-9a-z ]\{40\}/llavero-commit=$padded/")
if [[ -n $version ]]; then
    own=$(LC_ALL=C grep --text --only-matching 'llavero-version=[0-9.]*' "$program" | sed 's/.*=//')
    [[ ${#own} == "${#version}" && $version != *[!0-9.]* ]] || {
        echo "$program is version $own, and $version has another length" >&2
        exit 2
    }
    edits+=(-e "s/llavero-version=[0-9.]\{${#version}\}/llavero-version=$version/")
fi
LC_ALL=C sed --in-place "${edits[@]}" "$program"
LC_ALL=C grep --quiet --text --fixed-strings "llavero-commit=$padded" "$program" || {
    echo "$program has no place for the commit" >&2
    exit 1
}
