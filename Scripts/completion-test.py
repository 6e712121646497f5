#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types commands into bash, zsh and fish and presses tab, where the package has put their completions: completion-test.py ROOT USER

In the Debian below ROOT, which has the three shells; the user has an item `mail`. Verbs, options, names of items.
"""
import sys

from typed import Terminal, fail

# What is typed before tab, and what the screen shows then.
WORDS = [
    (b"llavero remo\t", rb"ve"),
    (b"llavero get --fie\t", rb"ld"),
    (b"llavero get ma\t", rb"il"),
    (b"llavero completion fi\t", rb"sh"),
    (b"security find-gener\t", rb"ic-password"),
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
        terminal = Terminal(root, user, shell)
        terminal.type(setup)
        if not terminal.wait(rb"ready>")[0]:
            fail(f"{shell} does not start: {terminal.read}")
        for typed, rest in WORDS:
            terminal.type(typed)
            before = typed.split()[-1].strip()
            ok, shown = terminal.wait(rb"(?s)" + rest, seconds=20)
            if not ok or "rror" in shown or "not found" in shown:
                fail(f"{shell} does not complete {typed.decode()!r}: {shown!r}")
            # Ctrl-U and Ctrl-C: the next line is empty, whatever was completed.
            terminal.type(b"\x03")
            terminal.wait(rb"ready>", seconds=20)
    print(f"completions of {', '.join(SHELLS)}: {len(WORDS)} words each")


main()
