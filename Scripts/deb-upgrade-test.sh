#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A part of deb-test.sh: in its Debian, booted with systemd, the earlier version with all three kinds of daemons, then the new one above
# it, then the earlier one again. Each time all keychains are what they were, and no daemon is a program that is gone from the disk.

# as_session USER COMMAND: as in a session of the user's, with a service manager.
as_session() {
    as_user "export XDG_RUNTIME_DIR=/run/user/$(inside id -u "$1"); $2" "$1"
}
# An agent is what a tool starts where no daemon of the system's answers and there is no session.
as_agent() { as_user "export LLAVERO_SYSTEM_SOCKET=/nonexistent/socket; $1" agent; }

daemon_of() { inside pgrep --exact --uid "$1" llaverod || true; }

# Every item of every keychain, and that the daemons that answered are the program on the disk.
keychains_are_whole() {
    local name process
    [[ $(as_session session 'llavero get kept') == "the session's" ]] || fail "$1: the session's item is not there"
    [[ $(as_user 'llavero get kept' served) == "the served one's" ]] || fail "$1: the item at the system's daemon is not there"
    # What keeps a passcode's keychain open ended with the daemon, so it is asked for again.
    as_agent 'echo "open sesame" | llavero unlock --stdin' 2>>"$work/log" || fail "$1: the agent's keychain does not open"
    [[ $(as_agent 'llavero get kept') == "the agent's" ]] || fail "$1: the agent's item is not there"
    for name in session llaverod agent; do
        process=$(daemon_of "$name")
        [[ -n $process && $process != *$'\n'* ]] || fail "$1: the daemons of $name are: ${process:-none}"
        [[ $(inside readlink "/proc/$process/exe") == /usr/bin/llaverod ]] || fail "$1: the daemon of $name is a program that is gone"
        inside "/proc/$process/exe" --version | grep --quiet " $2\$" || fail "$1: the daemon of $name is another version"
        [[ " ${3:-} " != *" $process "* ]] || fail "$1: the daemon of $name is the one that ran before"
    done
    # The system's daemon lets nobody check all of a keychain whom no entitlement file allows it.
    as_session session 'llavero check' >>"$work/log" 2>&1 || fail "$1: a check of the session's keychain finds damage"
    as_agent 'llavero check' >>"$work/log" 2>&1 || fail "$1: a check of the agent's keychain finds damage"
    inside systemctl --quiet is-active llaverod.socket || fail "$1: the system's socket is gone"
    as_session session 'systemctl --user --quiet is-enabled llaverod.socket && systemctl --user --quiet is-active llaverod.socket' ||
        fail "$1: the user's socket is gone"
}
daemons() { for name in session llaverod agent; do daemon_of "$name"; done | tr '\n' ' '; }

upgrade_under_daemons() {
    local before name left
    install_packages systemd-sysv dbus dbus-user-session libpam-systemd procps
    install_packages --allow-downgrades "llavero=$earlier"
    as_user 'security find-generic-password -s fresh -w' | grep --quiet --line-regexp 'kept here' ||
        fail "the earlier version does not read what the new one wrote"
    for name in session served agent; do inside useradd --create-home "$name"; done
    boot
    # One daemon that a user's service manager has, the system's, and one that a tool started.
    inside systemctl --quiet enable --now llaverod.socket
    inside loginctl enable-linger session
    for ((i = 0; i < 100; i++)); do
        if as_session session 'systemctl --user is-system-running' >/dev/null 2>&1; then break; fi
        sleep 0.1
    done
    as_session session 'systemctl --user --quiet enable --now llaverod.socket && printf "the session'"'"'s" | llavero add kept --stdin' \
        2>>"$work/log" || fail "nothing can be stored at the user's daemon"
    as_user 'printf "the served one'"'"'s" | llavero add kept --stdin' served 2>>"$work/log" ||
        fail "nothing can be stored at the system's daemon"
    as_agent 'printf "the agent'"'"'s" | llavero add kept --stdin && echo "open sesame" | llavero passcode set --stdin' 2>>"$work/log" ||
        fail "there is no keychain with a passcode"
    keychains_are_whole "before" "$earlier"

    before=$(daemons)
    install_packages llavero
    keychains_are_whole "after the upgrade" "$own" "$before"
    before=$(daemons)
    install_packages --allow-downgrades "llavero=$earlier"
    keychains_are_whole "after going back" "$earlier" "$before"
    before=$(daemons)
    install_packages llavero
    keychains_are_whole "after the second upgrade" "$own" "$before"

    # dpkg writes its list several times a run: that does not end the watch for upgrades.
    inside systemctl --quiet enable --now llavero-digests.path
    for ((i = 0; i < 10; i++)); do inside touch /var/lib/dpkg/status && sleep 0.1; done
    inside systemctl --quiet is-active llavero-digests.path || fail "the watch for upgraded programs ended"

    # Without the package nothing serves and nothing is enabled; the keychains stay.
    inside systemctl --quiet --global enable llaverod.socket llavero-prompt-agent.service llavero-snapshot.timer
    inside apt-get purge -qq --yes llavero >>"$work/log" 2>&1 || fail "it cannot be removed under its daemons"
    left=$(inside sh -c "find /etc/systemd -type l -name '*llavero*'; systemctl list-units --all --plain --no-legend '*llavero*'")
    [[ -z $left ]] || fail "the package left behind: $left"
    for name in session agent; do
        inside test -s "/home/$name/.local/share/llavero/login/keychain.db" || fail "the keychain of $name went with the package"
    done
    inside test -s "/var/lib/llavero/$(inside id -u served)/login/keychain.db" || fail "the keychain at the system's daemon went"
    [[ -z $(daemons | tr -d ' ') ]] || fail "daemons of a package that was removed go on: $(daemons)"
    install_packages llavero
    # Without it users would make keychains beside those that the system's daemon has.
    for unit in '--system llaverod.socket' '--system llavero-digests.path' '--global llaverod.socket' '--global llavero-snapshot.timer'; do
        # shellcheck disable=SC2086 # Two words.
        inside systemctl --quiet is-enabled $unit || fail "installed again, $unit is not enabled as it was"
    done
    inside systemctl --quiet --global is-enabled llavero-backup.timer && fail "installed again, a timer is enabled that was not"
    inside test ! -e /var/lib/systemd/llavero-enabled || fail "what was enabled is still noted once it is enabled again"
    # The rest goes on as before.
    inside systemctl --quiet --global disable llaverod.socket llavero-prompt-agent.service llavero-snapshot.timer
    as_session session 'systemctl --user --quiet is-active llaverod.socket' || fail "installed again, a lingering user's socket is not back"
    keychains_are_whole "installed again" "$own"
    power_off
}
