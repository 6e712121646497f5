// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys

/// A signature of a message that is always the same; the first byte of the input chooses the key and the algorithm.
internal enum SignatureFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var input = FuzzInput(bytes)
        guard FixedUse.signatures.count == 12 else { throw BrokenPromise("the fixtures are there") }
        let use = input.pick(FixedUse.signatures)
        let signature = input.all()
        guard let key = try? use.key.publicKey() else { throw BrokenPromise("a private key has a public half") }
        guard let isValid = verify(signature, key, use.algorithm) else {
            throw BrokenPromise("every signature is one or is none")
        }
        guard isValid else { return .refused }
        try promise(verify(signature + [0], key, use.algorithm) == false, "nothing may follow a signature")
        try promise(verify(signature.dropLast(), key, use.algorithm) == false, "nothing of a signature may be missing")
        try promise(isCanonical(signature, use), "a number in a signature is written one way")
        return .accepted
    }

    private static func verify(_ signature: [UInt8], _ key: CryptoKey, _ algorithm: KeyAlgorithm) -> Bool? {
        FixedKeys.message.withUnsafeBytes { message in
            signature.withUnsafeBytes { try? key.verify($0, of: message, with: algorithm) }
        }
    }

    /// Whether a signature has its one size, or is DER to the letter.
    private static func isCanonical(_ signature: [UInt8], _ use: FixedUse) -> Bool {
        let size = use.key.blockSize
        switch use.algorithm.scheme {
        case .signature(.rsa): return signature.count == size
        case .signature(.edwards), .signature(.ecdsa(.rfc4754, _)): return signature.count == 2 * size
        case .signature(.ecdsa(.x962, _)): return isSequenceOfTwoNumbers(signature, size)
        default: return false
        }
    }

    private static func isSequenceOfTwoNumbers(_ signature: [UInt8], _ size: Int) -> Bool {
        var header = FuzzInput(signature)
        guard header.byte() == 0x30 else { return false }
        var length = header.byte()
        if length == 0x81 {
            length = header.byte()
            guard length >= 0x80 else { return false }
        } else if length >= 0x80 {
            return false
        }
        guard header.rest.count == Int(length) else { return false }
        for _ in 0..<2 {
            guard header.byte() == 0x02 else { return false }
            let number = header.bytes(Int(header.byte()))
            guard let first = number.first, first < 0x80, number.count <= size + 1, number != [0] else { return false }
            if first == 0, number[1] < 0x80 { return false }
        }
        return header.isAtEnd
    }
}
