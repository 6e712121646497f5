#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes what the targets are tried with, and the first corpora: first with openssl, then with our own encoders.
# The fixtures must not change under a corpus that was made with them, so this refuses when they are there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [[ -e Fixtures/root.der ]]; then
    echo "the fixtures are there; without them the corpora are worth little: remove both or neither" >&2
    exit 1
fi
llavero_fuzz=${1:?"usage: Fuzz/fixtures.sh PATH-OF-llavero-fuzz (swift build --product llavero-fuzz)"}
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
mkdir -p Fixtures
fixtures=$PWD/Fixtures corpora=$PWD/Corpora
cd "$work"

seed() { mkdir -p "$corpora/$1" && cat >"$corpora/$1/$2"; }

key() {
    case $2 in
    rsa*) openssl genpkey -algorithm RSA -pkeyopt "rsa_keygen_bits:${2#rsa}" -out "$1.key" 2>/dev/null ;;
    ed* | x*) openssl genpkey -algorithm "$2" -out "$1.key" ;;
    *) openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$2" -out "$1.key" ;;
    esac
}

# certificate NAME SUBJECT [ISSUER]; extensions from standard input, version 1 without any.
certificate() {
    cat >"$1.ext"
    local more=(-key "$1.key")
    if [[ -n ${3:-} ]]; then more=(-CA "$3.pem" -CAkey "$3.key"); fi
    if [[ -s $1.ext ]]; then more+=(-extfile "$1.ext"); fi
    openssl req -new -utf8 -key "$1.key" -subj "$2" -out "$1.csr"
    openssl x509 -req -in "$1.csr" -days 36500 -set_serial "0x$(printf %s "$1" | od -An -tx1 | tr -d ' \n')" \
        "${more[@]}" -out "$1.pem" 2>/dev/null
    openssl x509 -in "$1.pem" -outform DER | tee "$1.der" | seed certificate "openssl-$1"
}

echo "==> certificates"
authority=$'basicConstraints = critical, CA:true\nkeyUsage = critical, keyCertSign, cRLSign\nsubjectKeyIdentifier = hash'
server=$'basicConstraints = CA:false\nextendedKeyUsage = serverAuth, clientAuth, emailProtection\nkeyUsage = critical, digitalSignature\nsubjectAltName = DNS:www.example.com, DNS:*.example.org, IP:192.0.2.7, IP:2001:db8::7, email:somebody@example.com, URI:https://example.com/'
key root P-256 && certificate root "/CN=Fuzz root/O=Llavero" <<<"$authority"
key leaf P-256 && certificate leaf "/C=DE/O=Llavero/OU=Fuzzing/CN=www.example.com/emailAddress=somebody@example.com" root <<<"$server"
key responder P-256 && certificate responder "/CN=responder" root \
    <<<$'keyUsage = critical, digitalSignature\nextendedKeyUsage = OCSPSigning'
key p384 P-384 && certificate p384 "/CN=  Two   spaces  /O=Größe/DC=example" root <<<"$server"
key p521 P-521 && certificate p521 "/CN=p521" </dev/null
key rsa1024 rsa1024 && certificate rsa1024 "/CN=rsa/description=described" </dev/null
key rsa2048 rsa2048 && certificate rsa2048 "/CN=rsa" root <<<"$server"
for kind in ed25519 ed448; do key $kind $kind && certificate $kind "/CN=$kind" </dev/null; done
key secp256k1 secp256k1 && certificate secp256k1 "/CN=another curve" </dev/null
openssl ec -in leaf.key -conv_form compressed -out compressed.key 2>/dev/null
certificate compressed "/CN=compressed" root <<<$'2.5.29.14 = ASN1:FORMAT:HEX,OCTETSTRING:01020304\n1.2.3.4 = critical,DER:0500'

echo "==> revocation"
list() {
    cat >ca.cnf <<<$'[ca]\ndefault_ca = d\n[d]\ndatabase = index.txt\ndefault_md = sha256\ncrl_extensions = e\n[e]\nauthorityKeyIdentifier = keyid'
    : >index.txt.attr
    openssl ca -gencrl -config ca.cnf -cert "$1.pem" -keyfile "$1.key" -crldays 36500 -out list.pem 2>/dev/null
    openssl crl -in list.pem -outform DER
}
serial() { openssl x509 -in "$1.pem" -noout -serial | cut -d = -f 2; }
line() { printf '%s\t491231235959Z\t%s\t%s\tunknown\t/CN=%s\n' "$1" "$2" "$(serial "$3")" "$3"; }
# The first element inside a sequence, which is what a signature is of.
signed() {
    local at
    at=$(openssl asn1parse -inform DER -in "$1" | awk -F: 'NR == 2 { print $1 + 0 }')
    openssl asn1parse -inform DER -in "$1" -strparse "$at" -noout -out "$2"
}
: >index.txt && list root >empty.crl
seed revocation-list openssl-empty <empty.crl && signed empty.crl "$fixtures/empty-list.signed"
line R 240101000000Z rsa2048 >index.txt && list root >other.crl
seed revocation-list openssl-other <other.crl && signed other.crl "$fixtures/other-list.signed"
line R 240101000000Z,keyCompromise leaf >index.txt && list root | seed revocation-list openssl-revoked
line R 240101000000Z leaf >index.txt && list leaf | seed revocation-list openssl-of-another

