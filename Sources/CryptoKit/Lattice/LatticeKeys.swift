// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    internal import KeychainModel
    public import LlaveroFoundation

    // Keys of four sets of parameters are eight types that do the same. What they do stands here; MLKEM.swift and
    // MLDSA.swift only name them. They cannot be one generic type: programs extend each of them by protocols of their own.

    /// A set of parameters of ML-KEM or ML-DSA, by which keys of different sets are of different types.
    public protocol LatticeSet: Sendable {
        /// Which one it is.
        static var set: LatticeSetName { get }
    }

    /// The name of a set of parameters; only this module can make one.
    public struct LatticeSetName: Sendable {
        let parameters: LatticeParameters
    }

    /// A public key of a set; only this module can make one of nothing but a key's bytes.
    public struct LatticePublicHalf<Parameters: LatticeSet>: Sendable {
        let key: CryptoKey
    }

    /// A private key of a set; only this module can make one of nothing but a seed.
    public struct LatticePrivateHalf<Parameters: LatticeSet>: Sendable {
        let key: CryptoKey
        let seed: SecretValue
    }

    /// A public key of ML-KEM or ML-DSA.
    public protocol LatticePublicKey: Sendable {
        /// Its parameters.
        associatedtype Parameters: LatticeSet
        /// What the key is.
        var half: LatticePublicHalf<Parameters> { get }
        /// The key of that.
        init(half: LatticePublicHalf<Parameters>)
    }

    extension LatticePublicKey {
        /// A key of its bytes, as FIPS 203 or 204 encodes it.
        public init<D: DataProtocol>(rawRepresentation data: D) throws {
            let parameters = Parameters.set.parameters
            let key = try unsafe data.lendingAll { bytes in
                guard bytes.count == parameters.publicSize else { throw CryptoKitError.incorrectKeySize }
                return try performing { () throws(KeyError) in
                    try unsafe CryptoKey(parameters.type, .public, representation: bytes)
                }
            }
            self.init(half: LatticePublicHalf(key: key))
        }

        /// Its bytes, as FIPS 203 or 204 encodes it.
        public var rawRepresentation: Data { Data(half.key.publicRepresentation ?? []) }
    }

    /// A private key of ML-KEM or ML-DSA, which is its seed.
    public protocol LatticePrivateKey: Sendable {
        /// The kind of its public half.
        associatedtype PublicKey: LatticePublicKey
        /// What the key is.
        var half: LatticePrivateHalf<PublicKey.Parameters> { get }
        /// The key of that.
        init(half: LatticePrivateHalf<PublicKey.Parameters>)
    }

    extension LatticePrivateKey {
        private static var parameters: LatticeParameters { PublicKey.Parameters.set.parameters }

        /// A new key; throws where OpenSSL is older than 3.5.
        public init() throws {
            let parameters = Self.parameters
            let (key, seed) = try performing { () throws(KeyError) in
                let key = try CryptoKey.generate(parameters.type, bits: parameters.bits)
                return (key, SecretValue(copying: try key.seed()))
            }
            self.init(half: LatticePrivateHalf(key: key, seed: seed))
        }

        /// A key of its seed; throws when a public key is given that is not its own.
        public init<D: DataProtocol>(seedRepresentation data: D, publicKey: PublicKey?) throws {
            try self.init(seed: data.secretCopy()) { key in
                publicKey.map { $0.half.key.publicRepresentation == key.publicRepresentation } ?? true
            }
        }

        /// A key of its seed and, behind that, the SHA3-256 of its public key; throws when that is another one's.
        public init<D: DataProtocol>(integrityCheckedRepresentation data: D) throws {
            let size = Self.parameters.seedSize
            let whole = data.secretCopy()
            guard whole.count == size + 32 else { throw CryptoKitError.incorrectKeySize }
            let (seed, checksum) = unsafe whole.withUnsafeBytes { bytes in
                let seed = unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
                return (seed, unsafe Array(bytes.dropFirst(size)))
            }
            try self.init(seed: seed) { key in
                try performing { () throws(KeyError) in try key.publicKeyChecksum() } == checksum
            }
        }

        private init(seed: SecretValue, isWanted: (CryptoKey) throws -> Bool) throws {
            let parameters = Self.parameters
            guard seed.count == parameters.seedSize else { throw CryptoKitError.incorrectKeySize }
            let key = try performing { () throws(KeyError) in
                try unsafe seed.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(parameters, seed: bytes)
                }
            }
            guard try isWanted(key) else {
                if parameters.type == .mlkem { throw KEM.Errors.publicKeyMismatchDuringInitialization }
                throw CryptoKitError.invalidParameter
            }
            self.init(half: LatticePrivateHalf(key: key, seed: seed))
        }

        /// Its seed, 64 bytes of ML-KEM and 32 of ML-DSA; the caller keeps it secret, and wipes it.
        public var seedRepresentation: Data { unsafe half.seed.withUnsafeBytes { bytes in unsafe Data(bytes) } }

        /// Its seed and, behind that, the SHA3-256 of its public key; the caller keeps it secret, and wipes it.
        public var integrityCheckedRepresentation: Data {
            let checksum = performingAlways("a digest") { () throws(KeyError) in try half.key.publicKeyChecksum() }
            return seedRepresentation + checksum
        }

        /// Its public half.
        public var publicKey: PublicKey {
            let key = performingAlways("reading a key") { () throws(KeyError) in try half.key.publicKey() }
            return PublicKey(half: LatticePublicHalf(key: key))
        }
    }
#endif
