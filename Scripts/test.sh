#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything CI runs, on a machine that may have nothing but Swift. Ends with "N passed, N failed", where N counts
# every test, gate, example and the short benchmark.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Where nothing was built yet, by whole modules: require-swift.sh says why.
if [[ ! -e .build/debug ]]; then mkdir -p .build && touch .build/by-modules; fi
# shellcheck source=Scripts/require-swift.sh
source Scripts/require-swift.sh
# shellcheck source=Scripts/steps.sh
source Scripts/steps.sh
# shellcheck source=Scripts/check.sh
source Scripts/check.sh

begun=$(Scripts/passed.sh begin)
# A package that cannot be described cannot be built either, so the build step counts that failure.
if ! examples=$(Scripts/list-examples.sh 2>"$logs/list-examples.log"); then
    cat "$logs/list-examples.log"
    examples=""
fi

add_step packages - setup "system packages" Scripts/install-packages.sh build tpm test docs unpacked
add_gates
add_step target-picture packages quiet "the picture of the targets in Docs/Architecture.md is that of Package.swift" \
    Scripts/target-picture.py --check
# The tests wait for disks, TPMs and each other, and leave processors idle: what follows runs beside them, two builds with what is left.
built=(env ALREADY_BUILT=yes)
add_step tests strict-build live "tests" "${built[@]}" Scripts/swift-test.sh
# The library for programs in C is the only part that nothing here measures, and `make deb-test` has it as it is shipped.
library=(env UNOPTIMIZED=yes "BUILT_LIBRARY=$PWD/.build/library-unoptimized")
release=(Scripts/install.sh --build)
if [[ -d Benchmarks ]]; then release=(Scripts/bench.sh --smoke --build); fi
add_step release packages behind "building what is installed, and the benchmark, in release" "${library[@]}" "${release[@]}"
# Nobody who has no TPM should need its headers, and nobody's build should print warnings of ours.
add_step workspace packages behind "a dependent package without TPM support: builds, prints no warning, runs its tests" \
    Scripts/workspace.sh
add_step docs strict-build quiet "the documents become a site: HTML, links, search's index" "${built[@]}" Scripts/docs.sh --quick
add_step programs strict-build quiet "pip, twine, poetry, cargo, kubectl, restic and others get their secrets" \
    "${built[@]}" Scripts/programs-test.sh
add_step c-clients strict-build quiet "clients in C by gcc and by clang, in Go, Rust and Python" "${built[@]}" Scripts/c-clients.sh
add_step c-rows strict-build quiet "the rows of the vectors, as a program in C, in the program and through a daemon's socket" \
    "${built[@]}" Scripts/c-rows.sh
for example in $examples; do
    add_step "example-$example" strict-build quiet "example $example" Scripts/example.sh "$example"
done
add_step session-picture strict-build quiet "the picture in README is what the tools answer" \
    Scripts/session-picture.py --check .build/debug
# A share of `make faults`.
add_step faults release quiet "calls that change files go wrong: nothing that was acknowledged is lost" \
    "${built[@]}" Scripts/faults.sh --every 61 birth add update delete rotate-keys backup restore compact upgrade repair erase
add_step secret-service release quiet "programs that use the Secret Service, and their libraries' suites" \
    "${built[@]}" Scripts/secret-service.sh
add_step secret-service-prompts release quiet "pinentry asks for what programs want of the Secret Service" \
    "${built[@]}" Scripts/secret-service-programs.sh --quick
add_step browse release quiet "llavero browse in a terminal: every view, hostile names, what is left on the screen" \
    "${built[@]}" Scripts/browse-test.sh
add_step circle release quiet "machines share a circle over PostgreSQL, whatever its server does" \
    "${built[@]}" Scripts/circle-test.sh
add_step install release quiet "install into a folder, use, uninstall" "${library[@]}" "${built[@]}" Scripts/install-test.sh
if [[ -d Benchmarks ]]; then
    add_step benchmark release quiet "short benchmark" "${library[@]}" "${built[@]}" Scripts/bench.sh --smoke
    add_step instructions benchmark quiet "the operations take no more instructions than recorded" \
        "${built[@]}" Scripts/instructions.sh --gate
fi

run_steps
report_times
report_counts
Scripts/passed.sh note test "$begun"
