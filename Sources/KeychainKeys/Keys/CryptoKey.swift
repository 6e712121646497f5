// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
package import KeychainModel

/// A key of any kind: public, private or symmetric, in this process or held elsewhere.
///
/// It can be used by many threads at once, and goes on working in a forked child. Printing one shows nothing of it.
// Sendable: nothing in it changes; what LibraryHandle and DeferredKey keep for the next operation is behind a lock.
package final class CryptoKey: Sendable {
    package let type: KeyType
    package let part: KeyPart
    /// The bits of the modulus, of the curve's field, or of the AES key; of ML-KEM and ML-DSA the number in their name.
    package let bits: Int
    /// The external bytes of the public half; nil of a symmetric key.
    package let publicRepresentation: [UInt8]?
    internal let material: Material

    internal enum Material: Sendable {
        case library(LibraryHandle)
        case holder(any KeyHolder)
        // Ordinary memory, as the keys OpenSSL holds: what a program asked for survives a fork.
        case symmetric(SecretValue)
        /// Out of an item, and read by OpenSSL when it is first used.
        case deferred(DeferredKey)
        /// Its keeper does everything; here is only what is known of it.
        case elsewhere
    }

    internal init(
        _ type: KeyType, _ part: KeyPart, bits: Int, publicRepresentation: [UInt8]?, material: Material
    ) {
        self.type = type
        self.part = part
        self.bits = bits
        self.publicRepresentation = publicRepresentation
        self.material = material
    }

    /// A private EC key whose private half `holder` keeps; `publicKey` is 04, x, y.
    ///
    /// Throws `malformed` when that is no point of a curve.
    package convenience init(heldBy holder: any KeyHolder, publicKey: [UInt8]) throws(KeyError) {
        let other = try CryptoKey(.ec, .public, representation: publicKey)
        self.init(.ec, .private, bits: other.bits, publicRepresentation: publicKey, material: .holder(holder))
    }

    /// A key that its keeper uses for us: what is known of it, which is enough to say what it can do.
    package convenience init(elsewhere outline: KeyOutline) {
        self.init(
            outline.type, outline.part, bits: outline.bits, publicRepresentation: outline.publicRepresentation,
            material: .elsewhere)
    }

    /// Whether the private half is kept elsewhere.
    package var isHeldElsewhere: Bool {
        switch material {
        case .holder, .elsewhere: true
        case .library, .symmetric, .deferred: false
        }
    }

    /// What `SecKeyGetBlockSize` says: the bytes of a modulus, a coordinate, an AES block; of ML-KEM and ML-DSA those
    /// of the part itself.
    package var blockSize: Int {
        switch type {
        case .aes: 16
        case .rsa, .ec: (bits + 7) / 8
        case .ed25519, .x25519, .ed448, .x448: type.rawSize ?? 0
        case .mlkem, .mldsa:
            (part == .public ? latticeParameters?.publicSize : latticeParameters?.privateSize) ?? 0
        }
    }

    /// SHA-1 of the public half's external bytes, the same for both halves; of a symmetric key something derived from it
    /// that tells nothing about it, or nil when it is not here.
    package func applicationLabel() throws(KeyError) -> [UInt8]? {
        guard let publicRepresentation else { return try symmetricLabel() }
        return try KeyError.translating { () throws(CryptoError) in
            try unsafe publicRepresentation.lendingBytes { (bytes) throws(CryptoError) in
                try unsafe Digest.sha1(bytes)
            }
        }
    }

    private func symmetricLabel() throws(KeyError) -> [UInt8]? {
        guard case .symmetric(let secret) = material else { return nil }
        do throws(CryptoError) {
            return try unsafe [UInt8](count: Self.labelSize) { (label) throws(CryptoError) in
                try unsafe secret.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: key, salt: [], info: Array("llavero application label".utf8), into: label)
                }
            }
        } catch {
            // A key of zeros is a test; it has no label.
            if error == .zeroKey { return nil }
            throw KeyError(error)
        }
    }

    private static let labelSize = 20

    /// The public half; throws `unsupportedKey` for a symmetric key.
    package func publicKey() throws(KeyError) -> CryptoKey {
        if part == .public { return self }
        guard let publicRepresentation else { throw .unsupportedKey }
        return try CryptoKey(type, .public, representation: publicRepresentation)
    }

    /// Whether both are the same part of the same key.
    ///
    /// Private halves are the same when their public ones are; symmetric keys are compared in constant time, and one that
    /// is not here is equal to none.
    package func isEqual(to other: CryptoKey) -> Bool {
        guard type == other.type, part == other.part, publicRepresentation == other.publicRepresentation else {
            return false
        }
        guard part == .symmetric else { return true }
        guard case .symmetric(let mine) = material, case .symmetric(let theirs) = other.material else { return false }
        return mine.isEqualInConstantTime(to: theirs)
    }

    /// OpenSSL's key; throws `unsupportedAlgorithm` when there is none, which `canDo` has excluded.
    internal func handle() throws(KeyError) -> LibraryHandle {
        switch material {
        case .library(let handle): return handle
        case .deferred(let key): return try key.handle()
        case .holder, .symmetric, .elsewhere: throw .unsupportedAlgorithm
        }
    }
}