# response STATE RESPONDER
response() {
    line "$1" "$([[ $1 == R ]] && echo 240101000000Z)" leaf >index.txt
    openssl ocsp -issuer root.pem -cert leaf.pem -no_nonce -reqout request.der
    openssl ocsp -index index.txt -CA root.pem -rsigner "$2.pem" -rkey "$2.key" -reqin request.der \
        -respout response.der -ndays 36500 >/dev/null 2>&1
    cat response.der
}
# The same of the BasicOCSPResponse, which stands in an octet string.
signed_response() {
    local at
    at=$(openssl asn1parse -inform DER -in "$1" | awk -F: '/OCTET STRING/ { print $1 + 0; exit }')
    openssl asn1parse -inform DER -in "$1" -strparse "$at" -noout -out basic.der
    signed basic.der "$2"
}
response V root >good.der && seed status-response openssl-good <good.der
signed_response good.der "$fixtures/good-response.signed"
response V responder >charged.der && seed status-response openssl-charged <charged.der
signed_response charged.der "$fixtures/charged-response.signed"
response R root | seed status-response openssl-revoked
response V leaf | seed status-response openssl-of-itself
printf '\x30\x03\x0a\x01\x06' | seed status-response openssl-unauthorized

echo "==> names"
for name in root leaf p384 rsa1024; do
    at=$(openssl asn1parse -in "$name.pem" | awk '/d=2 .*SEQUENCE/ && ++n == 4 { print $1 + 0; exit }')
    openssl asn1parse -in "$name.pem" -strparse "${at%%:*}" -noout -out name.der && seed name "openssl-$name" <name.der
done

echo "==> private keys"
for name in leaf p384 p521 rsa1024 ed25519 ed448 compressed secp256k1; do
    openssl pkcs8 -topk8 -nocrypt -in $name.key -outform DER | seed private-key "openssl-$name-pkcs8"
    seed pem "openssl-$name" <$name.key
done
for name in leaf p384 p521 rsa1024; do
    openssl pkey -in $name.key -traditional -outform DER | seed private-key "openssl-$name-own"
done
openssl genpkey -algorithm X25519 -outform DER | seed private-key openssl-x25519
openssl genrsa -primes 3 1024 2>/dev/null | openssl pkey -traditional -outform DER | seed private-key openssl-three-primes
for option in "-v2 aes-256-cbc" "-v2 aes-128-cbc -v2prf hmacWithSHA1" "-scrypt -scrypt_N 16 -scrypt_r 1 -scrypt_p 1" \
    "-v1 PBE-SHA1-3DES" "-v1 PBE-MD5-DES" "-v1 PBE-SHA1-RC2-40" "-v2 des3"; do
    # shellcheck disable=SC2086 # several words
    openssl pkcs8 -provider default -provider legacy -topk8 -in leaf.key -passout pass:p -iter 1 $option -outform DER \
        2>/dev/null | seed encrypted-key "openssl-${option// /}" || true
done
{ cat leaf.pem root.pem leaf.key; } | seed pem openssl-three
openssl pkcs8 -topk8 -in leaf.key -passout pass:p -iter 1 | seed pem openssl-encrypted
for cipher in aes-128-cbc des3 camellia256; do
    openssl ec -in leaf.key -"$cipher" -passout pass:p 2>/dev/null | seed pem "openssl-old-$cipher"
done
printf 'text\r\n-----BEGIN X-----\r\nAAAA\r\n-----END X-----\r\n' | seed pem own-lines
printf -- '-----BEGIN X-----\nA: b\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES-CBC,0001020304050607\n\nAA==\n-----END X-----' |
    seed pem own-headers

echo "==> PKCS#12"
pkcs12() {
    openssl pkcs12 -export -inkey leaf.key -in leaf.pem -iter 1 -maciter "${@:2}" 2>/dev/null | tee file.p12 |
        seed pkcs12 "openssl-$1"
    # The row of safes: the octet string in the content, where openssl names its place.
    local at
    at=$(openssl asn1parse -inform DER -in file.p12 | awk -F: '/OCTET STRING/ { print $1 + 0; exit }')
    openssl asn1parse -inform DER -in file.p12 -strparse "$at" -noout -out content.der && seed pkcs12-content "openssl-$1" <content.der
}
pkcs12 usual -passout pass:p -name friendly
pkcs12 chain -passout pass:p -certfile root.pem -caname root
pkcs12 plain -passout pass:p -keypbe NONE -certpbe NONE -certfile root.pem -name "Größe"
pkcs12 empty -passout pass:
pkcs12 plain-empty -passout pass: -keypbe NONE -certpbe NONE
pkcs12 legacy -passout pass:p -legacy
pkcs12 triple -passout pass:p -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES -macalg sha1
pkcs12 sha512 -passout pass:p -macalg sha512 -keypbe AES-128-CBC -certpbe NONE
openssl pkcs12 -export -inkey leaf.key -in leaf.pem -nomac -passout pass:p | seed pkcs12 openssl-no-mac
openssl pkcs12 -export -nokeys -in root.pem -certpbe NONE -iter 1 -maciter -passout pass:p | seed pkcs12 openssl-no-key

