#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages in a fresh Debian of this release from a signed repository, uses them as a user there, compiles clients in C,
# upgrades them from an earlier version under running daemons, goes back, removes them, and looks whether the keychains are still
# there: deb-test.sh. As root, with debootstrap and apt-ftparchive; takes some minutes, half a gigabyte of downloads, and what `make deb`
# takes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=Scripts/fresh-debian.sh
source Scripts/fresh-debian.sh
# shellcheck source=Scripts/deb-upgrade-test.sh
source Scripts/deb-upgrade-test.sh

begun=$(Scripts/passed.sh begin)
# The packages, and the same as an earlier version.
own=$(Scripts/version.sh) commit=$(Scripts/version.sh commit)
package=$(DEBS=$work/new Scripts/deb.sh)
version=$(dpkg-deb --field "$package" Version)
earlier=0.0.9
STAMPED_VERSION=$earlier PACKED=fast DEBS=$work/earlier Scripts/deb.sh >/dev/null
make_debian

# A repository that is signed with a key of this run.
export GNUPGHOME=$work/gnupg
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'Llavero test <test@example.org>' ed25519 sign never 2>>"$work/log"
key=$(gpg --batch --quiet --list-secret-keys --with-colons 2>/dev/null | awk -F : '$1 == "fpr" { print $10; exit }')
mkdir "$work/apt"
serve "$work/apt"
Scripts/apt-repository.sh "$work/apt" "$address" "$key" "$work"/{earlier,new}/*.deb 2>>"$work/log"

# A package, or an index, that somebody changed on the way is not installed.
cp "$work/apt/llavero.sources" "$root/etc/apt/sources.list.d/"
index=$(echo "$work"/apt/dists/*/main/binary-*/Packages)
for file in "$index.gz" "$(dirname "$(dirname "$(dirname "$index")")")/InRelease"; do
    cp "$file" "$work/kept"
    printf '\0' | dd of="$file" bs=1 seek=90 conv=notrunc status=none
    said=$(inside apt-get -qq -o APT::Update::Error-Mode=any update 2>&1) && fail "apt takes an index that was changed: $(basename "$file")"
    grep --quiet --ignore-case --extended-regexp 'signature|signed|size|hash|format' <<<"$said" || fail "apt says: $said"
    cp "$work/kept" "$file"
done
# The repository's address and key, once; then two commands to the first password, as README has them.
inside useradd --create-home user
inside apt-get -qq update >>"$work/log" 2>&1 || fail "apt does not take the repository: $(tail -n 5 "$work/log")"
served="$work/apt/pool/$release/llavero_${version}_$(dpkg --print-architecture).deb"
cp "$served" "$work/kept"
printf '\0' | dd of="$served" bs=1 seek=1000000 conv=notrunc status=none
if inside apt-get install -qq --yes llavero >/dev/null 2>&1; then fail "apt installs a package that was changed"; fi
cp "$work/kept" "$served"
inside apt-get clean
size=$(inside apt-get install --yes --print-uris llavero | awk '/^'"'"'/ { sum += $3; n++ } END { printf "%.1f MB in %d packages", sum / 1e6, n }')
before=$(date +%s%N)
inside apt-get install --yes llavero >>"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    fail "the package cannot be installed"
}
installed=$(date +%s%N)
as_user 'llavero add mail --user ada --generate' 2>>"$work/log" || fail "there is no first password"
stored=$(date +%s%N)
as_user 'llavero get mail' | grep --quiet . || fail "the first password is not there"
printf 'first password: installed in %d ms (%s), stored %d ms later\n' $(((installed - before) / 1000000)) "$size" \
    $(((stored - installed) / 1000000))

# There is neither a terminal nor a toolchain, nor a session.
as_user 'security add-generic-password -s fresh -a me -w "kept here" && security find-generic-password -s fresh -w' |
    grep --quiet --line-regexp 'kept here' || fail "security does not work there"
as_user 'llavero generate --length 30 | llavero add fresh --stdin && llavero get fresh | wc --chars' |
    grep --quiet --line-regexp 31 || fail "llavero does not work there"
as_user 'llavero doctor' >"$work/doctor" 2>&1 || true
for name in llavero security llaverod; do
    said=$(as_user "$name --version") || fail "$name does not say its version"
    grep --quiet "^$name .*$own\$" <<<"$said" || fail "$name is another version: $said"
    grep --quiet "^commit       $commit\$" <<<"$said" || fail "$name is of another commit: $said"
    grep --quiet '^tpm2-tss     not installed' <<<"$said" || fail "$name has tpm2-tss there: $said"
done
# Manual pages with examples, and completions for three shells. This Debian leaves out what a container has no use for.
listed=$(dpkg-deb --contents "$package" | awk '{ print $6 }')
for file in man/man1/{llavero,llavero-add,security,llavero-prompt-agent}.1.gz man/man8/llaverod.8.gz \
    bash-completion/completions/{llavero,security} zsh/vendor-completions/_llavero \
    fish/vendor_completions.d/{llavero,security}.fish doc/llavero/{copyright,CHANGELOG.md.gz,README.md,examples/entitlements/llavero.plist}; do
    grep --quiet --line-regexp --fixed-strings "./usr/share/$file" <<<"$listed" || fail "the package has no $file"
done

