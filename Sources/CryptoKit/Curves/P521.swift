// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    public import LlaveroFoundation

    /// NIST's curve of 521 bits.
    public enum P521: NISTCurve {
        /// What messages are digested with before they are signed.
        public typealias MessageHash = SHA512
        /// The bits of its field.
        public static var fieldBits: Int { 521 }

        /// Keys that sign (ECDSA).
        public enum Signing {
            /// A private key.
            public struct PrivateKey: NISTSigningKey {
                /// What the key is.
                public let scalar: NISTPrivateScalar<P521>
                /// The key of a scalar.
                public init(scalar: NISTPrivateScalar<P521>) { self.scalar = scalar }
                /// Its public half.
                public typealias PublicKey = P521.Signing.PublicKey
            }

            /// A public key.
            public struct PublicKey: NISTVerifyingKey {
                /// What the key is.
                public let point: NISTPublicPoint<P521>
                /// The key of a point.
                public init(point: NISTPublicPoint<P521>) { self.point = point }
                /// What it checks.
                public typealias ECDSASignature = P521.Signing.ECDSASignature
            }

            /// A signature: two numbers of 66 bytes each.
            public struct ECDSASignature: NISTSignature {
                /// The curve.
                public typealias Curve = P521
                /// Both numbers, each at full size (RFC 4754).
                public let rawRepresentation: Data

                /// A signature of both numbers, each at full size.
                public init<D: DataProtocol>(rawRepresentation: D) throws {
                    guard rawRepresentation.count == 2 * P521.size else { throw CryptoKitError.incorrectParameterSize }
                    self.rawRepresentation = Data(rawRepresentation)
                }
            }
        }

        /// Keys that agree with others on a secret (ECDH).
        public enum KeyAgreement {
            /// A private key.
            public struct PrivateKey: NISTAgreeingKey {
                /// What the key is.
                public let scalar: NISTPrivateScalar<P521>
                /// The key of a scalar.
                public init(scalar: NISTPrivateScalar<P521>) { self.scalar = scalar }
                /// Its public half.
                public typealias PublicKey = P521.KeyAgreement.PublicKey
            }

            /// A public key.
            public struct PublicKey: NISTPublicKey {
                /// What the key is.
                public let point: NISTPublicPoint<P521>
                /// The key of a point.
                public init(point: NISTPublicPoint<P521>) { self.point = point }
            }
        }
    }
#endif
