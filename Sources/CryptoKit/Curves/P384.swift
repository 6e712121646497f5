// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    public import LlaveroFoundation

    /// NIST's curve of 384 bits.
    public enum P384: NISTCurve {
        /// What messages are digested with before they are signed.
        public typealias MessageHash = SHA384
        /// The bits of its field.
        public static var fieldBits: Int { 384 }

        /// Keys that sign (ECDSA).
        public enum Signing {
            /// A private key.
            public struct PrivateKey: NISTSigningKey {
                /// What the key is.
                public let scalar: NISTPrivateScalar<P384>
                /// The key of a scalar.
                public init(scalar: NISTPrivateScalar<P384>) { self.scalar = scalar }
                /// Its public half.
                public typealias PublicKey = P384.Signing.PublicKey
            }

            /// A public key.
            public struct PublicKey: NISTVerifyingKey {
                /// What the key is.
                public let point: NISTPublicPoint<P384>
                /// The key of a point.
                public init(point: NISTPublicPoint<P384>) { self.point = point }
                /// What it checks.
                public typealias ECDSASignature = P384.Signing.ECDSASignature
            }

            /// A signature: two numbers of 48 bytes each.
            public struct ECDSASignature: NISTSignature {
                /// The curve.
                public typealias Curve = P384
                /// Both numbers, each at full size (RFC 4754).
                public let rawRepresentation: Data

                /// A signature of both numbers, each at full size.
                public init<D: DataProtocol>(rawRepresentation: D) throws {
                    guard rawRepresentation.count == 2 * P384.size else { throw CryptoKitError.incorrectParameterSize }
                    self.rawRepresentation = Data(rawRepresentation)
                }
            }
        }

        /// Keys that agree with others on a secret (ECDH).
        public enum KeyAgreement {
            /// A private key.
            public struct PrivateKey: NISTAgreeingKey {
                /// What the key is.
                public let scalar: NISTPrivateScalar<P384>
                /// The key of a scalar.
                public init(scalar: NISTPrivateScalar<P384>) { self.scalar = scalar }
                /// Its public half.
                public typealias PublicKey = P384.KeyAgreement.PublicKey
            }

            /// A public key.
            public struct PublicKey: NISTPublicKey {
                /// What the key is.
                public let point: NISTPublicPoint<P384>
                /// The key of a point.
                public init(point: NISTPublicPoint<P384>) { self.point = point }
            }
        }
    }
#endif
