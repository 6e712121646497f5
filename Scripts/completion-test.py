#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types commands into bash, zsh and fish and presses tab, where the package has put their completions: completion-test.py ROOT USER

In the Debian below ROOT, which has the three shells; the user has the items `mail` and `git: host`. Verbs, options, names of items.
"""
import sys

from typed import Terminal, fail

# What is typed before tab, and the word that it becomes.
WORDS = [
    ("llavero remo", "remove"),
    ("llavero get --fie", "--field"),
    ("llavero get ma", "mail"),
    ("llavero code ma", "mail"),
    ("llavero get git:", r"git:\\ host"),
    ("llavero get mail --field us", "user"),
    ("llavero completion fi", "fish"),
    ("security find-gener", "find-generic-password"),
]
# How each becomes a shell of its own with a prompt that can be waited for; bash-completion and compinit are what a person has.
SHELLS = {
    "/bin/bash": b"PS1=; . /usr/share/bash-completion/bash_completion; PROMPT_COMMAND='printf \"rea''dy>\"'\r",
    "/bin/zsh": b"autoload -U compinit; compinit -D; zstyle ':completion:*' menu no; PS1='rea''dy>'\r",
    "/usr/bin/fish": b"function fish_prompt; echo -n 'rea''dy>'; end\r",
}


def main():
    root, user = sys.argv[1:]
    for shell, setup in SHELLS.items():
        for typed, word in WORDS:
            # Another shell for each, as the first completion of one also loads it.
            terminal = Terminal(root, user, shell)
            terminal.type(setup)
            if not terminal.wait(rb"ready>")[0]:
                fail(f"{shell} does not start: {terminal.read}")
            terminal.type(typed.encode() + b"\t")
            begun = typed.rsplit(" ", 1)[0]
            completed, shown = terminal.wait(f"{begun} +{word}".encode(), seconds=20)
            if not completed:
                fail(f"{shell} does not complete {typed!r}: {shown!r}")
            terminal.close()
    print(f"completions of {', '.join(SHELLS)}: {len(WORDS)} words each")


main()
