#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Adds packages to a folder that apt installs from, and signs it anew: apt-repository.sh FOLDER ADDRESS KEY PACKAGE…
# ADDRESS is where people will find the folder, such as https://example.org/llavero; KEY the fingerprint of a secret key that gpg has.
# The folder is files alone: any web server, or a path, serves it. llavero.sources in it is all that a machine needs: the address with
# the public key.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if (($# < 4)); then
    echo "usage: apt-repository.sh FOLDER ADDRESS KEY PACKAGE…" >&2
    exit 2
fi
folder=$1 address=$2 key=$3
shift 3
for program in apt-ftparchive gpg; do
    command -v "$program" >/dev/null || {
        echo "$program is missing: Scripts/install-packages.sh release" >&2
        exit 1
    }
done
umask 022
suite=${SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
# When it was signed: apt takes no list for a newer one that has an older time.
moment=${SOURCE_DATE_EPOCH:-$(date +%s)}
export LC_ALL=C

mkdir -p "$folder/pool/$suite"
install -m 644 "$@" "$folder/pool/$suite/"
cd "$folder"
# Packages for all architectures are in the index of each.
architectures=$(for package in "pool/$suite"/*.deb; do dpkg-deb --field "$package" Architecture; done | grep --invert-match '^all$' | sort --unique)
for architecture in $architectures; do
    index="dists/$suite/main/binary-$architecture"
    mkdir -p "$index"
    # Every version that is there, so that an earlier one can be installed again.
    apt-ftparchive --arch "$architecture" packages "pool/$suite" >"$index/Packages"
    gzip --best --no-name --keep --force "$index/Packages"
done
rm -f "dists/$suite"/{Release,Release.gpg,InRelease}
apt-ftparchive -o APT::FTPArchive::Release::Origin=Llavero -o APT::FTPArchive::Release::Label=Llavero \
    -o APT::FTPArchive::Release::Suite="$suite" -o APT::FTPArchive::Release::Codename="$suite" \
    -o APT::FTPArchive::Release::Components=main \
    -o APT::FTPArchive::Release::Architectures="$(tr '\n' ' ' <<<"$architectures" | sed 's/ $//')" \
    release "dists/$suite" >"$suite.release"
sed --in-place "s/^Date: .*/Date: $(date --utc --date="@$moment" '+%a, %d %b %Y %H:%M:%S') UTC/" "$suite.release"
mv "$suite.release" "dists/$suite/Release"
sign() { gpg --batch --yes --quiet --local-user "$key" --digest-algo SHA512 "$@"; }
sign --clearsign --output "dists/$suite/InRelease" "dists/$suite/Release"
sign --detach-sign --armor --output "dists/$suite/Release.gpg" "dists/$suite/Release"
{
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By:\n' "$address" "$suite"
    # A line in such a field begins with a space, and an empty one is a full stop.
    gpg --armor --export --export-options export-minimal "$key" | sed -e 's/^$/./' -e 's/^/ /'
} >llavero.sources
