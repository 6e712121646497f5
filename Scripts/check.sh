#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The gates. Run alone it runs them; test.sh sources it to put the same gates into its longer plan.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    # shellcheck source=Scripts/require-swift.sh
    source Scripts/require-swift.sh
    # shellcheck source=Scripts/steps.sh
    source Scripts/steps.sh
fi

add_gates() {
    add_step strict-build packages quiet "building library, tools and tests, warnings are errors (minutes when fresh)" \
        swift build --build-tests "${strict_flags[@]}"
    add_step format - quiet "format" Scripts/format.sh --lint
    add_step target-order - quiet "target order: a target depends only on targets declared above it" \
        Scripts/target-order.sh
    add_step source-rules - quiet "source rules: nothing that traps, public and Foundation only where they belong" \
        Scripts/source-rules.sh
    add_step statuses packages quiet "statuses: the constants of Security are those of the table in KeychainStatus" \
        Scripts/statuses.py --check
    add_step c-names - quiet "names for C: the constants of CSecurity are those of Security" \
        Scripts/c-names.py --check
    add_step citations - quiet "citations: each section and decision that a comment names is in Docs/Semantics.md" \
        Scripts/citations.sh
    add_step reading-pages - quiet "reading pages: each function that Docs/Reading names is at the line it says" \
        Scripts/reading-pages.py --check
    add_step coverage-page - quiet "Docs/Coverage.md says what the public modules have" Scripts/coverage-page.py --check
    add_step document-names - quiet "names in documents: files, types, functions and links that they name exist" \
        Scripts/document-names.py
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
    add_step packages - setup "system packages" Scripts/install-packages.sh build tpm
    add_gates
    run_steps
    report_counts
fi
