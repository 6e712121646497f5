#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Circles of devices in memory, by seeds: SEEDS=10000 KEYCHAIN_SEED=1 Scripts/simulate.sh
# A seed that fails goes into SimulationTests.kept.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
SEEDS=${SEEDS:-10000} exec Scripts/test-one KeychainSyncTests SimulationTests
