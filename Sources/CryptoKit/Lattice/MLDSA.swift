// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainKeys
    public import LlaveroFoundation

    /// A set of parameters of ML-DSA.
    public protocol MLDSASet: LatticeSet {}

    /// ML-DSA with the parameters 65 (FIPS 204).
    public enum MLDSA65: MLDSASet {
        /// Which set of parameters it is.
        public static var set: LatticeSetName { LatticeSetName(parameters: .mldsa65) }

        /// A public key: 1952 bytes.
        public struct PublicKey: LatticePublicKey {
            /// What the key is.
            public let half: LatticePublicHalf<MLDSA65>
            /// The key of that.
            public init(half: LatticePublicHalf<MLDSA65>) { self.half = half }
        }

        /// A private key: a seed of 32 bytes, with signatures of 3309.
        public struct PrivateKey: LatticePrivateKey {
            /// The kind of its public half.
            public typealias PublicKey = MLDSA65.PublicKey
            /// What the key is.
            public let half: LatticePrivateHalf<MLDSA65>
            /// The key of that.
            public init(half: LatticePrivateHalf<MLDSA65>) { self.half = half }
        }
    }

    /// ML-DSA with the parameters 87 (FIPS 204).
    public enum MLDSA87: MLDSASet {
        /// Which set of parameters it is.
        public static var set: LatticeSetName { LatticeSetName(parameters: .mldsa87) }

        /// A public key: 2592 bytes.
        public struct PublicKey: LatticePublicKey {
            /// What the key is.
            public let half: LatticePublicHalf<MLDSA87>
            /// The key of that.
            public init(half: LatticePublicHalf<MLDSA87>) { self.half = half }
        }

        /// A private key: a seed of 32 bytes, with signatures of 4627.
        public struct PrivateKey: LatticePrivateKey {
            /// The kind of its public half.
            public typealias PublicKey = MLDSA87.PublicKey
            /// What the key is.
            public let half: LatticePrivateHalf<MLDSA87>
            /// The key of that.
            public init(half: LatticePrivateHalf<MLDSA87>) { self.half = half }
        }
    }

    extension LatticePrivateKey where PublicKey.Parameters: MLDSASet {
        /// A signature of a message; another one every time.
        public func signature<D: DataProtocol>(for data: D) throws -> Data { try signature(for: data, context: Data()) }

        /// A signature of a message that is valid with this context only; throws for one of more than 255 bytes.
        public func signature<D: DataProtocol, C: DataProtocol>(for data: D, context: C) throws -> Data {
            let context = context.publicBytes
            return try unsafe data.lendingAll { message in
                try performing { () throws(KeyError) in
                    Data(try unsafe half.key.signLattice(message, context: context))
                }
            }
        }
    }

    extension LatticePublicKey where Parameters: MLDSASet {
        /// Whether it is a signature of the message.
        public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
            isValidSignature(signature, for: data, context: Data())
        }

        /// Whether it is a signature of the message with this context.
        public func isValidSignature<S: DataProtocol, D: DataProtocol, C: DataProtocol>(
            _ signature: S, for data: D, context: C
        ) -> Bool {
            let context = context.publicBytes
            return unsafe data.lendingAll { message in
                unsafe signature.lendingAll { signature in
                    let isValid = try? performing { () throws(KeyError) in
                        try unsafe half.key.verifyLattice(signature, of: message, context: context)
                    }
                    return isValid ?? false
                }
            }
        }
    }
#endif
