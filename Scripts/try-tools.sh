#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tour of the command line tools on a throw-away keychain: try-tools.sh FOLDER, which has the built llavero.
set -euo pipefail
tools=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Nobody's keychain, daemon or terminal is touched; `security` is the same program under another name.
mkdir bin home
for name in llavero security; do ln -s "$tools/llavero" "bin/$name"; done
export PATH="$work/bin:/usr/bin:/bin" HOME="$work/home" LLAVERO_HOME="$work/keychains" LLAVERO_SOCKET=nowhere
unset LLAVERO_KEYCHAIN

# Shows a command, runs it, and shows what it answers; `failing` where it is to fail.
show() {
    printf '    $ %s\n' "$1"
    sh -c "$1" </dev/null 2>&1 | sed 's/^/      /'
    return "${PIPESTATUS[0]}"
}
failing() { if show "$1"; then exit 1; fi; }

echo "Passwords, at a shell: no daemon runs, and nothing was set up"
show 'llavero add github --user ada --url https://github.com --generate'
show 'echo "correct horse battery staple" | llavero add mail --user ada --stdin'
show 'llavero list'
show 'llavero get mail'
failing 'llavero get githb'
printf '\nGiven to a command, or filled into a file; not on a command line, and not in a history\n'
show "llavero run --env TOKEN=github -- sh -c 'echo a token of \${#TOKEN} characters'"
echo 'password: {{ llavero://mail }}' >config.tpl
show 'cat config.tpl; llavero inject config.tpl'
printf '\nNothing is lost by a slip\n'
show 'echo new | llavero edit mail --stdin; llavero history mail'
show 'llavero remove mail; llavero undelete mail'
printf '\nAs on a Mac\n'
show 'security add-generic-password -s build -a ci -w s3cret; security find-generic-password -s build -w'
printf '\nWhat could be better\n'
show 'llavero status' || true
printf '\nIn Swift\n'
