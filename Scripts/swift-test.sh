#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the Swift Testing suites, shows the output, and counts. Arguments go to swift test (--filter KeychainStore).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

log=.build/logs/swift-test.log
mkdir -p .build/logs

# Nobody is there to stop a hanging test in CI, so it ends before CI's own limit does.
limit=()
if [[ ${CI:-} == true ]]; then limit=(timeout --kill-after=30 3600); fi

# Where `make test` built the tests, nothing is built again.
built=()
if [[ -n ${ALREADY_BUILT:-} ]]; then built=(--skip-build); fi

# The start of each of thousands of cases is in the log, not on the screen.
status=0
${limit[@]+"${limit[@]}"} swift test --disable-xctest ${built[@]+"${built[@]}"} "${strict_flags[@]}" "$@" 2>&1 </dev/null |
    tee "$log" | { grep --line-buffered --invert-match ' started\.$' || true; } || status=$?

# Swift Testing closes with "✔ Test run with 7 tests in 3 suites passed after …" (or ✘ … failed after …), where the
# 7 include what was skipped. A crash leaves no such line: then what had passed counts, and the crash is one failure.
read -r passed failed skipped < <(LC_ALL=C awk -v status="$status" '
    /^[^ ]+ Test run with [0-9]+ tests?/ {
        closed = 1
        for (i = 1; i < NF; i++) if ($i == "with") { total += $(i + 1); break }
        if (/ failed after /) said_failed = 1
        next
    }
    /^[^ ]+ Test case / { next }
    /^[^ ]+ Test .* failed after [0-9.]+ seconds/ { failed++; next }
    /^[^ ]+ Test .* passed after [0-9.]+ seconds/ { passed++; next }
    /^[^ ]+ Test .* skipped(:|\.)/                { skipped++ }
    END {
        if ((said_failed || status != 0 || !closed) && (!failed || !closed)) failed++
        if (closed) { passed = total - failed - skipped; if (passed < 0) passed = 0 }
        print passed + 0, failed + 0, skipped + 0
    }' "$log")

if [[ -n ${STEP_COUNTS:-} ]]; then echo "$passed $failed $skipped" >"$STEP_COUNTS"; fi
if [[ $status != 0 || $failed != 0 ]]; then
    echo "failed, from $log:"
    # What was expected and what came, too: a failure that does not come again can only be understood from here.
    grep --extended-regexp '^✘ (Test|Suite) .* (failed after |recorded an issue )' "$log" |
        grep --invert-match '^✘ Test run with ' | cut --characters=1-2000 || {
        echo "    no test said so: swift test ended with status $status; begun and not ended were:"
        LC_ALL=C awk '
            /^[^ ]+ Test case / || !/^[^ ]+ Test / { next }
            / started\.$/ { sub(/ started\.$/, ""); sub(/^[^ ]+ /, ""); begun[$0]; next }
            / (passed|failed) after / { sub(/^[^ ]+ /, ""); sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, ""); delete begun[$0] }
            END { for (test in begun) if (test !~ /^Test run/) print "    " test }
        ' "$log"
    }
    exit 1
fi
