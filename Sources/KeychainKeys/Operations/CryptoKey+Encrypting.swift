// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel

extension CryptoKey {
    /// Encrypts with a public key, or with a symmetric one.
    ///
    /// Throws `unsupportedAlgorithm`; `invalidLength` for more than the algorithm takes; `invalidParameter` for a raw
    /// number that is not below the modulus.
    package func encrypt(
        _ plain: UnsafeRawBufferPointer, with algorithm: KeyAlgorithm
    ) throws(KeyError) -> [UInt8] {
        guard canDo(.encrypt, with: algorithm), case .encryption(let scheme) = algorithm.scheme else {
            throw .unsupportedAlgorithm
        }
        switch scheme {
        case .rsa(let padding): return try unsafe encryptRSA(plain, padding)
        case .rsaSession(let hash): return try unsafe RSASession(hash: hash).encrypt(plain, to: self)
        case .ecies(let exchange, let derivesVector):
            return try unsafe ECIES(exchange, derivesVector: derivesVector).encrypt(plain, to: self)
        case .aesGCM: return try unsafe sealSymmetric(plain)
        }
    }

    internal func encryptRSA(
        _ plain: UnsafeRawBufferPointer, _ padding: RSAEncryptionPadding
    ) throws(KeyError) -> [UInt8] {
        guard plain.count <= padding.largestInput(bits: bits) else { throw .invalidLength }
        let plan = ContextPlan(
            operation: Int32(LLV_KEYS_ENCRYPT), padding: padding.number, hash: padding.hash)
        guard padding.isRaw else { return try unsafe run(plan, plain) }
        let isReversed = padding == .noneReversed
        let number = try unsafe RawNumber.padded(plain, size: blockSize, isReversed: isReversed)
        let output = try unsafe number.withUnsafeBytes { (number) throws(KeyError) in
            try unsafe run(plan, number, orThrow: .invalidParameter)
        }
        return isReversed ? RawNumber.reversed(output) : output
    }

    private func run(
        _ plan: ContextPlan, _ input: UnsafeRawBufferPointer, orThrow error: KeyError? = nil
    ) throws(KeyError) -> [UInt8] {
        try unsafe handle().withContext(plan) { (context) throws(KeyError) in
            try unsafe output(atMost: blockSize, orThrow: error) { (output, count) in
                unsafe llv_keys_run(context, plan.operation, output, &count, input.baseAddress, input.count)
            }
        }
    }

    // A nonce drawn at random: of 2 to the 32 texts under one key two share one with a chance of 2 to the -33 (NIST SP
    // 800-38D §8.3), which is where its user should change the key.
    private func sealSymmetric(_ plain: UnsafeRawBufferPointer) throws(KeyError) -> [UInt8] {
        guard case .symmetric(let secret) = material else { throw .unsupportedAlgorithm }
        guard plain.count <= AESGCM.largestPlain else { throw .invalidLength }
        let nonce: [UInt8]
        do throws(CryptoError) {
            nonce = try unsafe [UInt8](count: Self.nonceSize) { (output) throws(CryptoError) in
                try unsafe fillRandom(output)
            }
        } catch { throw KeyError(error) }
        return try unsafe secret.withUnsafeBytes { (key) throws(KeyError) in
            try unsafe [UInt8](count: nonce.count + plain.count + AESGCM.tagSize) { (output) throws(KeyError) in
                unsafe output.copyBytes(from: nonce)
                try unsafe AESGCM.seal(
                    plain, key: key, AESGCM.Context(vector: nonce),
                    into: UnsafeMutableRawBufferPointer(rebasing: output[nonce.count...]))
            }
        }
    }

    internal static let nonceSize = 12
}
