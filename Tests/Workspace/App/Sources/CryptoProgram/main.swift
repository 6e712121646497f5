// SPDX-License-Identifier: Apache-2.0

// A program of a package that has swift-crypto: its types are those of CryptoKit too, and the enclave's keys use them.

import Crypto
import CryptoKit
import Foundation
import Security

func isOfSwiftCrypto(_ key: Crypto.P256.Signing.PublicKey) -> Bool { key.x963Representation.count == 65 }

let message = Data("a message".utf8)
try IsolatedKeychain(.inMemory).use {
    let key = try SecureEnclave.P256.Signing.PrivateKey()
    let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key.dataRepresentation)
    let signature: P256.Signing.ECDSASignature = try again.signature(for: message)
    let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
    ]
    let half = SecKeyCreateWithData(key.publicKey.x963Representation as CFData, attributes as CFDictionary, nil)
    let isValid = half.map {
        SecKeyVerifySignature(
            $0, .ecdsaSignatureMessageX962SHA256, message as CFData, signature.derRepresentation as CFData, nil)
    }
    print("signs with swift-crypto's types: \(isOfSwiftCrypto(key.publicKey) && isValid == true)")

    let (mine, theirs) = (
        try SecureEnclave.P256.KeyAgreement.PrivateKey(), try SecureEnclave.P256.KeyAgreement.PrivateKey()
    )
    let secrets = [
        try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey),
        try theirs.sharedSecretFromKeyAgreement(with: mine.publicKey),
    ]
    let keys = secrets.map { secret in
        secret.x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: Data("info".utf8), outputByteCount: 77)
            .withUnsafeBytes { Data($0) }
    }
    print("agrees: \(keys[0] == keys[1] && keys[0].count == 77)")
}
