// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
package import KeychainModel

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
        let nonce = try KeyError.translating { () throws(CryptoError) in
            try unsafe [UInt8](count: Self.nonceSize) { (output) throws(CryptoError) in try unsafe fillRandom(output) }
        }
        return try unsafe secret.withUnsafeBytes { (key) throws(KeyError) in
            try unsafe [UInt8](count: nonce.count + plain.count + AESGCM.tagSize) { (output) throws(KeyError) in
                unsafe output.copyBytes(from: nonce)
                try unsafe AESGCM.seal(
                    plain, key: key, AESGCM.Context(vector: nonce),
                    into: UnsafeMutableRawBufferPointer(rebasing: output[nonce.count...]))
            }
        }
    }

    /// Decrypts with a private key, or with a symmetric one; with a public RSA key it undoes a raw signature.
    ///
    /// Throws `unsupportedAlgorithm`; `invalidLength` for what is too short or, by RSA alone, not of the modulus' size;
    /// `refused` for whatever else is wrong, and does not tell what: of PKCS#1 v1.5 that would reveal the text.
    package func decrypt(
        _ sealed: UnsafeRawBufferPointer, with algorithm: KeyAlgorithm
    ) throws(KeyError) -> SecretBytes {
        guard canDo(.decrypt, with: algorithm), case .encryption(let scheme) = algorithm.scheme else {
            throw .unsupportedAlgorithm
        }
        switch scheme {
        case .rsa(let padding): return try unsafe decryptRSA(sealed, padding)
        case .rsaSession(let hash): return try unsafe RSASession(hash: hash).decrypt(sealed, with: self)
        case .ecies(let exchange, let derivesVector):
            return try unsafe ECIES(exchange, derivesVector: derivesVector).decrypt(sealed, with: self)
        case .aesGCM: return try unsafe openSymmetric(sealed)
        }
    }

    internal func decryptRSA(
        _ sealed: UnsafeRawBufferPointer, _ padding: RSAEncryptionPadding
    ) throws(KeyError) -> SecretBytes {
        let operation = part == .public ? LLV_KEYS_RECOVER : LLV_KEYS_DECRYPT
        let plan = ContextPlan(
            operation: Int32(operation), padding: padding.number, hash: padding.hash)
        guard padding.isRaw else {
            guard sealed.count == blockSize else { throw .invalidLength }
            return try unsafe runSecretly(plan, sealed)
        }
        let isReversed = padding == .noneReversed
        let number = try unsafe RawNumber.padded(sealed, size: blockSize, isReversed: isReversed)
        let plain = try unsafe number.withUnsafeBytes { (number) throws(KeyError) in
            try unsafe runSecretly(plan, number)
        }
        return isReversed ? RawNumber.reversed(plain) : plain
    }

    private func runSecretly(
        _ plan: ContextPlan, _ input: UnsafeRawBufferPointer
    ) throws(KeyError) -> SecretBytes {
        let size = blockSize
        var count = size
        let whole = try unsafe handle().withContext(plan) { (context) throws(KeyError) in
            try unsafe SecretBytes(count: size) { (output) throws(KeyError) in
                let result = unsafe llv_keys_run(
                    context, plan.operation, output.baseAddress, &count, input.baseAddress, input.count)
                guard result == 1, count <= size else { throw .takeFromLibrary(as: .refused) }
            }
        }
        if count == size { return whole }
        return unsafe whole.withUnsafeBytes { bytes in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        }
    }

    private func openSymmetric(_ sealed: UnsafeRawBufferPointer) throws(KeyError) -> SecretBytes {
        guard case .symmetric(let secret) = material else { throw .unsupportedAlgorithm }
        guard sealed.count >= Self.nonceSize + AESGCM.tagSize else { throw .invalidLength }
        let context = unsafe AESGCM.Context(vector: Array(sealed.prefix(Self.nonceSize)))
        return try unsafe secret.withUnsafeBytes { (key) throws(KeyError) in
            try unsafe AESGCM.open(UnsafeRawBufferPointer(rebasing: sealed[Self.nonceSize...]), key: key, context)
        }
    }

    internal static let nonceSize = 12
}
