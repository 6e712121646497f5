#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Gives this commit the signed tag of its version, only when nothing is uncommitted, and `make test`, `make deb-test` and `make
# dist-test` passed here on this very commit: tag.sh. gpg signs, as git is set up (user.signingKey); UNSIGNED=yes makes a tag with a
# message alone. Nothing is pushed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

refuse() {
    echo "no tag: $*" >&2
    exit 1
}
version=$(Scripts/version.sh) commit=$(git rev-parse HEAD)
[[ -z $(git status --porcelain) ]] || refuse "this clone has changes: git status"
if git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null; then refuse "v$version is there already"; fi
heading=$(grep --max-count=1 '^## ' CHANGELOG.md)
[[ $heading =~ ^"## $version, "([0-9]{4}-[0-9]{2}-[0-9]{2})$ ]] || refuse "CHANGELOG.md begins with \"$heading\", not \"## $version, DATE\""
day=${BASH_REMATCH[1]}
[[ $(date --utc --date="@$(git log -1 --format=%ct)" +%F) == "$day" ]] || refuse "CHANGELOG.md says $day, and the commit is of another day"
for run in test deb-test dist-test; do
    [[ $(Scripts/passed.sh commit "$run") == "$commit" ]] || refuse "make $run has not passed on this commit"
done
kind=(--sign)
if [[ ${UNSIGNED:-} == yes ]]; then kind=(--annotate); fi
git tag "${kind[@]}" --message "Llavero $version" "v$version" "$commit"
echo "v$version is $commit; publish it with: git push ORIGIN v$version"
