#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Has each call fail, be cut short or torn, or be the last, and the power go behind it:
#     Scripts/faults.sh [--every N] [--kinds changes,reads,locks,power] [OPERATION…]
# With the programs as they are installed, which take a fifteenth of what debug ones do; Scripts/faults/__main__.py says what is
# looked at.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

built=${BUILT:-.build/install}
# As install.sh builds them, or each would be built again for the other.
for product in llavero llaverod; do Scripts/release-build.sh --traits TPM --product "$product"; done
mkdir -p .build/faults
for library in fault_every record_disk; do
    cc -shared -fPIC -O1 -Wall -Wextra -Werror -o ".build/faults/$library.so" "Tests/Support/KillPoint/$library.c" -ldl
done
# Nothing here outlives the run, so nothing has to reach a disk; half the time goes there.
if [[ -z ${TMPDIR:-} && -d /dev/shm && -w /dev/shm ]]; then export TMPDIR=/dev/shm; fi
PYTHONDONTWRITEBYTECODE=1 exec python3 Scripts/faults "$(realpath "$built")/release" "$PWD/Tests/Vectors/formats" \
    "$PWD/.build/faults/fault_every.so" "$PWD/.build/faults/record_disk.so" "$@"
