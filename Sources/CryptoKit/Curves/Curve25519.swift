// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    internal import KeychainModel
    internal import KeychainSystem
    public import LlaveroFoundation

    /// The curve of 255 bits: Ed25519 signs (RFC 8032), X25519 agrees (RFC 7748).
    public enum Curve25519 {
        /// Keys that sign.
        public enum Signing {
            /// A private key: 32 bytes.
            public struct PrivateKey: Sendable {
                let key: CryptoKey

                /// A new key.
                public init() { key = .made(.ed25519) }

                /// A key of its 32 bytes.
                public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
                    key = try .read(.ed25519, .private, data)
                }

                /// Its public half.
                public var publicKey: PublicKey { PublicKey(key: key.publicHalf) }
                /// Its 32 bytes; the caller keeps them secret, and wipes them.
                public var rawRepresentation: Data { key.givenBytes }

                /// The 64 bytes of the one signature that the key gives a message.
                public func signature<D: DataProtocol>(for data: D) throws -> Data {
                    try unsafe data.lendingAll { message in
                        try performing { () throws(KeyError) in
                            Data(try unsafe key.sign(message, with: .ed25519()))
                        }
                    }
                }
            }

            /// A public key: 32 bytes.
            public struct PublicKey: Sendable {
                let key: CryptoKey

                init(key: CryptoKey) { self.key = key }

                /// A key of its 32 bytes.
                public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
                    key = try .read(.ed25519, .public, data)
                }

                /// Its 32 bytes.
                public var rawRepresentation: Data { Data(key.publicRepresentation ?? []) }

                /// Whether it is a signature of the message.
                public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
                    unsafe data.lendingAll { message in
                        unsafe signature.lendingAll { signature in
                            let isValid = try? performing { () throws(KeyError) in
                                try unsafe key.verify(signature, of: message, with: .ed25519())
                            }
                            return isValid ?? false
                        }
                    }
                }
            }
        }

        /// Keys that agree with others on a secret.
        public enum KeyAgreement {
            /// A private key: 32 bytes.
            public struct PrivateKey: Sendable {
                let key: CryptoKey

                /// A new key.
                public init() { key = .made(.x25519) }

                /// A key of its 32 bytes.
                public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
                    key = try .read(.x25519, .private, data)
                }

                /// Its public half.
                public var publicKey: PublicKey { PublicKey(key: key.publicHalf) }
                /// Its 32 bytes; the caller keeps them secret, and wipes them.
                public var rawRepresentation: Data { key.givenBytes }

                /// What this key and the other's public key agree on; throws for one that gives zeros with every key.
                public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                    try key.sharedSecret(with: publicKeyShare.key)
                }
            }

            /// A public key: 32 bytes.
            public struct PublicKey: Sendable {
                let key: CryptoKey

                init(key: CryptoKey) { self.key = key }

                /// A key of its 32 bytes.
                public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
                    key = try .read(.x25519, .public, data)
                }

                /// Its 32 bytes.
                public var rawRepresentation: Data { Data(key.publicRepresentation ?? []) }
            }
        }
    }

    extension CryptoKey {
        fileprivate static func made(_ type: KeyType) -> CryptoKey {
            performingAlways("making a key") { () throws(KeyError) in try generate(type, bits: type.onlyBits ?? 0) }
        }

        fileprivate static func read(
            _ type: KeyType, _ part: KeyPart, _ data: some ContiguousBytes
        ) throws -> CryptoKey {
            try unsafe data.withUnsafeBytes { bytes in
                guard bytes.count == 32 else { throw CryptoKitError.incorrectKeySize }
                return try performing { () throws(KeyError) in
                    try unsafe CryptoKey(type, part, representation: bytes)
                }
            }
        }

        fileprivate var publicHalf: CryptoKey {
            performingAlways("reading a key") { () throws(KeyError) in try publicKey() }
        }

        fileprivate var givenBytes: Data {
            performingAlways("writing a key") { () throws(KeyError) in Data(giving: try representation()) }
        }
    }

    extension KeyAlgorithm {
        fileprivate static func ed25519() throws(KeyError) -> KeyAlgorithm {
            guard let algorithm = KeyAlgorithm("algid:sign:EdDSA:message-Curve25519:SHA512") else {
                throw .unsupportedAlgorithm
            }
            return algorithm
        }
    }
#endif