extension CryptoKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "CryptoKey(\(type), \(part), \(bits) bits)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

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
        case .mldsa: type == .mldsa
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
        case .rsa, .ed25519, .ed448, .mlkem, .mldsa, .aes: false
        }
    }
}

extension CryptoKey {
    /// Makes a private key, or a symmetric one.
    ///
    /// A large RSA key takes seconds to minutes, during which `goesOn` is asked again and again; when it says no, this
    /// throws. Throws `unsupportedKey` for a size that `KeyType.allows` does not, and `notOffered`.
    package static func generate(
        _ type: KeyType, bits: Int, goesOn: () -> Bool = { true }
    ) throws(KeyError) -> CryptoKey {
        guard type.allows(bits: bits) else { throw .unsupportedKey }
        switch type {
        case .rsa: return try generateRSA(bits: bits, goesOn)
        case .ec: return try generateEC(bits: bits)
        case .ed25519, .x25519, .ed448, .x448: return try generateRaw(type, bits: bits)
        case .mlkem, .mldsa: return try generateLattice(type, bits: bits)
        case .aes:
            let secret = try KeyError.translating { () throws(CryptoError) in
                try unsafe SecretValue(count: bits / 8) { (output) throws(CryptoError) in try unsafe fillRandom(output)
                }
            }
            return CryptoKey(.aes, .symmetric, bits: bits, publicRepresentation: nil, material: .symmetric(secret))
        }
    }

    private static func generateRSA(bits: Int, _ goesOn: () -> Bool) throws(KeyError) -> CryptoKey {
        // The library hands a pointer to what it asks; it is used until the function returns, and no longer.
        let made = withoutActuallyEscaping(goesOn) { goesOn in
            var question = ProgressQuestion(goesOn: goesOn)
            return unsafe withUnsafeMutablePointer(to: &question) { question in
                unsafe llv_keys_generate_rsa(KeyLibrary.context, bits, question) { question in
                    let goesOn = unsafe question?.assumingMemoryBound(to: ProgressQuestion.self).pointee.goesOn()
                    return goesOn == false ? 0 : 1
                }
            }
        }
        let handle = try unsafe LibraryHandle(made)
        let publicBytes = try handle.rsaPublicKey()
        return CryptoKey(
            .rsa, .private, bits: bits, publicRepresentation: publicBytes, material: .library(handle))
    }

    private static func generateEC(bits: Int) throws(KeyError) -> CryptoKey {
        guard let curve = Curve(bits: bits) else { throw .unsupportedKey }
        let handle = try unsafe LibraryHandle(llv_keys_generate_ec(KeyLibrary.context, Int32(bits)))
        let point = try unsafe handle.withUnsafePointer { (key) throws(KeyError) in
            try unsafe [UInt8](count: curve.pointSize) { (output) throws(KeyError) in
                guard unsafe llv_keys_ec_point(key, output.baseAddress, output.count) == 1 else {
                    throw .takeFromLibrary()
                }
            }
        }
        return CryptoKey(.ec, .private, bits: bits, publicRepresentation: point, material: .library(handle))
    }

    private static func generateRaw(_ type: KeyType, bits: Int) throws(KeyError) -> CryptoKey {
        guard let size = type.rawSize else { throw .unsupportedKey }
        let handle = try unsafe LibraryHandle(llv_keys_generate_raw(KeyLibrary.context, Int32(type.rawValue)))
        let publicBytes = try handle.rawPublicKey(size: size)
        return CryptoKey(type, .private, bits: bits, publicRepresentation: publicBytes, material: .library(handle))
    }
}

private struct ProgressQuestion {
    let goesOn: () -> Bool
}

/// Who keeps the private half of an EC key and does the two things only it can do: an enclave, or an engine.
///
/// Everything around them, digests, encodings, derivations and AES, is done as for any other key.
/// Calls may come from any thread. Throws `KeyError.holder` with a number of its own.
package protocol KeyHolder: Sendable {
    /// An ECDSA signature (DER, X9.62) of a digest of any size, of which the leftmost bits count.
    func signature(ofDigest digest: [UInt8]) throws(KeyError) -> [UInt8]

    /// The x coordinate of the point shared with another's public key (04, x, y), which is on the curve.
    func sharedSecret(with publicKey: [UInt8]) throws(KeyError) -> SecretBytes
}
