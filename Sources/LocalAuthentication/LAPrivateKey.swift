// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation
public import Security

// Sendable: it never changes.
/// The key that a right opens: it signs and agrees, and stays in the enclave.
public final class LAPrivateKey: NSObject, @unchecked Sendable {
    private let right: LAPersistedRight

    init(_ right: LAPersistedRight) {
        self.right = right
        super.init()
    }

    /// The public half, which nobody has to be asked for.
    public var publicKey: LAPublicKey { LAPublicKey(right) }

    /// Signs.
    public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await unsafe KeyWork.run(right) { key, error in
            unsafe SecKeyCreateSignature(key, algorithm, data as CFData, error)
        }
    }

    /// Whether it signs so.
    public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { KeyWork.can(right, .sign, algorithm) }

    /// Decrypts.
    public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await unsafe KeyWork.run(right) { key, error in
            unsafe SecKeyCreateDecryptedData(key, algorithm, data as CFData, error)
        }
    }

    /// Whether it decrypts so.
    public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { KeyWork.can(right, .decrypt, algorithm) }

    /// Agrees on a secret with the other side's public key, in its external form.
    ///
    /// The parameters are those of `SecKeyCopyKeyExchangeResult`: `SecKeyKeyExchangeParameter.requestedSize` and
    /// `sharedInfo`.
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any] = [:]
    ) async throws -> Data {
        try await exchangeKeys(publicKey: publicKey, algorithm: algorithm, terms: KeyExchangeTerms(parameters))
    }

    func exchangeKeys(publicKey: Data, algorithm: SecKeyAlgorithm, terms: KeyExchangeTerms) async throws -> Data {
        try await unsafe KeyWork.run(right) { key, error in
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            guard let other = unsafe SecKeyCreateWithData(publicKey as CFData, attributes as CFDictionary, error)
            else { return nil }
            return unsafe SecKeyCopyKeyExchangeResult(key, algorithm, other, terms.parameters, error)
        }
    }

    /// Whether it agrees so.
    public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
        KeyWork.can(right, .keyExchange, algorithm)
    }
}

// Sendable: the dictionary is a copy that nobody changes.
/// What is said about an exchange, on its way to another thread.
struct KeyExchangeTerms: @unchecked Sendable {
    let parameters: NSDictionary

    init(_ parameters: [AnyHashable: Any]) { self.parameters = NSDictionary(dictionary: parameters) }
}

// Sendable: it never changes.
/// The public half of a right's key.
public final class LAPublicKey: NSObject, @unchecked Sendable {
    private let right: LAPersistedRight

    init(_ right: LAPersistedRight) {
        self.right = right
        super.init()
    }

    /// Its external form.
    public var bytes: Data {
        get async throws {
            try await unsafe KeyWork.runPublic(right) { key, error in
                unsafe SecKeyCopyExternalRepresentation(key, error)
            }
        }
    }

    /// Encrypts.
    public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await unsafe KeyWork.runPublic(right) { key, error in
            unsafe SecKeyCreateEncryptedData(key, algorithm, data as CFData, error)
        }
    }

    /// Whether it encrypts so.
    public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
        KeyWork.can(right, .encrypt, algorithm, isPublic: true)
    }

    /// Throws unless the signature is the key's.
    public func verify(_ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm) async throws {
        _ = try await unsafe KeyWork.runPublic(right) { key, error in
            unsafe SecKeyVerifySignature(key, algorithm, signedData as CFData, signature as CFData, error)
                ? NSData() : nil
        }
    }

    /// Whether it verifies so.
    public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
        KeyWork.can(right, .verify, algorithm, isPublic: true)
    }
}

/// What is done with a right's key, on a thread of its own: it may wait for a person.
private enum KeyWork {
    typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>
    typealias Work = @Sendable (SecKey, ErrorPointer) -> CFData?

    static func run(_ right: LAPersistedRight, _ work: @escaping Work) async throws -> Data {
        let key = try StoredRight(right).key()
        return try await waiting { try unsafe perform(key, work) }
    }

    static func runPublic(_ right: LAPersistedRight, _ work: @escaping Work) async throws -> Data {
        let key = try publicHalf(right)
        return try await waiting { try unsafe perform(key, work) }
    }

    static func can(
        _ right: LAPersistedRight, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm,
        isPublic: Bool = false
    ) -> Bool {
        guard let key = try? isPublic ? publicHalf(right) : StoredRight(right).key() else { return false }
        return SecKeyIsAlgorithmSupported(key, operation, algorithm)
    }

    private static func publicHalf(_ right: LAPersistedRight) throws -> SecKey {
        guard let half = SecKeyCopyPublicKey(try StoredRight(right).key()) else {
            throw LAError(.invalidContext, explanation: "the key has no public half")
        }
        return half
    }

    private static func perform(_ key: SecKey, _ work: Work) throws -> Data {
        var error: Unmanaged<CFError>?
        guard let result = unsafe work(key, &error) else {
            throw unsafe error?.takeRetainedValue()
                ?? NSError(domain: NSOSStatusErrorDomain, code: Int(errSecVerifyFailed))
        }
        return result as Data
    }

    private static func waiting(_ body: @escaping @Sendable () throws -> Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            OwnThread.run {
                continuation.resume(with: Result { try body() })
            } orElse: { error in
                continuation.resume(throwing: LAError(error))
            }
        }
    }
}
