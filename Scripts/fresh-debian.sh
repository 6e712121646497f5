#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A fresh Debian in a folder, for tests of the packages, as root with debootstrap: source Scripts/fresh-debian.sh
# Sets `work`, unless it is set, and `root`, and removes both in the end. `boot` starts its systemd in namespaces of its own.

fail() {
    echo "error: $*" >&2
    exit 1
}
[[ $(id -u) == 0 ]] || fail "a fresh Debian is set up by root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

# Without a dot: mandoc takes what stands behind one for a manual's section.
work=${work:-$(mktemp -d "${TMPDIR:-/tmp}/debian-XXXXXX")}
root="$work/debian"
manager="" server=""
finish() {
    if [[ -n $manager ]]; then power_off; fi
    if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
    # What is mounted must not be removed with the folder.
    for place in dev/pts proc; do if mountpoint --quiet "$root/$place"; then umount "$root/$place"; fi; done
    rm -rf --one-file-system "$work"
}
trap finish EXIT
chmod 755 "$work"

# Of this machine's release, from its mirror.
make_debian() {
    local mirror
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep --extended-regexp 'debian|ubuntu' |
        grep --invert-match security | head -n 1 || true)
    debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} >"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        fail "no fresh Debian"
    }
    mountpoint --quiet "$root/proc" || mount -t proc proc "$root/proc"
    # The proxy and the way to the mirror are this machine's.
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
    # The repository of a test is on this machine.
    echo 'Acquire::http::Proxy::127.0.0.1 "DIRECT";' >"$root/etc/apt/apt.conf.d/90here"
}

# Runs a command there; when it is booted, beside its daemons.
inside() {
    local way=(chroot "$root")
    if [[ -n $manager ]]; then way=(nsenter --target "$manager" --mount --pid --ipc --uts --root --wd); fi
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+"http_proxy=$http_proxy"} \
        "${way[@]}" "$@"
}
as_user() { inside su -s /bin/sh "${2:-user}" -c "$1"; }
install_packages() {
    inside apt-get install -qq --yes --no-install-recommends "$@" >>"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        fail "these cannot be installed: $*"
    }
}

# Starts systemd as the first process of namespaces of its own, and waits until it has started everything.
boot() {
    local state
    umount "$root/proc"
    ROOT=$root GROUP=llavero-$$ unshare --mount --pid --fork --kill-child --ipc --uts bash -ec '
        mount --make-rprivate /
        mount --bind "$ROOT" "$ROOT"
        cd "$ROOT"
        mount -t proc proc proc
        mount -t sysfs -o ro sysfs sys
        # A group of its own; systemd takes the namespace that begins there for the whole tree.
        if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then kind=(-t cgroup2) groups=/sys/fs/cgroup place=sys/fs/cgroup
        else kind=(-t cgroup -o none,name=systemd) groups=/sys/fs/cgroup/systemd place=sys/fs/cgroup/systemd; fi
        mkdir "$groups/$GROUP"
        echo $$ >"$groups/$GROUP/cgroup.procs"
        [[ $place == sys/fs/cgroup ]] || { mount -t tmpfs tmpfs sys/fs/cgroup && mkdir "$place"; }
        mount -t tmpfs tmpfs run
        mount -t tmpfs tmpfs dev
        for device in null zero full random urandom tty; do
            touch "dev/$device"
            mount --bind "/dev/$device" "dev/$device"
        done
        mkdir dev/shm dev/pts
        mount -t tmpfs tmpfs dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
        ln -s pts/ptmx dev/ptmx
        # With the root of its own that a machine has, or processes in further namespaces would seem to run other files.
        mkdir -p mnt/outside
        pivot_root . mnt/outside
        export PATH=/usr/sbin:/usr/bin:/sbin:/bin
        exec unshare --cgroup bash -ec "
            cd /
            umount --lazy /mnt/outside
            mount ${kind[*]} cgroup /$place
            exec env -i container=llavero-test PATH=$PATH /lib/systemd/systemd --system"
    ' >"$work/boot" 2>&1 &
    booting=$!
    for ((i = 0; i < 600; i++)); do
        manager=$(pgrep --parent "$booting" || true)
        state=""
        if [[ -n $manager && $(cat "/proc/$manager/comm") == systemd ]]; then
            state=$(inside systemctl is-system-running 2>/dev/null || true)
        fi
        if [[ $state == running || $state == degraded ]]; then return 0; fi
        [[ -d /proc/$booting ]] || break
        sleep 0.1
    done
    cat "$work/boot" >&2
    fail "its systemd does not start (${state:-nothing runs})"
}

power_off() {
    kill -s KILL "$manager" 2>/dev/null || true
    wait "$booting" 2>/dev/null || true
    manager=""
    find /sys/fs/cgroup{,/systemd}/llavero-$$ -depth -type d -exec rmdir {} + 2>/dev/null || true
    mount -t proc proc "$root/proc"
}

# Serves a folder to apt on this machine alone, at $address.
serve() {
    python3 - "$1" "$work/port" <<'PYTHON' 2>/dev/null &
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    with open(sys.argv[2], "w") as port:
        print(server.server_port, file=port)
    server.serve_forever()
PYTHON
    server=$!
    for ((i = 0; i < 100; i++)); do
        if [[ -s $work/port ]]; then break; fi
        sleep 0.1
    done
    address="http://127.0.0.1:$(cat "$work/port")"
}
