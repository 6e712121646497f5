// SPDX-License-Identifier: Apache-2.0

/// Which keys take part in which algorithm (semantics §11.3).
extension CryptoKey {
    /// What `SecKeyIsAlgorithmSupported` answers.
    ///
    /// As upstream: verifying with a private RSA key is said to be supported, though it fails; a public one decrypts,
    /// but only without padding. An algorithm that a modulus has no room for is not supported.
    package func isSupported(_ algorithm: KeyAlgorithm, for operation: KeyOperation) -> Bool {
        if type == .rsa, part == .private, operation == .verify, case .signature(let scheme) = algorithm.scheme {
            return canUse(scheme)
        }
        return canDo(operation, with: algorithm)
    }

    /// Whether the operation succeeds for some input.
    internal func canDo(_ operation: KeyOperation, with algorithm: KeyAlgorithm) -> Bool {
        guard algorithm.isFor(operation) else { return false }
        switch algorithm.scheme {
        case .signature(let scheme): return canUse(scheme) && part == (operation == .sign ? .private : .public)
        case .encryption(let scheme): return canUse(scheme, for: operation)
        case .keyExchange(let scheme): return part == .private && canUse(scheme)
        case .unavailable: return false
        }
    }

    private func canUse(_ scheme: SignatureScheme) -> Bool {
        switch scheme {
        case .rsa(let padding, let input): type == .rsa && padding.hasRoom(in: bits, for: input)
        case .ecdsa: type == .ec
        case .edwards(let curve): type == curve
        }
    }

    private func canUse(_ scheme: EncryptionScheme, for operation: KeyOperation) -> Bool {
        let isUsualPart = part == (operation == .encrypt ? .public : .private)
        switch scheme {
        case .rsa(.none), .rsa(.noneReversed): return type == .rsa && (isUsualPart || part == .public)
        case .rsa(let padding): return type == .rsa && isUsualPart && padding.largestInput(bits: bits) >= 0
        case .rsaSession(let hash): return type == .rsa && isUsualPart && RSASession(hash: hash).hasRoom(in: bits)
        case .ecies: return type == .ec && isUsualPart
        case .aesGCM: return type == .aes
        }
    }

    private func canUse(_ scheme: KeyExchangeScheme) -> Bool {
        switch type {
        case .ec: true
        // Their function multiplies by the cofactor always: there is no variant of it.
        case .x25519, .x448: !scheme.usesCofactor
        case .rsa, .ed25519, .ed448, .aes: false
        }
    }
}
