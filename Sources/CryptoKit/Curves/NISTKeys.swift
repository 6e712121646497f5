// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    internal import KeychainModel
    internal import KeychainSystem
    public import LlaveroFoundation

    /// A public key on one of NIST's curves.
    public protocol NISTPublicKey: Sendable {
        /// The curve.
        associatedtype Curve: NISTCurve
        /// What the key is.
        var point: NISTPublicPoint<Curve> { get }
        /// The key of a point.
        init(point: NISTPublicPoint<Curve>)
    }

    extension NISTPublicKey {
        /// A key of x and y, each at full size.
        public init<D: ContiguousBytes>(rawRepresentation data: D) throws {
            self.init(point: try NISTPublicPoint(x963: [4] + data.publicBytes))
        }

        /// A key of 04, x and y (ANSI X9.63).
        public init<D: ContiguousBytes>(x963Representation data: D) throws {
            self.init(point: try NISTPublicPoint(x963: data.publicBytes))
        }

        /// A key of 02 or 03, and x.
        public init<D: ContiguousBytes>(compressedRepresentation data: D) throws {
            self.init(point: try NISTPublicPoint(compressed: data.publicBytes))
        }

        /// A key of x alone: of its two points it is the one with the smaller y.
        public init<D: ContiguousBytes>(compactRepresentation data: D) throws {
            self.init(point: try NISTPublicPoint(compact: data.publicBytes))
        }

        /// A key of a SubjectPublicKeyInfo in DER.
        public init<Bytes: RandomAccessCollection>(derRepresentation bytes: Bytes) throws where Bytes.Element == UInt8 {
            self.init(point: try NISTPublicPoint(der: Array(bytes)))
        }

        /// A key of a block of PEM, "PUBLIC KEY".
        public init(pemRepresentation text: String) throws {
            self.init(point: try NISTPublicPoint(pem: text))
        }

        /// x and y, each at full size.
        public var rawRepresentation: Data { Data(point.raw) }
        /// 04, x and y (ANSI X9.63).
        public var x963Representation: Data { Data(point.x963) }
        /// 02 or 03, and x.
        public var compressedRepresentation: Data { Data(point.compressed) }
        /// x alone; nil where y is the larger of the two that x has.
        public var compactRepresentation: Data? { point.isCompact ? Data(point.x) : nil }
        /// The SubjectPublicKeyInfo in DER.
        public var derRepresentation: Data { Data(point.der) }
        /// A block of PEM, "PUBLIC KEY".
        public var pemRepresentation: String { PEMText.text("PUBLIC KEY", derRepresentation) }
    }

    /// A private key on one of NIST's curves.
    public protocol NISTPrivateKey: Sendable {
        /// Its public half.
        associatedtype PublicKey: NISTPublicKey
        /// What the key is.
        var scalar: NISTPrivateScalar<PublicKey.Curve> { get }
        /// The key of a scalar.
        init(scalar: NISTPrivateScalar<PublicKey.Curve>)
    }

    extension NISTPrivateKey {
        /// A new key; `compactRepresentable` when its public half is to have a compact form.
        public init(compactRepresentable: Bool = true) {
            self.init(scalar: NISTPrivateScalar(isCompact: compactRepresentable))
        }

        /// A key of its scalar, at full size.
        public init<Bytes: ContiguousBytes>(rawRepresentation data: Bytes) throws {
            self.init(scalar: try unsafe data.withUnsafeBytes { try unsafe NISTPrivateScalar(raw: $0) })
        }

        /// A key of 04, x, y and the scalar (ANSI X9.63), which have to belong together.
        public init<Bytes: ContiguousBytes>(x963Representation data: Bytes) throws {
            self.init(scalar: try unsafe data.withUnsafeBytes { try unsafe NISTPrivateScalar(x963: $0) })
        }

        /// A key of PKCS#8, or SEC 1, in DER.
        public init<Bytes: RandomAccessCollection>(derRepresentation bytes: Bytes) throws where Bytes.Element == UInt8 {
            let copy = SecretValue(copying: Array(bytes))
            self.init(scalar: try unsafe copy.withUnsafeBytes { try unsafe NISTPrivateScalar(der: $0) })
        }

        /// A key of a block of PEM, "PRIVATE KEY" or "EC PRIVATE KEY".
        public init(pemRepresentation text: String) throws {
            self.init(scalar: try NISTPrivateScalar(pem: text))
        }

        /// Its public half.
        public var publicKey: PublicKey { PublicKey(point: scalar.point) }
        /// The scalar, at full size; the caller keeps it secret, and wipes it.
        public var rawRepresentation: Data { scalar.raw }
        /// 04, x, y and the scalar (ANSI X9.63); the caller keeps it secret, and wipes it.
        public var x963Representation: Data { scalar.x963 }
        /// PKCS#8 in DER; the caller keeps it secret, and wipes it.
        public var derRepresentation: Data { scalar.der }
        /// A block of PEM, "PRIVATE KEY"; the caller keeps it secret.
        public var pemRepresentation: String { PEMText.text("PRIVATE KEY", derRepresentation) }
    }

    /// A private key that agrees with others on a secret.
    public protocol NISTAgreeingKey: NISTPrivateKey {}

    extension NISTAgreeingKey {
        /// What this key and the other's public key agree on.
        public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
            try scalar.key.sharedSecret(with: publicKeyShare.point.key)
        }
    }

    extension CryptoKey {
        /// What both agree on, with nothing derived from it.
        func sharedSecret(with other: CryptoKey) throws(CryptoKitError) -> SharedSecret {
            try performing { () throws(KeyError) in
                guard let algorithm = KeyAlgorithm("algid:keyexchange:ECDH") else { throw .unsupportedAlgorithm }
                return SharedSecret(secret: SecretValue(copying: try exchangeKeys(with: other, algorithm)))
            }
        }
    }

    /// A signature of ECDSA.
    public protocol NISTSignature: ContiguousBytes, Hashable, Sendable {
        /// The curve.
        associatedtype Curve: NISTCurve
        /// Both numbers, each at full size (RFC 4754).
        var rawRepresentation: Data { get }
        /// A signature of both numbers, each at full size.
        init<D: DataProtocol>(rawRepresentation: D) throws
    }

    extension NISTSignature {
        /// A signature of the DER of both numbers (X9.62).
        public init<D: DataProtocol>(derRepresentation: D) throws {
            let bytes = derRepresentation.publicBytes
            guard let both = try? ECDSASignatureCoding.fixed(bytes, size: Curve.size) else {
                throw CryptoKitASN1Error.invalidASN1Object
            }
            try self.init(rawRepresentation: both)
        }

        /// The DER of both numbers (X9.62).
        public var derRepresentation: Data {
            unsafe rawRepresentation.withUnsafeBytes { bytes in
                Data(unsafe ECDSASignatureCoding.sequence(bytes, size: Curve.size) ?? [])
            }
        }

        /// Lends both numbers, each at full size.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe rawRepresentation.withUnsafeBytes(body)
        }
    }

    /// A private key that signs.
    public protocol NISTSigningKey: NISTPrivateKey where PublicKey: NISTVerifyingKey {}

    extension NISTSigningKey {
        /// Signs a message, which is digested first.
        public func signature<D: DataProtocol>(for data: D) throws -> PublicKey.ECDSASignature {
            try signature(for: PublicKey.Curve.MessageHash.hash(data: data))
        }

        /// Signs a digest, of which as many leftmost bits count as the curve has.
        public func signature<D: Digest>(for digest: D) throws -> PublicKey.ECDSASignature {
            let bytes = digest.publicBytes
            let signature = try performing { () throws(KeyError) in
                try unsafe bytes.lendingBytes { (bytes) throws(KeyError) in
                    try unsafe scalar.key.sign(bytes, with: .fixedECDSA())
                }
            }
            return try PublicKey.ECDSASignature(rawRepresentation: signature)
        }
    }

    /// A public key that checks signatures.
    public protocol NISTVerifyingKey: NISTPublicKey {
        /// What it checks.
        associatedtype ECDSASignature: NISTSignature where ECDSASignature.Curve == Curve
    }

    extension NISTVerifyingKey {
        /// Whether it is a signature of the message.
        public func isValidSignature<D: DataProtocol>(_ signature: ECDSASignature, for data: D) -> Bool {
            isValidSignature(signature, for: Curve.MessageHash.hash(data: data))
        }

        /// Whether it is a signature of the digest.
        public func isValidSignature<D: Digest>(_ signature: ECDSASignature, for digest: D) -> Bool {
            let bytes = digest.publicBytes
            let isValid = try? performing { () throws(KeyError) in
                try unsafe signature.publicBytes.lendingBytes { (signature) throws(KeyError) in
                    try unsafe bytes.lendingBytes { (bytes) throws(KeyError) in
                        try unsafe point.key.verify(signature, of: bytes, with: .fixedECDSA())
                    }
                }
            }
            return isValid ?? false
        }
    }

    extension KeyAlgorithm {
        /// ECDSA of a digest of any size, both numbers at full size.
        static func fixedECDSA() throws(KeyError) -> KeyAlgorithm {
            guard let algorithm = KeyAlgorithm("algid:sign:ECDSA:digest-RFC4754") else { throw .unsupportedAlgorithm }
            return algorithm
        }
    }
#endif
