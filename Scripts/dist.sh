#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all files of a release of what is committed, for this release of Debian or Ubuntu, in .build/dist: dist.sh
# The archive of the sources, packages, what they are made of (SPDX), the recipe of a container, sums. With SIGNING_KEY, the fingerprint
# of a secret key that gpg has, also a repository for apt, which will be found at REPOSITORY_URL, and a signature below the sums.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

if [[ -n $(git status --porcelain) ]]; then
    echo "a release is of what is committed, and this clone has changes: git status" >&2
    exit 1
fi
umask 022
dist=$PWD/.build/dist version=$(Scripts/version.sh)
# It is packed by Python's tools from its folder alone.
grep --quiet --line-regexp --fixed-strings "version = \"$version\"" Python/keyring-llavero/pyproject.toml || {
    echo "Python/keyring-llavero/pyproject.toml has another version than $version" >&2
    exit 1
}
rm -rf "$dist"
archive=$(Scripts/source-archive.sh "$dist")
DEBS=$dist Scripts/deb.sh >/dev/null
packages=("$dist"/*.deb)
Scripts/sbom.py "$(Scripts/version.sh commit)" "$(Scripts/version.sh time)" "$archive" "${packages[@]}" \
    >"$dist/llavero-$version.spdx.json"
install -m 644 Packaging/container/Containerfile "$dist/"
# What says how a release is checked is read before anything is installed.
git archive HEAD README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE Docs Packaging/entitlements | tar --extract --directory "$dist"
# As in the packages: a line to paste means what they install.
sed --in-place 's|/usr/local/libexec/|/usr/libexec/|g' "$dist"/Docs/*.md
if [[ -n ${SIGNING_KEY:-} ]]; then
    : "${REPOSITORY_URL:?the address that the folder apt will have, such as https://example.org/llavero/apt}"
    Scripts/apt-repository.sh "$dist/apt" "$REPOSITORY_URL" "$SIGNING_KEY" "${packages[@]}"
else
    echo "without SIGNING_KEY there is no repository for apt, and the sums have no signature" >&2
fi
cd "$dist"
find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >"$dist.sums"
mv "$dist.sums" SHA256SUMS
if [[ -n ${SIGNING_KEY:-} ]]; then
    gpg --batch --yes --quiet --local-user "$SIGNING_KEY" --armor --detach-sign SHA256SUMS
fi
echo "$dist"
