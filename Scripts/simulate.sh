#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Circles of devices in memory, by seeds, and one in a hundred on PostgreSQL: SEEDS=10000 KEYCHAIN_SEED=1 Scripts/simulate.sh
# A seed that fails goes into SimulationTests.kept.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
Scripts/install-packages.sh build unpacked
SEEDS=${SEEDS:-10000} exec Scripts/test-one KeychainSyncTests SimulationTests
