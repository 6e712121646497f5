#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each "semantics §3.2" and each decision "D13" that a file cites has its place in Docs/Semantics.md: a section is a heading that begins
# with its number, a decision a row of the table under "Decisions". The rows of Tests/Vectors/secitem cite by their ids ("3.5-c") too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

semantics=Docs/Semantics.md
folders=()
for folder in Sources Tests Docs Benchmarks Examples Fuzz; do
    if [[ -d $folder ]]; then folders+=("$folder"); fi
done

# In the C locale a character is a byte, and so the same to every awk. The sign § is two of them.
status=0
SEMANTICS=$semantics LC_ALL=C find "${folders[@]}" README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md \
    -name .build -prune -o -type f \( -name '*.swift' -o -name '*.md' -o -name '*.[ch]' -o -path 'Tests/Vectors/secitem/*.json' \) \
    -exec awk '
    function complain(what) {
        printf "%s:%d: error: %s has no place in %s\n", FILENAME, FNR, what, semantics
        bad = 1
    }
    function check_section(number) {
        if (!(number in section)) complain("semantics " sign number)
    }
    # The sections at the beginning of a text: "§3.1 to 3.3", "§3.5 and §7.4", "§2.3, 2.4". What follows them is left in `rest`.
    function read_list(text) {
        rest = text
        while (match(rest, "^(,|and|to| )*(" sign ")?[0-9]+([.][0-9]+)*")) {
            number = substr(rest, 1, RLENGTH)
            # A number of a sentence, as in "§3.5, 2 times": only those with a point, or behind the sign, are sections.
            if (number !~ sign && number !~ /[.]/) return
            rest = substr(rest, RLENGTH + 1)
            sub("^.*[^0-9.]", "", number)
            check_section(number)
        }
    }
    # All sections of a text that speaks of the semantics; true if the list may go on in the next line.
    function read_all(text,   at) {
        # Sections of other papers are not ours.
        gsub("(RFC|SEC|FIPS) [0-9]+ " sign "[A-Z0-9.]+", "another paper", text)
        while (at = index(text, sign)) {
            read_list(substr(text, at))
            text = rest
            if (text ~ /^ *(,|and|to) *$/) return 1
        }
        return 0
    }
    BEGIN {
        sign = "\302\247"
        semantics = ENVIRON["SEMANTICS"]
        while ((getline line < semantics) > 0) {
            split(line, word, " ")
            if (word[1] ~ /^##+$/ && word[2] ~ /^[0-9.]+$/) section[word[2]]
            if (word[1] == "|" && word[2] ~ /^D[0-9]+$/ && word[3] == "|") { decision[word[2]]; known++ }
        }
        if (!known) { print "error: no decisions in " semantics; exit bad = 1 }
    }
    FNR == 1 { goes_on = 0 }
    {
        text = $0
        while (match(text, /(^|[^A-Za-z0-9_])D[1-9][0-9]?([^A-Za-z0-9_]|$)/)) {
            name = substr(text, RSTART, RLENGTH)
            gsub(/[^D0-9]/, "", name)
            if (!(name in decision)) complain("decision " name)
            text = substr(text, RSTART + RLENGTH - 1)
        }

        if (FILENAME ~ /[.]json$/) {
            if (match($0, /"id": "[0-9]+[.][0-9]+(-|")/)) check_section(substr($0, RSTART + 7, RLENGTH - 8))
            next
        }
        if (FILENAME == semantics) {
            read_all($0)
            next
        }
        if (goes_on) {
            text = $0
            sub(/^[ \t\/*#]*/, "", text)
            read_list(text)
        }
        goes_on = 0
        if (match($0, /[Ss]emantics/)) {
            text = substr($0, RSTART + RLENGTH)
            goes_on = text ~ /^ *$/ || read_all(text)
        }
    }
    END { exit bad }
' {} + || status=$?

if [[ $status != 0 ]]; then exit 1; fi
echo "citations: each one is in $semantics"
