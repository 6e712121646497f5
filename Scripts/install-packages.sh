#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of the given groups that are not there yet: install-packages.sh build [test] [bench]
# Asks for no right and touches no package list when nothing is missing.
set -euo pipefail

list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"

# The needs of one group, one a line, without comments and blank lines.
needs_of() {
    awk -v want="[$1]" '
        /^[ \t]*(#|$)/ { next }
        /^\[/          { inside = ($0 == want); known = known || inside; next }
        inside         { print }
        END            { exit !known }
    ' "$list"
}

is_installed() {
    local state
    state=$(dpkg-query --show --showformat='${db:Status-Status} ' "$1" 2>/dev/null) || return 1
    [[ " $state" == *" installed "* ]]
}

# True when one of "a | b" is installed.
is_met() {
    local name
    for name in ${1//|/ }; do
        if is_installed "$name"; then return 0; fi
    done
    return 1
}

as_root() {
    if [[ $(id -u) == 0 ]]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif [[ -t 0 ]]; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo -n env DEBIAN_FRONTEND=noninteractive "$@" # nobody is there to type a password
    fi
}

needs=()
for group in "$@"; do
    if ! lines=$(needs_of "$group"); then
        echo "no package group [$group] in $list" >&2
        exit 2
    fi
    while IFS= read -r line; do
        if [[ -n $line ]]; then needs+=("$line"); fi
    done <<<"$lines"
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian or Ubuntu, so nothing was installed. The build needs what they call:" >&2
    printf '    %s\n' ${needs[@]+"${needs[@]}"} >&2
    exit 0
fi

missing=()
for need in ${needs[@]+"${needs[@]}"}; do
    if ! is_met "$need"; then missing+=("${need%% *}"); fi
done
if [[ ${#missing[@]} == 0 ]]; then
    echo "system packages: all there"
    exit 0
fi

echo "system packages to install: ${missing[*]}"
if [[ $(id -u) != 0 ]] && ! command -v sudo >/dev/null; then
    echo "That needs root, and there is no sudo here. As root, run: apt-get install ${missing[*]}" >&2
    exit 1
fi

install=(apt-get install --yes --quiet=2 --no-install-recommends -o DPkg::Lock::Timeout=120 "${missing[@]}")
report=$(mktemp)
trap 'rm -f "$report"' EXIT
if ! as_root "${install[@]}" >"$report" 2>&1; then
    echo "refreshing the package lists, then once more"
    if ! { as_root apt-get update --quiet=2 && as_root "${install[@]}"; } >>"$report" 2>&1; then
        tail -n 20 "$report" >&2
        echo "These could not be installed: ${missing[*]}" >&2
        exit 1
    fi
fi
echo "system packages: installed"
