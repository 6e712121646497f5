#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests on a machine that has no time: beside LOAD busy loops (30), and, as root, beside a llaverod of the
# system at /run/llavero/socket. Arguments go to swift test. Both have to leave the tests as they are.
#
# The loops are a session of their own, as work of somebody else's would be: where the kernel shares processors by session
# (autogroup), the tests have half of them and take twice their time; elsewhere they have a sixteenth, and take hours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

load=${LOAD:-30}
swift build --build-tests "${strict_flags[@]}" >.build/busy-build.log 2>&1 || {
    tail -n 40 .build/busy-build.log
    exit 1
}

# A /run of our own, so that the machine's is left alone. The rest of this script runs in there.
if [[ $(id -u) == 0 && -z ${LLAVERO_BUSY_RUN:-} ]]; then
    export LLAVERO_BUSY_RUN=1
    exec unshare --mount --propagation private bash -c \
        'mount -t tmpfs -o mode=755 none /run && mkdir /run/llavero && exec "$0" "$@"' "$0" "$@"
fi

children=()
state=$(mktemp --directory)
finish() {
    if [[ ${#children[@]} != 0 ]]; then kill "${children[@]}" 2>/dev/null || true; fi
    rm -rf "$state"
}
trap finish EXIT

if [[ -n ${LLAVERO_BUSY_RUN:-} ]]; then
    .build/debug/llaverod --system --home "$state" &
    children+=($!)
    while [[ ! -S /run/llavero/socket ]]; do
        kill -0 "${children[0]}" || exit 1
        sleep 0.1
    done
    echo "a llaverod of the system listens at /run/llavero/socket"
fi
setsid bash -c 'for ((i = 0; i < $1; i++)); do (while :; do :; done) & done; trap "trap - TERM; kill 0" TERM; wait' loops "$load" &
children+=($!)
echo "$load busy loops run on $(nproc) processors"

# What the machine says of its load, so that a reader of the log believes it.
(while sleep 60; do echo "    load: $(cut -d' ' -f1-3 /proc/loadavg)"; done) &
children+=($!)

Scripts/swift-test.sh "$@"
if [[ -n $(ls -A "$state") ]]; then
    echo "a test spoke to the system's llaverod: $(ls -A "$state")"
    exit 1
fi
