// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// Sealing to a TPM 2.0 by software ("MakeCredential"): what is sealed to an endorsement key for the name of another key comes
/// out only of a TPM that has both.
///
/// The TPM's own algorithms: SHA-256, AES-128-CFB, HMAC, and its two ways to derive keys.
package enum ChipCredential {
    /// The public half of a TPM's endorsement key.
    package enum Recipient: Sendable, Equatable {
        /// A point of P-256, X9.63, uncompressed.
        case point([UInt8])
        /// The modulus of an RSA key of 2048 bits with the exponent 65537.
        case modulus([UInt8])
    }

    /// TPM2B_ID_OBJECT ‖ TPM2B_ENCRYPTED_SECRET.
    ///
    /// The secret has 1 to 32 bytes, `name` is the algorithm and the digest of the other key's public area. `sender` is a key
    /// made for this message alone; a test may give one.
    package static func seal(
        _ secret: borrowing SecretBytes, to recipient: Recipient, for name: [UInt8],
        sender: consuming P256.Key? = nil
    ) throws(CryptoError) -> [UInt8] {
        guard (1...Digest.sha256Size).contains(secret.count) else { throw .invalidLength }
        let seed: SecretBytes
        let sent: [UInt8]
        switch recipient {
        case .point(let point):
            let sender = if let sender { sender } else { try P256.makeKey() }
            let shared = try P256.sharedSecret(of: sender.privateKey, with: point)
            let (x, y) = (Array(sender.publicKey[1..<33]), Array(sender.publicKey[33...]))
            seed = try agreed(shared, x, Array(point[1..<33]))
            sent = sized(sized(x) + sized(y))
        case .modulus(let modulus):
            seed = try unsafe SecretBytes(count: Digest.sha256Size) { (output) throws(CryptoError) in
                try unsafe fillRandom(output)
            }
            sent = sized(try encrypt(seed, to: modulus))
        }
        let text = unsafe SecretBytes(count: 2 + secret.count) { buffer in
            unsafe buffer[1] = UInt8(truncatingIfNeeded: secret.count)
            unsafe secret.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[2...]).copyMemory(from: $0)
            }
        }
        let sealed = try encrypt(text, key: derived(seed, "STORAGE", name, count: 16))
        let check = try mac(derived(seed, "INTEGRITY", [], count: 32), sealed + name)
        return sized(sized(check) + sealed) + sent
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    // MARK: Part 1 of the TPM's specification, "KDFs"

    /// KDFe: of what both computed, and the x coordinates of who sent and who receives.
    private static func agreed(
        _ shared: borrowing SecretBytes, _ sender: [UInt8], _ recipient: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        let (head, tail) = ([0, 0, 0, 1] as [UInt8], label + [0] + sender + recipient)
        let input = unsafe SecretBytes(count: head.count + shared.count + tail.count) { buffer in
            unsafe buffer.copyBytes(from: head)
            unsafe shared.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: $0)
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(head.count + shared.count)...])
                .copyBytes(from: tail)
        }
        return try unsafe SecretBytes(count: Digest.sha256Size) { (output) throws(CryptoError) in
            try unsafe input.withUnsafeBytes { (input) throws(CryptoError) in
                try unsafe Digest.sha256(input, into: output)
            }
        }
    }

    /// KDFa: at most 32 bytes, for a use and what it is about.
    private static func derived(
        _ seed: borrowing SecretBytes, _ use: String, _ about: [UInt8], count: Int
    ) throws(CryptoError) -> SecretBytes {
        let bits = UInt8(truncatingIfNeeded: (count * 8) >> 8)
        let input =
            [0, 0, 0, 1] + Array(use.utf8) + [0] + about + [0, 0, bits, UInt8(truncatingIfNeeded: count * 8)]
        let whole = try unsafe SecretBytes(count: KeyedHash.size) { (output) throws(CryptoError) in
            try unsafe mac(seed, input, into: output)
        }
        return unsafe whole.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
        }
    }

    private static func mac(_ key: borrowing SecretBytes, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try unsafe [UInt8](count: KeyedHash.size) { (output) throws(CryptoError) in
            try unsafe mac(key, bytes, into: output)
        }
    }

    private static func mac(
        _ key: borrowing SecretBytes, _ bytes: [UInt8], into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
            let hash = try unsafe KeyedHash(key: key)
            try hash.begin()
            try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe hash.update(bytes) }
            try unsafe hash.finish(into: output)
        }
    }

    // MARK: Encryption

    /// AES-128-CFB with a vector of zeros: the key is for this message alone.
    private static func encrypt(
        _ plain: borrowing SecretBytes, key: borrowing SecretBytes
    ) throws(CryptoError) -> [UInt8] {
        guard let cipher = unsafe cipherOrNil, let context = unsafe EVP_CIPHER_CTX_new() else {
            throw .takeFromLibrary()
        }
        let inChild = unsafe WipedInChild(cipher: context)
        defer {
            inChild.end()
            unsafe EVP_CIPHER_CTX_free(context)
        }
        let vector = [UInt8](repeating: 0, count: 16)
        return try unsafe [UInt8](count: plain.count) { (output) throws(CryptoError) in
            try unsafe plain.withUnsafeBytes { (plain) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    // A stream: as many bytes come out as go in.
                    var written: Int32 = 0
                    guard key.count == 16,
                        unsafe EVP_CipherInit_ex2(context, cipher, key.baseAddress, vector, 1, nil) == 1,
                        unsafe EVP_CipherUpdate(
                            context, output.baseAddress, &written, plain.baseAddress, Int32(plain.count)) == 1,
                        Int(written) == output.count
                    else { throw .takeFromLibrary() }
                }
            }
        }
    }

    /// RSA with OAEP, as the TPM has it: SHA-256, and a label with its zero.
    private static func encrypt(
        _ seed: borrowing SecretBytes, to modulus: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard modulus.count == modulusSize, modulus[0] >= 0x80 else { throw .invalidParameters }
        let coded = publicKeyHead + modulus + publicKeyTail
        let key = try unsafe LibraryKey(
            coded.lendingBytes { (coded) -> OpaquePointer? in
                var position = unsafe coded.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe d2i_PUBKEY_ex(nil, &position, coded.count, FetchedAlgorithm.library, nil)
            })
        return try unsafe key.withUnsafePointer { (key) throws(CryptoError) in
            let context = unsafe EVP_PKEY_CTX_new_from_pkey(FetchedAlgorithm.library, key, nil)
            defer { unsafe EVP_PKEY_CTX_free(context) }
            guard unsafe context != nil && EVP_PKEY_encrypt_init(context) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_oaep_md_name(context, "SHA256", nil) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_mgf1_md_name(context, "SHA256", nil) == 1
            else { throw .takeFromLibrary() }
            let label = label + [0]
            guard let copied = unsafe CRYPTO_malloc(label.count, nil, 0) else { throw .outOfMemory }
            unsafe copied.copyMemory(from: label, byteCount: label.count)
            // It is the context's when that succeeds.
            guard unsafe EVP_PKEY_CTX_set0_rsa_oaep_label(context, copied, Int32(label.count)) == 1 else {
                unsafe CRYPTO_free(copied, nil, 0)
                throw .takeFromLibrary()
            }
            return try unsafe [UInt8](count: modulusSize) { (output) throws(CryptoError) in
                try unsafe seed.withUnsafeBytes { (seed) throws(CryptoError) in
                    var count = output.count
                    guard
                        unsafe EVP_PKEY_encrypt(
                            context, output.baseAddress, &count, seed.baseAddress, seed.count) == 1,
                        count == output.count
                    else { throw .takeFromLibrary() }
                }
            }
        }
    }

    private static let label = Array("IDENTITY".utf8)

    // Not among the algorithms that every process needs.
    nonisolated(unsafe) private static let cipherOrNil = unsafe EVP_CIPHER_fetch(
        FetchedAlgorithm.library, "AES-128-CFB", nil)

    /// What stands before and behind the modulus in the SubjectPublicKeyInfo of such a key.
    package static let publicKeyHead: [UInt8] = [
        0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05,
        0x00, 0x03, 0x82, 0x01, 0x0f, 0x00, 0x30, 0x82, 0x01, 0x0a, 0x02, 0x82, 0x01, 0x01, 0x00,
    ]
    package static let publicKeyTail: [UInt8] = [0x02, 0x03, 0x01, 0x00, 0x01]
    package static let modulusSize = 256
}
