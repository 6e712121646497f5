// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    public import LlaveroFoundation

    /// NIST's curve of 256 bits.
    public enum P256: NISTCurve {
        /// What messages are digested with before they are signed.
        public typealias MessageHash = SHA256
        /// The bits of its field.
        public static var fieldBits: Int { 256 }

        /// Keys that sign (ECDSA).
        public enum Signing {
            /// A private key.
            public struct PrivateKey: NISTSigningKey {
                /// What the key is.
                public let scalar: NISTPrivateScalar<P256>
                /// The key of a scalar.
                public init(scalar: NISTPrivateScalar<P256>) { self.scalar = scalar }
                /// Its public half.
                public typealias PublicKey = P256.Signing.PublicKey
            }

            /// A public key.
            public struct PublicKey: NISTVerifyingKey {
                /// What the key is.
                public let point: NISTPublicPoint<P256>
                /// The key of a point.
                public init(point: NISTPublicPoint<P256>) { self.point = point }
                /// What it checks.
                public typealias ECDSASignature = P256.Signing.ECDSASignature
            }

            /// A signature: two numbers of 32 bytes each.
            public struct ECDSASignature: NISTSignature {
                /// The curve.
                public typealias Curve = P256
                /// Both numbers, each at full size (RFC 4754).
                public let rawRepresentation: Data

                /// A signature of both numbers, each at full size.
                public init<D: DataProtocol>(rawRepresentation: D) throws {
                    guard rawRepresentation.count == 2 * P256.size else { throw CryptoKitError.incorrectParameterSize }
                    self.rawRepresentation = Data(rawRepresentation)
                }
            }
        }

        /// Keys that agree with others on a secret (ECDH).
        public enum KeyAgreement {
            /// A private key.
            public struct PrivateKey: NISTAgreeingKey {
                /// What the key is.
                public let scalar: NISTPrivateScalar<P256>
                /// The key of a scalar.
                public init(scalar: NISTPrivateScalar<P256>) { self.scalar = scalar }
                /// Its public half.
                public typealias PublicKey = P256.KeyAgreement.PublicKey
            }

            /// A public key.
            public struct PublicKey: NISTPublicKey {
                /// What the key is.
                public let point: NISTPublicPoint<P256>
                /// The key of a point.
                public init(point: NISTPublicPoint<P256>) { self.point = point }
            }
        }
    }
#endif
