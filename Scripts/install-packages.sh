#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of the given groups that are not there yet: install-packages.sh build [test] [unpacked] [bench]
# Those of [unpacked] are servers that would start with the machine if they were installed; their files go into
# .build/unpacked, for which no right is needed.
# Asks for no right and touches no package list when nothing is missing.
set -euo pipefail

list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"
unpacked="$(dirname "${BASH_SOURCE[0]}")/../.build/unpacked"

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

# Which of "a | b" to install: the first that apt's lists have, else the first. None of "a | -" where the lists have no a: what needs
# it then says so itself.
choice() {
    local name
    for name in ${1//|/ }; do
        if [[ $name != - ]] && apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    if [[ $1 == *"| -" ]] && compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; then return; fi
    echo "${1%% *}"
}

# Puts a package's files into a folder of their own, all of them or none.
unpack() {
    local scratch
    mkdir -p "$unpacked"
    scratch=$(mktemp -d "$unpacked/.XXXXXX")
    if download "$1" "$scratch" && dpkg-deb --extract "$scratch"/*.deb "$scratch/files" && cp -a "$scratch/files/." "$unpacked/"; then
        rm -rf "$scratch"
        touch "$unpacked/.$1"
    else
        rm -rf "$scratch"
        return 1
    fi
}

# Downloads a package's file into a folder.
download() { (cd "$2" && apt-get download --quiet=2 "$1" >/dev/null 2>&1); }

needs=()
to_unpack=()
for group in "$@"; do
    if ! lines=$(needs_of "$group"); then
        echo "no package group [$group] in $list" >&2
        exit 2
    fi
    while IFS= read -r line; do
        if [[ -z $line ]]; then continue; fi
        if [[ $group == unpacked ]]; then to_unpack+=("$line"); else needs+=("$line"); fi
    done <<<"$lines"
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian or Ubuntu, so nothing was installed. The build needs what they call:" >&2
    printf '    %s\n' ${needs[@]+"${needs[@]}"} ${to_unpack[@]+"${to_unpack[@]}"} >&2
    exit 0
fi

for need in ${to_unpack[@]+"${to_unpack[@]}"}; do
    name=$(choice "$need")
    if is_installed "$name" || [[ -e $unpacked/.$name ]]; then continue; fi
    if ! unpack "$name" && ! { as_root apt-get update --quiet=2 >/dev/null && name=$(choice "$need") && unpack "$name"; }; then
        echo "$name could not be downloaded" >&2
        exit 1
    fi
    echo "system packages: $name unpacked"
done

# The packages to install, in `missing`.
find_missing() {
    local need name
    missing=()
    for need in ${needs[@]+"${needs[@]}"}; do
        if is_met "$need"; then continue; fi
        name=$(choice "$need")
        if [[ -n $name ]]; then missing+=("$name"); fi
    done
}

find_missing
if [[ ${#missing[@]} == 0 ]]; then
    echo "system packages: all there"
    exit 0
fi

echo "system packages to install: ${missing[*]}"
if [[ $(id -u) != 0 ]] && ! command -v sudo >/dev/null; then
    echo "That needs root, and there is no sudo here. As root, run: apt-get install ${missing[*]}" >&2
    exit 1
fi

install_missing() {
    as_root apt-get install --yes --quiet=2 --no-install-recommends -o DPkg::Lock::Timeout=120 "${missing[@]}"
}
report=$(mktemp)
trap 'rm -f "$report"' EXIT
if ! install_missing >"$report" 2>&1; then
    echo "refreshing the package lists, then once more"
    # New lists may have another of two.
    if ! { as_root apt-get update --quiet=2 && find_missing && install_missing; } >>"$report" 2>&1; then
        tail -n 20 "$report" >&2
        echo "These could not be installed: ${missing[*]}" >&2
        exit 1
    fi
fi
echo "system packages: installed"
