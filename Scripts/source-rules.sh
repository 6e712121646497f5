#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rules about Sources/ that a compiler does not know. The lists come first; the reading of lines is below them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Targets that may declare anything `public`.
public_in='LlaveroFoundation Security LocalAuthentication KeychainWrappers CryptoKit SecurityC'

# Targets that may import Foundation: the parsing of dictionaries, and what stands at or above Security. The daemon has none
# of it, which would cost it 4 MB.
foundation_in='KeychainParsing LlaveroFoundation Security LocalAuthentication KeychainWrappers CryptoKit SecurityC'

# Not in code (comments and string literals do not count): extended regular expressions.
forbidden_code='try!
(^|[^A-Za-z0-9_])as!
(^|[^A-Za-z0-9_])fatalError[(]
^[ \t]*#(else)?if +!?DEBUG'

# Files that may ask whether this is a debug build, which the last pattern above forbids: they trace statements and messages, or
# let a debugger in, and release builds must have no code of that. install-test.sh looks that they have none.
debug_files='Sources/KeychainSystem/DebugBuild.swift
Sources/KeychainSQLite/SQLTrace.swift
Sources/KeychainTransport/WireTrace.swift'

# Not anywhere, comments included.
forbidden_text='(^|[^A-Za-z0-9_])(TODO|FIXME)([^A-Za-z0-9_]|$)'

# `public` or `open` as a modifier: a declaration, or another modifier, follows it.
public_declaration='(^|[ \t(])(public|open)([(]set[)])?[ \t]+(import|struct|class|enum|actor|protocol|func|var|let|init|subscript|extension|typealias|associatedtype|macro|static|final|override|convenience|required|mutating|nonmutating|consuming|borrowing|nonisolated|isolated|indirect|lazy|weak|unowned|dynamic|optional|prefix|postfix|infix|operator|private[(]set[)]|internal[(]set[)]|package[(]set[)]|@)'

if [[ ! -d Sources ]]; then
    echo "no Sources folder" >&2
    exit 1
fi

# RULES go in through the environment: awk -v would interpret their backslashes.
status=0
PUBLIC_IN=$public_in FOUNDATION_IN=$foundation_in FORBIDDEN_CODE=$forbidden_code FORBIDDEN_TEXT=$forbidden_text \
    DEBUG_FILES=$debug_files \
    PUBLIC_DECLARATION=$public_declaration \
    find Sources -name '*.swift' -type f -exec awk '
    function complain(rule) {
        printf "%s:%d: error: %s: %s\n", FILENAME, FNR, rule, original
        bad = 1
    }
    BEGIN {
        split(ENVIRON["PUBLIC_IN"], a); for (i in a) may_be_public[a[i]]
        split(ENVIRON["FOUNDATION_IN"], b); for (i in b) may_import[b[i]]
        patterns = split(ENVIRON["FORBIDDEN_CODE"], pattern, "\n")
        split(ENVIRON["DEBUG_FILES"], c, "\n"); for (i in c) may_ask_build[c[i]]
        text = ENVIRON["FORBIDDEN_TEXT"]
        declaration = ENVIRON["PUBLIC_DECLARATION"]
    }
    FNR == 1 { split(FILENAME, part, "/"); target = part[2] }
    {
        original = $0
        if ($0 ~ text) complain("unfinished work belongs in the issues, not in the source")

        gsub(/"([^"\\]|\\.)*"/, "\"\"")
        sub(/(^|[ \t])\/\/.*/, "")
        for (i = 1; i <= patterns; i++)
            if ($0 ~ pattern[i] && !(i == patterns && FILENAME in may_ask_build)) complain("this traps, or hides a second behaviour")
        if (!(target in may_be_public) && $0 ~ declaration)
            complain("public is not for " target "; use package")
        if (!(target in may_import) && $0 ~ /(^|[ \t])import[ \t]+((struct|class|enum|protocol|func|var|let|typealias)[ \t]+)?Foundation/)
            complain("Foundation is not for " target)
    }
    END { exit bad }
' {} + || status=$?

# @testable would let a test reach past the package interface, so nothing may.
if [[ -d Tests ]] && grep --recursive --line-number --include='*.swift' '^ *@testable' Tests; then
    echo "error: @testable is used above; share with package instead"
    status=1
fi

# A transaction that no longer fits in memory, goes back to a savepoint, and commits leaves frames without a sum in SQLite's log
# (3.40.1): a crash then loses the commits behind them, 100 of 100 tried.
if grep --recursive --line-number --ignore-case --include='*.swift' 'savepoint' Sources; then
    echo "error: savepoints are used above; SQLite can lose commits behind them"
    status=1
fi

# A mark hides a quotation mark, and a carriage return a newline, from whoever looks for a Character.
if grep --recursive --line-number --extended-regexp --include='*.swift' \
    '[.](map|flatMap) [{] [$]0 == "|[.]map [{] (letter|character|sign) in$' Sources; then
    echo "error: text is escaped by Characters above; use marking(_:with:) or replacingScalars of String+Bytes.swift"
    status=1
fi

# One name, one meaning, in all targets.
Scripts/type-names.py || status=$?

if [[ $status != 0 ]]; then exit 1; fi
echo "source rules: kept"