echo "==> files to import"
for name in root leaf ed25519 compressed; do seed import "openssl-$name-certificate" <$name.der; done
for name in leaf rsa1024 ed25519 ed448 secp256k1; do
    openssl pkey -in $name.key -pubout -outform DER | seed import "openssl-$name-public"
    openssl pkcs8 -topk8 -nocrypt -in $name.key -outform DER | seed import "openssl-$name-pkcs8"
done
openssl rsa -in rsa1024.key -RSAPublicKey_out -outform DER 2>/dev/null | seed import openssl-rsa-public
for name in leaf rsa1024; do
    openssl pkey -in $name.key -traditional -outform DER | seed import "openssl-$name-own"
    openssl pkey -in $name.key -pubout | seed import "openssl-$name-public-text"
done
for form in DER PEM; do
    openssl crl2pkcs7 -nocrl -certfile leaf.pem -certfile root.pem -outform $form | seed import "openssl-pkcs7-$form"
done
cat leaf.pem root.pem leaf.key | seed import openssl-three
openssl pkcs8 -topk8 -in leaf.key -passout pass:p -iter 1 | tee wrapped.pem | seed import openssl-wrapped-text
openssl asn1parse -in wrapped.pem -noout -out wrapped.der && seed import openssl-wrapped <wrapped.der
openssl ec -in leaf.key -aes-128-cbc -passout pass:p 2>/dev/null | seed import openssl-old
seed import openssl-pkcs12 <file.p12
{ echo '-----BEGIN PKCS12-----' && base64 file.p12 && echo '-----END PKCS12-----'; } | seed import openssl-pkcs12-text

# Messages: signed in both forms, detached, by two; for an RSA key and for a curve's; in a stream.
messages() {
    printf 'Meet me at noon.\r\n' >text
    for name in leaf rsa1024; do
        openssl req -x509 -new -key "$name.key" -subj "/CN=$name" -days 36500 -out "mail-$name.pem"
    done
    local sign=(openssl cms -sign -in text -binary -outform DER -signer mail-leaf.pem -inkey leaf.key)
    "${sign[@]}" -nodetach | seed cms openssl-signed
    "${sign[@]}" -nodetach -stream -keyid | seed cms openssl-signed-stream
    "${sign[@]}" -noattr -nocerts | seed cms openssl-detached
    "${sign[@]}" -nodetach -signer mail-rsa1024.pem -inkey rsa1024.key | seed cms openssl-two-signers
    local encrypt=(openssl cms -encrypt -in text -binary -outform DER)
    "${encrypt[@]}" -aes128 -recip mail-leaf.pem | seed cms openssl-curve
    "${encrypt[@]}" -des3 -recip mail-rsa1024.pem | seed cms openssl-rsa
    "${encrypt[@]}" -aes256 -stream -recip mail-rsa1024.pem -keyopt rsa_padding_mode:oaep | seed cms openssl-oaep
}
messages

# What is between the two lines of a private key of OpenSSH's.
openssh() {
    rm -f ssh ssh.pub
    ssh-keygen -q -t "$2" -b "$3" -N "$4" -C fuzz -f ssh
    grep -v -e '^-----' ssh | base64 -d | seed openssh-key "openssh-$1"
}
openssh rsa-1024 rsa 1024 ''
openssh ecdsa-256 ecdsa 256 ''
openssh ecdsa-521 ecdsa 521 ''
openssh ed25519-256 ed25519 256 ''
openssh encrypted ed25519 256 pass

echo "==> fixtures"
cp root.der leaf.der "$fixtures/"
number() { openssl ec -in "$1.key" -noout -text 2>/dev/null | awk '/^priv:/ { on = 1; next } /^pub:/ { on = 0 } on' | tr -d ' :\n'; }
point() { openssl ec -in "$1.key" -noout -text 2>/dev/null | awk '/^pub:/ { on = 1; next } /^ASN1/ { on = 0 } on' | tr -d ' :\n'; }
scalar=$(number leaf)
printf '%s%064s' "$(point leaf)" "${scalar#00}" | tr ' ' 0 | xxd -r -p >"$fixtures/leaf.key"
[[ $(wc -c <"$fixtures/leaf.key") == 97 ]]

"$llavero_fuzz" --seeds
