// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

/// A key that is ready for use, and who explains what goes wrong with it.
struct ReadyKey {
    private let key: CryptoKey
    /// nil for a key whose bytes are here.
    private let holder: EnclaveKeyHolder?

    var publicRepresentation: [UInt8]? { key.publicRepresentation }

    /// A key whose bytes are an item's secret.
    init(_ type: KeyType, _ part: KeyPart, ofItem secret: SecretValue) throws(KeychainError) {
        key = try translating { () throws(KeyError) in try CryptoKey(type, part, ofItem: secret) }
        holder = nil
    }

    /// A key that stays in an enclave.
    init(_ enclaveKey: EnclaveKey, in enclave: any Enclave) throws(KeychainError) {
        let holder = EnclaveKeyHolder(enclave, enclaveKey)
        key = try translating { () throws(KeyError) in
            try CryptoKey(heldBy: holder, publicKey: enclaveKey.publicKey)
        }
        self.holder = holder
    }

    func perform(_ task: UseKeyRequest.Task) throws(KeychainError) -> SecretValue {
        let algorithm = try task.algorithm.map { (name) throws(KeychainError) in
            guard let algorithm = KeyAlgorithm(name) else {
                throw KeychainError(.parameter, "unknown algorithm")
            }
            return algorithm
        }
        do throws(KeyError) {
            guard let algorithm else { return SecretValue(copying: try key.representation()) }
            return try result(of: task, algorithm)
        } catch { throw holder?.explanation(of: error) ?? KeychainError(error) }
    }

    private func result(of task: UseKeyRequest.Task, _ algorithm: KeyAlgorithm) throws(KeyError) -> SecretValue {
        switch task {
        case .sign(let input, _):
            return try unsafe input.withUnsafeBytes { (input) throws(KeyError) in
                SecretValue(copying: try unsafe key.sign(input, with: algorithm))
            }
        case .encrypt(let input, _):
            return try unsafe input.withUnsafeBytes { (input) throws(KeyError) in
                SecretValue(copying: try unsafe key.encrypt(input, with: algorithm))
            }
        case .decrypt(let input, _):
            return try unsafe input.withUnsafeBytes { (input) throws(KeyError) in
                SecretValue(copying: try unsafe key.decrypt(input, with: algorithm))
            }
        case .exchange(let publicKey, _, let size, let sharedInfo):
            let other = try CryptoKey(key.type, .public, representation: publicKey)
            return SecretValue(
                copying: try key.exchangeKeys(with: other, algorithm, requestedSize: size, sharedInfo: sharedInfo))
        // They have no algorithm.
        case .release, .endorsementKey, .certify, .activate: throw .unsupportedAlgorithm
        }
    }
}

extension UseKeyRequest.Task {
    /// nil for what has none.
    fileprivate var algorithm: String? {
        switch self {
        case .sign(_, let algorithm), .encrypt(_, let algorithm), .decrypt(_, let algorithm),
            .exchange(_, let algorithm, _, _):
            algorithm
        case .release, .endorsementKey, .certify, .activate: nil
        }
    }
}

/// A key of an enclave's, for the module of keys: it asks, and the enclave does what only it can do.
private final class EnclaveKeyHolder: KeyHolder {
    private let enclave: any Enclave
    private let key: EnclaveKey
    /// What the enclave said when it last refused; the module of keys only passes on that something did.
    private let refusal = ForkSafeMutex<EnclaveError?>(nil)

    init(_ enclave: any Enclave, _ key: EnclaveKey) {
        self.enclave = enclave
        self.key = key
    }

    func signature(ofDigest digest: [UInt8]) throws(KeyError) -> [UInt8] {
        try noting { () throws(EnclaveError) in try enclave.signature(of: digest, with: key) }
    }

    func sharedSecret(with publicKey: [UInt8]) throws(KeyError) -> SecretBytes {
        try noting { () throws(EnclaveError) in try enclave.sharedSecret(of: key, with: publicKey) }
    }

    /// What a failed operation means, in the enclave's words where it was the enclave that failed.
    func explanation(of error: KeyError) -> KeychainError {
        guard case .holder = error, let refusal = refusal.withLock({ $0 }) else { return KeychainError(error) }
        return KeychainError(refusal, of: enclave.kind)
    }

    /// Keeps why the enclave refuses, and tells the module of keys only that it did.
    private func noting<Result: ~Copyable>(_ body: () throws(EnclaveError) -> Result) throws(KeyError) -> Result {
        do throws(EnclaveError) { return try body() } catch {
            refusal.withLock { $0 = error }
            throw .holder(0)
        }
    }
}
