// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Sealing to the owner of a public key: HPKE (RFC 9180), base mode, one message.
///
/// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. What is sealed says nothing about who sealed it.
// Names in comments are the RFC's. Each key seals one message, so the nonce is the base nonce, and nothing counts.
package enum HPKE {
    /// Seals to `recipient`'s point: `enc`, the sender's point of 65 bytes, and then the ciphertext with its tag.
    ///
    /// `sender` is a key made for this message alone; a test may give one. Throws `invalidParameters` when `recipient`
    /// is no point of the curve.
    package static func seal(
        _ plain: borrowing SecretBytes, to recipient: [UInt8], info: [UInt8], additional: [UInt8] = [],
        sender: consuming P256.Key? = nil
    ) throws(CryptoError) -> [UInt8] {
        let agreement =
            if let sender {
                P256.Agreement(
                    publicKey: sender.publicKey, shared: try P256.sharedSecret(of: sender.privateKey, with: recipient))
            } else {
                try P256.agreement(with: recipient)
            }
        let context = try HPKEContext(agreement.shared, from: agreement.publicKey, to: recipient, info: info)
        return try agreement.publicKey + context.seal(plain, additional)
    }

    /// Opens what was sealed to `recipient`, whose private key `agree` uses: given the sender's point, it returns the x
    /// coordinate of the point that both compute.
    ///
    /// Throws `authenticationFailed` when it was not sealed so, or not to this key.
    package static func open<Failure: CryptoCaused>(
        _ sealed: [UInt8], of recipient: [UInt8], info: [UInt8], additional: [UInt8] = [],
        agree: ([UInt8]) throws(Failure) -> SecretBytes
    ) throws(Failure) -> SecretBytes {
        guard sealed.count > overhead else { throw .crypto(.authenticationFailed) }
        let sender = Array(sealed[..<P256.publicKeySize])
        // A point off the curve could tell the private key, whatever computes with it.
        guard P256.isPublicKey(sender) else { throw .crypto(.authenticationFailed) }
        let shared = try agree(sender)
        return try Failure.translating { () throws(CryptoError) in
            let context = try HPKEContext(shared, from: sender, to: recipient, info: info)
            return try context.open(Array(sealed[P256.publicKeySize...]), additional)
        }
    }

    /// What sealing adds.
    package static let overhead = P256.publicKeySize + GCM.tagSize
}

/// What both sides derive: a key and a nonce.
private struct HPKEContext: ~Copyable {
    private let key: SecretBytes
    private let nonce: GCM.FullNonce

    init(
        _ shared: borrowing SecretBytes, from sender: [UInt8], to recipient: [UInt8], info: [UInt8]
    ) throws(CryptoError) {
        guard shared.count == 32 else { throw .invalidLength }
        // ExtractAndExpand of the KEM.
        let prk = try HPKEContext.extract("eae_prk", shared, HPKEContext.kem)
        let secret = try HPKEContext.expand(prk, "shared_secret", sender + recipient, 32, HPKEContext.kem)
        // KeySchedule; base mode is 0, and has the pre-shared key "" with the name "".
        let nothing = unsafe SecretBytes(count: 0) { _ in }
        let known = unsafe SecretBytes(count: info.count) { unsafe $0.copyBytes(from: info) }
        var context: [UInt8] = [0]
        unsafe try HPKEContext.extract("psk_id_hash", nothing, HPKEContext.suite).withUnsafeBytes {
            unsafe context += $0
        }
        unsafe try HPKEContext.extract("info_hash", known, HPKEContext.suite).withUnsafeBytes { unsafe context += $0 }
        let scheduled = try HPKEContext.extractWithoutKey("secret", salt: secret)
        let base = try HPKEContext.expand(scheduled, "base_nonce", context, 12, HPKEContext.suite)
        key = try HPKEContext.expand(scheduled, "key", context, GCM.keySize, HPKEContext.suite)
        nonce = unsafe base.withUnsafeBytes { bytes in
            unsafe (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        }
    }

    func seal(_ plain: borrowing SecretBytes, _ additional: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe [UInt8](count: plain.count + GCM.tagSize) { (output) throws(CryptoError) in
            let cipher = try GCM()
            try unsafe plain.withUnsafeBytes { (plain) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe additional.lendingBytes { (additional) throws(CryptoError) in
                        try unsafe cipher.seal(
                            key: key, nonce: nonce, additional: additional, plain: plain, into: output)
                    }
                }
            }
        }
    }

    func open(_ sealed: [UInt8], _ additional: [UInt8]) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: sealed.count - GCM.tagSize) { (output) throws(CryptoError) in
            let cipher = try GCM()
            try unsafe sealed.lendingBytes { (sealed) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe additional.lendingBytes { (additional) throws(CryptoError) in
                        try unsafe cipher.open(
                            key: key, nonce: nonce, additional: additional, sealed: sealed, into: output)
                    }
                }
            }
        }
    }

    // MARK: §4, "Cryptographic Dependencies"

    /// LabeledExtract without salt.
    private static func extract(
        _ label: String, _ secret: borrowing SecretBytes, _ suite: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        let head = version + suite + Array(label.utf8)
        let labeled = unsafe SecretBytes(count: head.count + secret.count) { buffer in
            unsafe buffer.copyBytes(from: head)
            unsafe secret.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0)
            }
        }
        return try unsafe labeled.withUnsafeBytes { (labeled) throws(CryptoError) in
            try unsafe KeyDerivation.hkdfExtract(labeled)
        }
    }

    /// LabeledExtract of no bytes, where the secret is the salt.
    // As the HMAC that it is: OpenSSL's HKDF takes a salt for public and does not wipe its copy.
    private static func extractWithoutKey(
        _ label: String, salt: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        try unsafe salt.withUnsafeBytes { (salt) throws(CryptoError) in
            let hash = try unsafe KeyedHash(key: salt)
            try hash.begin()
            try unsafe (version + suite + Array(label.utf8)).lendingBytes { (bytes) throws(CryptoError) in
                try unsafe hash.update(bytes)
            }
            return try unsafe SecretBytes(count: KeyedHash.size) { (output) throws(CryptoError) in
                try unsafe hash.finish(into: output)
            }
        }
    }

    /// LabeledExpand.
    private static func expand(
        _ secret: borrowing SecretBytes, _ label: String, _ info: [UInt8], _ count: Int, _ suite: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        let size = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return try KeyDerivation.hkdfExpand(
            secret, info: size + version + suite + Array(label.utf8) + info, count: count)
    }

    private static let version = Array("HPKE-v1".utf8)
    /// DHKEM(P-256, HKDF-SHA256) is 0x0010; HKDF-SHA256 0x0001; AES-256-GCM 0x0002.
    private static let kem = Array("KEM".utf8) + [0, 0x10]
    private static let suite = Array("HPKE".utf8) + [0, 0x10, 0, 1, 0, 2]
}
