// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation
public import LocalAuthentication
public import Security

#if SwiftCrypto
    @_exported public import Crypto
#endif

/// Keys that the keychain's enclave makes and never gives away: a TPM 2.0, or a file that stands for one.
///
/// A program keeps such a key as its ``SecureEnclave/P256/Signing/PrivateKey/dataRepresentation``, which only the keychain that
/// made it can use.
public enum SecureEnclave {
    /// Whether the program's keychain can be opened, so that keys can be made.
    public static var isAvailable: Bool { OutsideSecKey.isAvailable }

    /// Keys on NIST's curve of 256 bits.
    public enum P256 {
        /// Keys that sign.
        public enum Signing {
            /// A private key of the enclave's.
            public struct PrivateKey: Sendable {
                private let kept: KeptEnclaveKey

                /// What it takes to use the key in this keychain, and nothing elsewhere.
                public var dataRepresentation: Data { kept.bytes }
                /// Its public half, which is an ordinary key.
                public let publicKey: NISTP256.Signing.PublicKey

                /// A new key.
                ///
                /// - Parameters:
                ///   - compactRepresentable: Whether its public half is to have a compact form.
                ///   - accessControl: What each use demands; without one the keychain has to be unlocked, and nobody is asked.
                ///   - authenticationContext: With what is shown to it, what is demanded is met, now and when the key is used.
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl? = nil,
                    authenticationContext: LAContext? = nil
                ) throws {
                    self = try PrivateKey(KeptEnclaveKey(compactRepresentable, accessControl, authenticationContext))
                }

                /// The key that was kept as these bytes.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    self = try PrivateKey(KeptEnclaveKey(dataRepresentation, authenticationContext))
                }

                private init(_ kept: KeptEnclaveKey) throws {
                    self.kept = kept
                    publicKey = try NISTP256.Signing.PublicKey(x963Representation: kept.publicKey())
                }

                /// Signs a message, which is digested with SHA-256 first.
                public func signature<D: DataProtocol>(for data: D) throws -> NISTP256.Signing.ECDSASignature {
                    try signature(for: SHA256.hash(data: data))
                }

                /// Signs a digest, of which as many leftmost bits count as the curve has.
                public func signature<D: Digest>(for digest: D) throws -> NISTP256.Signing.ECDSASignature {
                    let bytes = unsafe digest.withUnsafeBytes { bytes in unsafe Data(bytes) }
                    return try NISTP256.Signing.ECDSASignature(derRepresentation: kept.signature(of: bytes))
                }
            }
        }

        /// Keys that agree with others on a secret.
        public enum KeyAgreement {
            /// A private key of the enclave's.
            public struct PrivateKey: Sendable {
                private let kept: KeptEnclaveKey

                /// What it takes to use the key in this keychain, and nothing elsewhere.
                public var dataRepresentation: Data { kept.bytes }
                /// Its public half, which is an ordinary key.
                public let publicKey: NISTP256.KeyAgreement.PublicKey

                /// A new key.
                ///
                /// - Parameters:
                ///   - compactRepresentable: Whether its public half is to have a compact form.
                ///   - accessControl: What each use demands; without one the keychain has to be unlocked, and nobody is asked.
                ///   - authenticationContext: With what is shown to it, what is demanded is met, now and when the key is used.
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl? = nil,
                    authenticationContext: LAContext? = nil
                ) throws {
                    self = try PrivateKey(KeptEnclaveKey(compactRepresentable, accessControl, authenticationContext))
                }

                /// The key that was kept as these bytes.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    self = try PrivateKey(KeptEnclaveKey(dataRepresentation, authenticationContext))
                }

                private init(_ kept: KeptEnclaveKey) throws {
                    self.kept = kept
                    publicKey = try NISTP256.KeyAgreement.PublicKey(x963Representation: kept.publicKey())
                }

                /// What this key and the other's public key agree on.
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: NISTP256.KeyAgreement.PublicKey
                ) throws -> EnclaveSharedSecret {
                    try kept.sharedSecret(with: publicKeyShare.x963Representation)
                }
            }
        }
    }
}

#if SwiftCrypto
    /// NIST's curve of 256 bits, where ``SecureEnclave`` has a type of that name too.
    public typealias NISTP256 = Crypto.P256
#else
    /// NIST's curve of 256 bits, where ``SecureEnclave`` has a type of that name too.
    public typealias NISTP256 = CryptoKit.P256
    /// What keys of the enclave agree on: the same as all others.
    public typealias EnclaveSharedSecret = SharedSecret
#endif

/// A key of the enclave's and the bytes that it is kept as.
// Sendable: a SecKey never changes.
struct KeptEnclaveKey: Sendable {
    let bytes: Data
    private let key: SecKey

    init(_ isCompact: Bool, _ control: SecAccessControl?, _ context: LAContext?) throws {
        (key, bytes) = try OutsideSecKey.make(
            under: control ?? Self.usualControl(), isCompact: isCompact, context: context)
    }

    init(_ bytes: Data, _ context: LAContext?) throws {
        self.bytes = Data(bytes)
        key = try OutsideSecKey.read(bytes, context: context)
    }

    func publicKey() throws -> Data {
        guard let half = SecKeyCopyPublicKey(key) else { throw unsafe Self.refusal(nil) }
        return try unsafe Self.data { error in unsafe SecKeyCopyExternalRepresentation(half, error) }
    }

    func signature(of digest: Data) throws -> Data {
        try unsafe Self.data { error in
            unsafe SecKeyCreateSignature(key, .ecdsaSignatureDigestX962, digest as CFData, error)
        }
    }

    func sharedSecret(with publicKey: Data) throws -> EnclaveSharedSecret {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        let secret = try unsafe Self.data { error in
            guard let other = unsafe SecKeyCreateWithData(publicKey as CFData, attributes as CFDictionary, error) else {
                return nil
            }
            return unsafe SecKeyCopyKeyExchangeResult(
                key, .ecdhKeyExchangeStandard, other, NSDictionary(), error)
        }
        return EnclaveSharedSecret(copying: secret)
    }

    private static func usualControl() throws -> SecAccessControl {
        var error: Unmanaged<CFError>?
        let control = unsafe SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, &error)
        guard let control else { throw unsafe refusal(error) }
        return control
    }

    /// What a function of Security's gives, or its error: an `NSError` with a status.
    private static func data(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> CFData?) throws -> Data {
        var error: Unmanaged<CFError>?
        guard let data = unsafe body(&error) else { throw unsafe refusal(error) }
        return data as Data
    }

    private static func refusal(_ error: Unmanaged<CFError>?) -> any Error {
        unsafe error?.takeRetainedValue() ?? NSError(domain: NSOSStatusErrorDomain, code: Int(errSecInternal))
    }
}
