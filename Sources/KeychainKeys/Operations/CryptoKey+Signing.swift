// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCoding
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
            return encoding == .x962 ? signature : try ECDSASignatureCoding.fixed(signature, size: blockSize)
        case .edwards:
            return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
                // 64 bytes, or 114: twice the key.
                try unsafe output(atMost: 2 * blockSize) { (output, count) in
                    unsafe llv_keys_edwards_sign(
                        KeyLibrary.context, key, output, &count, data.baseAddress, data.count)
                }
            }
        case .mldsa: return try unsafe signLattice(data)
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

    /// Whether `signature` is one of a message or digest, whichever the algorithm takes; false also when it is malformed.
    ///
    /// Throws `unsupportedAlgorithm`, for every private key too, and `invalidLength` for a digest of another size.
    package func verify(
        _ signature: UnsafeRawBufferPointer, of data: UnsafeRawBufferPointer, with algorithm: KeyAlgorithm
    ) throws(KeyError) -> Bool {
        guard canDo(.verify, with: algorithm), case .signature(let scheme) = algorithm.scheme else {
            throw .unsupportedAlgorithm
        }
        switch scheme {
        case .rsa(let padding, let input):
            return try unsafe input.withSignedBytes(data) { (bytes) throws(KeyError) in
                try unsafe verifyRSA(signature, bytes, padding, input.hash)
            }
        case .ecdsa(let encoding, let input):
            return try unsafe input.withSignedBytes(data) { (bytes) throws(KeyError) in
                let plan = ContextPlan(operation: Int32(LLV_KEYS_VERIFY))
                if encoding == .x962 { return try unsafe verify(signature, bytes, plan) }
                guard let sequence = unsafe ECDSASignatureCoding.sequence(signature, size: blockSize) else {
                    return false
                }
                return try unsafe sequence.lendingBytes { (sequence) throws(KeyError) in
                    try unsafe verify(sequence, bytes, plan)
                }
            }
        case .edwards:
            return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
                try unsafe Self.answer(
                    llv_keys_edwards_verify(
                        KeyLibrary.context, key, signature.baseAddress, signature.count, data.baseAddress, data.count))
            }
        case .mldsa: return try unsafe verifyLattice(signature, of: data)
        }
    }

    private func verifyRSA(
        _ signature: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ padding: RSASignaturePadding,
        _ hash: HashFunction?
    ) throws(KeyError) -> Bool {
        guard padding.takes(bytes.count, bits: bits, hash) else { throw .invalidLength }
        let plan = ContextPlan(operation: Int32(LLV_KEYS_VERIFY), padding: padding.number, hash: hash)
        switch padding {
        case .pkcs1, .pss: return try unsafe verify(signature, bytes, plan)
        case .none, .noneReversed:
            let isReversed = padding == .noneReversed
            guard signature.count == (isReversed ? RawNumber.unitSize(blockSize) : blockSize) else { return false }
            let data = try unsafe RawNumber.padded(bytes, size: blockSize, isReversed: isReversed)
            // What is too large for the modulus is no signature.
            guard let number = try? unsafe RawNumber.padded(signature, size: blockSize, isReversed: isReversed) else {
                return false
            }
            return try unsafe data.withUnsafeBytes { (data) throws(KeyError) in
                try unsafe number.withUnsafeBytes { (number) throws(KeyError) in try unsafe verify(number, data, plan) }
            }
        }
    }

    private func verify(
        _ signature: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ plan: ContextPlan
    ) throws(KeyError) -> Bool {
        try unsafe handle().withContext(plan) { (context) throws(KeyError) in
            try unsafe Self.answer(
                llv_keys_verify(context, signature.baseAddress, signature.count, bytes.baseAddress, bytes.count))
        }
    }

    /// Every refusal means false; only a lack of memory is an error.
    internal static func answer(_ result: Int32) throws(KeyError) -> Bool {
        if result == 1 { return true }
        guard KeyError.takeFromLibrary() != .outOfMemory else { throw .outOfMemory }
        return false
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

/// The two ways to write an ECDSA signature: DER (X9.62), and both numbers at full size (RFC 4754).
package enum ECDSASignatureCoding {
    /// Both numbers, each `size` bytes; throws `malformed` when a number is larger, or the DER is malformed.
    package static func fixed(_ signature: [UInt8], size: Int) throws(KeyError) -> [UInt8] {
        try unsafe signature.lendingBytes { (bytes) throws(KeyError) in
            var outer = unsafe DERReader(unsafeBytes: bytes)
            guard var reader = outer.enter(DERTag.sequence), outer.isAtEnd, let r = reader.unsigned(),
                let s = reader.unsigned(), reader.isAtEnd, r.count <= size, s.count <= size
            else { throw .malformed }
            return unsafe [UInt8](repeating: 0, count: size - r.count) + bytes[r]
                + [UInt8](repeating: 0, count: size - s.count) + bytes[s]
        }
    }

    /// The DER of both numbers, each `size` bytes; nil when they take another number of bytes.
    package static func sequence(_ signature: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
        guard signature.count == 2 * size else { return nil }
        let (r, s) = unsafe (Array(signature.prefix(size)), Array(signature.suffix(size)))
        return DERWriter.sequence(DERWriter.unsigned(r), DERWriter.unsigned(s))
    }
}
