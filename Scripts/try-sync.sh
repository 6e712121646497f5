#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Three machines share items over a throw-away PostgreSQL: each is a folder with a daemon of its own, and all is removed at the end.
# With a folder of built programs as its argument it builds nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ $# == 0 ]]; then
    # shellcheck source=Scripts/require-swift.sh
    source Scripts/require-swift.sh
    # shellcheck source=Scripts/steps.sh
    source Scripts/steps.sh
    groups=(build sync)
    # A server that is there will do; else one is unpacked, which starts with no machine.
    if ! compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; then groups+=(unpacked); fi
    add_step packages - setup "system packages" Scripts/install-packages.sh "${groups[@]}"
    add_step tool packages quiet "building llavero (minutes when fresh)" swift build --product llavero
    add_step daemon tool quiet "building llaverod" swift build --product llaverod
    add_step try daemon setup "three machines, one database" "$0" "$PWD/.build/debug"
    run_steps
    if any_step_failed; then exit 1; fi
    exit 0
fi

programs=$1
server=$(for bin in {,"$PWD/.build/unpacked"}/usr/lib/postgresql/*/bin; do if [[ -x $bin/postgres ]]; then echo "$bin"; fi; done | tail -n 1)
if [[ -z $server ]]; then
    echo "there is no PostgreSQL server; Scripts/install-packages.sh sync unpacked" >&2
    exit 1
fi

# --- Helpers: three machines, and what is printed of them

exec 3>&1
work=$(mktemp -d)
chmod 755 "$work"
started=()
machines=(laptop phone server tablet)

clean_up() {
    local process
    exec 8>&- 9>&- || true
    for process in ${started[@]+"${started[@]}"}; do kill "$process" 2>/dev/null || true; done
    for process in ${started[@]+"${started[@]}"}; do wait "$process" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT

environment() { # of a machine
    local home="$work/$1"
    printf '%s\n' "HOME=$home" "LLAVERO_HOME=$home/keychains" "LLAVERO_SOCKET=$home/socket" "PATH=$PATH" LC_ALL=C.UTF-8 \
        LLAVERO_ENCLAVE=software LLAVERO_SYSTEM_SOCKET=/nonexistent/socket
}

on() { # MACHINE COMMAND...: prints the command as it would be typed there, and runs it
    local machine=$1 word line=
    shift
    for word in "$@"; do
        word=${word/host=$work\/database/host=/run/postgresql}
        if [[ $word == *" "* ]]; then word="'$word'"; fi
        line+=" $word"
    done
    printf '%s$%s\n' "$machine" "$line" >&3
    quietly "$machine" "$@"
}

quietly() {
    local machine=$1 variables
    shift
    mapfile -t variables < <(environment "$machine")
    shift # the word llavero
    env -i "${variables[@]}" "$programs/llavero" "$@"
}

start_daemon() {
    local variables
    mapfile -t variables < <(environment "$1")
    env -i "${variables[@]}" "$programs/llaverod" --socket "$work/$1/socket" --no-lock-events --sync-every 1 \
        </dev/null >>"$work/$1/daemon.log" 2>&1 &
    started+=($!)
    await "the daemon of $1" test -S "$work/$1/socket"
}

await() { # WHAT COMMAND...: until it succeeds
    local what=$1 left=600
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        if [[ $left == 0 ]]; then
            echo "waited in vain for: $what" >&2
            tail -n 5 "$work"/*/daemon.log >&2
            exit 1
        fi
        sleep 0.1
    done
}

has_value() { [[ $(quietly "$1" llavero get "$2" 2>/dev/null) == "$3" ]]; }
shows() { # MACHINE NAME VALUE
    await "$2 is $3 on $1" has_value "$1" "$2" "$3"
    printf '%s$ llavero get %s\n%s\n' "$1" "$2" "$3"
}
say() { printf '\n# %s\n' "$1"; }
address() { echo "host=$work/database dbname=circles user=$1 requirepeer=$owner"; }
owner=$(id -un)
if [[ $owner == root ]]; then owner=nobody; fi
# A server refuses to be root's.
as_server=(env)
if [[ $(id -u) == 0 ]]; then as_server=(setpriv --reuid=nobody --regid=nogroup --clear-groups); fi
sql() { PGOPTIONS=--client-min-messages=warning psql -X -q -v ON_ERROR_STOP=1 -h "$work/database" -U postgres -d circles; }

# --- The database, which runs as nobody where this runs as root

say "A database, as whoever runs it sets it up: it will see neither names nor values."
mkdir "$work/database"
if [[ $(id -u) == 0 ]]; then chown nobody:nogroup "$work/database"; fi
"${as_server[@]}" "$server/initdb" --pgdata="$work/database/data" --username=postgres --auth=trust --no-sync --encoding=UTF8 \
    --locale=C.UTF-8 >/dev/null
