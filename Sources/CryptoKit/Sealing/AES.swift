// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    internal import KeychainModel
    public import LlaveroFoundation

    /// What is made of AES.
    public enum AES {
        /// AES in Galois/Counter Mode, with a tag of 16 bytes.
        public enum GCM {
            /// The number that is used once under a key.
            public struct Nonce: ContiguousBytes, Sequence, Sendable {
                let bytes: [UInt8]

                /// A random one, of 12 bytes.
                public init() { bytes = RandomNonce.bytes() }

                /// One of these bytes, 12 or more.
                public init<D: DataProtocol>(data: D) throws {
                    guard data.count >= RandomNonce.size else { throw CryptoKitError.incorrectParameterSize }
                    bytes = data.publicBytes
                }

                /// Lends its bytes.
                public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                    try unsafe bytes.withUnsafeBytes(body)
                }

                /// The bytes one after the other.
                public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
            }

            /// What was sealed: the nonce, the ciphertext and the tag.
            public struct SealedBox: Sendable {
                /// The number that was used.
                public let nonce: Nonce
                let sealed: [UInt8]

                /// What was sealed, as many bytes as before.
                public var ciphertext: Data { Data(sealed.dropLast(AESGCM.tagSize)) }
                /// The 16 bytes that tell whether anything was changed.
                public var tag: Data { Data(sealed.suffix(AESGCM.tagSize)) }
                /// All of it in a row; nil when the nonce has another size than 12 bytes.
                public var combined: Data? { nonce.bytes.count == RandomNonce.size ? Data(nonce.bytes + sealed) : nil }

                init(_ nonce: Nonce, sealed: [UInt8]) {
                    self.nonce = nonce
                    self.sealed = sealed
                }

                /// A box of its parts; the tag has 16 bytes.
                public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {
                    guard tag.count == AESGCM.tagSize else { throw CryptoKitError.incorrectParameterSize }
                    self.init(nonce, sealed: ciphertext.publicBytes + tag.publicBytes)
                }

                /// A box of its parts in a row; the nonce has 12 bytes, the tag 16.
                public init<D: DataProtocol>(combined: D) throws {
                    guard combined.count >= RandomNonce.size + AESGCM.tagSize else {
                        throw CryptoKitError.incorrectParameterSize
                    }
                    let bytes = combined.publicBytes
                    self.init(
                        try Nonce(data: bytes.prefix(RandomNonce.size)),
                        sealed: Array(bytes.dropFirst(RandomNonce.size)))
                }
            }

            /// Seals a message, with bytes that are not in the box and that opening it takes too.
            ///
            /// A nonce that was used before under the same key gives both messages away: leave it out, and it is random.
            public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
                _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
                authenticating authenticatedData: AuthenticatedData
            ) throws -> SealedBox {
                guard [16, 24, 32].contains(key.secret.count) else { throw CryptoKitError.incorrectKeySize }
                let nonce = nonce ?? Nonce()
                let context = AESGCM.Context(vector: nonce.bytes, additional: authenticatedData.publicBytes)
                let sealed = try unsafe message.lendingAll { plain in
                    try performing { () throws(KeyError) in
                        try unsafe [UInt8](count: plain.count + AESGCM.tagSize) { (output) throws(KeyError) in
                            try unsafe key.secret.withUnsafeBytes { (key) throws(KeyError) in
                                try unsafe AESGCM.seal(plain, key: key, context, into: output)
                            }
                        }
                    }
                }
                return SealedBox(nonce, sealed: sealed)
            }

            /// Seals a message.
            public static func seal<Plaintext: DataProtocol>(
                _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
            ) throws -> SealedBox {
                try seal(message, using: key, nonce: nonce, authenticating: [])
            }

            /// Opens a box that was sealed with other bytes beside it.
            ///
            /// Throws ``CryptoKitError/authenticationFailure`` when anything was changed, or the key is another one.
            public static func open<AuthenticatedData: DataProtocol>(
                _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
            ) throws -> Data {
                guard [16, 24, 32].contains(key.secret.count) else { throw CryptoKitError.incorrectKeySize }
                let context = AESGCM.Context(vector: sealedBox.nonce.bytes, additional: authenticatedData.publicBytes)
                return try unsafe sealedBox.sealed.lendingAll { sealed in
                    try performing(refused: .authenticationFailure) { () throws(KeyError) in
                        try unsafe key.secret.withUnsafeBytes { (key) throws(KeyError) in
                            Data(giving: try unsafe AESGCM.open(sealed, key: key, context))
                        }
                    }
                }
            }

            /// Opens a box.
            ///
            /// Throws ``CryptoKitError/authenticationFailure`` when anything was changed, or the key is another one.
            public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
                try open(sealedBox, using: key, authenticating: [])
            }
        }

        /// Keys wrapped under other keys (RFC 3394).
        public enum KeyWrap {
            /// Wraps a key of 16 or more bytes, a multiple of 8.
            public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data {
                guard [16, 24, 32].contains(kek.secret.count) else { throw CryptoKitError.incorrectKeySize }
                do throws(KeyError) {
                    return try unsafe keyToWrap.secret.withUnsafeBytes { (key) throws(KeyError) in
                        try unsafe kek.secret.withUnsafeBytes { (kek) throws(KeyError) in
                            Data(try unsafe AESKeyWrap.wrap(key, under: kek))
                        }
                    }
                } catch { throw error == .invalidLength ? CryptoKitError.incorrectParameterSize : .wrapFailure }
            }

            /// Unwraps a key; throws ``CryptoKitError/unwrapFailure`` when it was changed, or wrapped under another key.
            public static func unwrap<WrappedKey: DataProtocol>(
                _ wrappedKey: WrappedKey, using kek: SymmetricKey
            ) throws -> SymmetricKey {
                guard [16, 24, 32].contains(kek.secret.count) else { throw CryptoKitError.incorrectKeySize }
                do throws(KeyError) {
                    return try unsafe wrappedKey.publicBytes.lendingBytes { (wrapped) throws(KeyError) in
                        try unsafe kek.secret.withUnsafeBytes { (kek) throws(KeyError) in
                            SymmetricKey(secret: try unsafe AESKeyWrap.unwrap(wrapped, under: kek))
                        }
                    }
                } catch { throw error == .invalidLength ? CryptoKitError.incorrectParameterSize : .unwrapFailure }
            }
        }
    }

    enum RandomNonce {
        static let size = 12

        static func bytes() -> [UInt8] {
            do throws(CryptoError) {
                return try unsafe [UInt8](count: size) { (output) throws(CryptoError) in try unsafe fillRandom(output) }
            } catch {
                // One that is not random could be used twice, and there is no way to say so.
                preconditionFailure("making a nonce failed: \(error)")
            }
        }
    }
#endif
