#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the container of Packaging/container from a folder of packages and uses it: container-test.sh FOLDER. As root.
# On a Debian that debootstrap makes, so that no registry has to be reached.
set -euo pipefail
packages=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/fresh-debian.sh
source Scripts/fresh-debian.sh

make_debian
umount "$root/proc"
podman() { command podman --root "$work/store" --runroot "$work/run" "$@"; }
tar --create --directory "$root" . | podman import --quiet - localhost/debian:slim >/dev/null
podman build --quiet --isolation chroot --build-arg BASE=localhost/debian:slim --file Packaging/container/Containerfile --tag llavero \
    "$packages" >"$work/image" 2>"$work/build" || {
    cat "$work/build" >&2
    fail "the container cannot be built"
}
# Its files as its user, with its environment and its entry point, by chroot: that works where no container can be started.
made=$(podman create llavero)
files=$(podman mount "$made")
trap 'podman umount --all >/dev/null 2>&1; finish' EXIT
setting() { podman image inspect llavero --format "{{$1}}"; }
mapfile -t variables < <(setting 'range .Config.Env}}{{println .}}{{end' | grep .)
user=$(setting .Config.User) entry=$(setting 'index .Config.Entrypoint 0') chroot=$(command -v chroot)
container() { env -i "${variables[@]}" "$chroot" --userspec="$user" "$files" "$entry" "$@"; }
container add deploy --generate 2>"$work/said" || fail "the container stores nothing: $(cat "$work/said")"
[[ -n $(container get deploy) ]] || fail "the container finds nothing"
container --version | grep --quiet "^llavero $(Scripts/version.sh)\$" || fail "the container has another version: $(container --version)"
[[ $(stat --format %u "$files/keychains/login/keychain.db") == "${user%:*}" ]] || fail "the keychain is not in the volume, or not its user's"
size=$(du --summarize --block-size=1M --one-file-system "$files" | cut -f 1) base=$(du --summarize --block-size=1M "$root" | cut -f 1)
echo "container: built and used, $size MB, of which Debian is $base"