printf 'local all postgres trust\nlocal all all scram-sha-256\n' >"$work/database/pg_hba.conf"
"${as_server[@]}" "$server/postgres" -D "$work/database/data" -c listen_addresses= -c unix_socket_directories="$work/database" \
    -c unix_socket_permissions=0777 -c hba_file="$work/database/pg_hba.conf" -c fsync=off \
    >"$work/database/log" 2>&1 </dev/null &
started+=($!)
await "the database" psql -X -q -h "$work/database" -U postgres -d postgres -c "select 1"
psql -X -q -h "$work/database" -U postgres -d postgres -c "create database circles"
for machine in "${machines[@]}"; do
    mkdir -m 700 "$work/$machine"
    printf 'password-of-%s' "$machine" >"$work/$machine/password"
done
for machine in laptop phone server; do start_daemon "$machine"; done
on laptop llavero circle sql | sql
echo "(the tables are there)"

say "The laptop founds a circle. Its role may not write into it yet, so the first attempt says what to do, and the second is done."
printf 'correct horse' | quietly laptop llavero add mail --user ada --sync --stdin --quiet
if on laptop llavero circle create --server "$(address laptop)" --name laptop --password-fd 9 9<"$work/laptop/password"; then
    echo "the database let in who has no role" >&2
    exit 1
fi
quietly laptop llavero circle sql --member laptop --password-fd 9 9<"$work/laptop/password" | sql
on laptop llavero circle create --server "$(address laptop)" --name laptop --password-fd 9 9<"$work/laptop/password"
circle=$(quietly laptop llavero circle status --plain | awk '$1 == "circle" { print $2 }')
for machine in phone server tablet; do
    quietly laptop llavero circle sql --member "$machine" --circle "$circle" --password-fd 9 9<"$work/$machine/password" | sql
done
echo "(roles for the other machines are made with \`llavero circle sql --member\`)"

say "The phone joins: it prints a request, the laptop an answer, and both are carried over by hand."
mkfifo "$work/answer"
on phone llavero circle join --server "$(address phone)" --circle "$circle" --password-fd 9 9<"$work/phone/password" \
    <"$work/answer" >"$work/request" &
joining=$!
exec 8>"$work/answer"
await "a request" test -s "$work/request"
request=$(head -n 1 "$work/request")
echo "$request"
answer=$(on laptop llavero circle admit "$request" --name phone)
echo "$answer"
echo "$answer" >&8
exec 8>&-
wait "$joining"
tail -n +2 "$work/request"
shows phone mail "correct horse"

say "The server joins by a token, with nobody there: the laptop's daemon admits it."
on laptop llavero circle invite --name server --for 10m >"$work/token"
on server llavero circle join --server "$(address server)" --token-fd 8 --password-fd 9 8<"$work/token" 9<"$work/server/password"
shows server mail "correct horse"
on laptop llavero circle list

say "A change goes from daemon to daemon; nobody runs a command for it."
printf 'battery staple' | on phone llavero edit mail --stdin
shows laptop mail "battery staple"
shows server mail "battery staple"

say "The phone is locked. What comes meanwhile stays sealed there, and is there when it is unlocked."
printf 'a passcode' | on phone llavero passcode set --stdin --quiet
on phone llavero lock --quiet
printf 'from the server' | on server llavero add web --user ada --sync --stdin
shows laptop web "from the server"
printf 'a passcode' | on phone llavero unlock --stdin --quiet
shows phone web "from the server"

say "The phone is lost. It is removed: what changes from now on is closed to it, and what it could read is to be changed."
on laptop llavero circle remove phone
on laptop llavero circle rotate-list phone
printf 'after the loss' | on laptop llavero edit mail --stdin
shows server mail "after the loss"
on laptop llavero circle rotate-list phone
echo "phone\$ llavero get mail"
quietly phone llavero get mail
echo

say "Fourteen words are made a member, for the day on which every machine is lost."
on laptop llavero recovery make >"$work/words" 2>/dev/null
on laptop llavero circle words --stdin <"$work/words"

say "That day: a new tablet has the words and the address of the database."
start_daemon tablet
on tablet llavero circle recover --server "$(address tablet)" --circle "$circle" --stdin --remove-others \
    --password-fd 9 9<"$work/tablet/password" <"$work/words"
shows tablet mail "after the loss"
on tablet llavero circle list
on tablet llavero circle log

say "All of it was thrown away again. Docs/Guide.md, \"Several machines\", has the same for machines of your own."
