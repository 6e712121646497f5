#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Python package keyring-llavero, and lets the real pip, twine, poetry, cargo, botocore, kubectl, restic, borg and ansible
# get their secrets from a keychain: programs-test.sh [ARGUMENT OF PYTEST…]
# What comes from PyPI goes into .build/programs once, about 46 MB, in the versions of Tests/Programs/requirements.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

for product in llavero llaverod; do strict_build --product "$product"; done
place=$PWD/.build/programs
python=$place/python/bin/python
wanted=$({ python3 --version && cat Tests/Programs/requirements.txt; } | sha256sum)
if [[ ! -x $python || $(cat "$place/versions" 2>/dev/null) != "$wanted" ]]; then
    rm -rf "$place"
    mkdir -p "$place"
    python3 -m venv "$place/python"
    "$python" -m pip install --quiet --disable-pip-version-check --requirement Tests/Programs/requirements.txt
    echo "$wanted" >"$place/versions"
fi

# Of a copy, for building leaves files in the sources.
rm -rf "$place/source" "$place/dist"
cp -R Python/keyring-llavero "$place/source"
"$python" -m build --no-isolation --outdir "$place/dist" "$place/source" >"$place/build.log" 2>&1 || {
    cat "$place/build.log" >&2
    exit 1
}
"$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$place"/dist/*.whl

export LLAVERO_TOOL=$PWD/.build/debug/llavero LLAVERO_UNPACKED=$PWD/.build/unpacked LLAVERO_DIST=$place/dist
export PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -p no:cacheprovider -o tmp_path_retention_policy=none --quiet -rs Tests/Programs "$@"
