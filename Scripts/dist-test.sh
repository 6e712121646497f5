#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a release of what is committed twice, in two clones, and compares each byte; checks sums and signatures, validates what the
# packages are said to be made of, and builds the container: dist-test.sh. Programs that are built already are not built again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

fail() {
    echo "error: $*" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
begun=$(Scripts/passed.sh begin)
Scripts/install.sh --build

export GNUPGHOME=$work/gnupg
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'Llavero test <test@example.org>' ed25519 sign never 2>/dev/null
SIGNING_KEY=$(gpg --batch --quiet --list-secret-keys --with-colons 2>/dev/null | awk -F : '$1 == "fpr" { print $10; exit }')
export SIGNING_KEY REPOSITORY_URL=https://example.org/apt

# Two clones of this commit, which differ in all that must not matter; both pack the programs of this one.
export BUILT=$work/built BUILT_LIBRARY=$work/library PACKED=fast
mkdir -p "$BUILT/release" "$BUILT_LIBRARY"
cp --preserve .build/install/release/{llavero,llaverod,llavero-prompt-agent} "$BUILT/release/"
cp --recursive --preserve .build/library/stage "$BUILT_LIBRARY/"
for number in 1 2; do
    git clone --quiet --no-hardlinks . "$work/clone$number"
    # Older than what is built of them.
    find "$work/clone$number" -exec touch --date=@86400 {} +
done
(umask 077 && TZ=Asia/Tokyo LC_ALL=C "$work/clone1/Scripts/dist.sh" >/dev/null)
(umask 002 && TZ=America/Lima LC_ALL=C.UTF-8 "$work/clone2/Scripts/dist.sh" >/dev/null)
one=$work/clone1/.build/dist two=$work/clone2/.build/dist
compared=0
while read -r file; do
    # A signature has the time that it was made at.
    case $file in *.asc | *.gpg | */InRelease | */Release | SHA256SUMS) continue ;; esac
    cmp "$one/$file" "$two/$file" || fail "made twice, these differ: $file"
    compared=$((compared + 1))
done < <(cd "$one" && find . -type f -printf '%P\n' | sort)
diff <(cd "$one" && find . -type f | sort) <(cd "$two" && find . -type f | sort) || fail "a release has other files the second time"
echo "$compared files are the same bytes when made twice: $(cd "$one" && ls | tr '\n' ' ')"

version=$(Scripts/version.sh)
archive=$one/llavero-$version.tar.gz
[[ $(tar --list --verbose --numeric-owner --file "$archive" | awk '{ print $2 }' | sort --unique) == 0/0 ]] ||
    fail "somebody owns files in the archive"
tar --extract --directory "$work" --file "$archive"
for word in version commit time; do
    [[ $("$work/llavero-$version/Scripts/version.sh" $word) == "$(Scripts/version.sh $word)" ]] || fail "the archive has another $word"
done
SOURCE_DATE_EPOCH=1000000000 Scripts/source-archive.sh "$work/dated" >/dev/null
[[ $(tar --list --verbose --utc --file "$work/dated/llavero-$version.tar.gz" | awk '{ print $4 }' | sort --unique) == 2001-09-09 ]] ||
    fail "SOURCE_DATE_EPOCH is not the time of the files"
(cd "$one" && sha256sum --quiet --check SHA256SUMS && gpg --quiet --verify SHA256SUMS.asc SHA256SUMS 2>/dev/null) || fail "the sums are wrong"
[[ $(cd "$one" && find . -type f | wc -l) == $(($(wc -l <"$one/SHA256SUMS") + 2)) ]] || fail "a file has no sum"
for file in "$one"/apt/dists/*/InRelease; do gpg --quiet --verify "$file" 2>/dev/null || fail "the repository is not signed"; done
# README's commands for that, by somebody whose gpg knows no key yet.
mkdir -m 700 "$work/reader"
checking=$(sed -n '/^## Install$/,/^## /p' "$one/README.md" | sed -n '/^```sh$/,/^```$/p' | sed '/^```$/,$d; 1d')
(cd "$one" && GNUPGHOME=$work/reader bash -euo pipefail -c "$checking" >"$work/checked" 2>&1) || fail "README's commands do not check it: $(cat "$work/checked")"
grep --quiet 'Good signature' "$work/checked" || fail "README's commands check nothing: $(cat "$work/checked")"

# A tag is for a commit without changes whose tests passed, of the day that CHANGELOG.md says.
clone=$work/clone1 day=$(date --utc +%F)
tag() { (cd "$clone" && git -c user.signingKey="$SIGNING_KEY" -c user.name=test -c user.email=test@example.org "$@"); }
sed --in-place "0,/^## /s/^## .*/## $version, $day/" "$clone/CHANGELOG.md"
echo >>"$clone/CHANGELOG.md"
refused=$("$clone/Scripts/tag.sh" 2>&1) && fail "a clone with changes gets a tag"
[[ $refused == *"has changes"* ]] || fail "tag.sh says of a change: $refused"
tag commit --quiet --all --message "A day of release"
refused=$("$clone/Scripts/tag.sh" 2>&1) && fail "a commit that no test passed on gets a tag"
[[ $refused == *"make test has not passed"* ]] || fail "tag.sh says of a commit without tests: $refused"
passed=$("$clone/Scripts/passed.sh" begin)
for run in test deb-test dist-test; do "$clone/Scripts/passed.sh" note "$run" "$passed"; done
tag config user.signingKey "$SIGNING_KEY"
GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org "$clone/Scripts/tag.sh" >/dev/null || fail "there is no tag"
tag verify-tag "v$version" 2>/dev/null || fail "the tag is not signed"
[[ $("$clone/Scripts/version.sh" package) == "$version" ]] || fail "packages of a tagged commit are called $("$clone/Scripts/version.sh" package)"
refused=$("$clone/Scripts/tag.sh" 2>&1) && fail "a second tag takes the place of the first"

# A validator that others made, which asks for no network.
python=.build/sbom/bin/python
if [[ ! -x $python ]]; then
    python3 -m venv .build/sbom
    "$python" -m pip install --quiet --disable-pip-version-check spdx-tools==0.8.5
fi
document=$one/llavero-$version.spdx.json
"$python" -m spdx_tools.spdx.clitools.pyspdxtools --infile "$document" || fail "the SBOM is not valid"
for name in llavero python3-keyring-llavero swift-runtime libc6 libsqlite3-0 libssl3; do
    grep --quiet "\"name\": \"$name" "$document" || fail "the SBOM does not name $name"
done
echo "SBOM: $(grep --count '"versionInfo"' "$document") parts, $(grep --count '"relationshipType"' "$document") relations, valid SPDX 2.3"

if [[ $(id -u) == 0 ]] && command -v debootstrap podman >/dev/null; then
    Scripts/container-test.sh "$one"
else
    echo "the container was not built: that takes root, debootstrap and podman"
fi
Scripts/passed.sh note dist-test "$begun"
