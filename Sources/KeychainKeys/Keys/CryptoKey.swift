// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// A key of any kind: public, private or symmetric, in this process or held elsewhere.
///
/// It can be used by many threads at once, and goes on working in a forked child. Printing one shows nothing of it.
// Sendable: nothing in it changes; what LibraryHandle and DeferredKey keep for the next operation is behind a lock.
package final class CryptoKey: Sendable {
    package let type: KeyType
    package let part: KeyPart
    /// The bits of the modulus, of the curve's field, or of the AES key.
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
        /// Whoever has it does everything; here is only what is known of it.
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

    /// A key that somebody else uses for us: what is known of it, which is enough to say what it can do.
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

    /// What `SecKeyGetBlockSize` says: the bytes of a modulus, a coordinate, an AES block.
    package var blockSize: Int {
        switch type {
        case .aes: 16
        case .rsa, .ec: (bits + 7) / 8
        case .ed25519, .x25519, .ed448, .x448: type.rawSize ?? 0
        }
    }

    /// SHA-1 of the public half's external bytes, the same for both halves; of a symmetric key something derived from it
    /// that tells nothing about it, or nil when it is not here.
    package func applicationLabel() throws(KeyError) -> [UInt8]? {
        guard let publicRepresentation else { return try symmetricLabel() }
        do throws(CryptoError) {
            return try unsafe publicRepresentation.lendingBytes { (bytes) throws(CryptoError) in
                try unsafe Digest.sha1(bytes)
            }
        } catch { throw KeyError(error) }
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
            // A key of zeros is somebody's test; it has no label.
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
