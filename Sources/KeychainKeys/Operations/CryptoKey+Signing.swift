// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel

extension CryptoKey {
    /// A signature of a message or digest, whichever the algorithm takes.
    ///
    /// Throws `unsupportedAlgorithm`; `invalidLength` for a digest of another size, or one too large for the modulus;
    /// `invalidParameter` for a raw number that is not below it.
    package func sign(
        _ data: UnsafeRawBufferPointer, with algorithm: KeyAlgorithm
    ) throws(KeyError) -> [UInt8] {
        guard canDo(.sign, with: algorithm), case .signature(let scheme) = algorithm.scheme else {
            throw .unsupportedAlgorithm
        }
        switch scheme {
        case .rsa(let padding, let input):
            return try unsafe input.withSignedBytes(data) { (bytes) throws(KeyError) in
                try unsafe signRSA(bytes, padding, input.hash)
            }
        case .ecdsa(let encoding, let input):
            let signature = try unsafe input.withSignedBytes(data) { (bytes) throws(KeyError) in
                try unsafe signECDSA(bytes)
            }
            return encoding == .x962 ? signature : try ECDSASignature.fixed(signature, size: blockSize)
        case .edwards:
            return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
                // 64 bytes, or 114: twice the key.
                try unsafe output(atMost: 2 * blockSize) { (output, count) in
                    unsafe llv_keys_edwards_sign(
                        KeyLibrary.context, key, output, &count, data.baseAddress, data.count)
                }
            }
        }
    }

    private func signECDSA(_ digest: UnsafeRawBufferPointer) throws(KeyError) -> [UInt8] {
        if case .holder(let holder) = material { return try unsafe holder.signature(ofDigest: Array(digest)) }
        let plan = ContextPlan(operation: Int32(LLV_KEYS_SIGN))
        return try unsafe handle().withContext(plan) { (context) throws(KeyError) in
            // A sequence of two numbers: with every tag, length and sign at most 9 bytes more than they.
            try unsafe output(atMost: 2 * blockSize + 9) { (output, count) in
                unsafe llv_keys_run(context, plan.operation, output, &count, digest.baseAddress, digest.count)
            }
        }
    }

    private func signRSA(
        _ bytes: UnsafeRawBufferPointer, _ padding: RSASignaturePadding, _ hash: HashFunction?
    ) throws(KeyError) -> [UInt8] {
        guard padding.takes(bytes.count, bits: bits, hash) else { throw .invalidLength }
        let plan = ContextPlan(operation: Int32(LLV_KEYS_SIGN), padding: padding.number, hash: hash)
        switch padding {
        case .pkcs1, .pss:
            return try unsafe handle().withContext(plan) { (context) throws(KeyError) in
                try unsafe output(atMost: blockSize) { (output, count) in
                    unsafe llv_keys_run(context, plan.operation, output, &count, bytes.baseAddress, bytes.count)
                }
            }
        case .none, .noneReversed:
            let isReversed = padding == .noneReversed
            let number = try unsafe RawNumber.padded(bytes, size: blockSize, isReversed: isReversed)
            let signature = try unsafe number.withUnsafeBytes { (number) throws(KeyError) in
                try unsafe handle().withContext(plan) { (context) throws(KeyError) in
                    try unsafe output(atMost: blockSize, orThrow: .invalidParameter) { (output, count) in
                        unsafe llv_keys_run(context, plan.operation, output, &count, number.baseAddress, number.count)
                    }
                }
            }
            return isReversed ? RawNumber.reversed(signature) : signature
        }
    }

    /// What `call` writes into so many bytes at most, and says how many; it returns 1 on success.
    internal func output(
        atMost size: Int, orThrow error: KeyError? = nil,
        _ call: (UnsafeMutableRawPointer?, inout Int) -> Int32
    ) throws(KeyError) -> [UInt8] {
        var count = size
        var bytes = try unsafe [UInt8](count: size) { (output) throws(KeyError) in
            guard unsafe call(output.baseAddress, &count) == 1, count <= size else {
                if let error { throw .takeFromLibrary(as: error) }
                throw .takeFromLibrary()
            }
        }
        if count < size { bytes.removeLast(size - count) }
        return bytes
    }
}

extension SignedInput {
    /// The digest's function, when it is known.
    internal var hash: HashFunction? {
        switch self {
        case .message(let hash), .digest(let hash): hash
        case .any: nil
        }
    }

    /// Lends what is signed of `data`: its digest, or itself.
    internal func withSignedBytes<Result>(
        _ data: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        switch self {
        case .message(let hash): return try unsafe hash.digest(of: data).lendingBytes(body)
        case .digest(let hash):
            guard data.count == hash.size else { throw .invalidLength }
            return try unsafe body(data)
        case .any: return try unsafe body(data)
        }
    }
}
