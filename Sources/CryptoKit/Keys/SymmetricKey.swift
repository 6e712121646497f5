// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    internal import KeychainModel
    public import LlaveroFoundation

    // Ordinary memory, like every key that a program holds: it survives a fork.
    /// A key that both sides have, in memory that is wiped with the last reference.
    ///
    /// Two are compared in a time that depends on their sizes alone. Printing one shows nothing of it.
    public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
        let secret: SecretValue

        init(secret: SecretValue) { self.secret = secret }

        /// A key of these bytes.
        public init<D: ContiguousBytes>(data: D) {
            secret = unsafe data.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        }

        /// A random key.
        public init(size: SymmetricKeySize) {
            let count = size.bitCount / 8
            do throws(CryptoError) {
                secret = try unsafe SecretValue(count: count) { (output) throws(CryptoError) in
                    try unsafe fillRandom(output)
                }
            } catch {
                // Without randomness there is no key, and no way to say so.
                preconditionFailure("making a key failed: \(error)")
            }
        }

        /// Its size in bits.
        public var bitCount: Int { secret.count * 8 }

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe secret.withUnsafeBytes(body)
        }

        /// Whether both are the same bytes.
        public static func == (lhs: SymmetricKey, rhs: SymmetricKey) -> Bool {
            lhs.secret.isEqualInConstantTime(to: rhs.secret)
        }
    }

    extension SymmetricKey: CustomStringConvertible, CustomReflectable {
        /// Its size, and nothing of its bytes.
        public var description: String { "SymmetricKey(\(bitCount) bits)" }
        /// Shows nothing of what it holds.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }

    /// The size of a ``SymmetricKey``.
    public struct SymmetricKeySize: Sendable {
        /// The size in bits.
        public let bitCount: Int

        /// 128 bits.
        public static var bits128: SymmetricKeySize { SymmetricKeySize(bitCount: 128) }
        /// 192 bits.
        public static var bits192: SymmetricKeySize { SymmetricKeySize(bitCount: 192) }
        /// 256 bits.
        public static var bits256: SymmetricKeySize { SymmetricKeySize(bitCount: 256) }

        /// A size in bits, a multiple of 8 that is not 0.
        public init(bitCount: Int) {
            precondition(bitCount > 0 && bitCount % 8 == 0, "the size of a key is a number of whole bytes")
            self.bitCount = bitCount
        }
    }

    /// What a private key and another's public key agree on: to derive keys from, not to use as one.
    ///
    /// Printing one shows nothing of it.
    public struct SharedSecret: ContiguousBytes, Hashable, Sendable {
        let secret: SecretValue

        init(secret: SecretValue) { self.secret = secret }

        /// A secret of the same bytes; the caller wipes its own.
        init(copying bytes: Data) { secret = bytes.secretCopy() }

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe secret.withUnsafeBytes(body)
        }

        /// Whether both are the same bytes.
        public static func == (lhs: SharedSecret, rhs: SharedSecret) -> Bool {
            lhs.secret.isEqualInConstantTime(to: rhs.secret)
        }

        /// Whether these are its bytes.
        public static func == <D: DataProtocol>(lhs: SharedSecret, rhs: D) -> Bool {
            lhs.secret.isEqualInConstantTime(to: rhs.secretCopy())
        }

        /// Mixes the bytes into a hash.
        public func hash(into hasher: inout Hasher) {
            unsafe secret.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        }

        /// A key derived by ``HKDF``.
        public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SI: DataProtocol>(
            using hashFunction: H.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
        ) -> SymmetricKey {
            HKDF<H>.deriveKey(
                inputKeyMaterial: SymmetricKey(secret: secret), salt: salt, info: sharedInfo,
                outputByteCount: outputByteCount)
        }

        /// A key derived as ANSI X9.63 has it.
        public func x963DerivedSymmetricKey<H: HashFunction, SI: DataProtocol>(
            using hashFunction: H.Type, sharedInfo: SI, outputByteCount: Int
        ) -> SymmetricKey {
            let info = sharedInfo.publicBytes
            return performingAlways("deriving a key") { () throws(KeyError) in
                let own = unsafe secret.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
                let key = try X963.derive(own, info: info, H.library.function, count: outputByteCount)
                return SymmetricKey(secret: SecretValue(copying: key))
            }
        }
    }

    extension SharedSecret: CustomStringConvertible, CustomReflectable {
        /// Nothing of its bytes.
        public var description: String { "SharedSecret(redacted)" }
        /// Shows nothing of what it holds.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }
#endif
