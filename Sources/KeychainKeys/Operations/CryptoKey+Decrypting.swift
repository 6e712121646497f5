// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

extension CryptoKey {
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
}
