#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests with coverage and writes how many lines of each target they reach to .build/coverage.txt:
# coverage.sh [TARGET [FILTER]]. With a target, such as KeychainStoreTests, only its tests and what they stand on are built.
# Programs that tests start with an environment of their own are not counted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh

options=(--enable-code-coverage --scratch-path .build/coverage)
if [[ -n ${1:-} ]]; then
    [[ $1 =~ ^[A-Za-z]+Tests$ && -d Tests/$1 ]] || {
        echo "there is no target of tests with the name $1; see Tests/" >&2
        exit 64
    }
    export LLAVERO_TESTS=$1
fi
if [[ -n ${2:-} ]]; then options+=(--filter "$2"); fi

# Old profiles would be merged with the new ones.
failed=0
rm -rf .build/coverage/debug/codecov
Scripts/swift-test.sh "${options[@]}" || failed=1

profile=.build/coverage/debug/codecov/default.profdata
[[ -f $profile ]] || {
    echo "the tests left no profile in $profile; the build or the whole run failed, see .build/logs/swift-test.log" >&2
    exit 1
}
swift_folder=$(dirname "$(readlink -f "$(command -v swift)")")
report=.build/coverage.txt
"$swift_folder/llvm-cov" export -summary-only -instr-profile "$profile" .build/coverage/debug/llaveroPackageTests.xctest |
    python3 -c '
import json, os, sys

lines = {}
for file in json.load(sys.stdin)["data"][0]["files"]:
    path = os.path.relpath(file["filename"])
    if path.startswith("Sources/"):
        lines[path] = (file["summary"]["lines"]["covered"], file["summary"]["lines"]["count"])

def row(name, covered, count):
    print(f"{name:60} {covered:7} of {count:7} lines  {100 * covered / max(1, count):5.1f} %")

targets = {}
for path, (covered, count) in lines.items():
    total = targets.setdefault(path.split("/")[1], [0, 0])
    total[0] += covered
    total[1] += count
for name in sorted(targets): row(name, *targets[name])
row("all of these", sum(t[0] for t in targets.values()), sum(t[1] for t in targets.values()))
print()
for path in sorted(lines): row(path.removeprefix("Sources/"), *lines[path])
' >"$report"
sed '/^$/,$d' "$report"
echo "by file: $report"
exit "$failed"