# The pages as readers of the manual want them, and what lintian says of all packages.
mkdir "$work/unpacked"
for file in "$(dirname "$package")"/*.deb; do dpkg-deb --extract "$file" "$work/unpacked"; done
while read -r page; do
    gunzip --stdout "$page" >"$work/page"
    said=$(mandoc -T lint -W warning "$work/page") || fail "mandoc says of $(basename "$page"): $said"
    grep --quiet '^.SH EXAMPLES' "$work/page" || fail "the manual page $(basename "$page") has no examples"
done < <(find "$work/unpacked/usr/share/man" -name '*.gz')
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$(dirname "$package")"/*.deb >"$work/lintian" 2>&1 || fail "lintian says: $(cat "$work/lintian")"
fi

# Completions where the shells look for them, typed into each.
install_packages bash-completion zsh fish
as_user 'touch ~/.zshrc; printf x | llavero add "git: host" --stdin --quiet' 2>>"$work/log"
mount -t devpts -o newinstance,ptmxmode=0666,gid=5,mode=620 devpts "$root/dev/pts"
Scripts/completion-test.py "$root" user

# Programs in C, with a compiler of Debian's, and no Swift.
cp Tests/SecurityCTests/Clients/{password.c,strings.c,threads.c,raii.cc,keyring.py,expect.h} "$root/tmp/"
install_packages gcc g++ clang pkg-config python3 libsecurity-llavero1 libsecurity-llavero-dev
inside sh -c 'command -v swift || find / -xdev -name "*.swiftmodule" | grep .' && fail "there is Swift in a fresh Debian"
for command in 'gcc -o /tmp/client /tmp/password.c $(pkg-config --cflags --libs security)' \
    'clang -o /tmp/client /tmp/password.c $(pkg-config --cflags --libs security)' \
    'CC=gcc llavero-cc -framework Security -framework CoreFoundation -o /tmp/client /tmp/password.c' \
    'CC=clang llavero-cc -framework Security -framework CoreFoundation -o /tmp/client /tmp/password.c' \
    'CC=clang llavero-cc -framework Security -o /tmp/client /tmp/strings.c' \
    'CC=gcc llavero-cc -framework Security -pthread -o /tmp/client /tmp/threads.c' \
    'CC=g++ llavero-cc -std=c++17 -framework Security -o /tmp/client /tmp/raii.cc' \
    'CC=clang++ llavero-cc -std=c++17 -framework Security -o /tmp/client /tmp/raii.cc'; do
    inside sh -c "$command -Wall -Wextra -Werror" || fail "this does not compile there: $command"
    as_user /tmp/client | grep --quiet '^[0-9]* held, 0 failed' || fail "this does not work there: $command"
done
as_user 'python3 /tmp/keyring.py' | grep --quiet '^[0-9]* held, 0 failed' || fail "this does not work there: keyring.py"
inside apt-get purge -qq --yes libsecurity-llavero-dev libsecurity-llavero1 >>"$work/log" 2>&1 || fail "they cannot be removed"

# Python's keyring finds the backend of its package, and asks for no bus.
install_packages python3-keyring-llavero
as_user 'keyring --list-backends' | grep --quiet '^keyring_llavero.Keyring ' || fail "Python's keyring does not know the backend"
as_user 'printf "by pipe\n" | keyring set example.org ada' || fail "Python's keyring stores nothing"
as_user 'test "$(keyring get example.org ada)" = "by pipe" && test "$(llavero get example.org)" = "by pipe"' ||
    fail "Python's keyring finds nothing"
as_user 'keyring del example.org ada' || fail "Python's keyring removes nothing"
if as_user 'keyring get example.org ada' >/dev/null 2>&1; then fail "Python's keyring finds what it removed"; fi
inside apt-get purge -qq --yes python3-keyring-llavero >>"$work/log" 2>&1 || fail "Python's keyring cannot be parted from it"

# Away with it, and back.
inside apt-get purge -qq --yes llavero >>"$work/log" 2>&1 || fail "it cannot be removed"
left=$(inside find /usr /etc /lib /var/lib -name '*llavero*' -not -path '*/dpkg/*' -not -path '*/apt/*' -not -name llavero.sources)
[[ -z $left ]] || fail "these are left: $left"
inside test -s /home/user/.local/share/llavero/login/keychain.db || fail "the user's keychain went with the package"

# README as somebody reads it who has nothing yet but sudo, and the files that its examples name.
rm "$root/etc/apt/sources.list.d/llavero.sources"
inside apt-get -qq update >>"$work/log" 2>&1
install_packages sudo
inside useradd --create-home reader
echo 'reader ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/reader"
mkdir "$root/home/reader/apt"
cp "$work/apt/llavero.sources" "$root/home/reader/apt/"
printf '#!/bin/sh\ntest -n "$MAIL_PASSWORD"\n' >"$root/home/reader/send-report"
echo 'user={{ llavero://mail/user }} password={{ llavero://mail }}' >"$root/home/reader/config.tpl"
inside sh -c 'chmod 755 /home/reader/send-report && chown -R reader: /home/reader'
Scripts/as-written.py "$root" reader README.md Install 2
Scripts/as-written.py "$root" reader README.md "The first password"
inside grep --quiet '^user=ada password=.' /home/reader/config || fail "README's template is not filled"
inside test -s /home/reader/keychain.llavero-backup || fail "README's backup is not there"
as_user 'llavero lock --end-agent' reader 2>>"$work/log" || true
umount "$root/dev/pts"

as_user 'security find-generic-password -s fresh -w' | grep --quiet --line-regexp 'kept here' ||
    fail "the user's keychain is not what it was"
echo "$(basename "$package"): installed, used, removed and installed again in a fresh $release"

upgrade_under_daemons
echo "$earlier upgraded to $version under three daemons, and back; keychains the same: $SECONDS s in all"
Scripts/passed.sh note deb-test "$begun"
