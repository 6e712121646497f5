// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainKeys
    public import LlaveroFoundation

    /// What mechanisms of key encapsulation have in common.
    public enum KEM {
        /// A secret, and what the other side makes the same one of.
        public struct EncapsulationResult: Sendable {
            /// What both sides share.
            public let sharedSecret: SymmetricKey
            /// What is sent to the other side.
            public let encapsulated: Data

            /// Both together.
            public init(sharedSecret: SymmetricKey, encapsulated: Data) {
                self.sharedSecret = sharedSecret
                self.encapsulated = encapsulated
            }
        }

        /// Why a private key could not be read.
        public enum Errors: Error, Sendable {
            /// The public key that was given with it is another one's.
            case publicKeyMismatchDuringInitialization
        }
    }

    /// A public key that secrets are encapsulated for.
    public protocol KEMPublicKey: Sendable {
        /// Makes a secret, and what only the private key makes the same one of.
        func encapsulate() throws -> KEM.EncapsulationResult
    }

    /// A private key that opens what was encapsulated for it.
    public protocol KEMPrivateKey: Sendable {
        /// The kind of its public half.
        associatedtype PublicKey: KEMPublicKey
        /// A new key.
        static func generate() throws -> Self
        /// The secret that was encapsulated.
        func decapsulate<D: DataProtocol>(_ encapsulated: D) throws -> SymmetricKey
        /// Its public half.
        var publicKey: PublicKey { get }
    }

    /// ML-KEM with the parameters 768 (FIPS 203).
    public enum MLKEM768: LatticeSet {
        /// Which set of parameters it is.
        public static var set: LatticeSetName { LatticeSetName(parameters: .mlkem768) }

        /// A public key: 1184 bytes.
        public struct PublicKey: LatticePublicKey, KEMPublicKey {
            /// What the key is.
            public let half: LatticePublicHalf<MLKEM768>
            /// The key of that.
            public init(half: LatticePublicHalf<MLKEM768>) { self.half = half }
        }

        /// A private key: a seed of 64 bytes.
        public struct PrivateKey: LatticePrivateKey, KEMPrivateKey {
            /// The kind of its public half.
            public typealias PublicKey = MLKEM768.PublicKey
            /// What the key is.
            public let half: LatticePrivateHalf<MLKEM768>
            /// The key of that.
            public init(half: LatticePrivateHalf<MLKEM768>) { self.half = half }
        }
    }

    /// ML-KEM with the parameters 1024 (FIPS 203).
    public enum MLKEM1024: LatticeSet {
        /// Which set of parameters it is.
        public static var set: LatticeSetName { LatticeSetName(parameters: .mlkem1024) }

        /// A public key: 1568 bytes.
        public struct PublicKey: LatticePublicKey, KEMPublicKey {
            /// What the key is.
            public let half: LatticePublicHalf<MLKEM1024>
            /// The key of that.
            public init(half: LatticePublicHalf<MLKEM1024>) { self.half = half }
        }

        /// A private key: a seed of 64 bytes.
        public struct PrivateKey: LatticePrivateKey, KEMPrivateKey {
            /// The kind of its public half.
            public typealias PublicKey = MLKEM1024.PublicKey
            /// What the key is.
            public let half: LatticePrivateHalf<MLKEM1024>
            /// The key of that.
            public init(half: LatticePrivateHalf<MLKEM1024>) { self.half = half }
        }
    }

    extension KEMPublicKey where Self: LatticePublicKey {
        /// Makes a secret of 32 bytes, and what only the private key makes the same one of.
        public func encapsulate() throws -> KEM.EncapsulationResult {
            let (secret, encapsulated) = try performing { () throws(KeyError) in try half.key.encapsulate() }
            return KEM.EncapsulationResult(
                sharedSecret: SymmetricKey(secret: secret), encapsulated: Data(encapsulated))
        }
    }

    extension KEMPrivateKey where Self: LatticePrivateKey {
        /// A new key; throws where OpenSSL is older than 3.5.
        public static func generate() throws -> Self { try Self() }

        /// The secret that was encapsulated for this key.
        ///
        /// Of what was changed on the way it is another one, not an error; throws for a wrong number of bytes.
        public func decapsulate<D: DataProtocol>(_ encapsulated: D) throws -> SymmetricKey {
            let secret = try unsafe encapsulated.lendingAll { bytes in
                try performing { () throws(KeyError) in try unsafe half.key.decapsulate(bytes) }
            }
            return SymmetricKey(secret: secret)
        }
    }
#endif
