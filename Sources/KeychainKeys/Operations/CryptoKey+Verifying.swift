// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel

extension CryptoKey {
    /// Whether `signature` is one of a message or digest, whichever the algorithm takes; false also when it is none.
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
                guard let sequence = unsafe ECDSASignature.sequence(signature, size: blockSize) else { return false }
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

    /// Every refusal is a no; only the lack of memory is none.
    private static func answer(_ result: Int32) throws(KeyError) -> Bool {
        if result == 1 { return true }
        guard KeyError.takeFromLibrary() != .outOfMemory else { throw .outOfMemory }
        return false
    }
}
