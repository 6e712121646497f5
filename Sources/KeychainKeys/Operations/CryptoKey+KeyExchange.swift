// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

extension CryptoKey {
    /// The secret this private key shares with another's public one, or what the algorithm derives from it.
    ///
    /// `requestedSize` and `sharedInfo` count only where something is derived. Throws `unsupportedAlgorithm`;
    /// `invalidParameter` when the other key is of another kind or size, or no public one; `missingParameter` without
    /// a requested size; `refused` for a public key that would give zeros with every private one.
    package func exchangeKeys(
        with other: CryptoKey, _ algorithm: KeyAlgorithm, requestedSize: Int? = nil, sharedInfo: [UInt8] = []
    ) throws(KeyError) -> SecretBytes {
        guard canDo(.keyExchange, with: algorithm), case .keyExchange(let scheme) = algorithm.scheme else {
            throw .unsupportedAlgorithm
        }
        guard other.part == .public else { throw .invalidParameter }
        guard let hash = scheme.derivation else { return try sharedSecret(with: other) }
        guard let requestedSize else { throw .missingParameter }
        return try X963.derive(sharedSecret(with: other), info: sharedInfo, hash, count: requestedSize)
    }

    /// The x coordinate of the shared point, or what X25519 and X448 give.
    internal func sharedSecret(with other: CryptoKey) throws(KeyError) -> SecretBytes {
        guard other.type == type, other.bits == bits, let publicBytes = other.publicRepresentation else {
            throw .invalidParameter
        }
        if case .holder(let holder) = material {
            let secret = try holder.sharedSecret(with: publicBytes)
            guard secret.count == blockSize else { throw .holder(0) }
            return secret
        }
        let theirs = try other.handle()
        let plan = ContextPlan(operation: Int32(LLV_KEYS_DERIVE))
        let size = blockSize
        let secret = try unsafe handle().withContext(plan) { (context) throws(KeyError) in
            try unsafe theirs.withUnsafePointer { (theirs) throws(KeyError) in
                try unsafe SecretBytes(count: size) { (output) throws(KeyError) in
                    var count = output.count
                    guard unsafe EVP_PKEY_derive_set_peer(context, theirs) == 1,
                        unsafe EVP_PKEY_derive(
                            context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1,
                        count == output.count
                    else { throw .takeFromLibrary(as: .refused) }
                }
            }
        }
        // OpenSSL refuses it as well; but that is a detail of the version, and this is the promise.
        guard !secret.isAllZero else { throw .refused }
        return secret
    }
}

/// The derivation of ANSI X9.63 (SEC 1 §3.6.1): digests of the secret, a counter and the shared information.
package enum X963 {
    /// Derives `count` bytes; throws `invalidParameter` outside the bounds.
    package static func derive(
        _ secret: borrowing SecretBytes, info: [UInt8], _ hash: HashFunction, count: Int
    ) throws(KeyError) -> SecretBytes {
        guard (1...largestOutput).contains(count), info.count <= largestInfo else { throw .invalidParameter }
        let kdf = try unsafe KeyLibrary.found(KeyLibrary.x963)
        return try unsafe secret.withUnsafeBytes { (secret) throws(KeyError) in
            try unsafe SecretBytes(count: count) { (output) throws(KeyError) in
                let result = unsafe llv_keys_x963(
                    kdf, hash.rawValue, secret.baseAddress, secret.count, info, info.count, output.baseAddress,
                    output.count)
                guard result == 1 else { throw .takeFromLibrary() }
            }
        }
    }

    // Far more than any key. The standard's own bounds are larger than memory.
    private static let largestOutput = 1 << 20
    private static let largestInfo = 1 << 20
}
