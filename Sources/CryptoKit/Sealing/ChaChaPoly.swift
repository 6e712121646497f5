// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    internal import KeychainModel
    public import LlaveroFoundation

    /// ChaCha20-Poly1305 (RFC 8439), with a key of 32 bytes, a nonce of 12, and a tag of 16.
    public enum ChaChaPoly {
        /// The number that is used once under a key.
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            let bytes: [UInt8]

            /// A random one, of 12 bytes.
            public init() { bytes = RandomNonce.bytes() }

            /// One of these bytes, 12.
            public init<D: DataProtocol>(data: D) throws {
                guard data.count == RandomNonce.size else { throw CryptoKitError.incorrectParameterSize }
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
            /// All of it in a row.
            public var combined: Data { Data(nonce.bytes + sealed) }

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
                    try Nonce(data: bytes.prefix(RandomNonce.size)), sealed: Array(bytes.dropFirst(RandomNonce.size)))
            }
        }

        /// Seals a message, with bytes that are not in the box and that opening it takes too.
        ///
        /// A nonce that was used before under the same key gives both messages away: leave it out, and it is random.
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> SealedBox {
            guard key.secret.count == ChaCha20Poly1305.keySize else { throw CryptoKitError.incorrectKeySize }
            let nonce = nonce ?? Nonce()
            let context = AESGCM.Context(vector: nonce.bytes, additional: authenticatedData.publicBytes)
            let sealed = try unsafe message.lendingAll { plain in
                try performing { () throws(KeyError) in
                    try unsafe [UInt8](count: plain.count + AESGCM.tagSize) { (output) throws(KeyError) in
                        try unsafe key.secret.withUnsafeBytes { (key) throws(KeyError) in
                            try unsafe ChaCha20Poly1305.seal(plain, key: key, context, into: output)
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
            guard key.secret.count == ChaCha20Poly1305.keySize else { throw CryptoKitError.incorrectKeySize }
            let context = AESGCM.Context(vector: sealedBox.nonce.bytes, additional: authenticatedData.publicBytes)
            return try unsafe sealedBox.sealed.lendingAll { sealed in
                try performing(refused: .authenticationFailure) { () throws(KeyError) in
                    try unsafe key.secret.withUnsafeBytes { (key) throws(KeyError) in
                        Data(giving: try unsafe ChaCha20Poly1305.open(sealed, key: key, context))
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
#endif
