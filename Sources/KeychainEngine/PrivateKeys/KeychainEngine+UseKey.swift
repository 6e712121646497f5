// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainKeys
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

/// Keys whose bytes stay here.
extension KeychainEngine {
    /// Does with a key what only the keychain can do with it; what comes back of a private operation is the result alone.
    package func useKey(_ request: UseKeyRequest, from caller: Caller) throws(KeychainError) -> SecretValue {
        let authorized = try Authorization.authorize(request, from: caller)
        switch request.key {
        case .loose(let loose):
            let key = EnclaveKey(publicKey: loose.publicKey, blob: loose.blob)
            return try use(try enclaveKey(key), for: request.task)
        case .stored(_, let publicKey):
            let task = request.task
            let stored = try meetingDemands(request.authentication, of: caller) { (shown) throws(KeychainError) in
                var demand: Demand?
                let stored = try reading(caller) { (lane) throws(StoreError) in
                    try KeychainEngine.catching(&demand) { () throws(StoreError) in
                        try lane.key(authorized, shown.secrets) { task.operation(under: $0, isInEnclave: $1) }
                    }
                }
                return try MetResult(stored, demand)
            }
            if case .release = request.task {
                try stored.terms.checkWrappedExport()
            } else if let operation = request.task.operation {
                try stored.terms.check(operation)
            }
            let ready = try cryptoKey(stored)
            guard ready.key.publicRepresentation == publicKey else {
                throw KeychainError(
                    .itemNotFound, "the item of this reference has another key by now", subject: "v_Ref")
            }
            return try use(ready, for: request.task)
        }
    }

    /// A key that is ready for use, and who explains what goes wrong with it.
    private struct ReadyKey {
        let key: CryptoKey
        let explain: (KeyError) -> KeychainError
    }

    private func cryptoKey(_ stored: StoredKey) throws(KeychainError) -> ReadyKey {
        guard let secret = stored.secret else { throw KeychainError(.parameter, "the item has no key in it") }
        if stored.isInEnclave {
            guard let key = unsafe secret.withUnsafeBytes({ bytes in unsafe EnclaveKeyCoding.decode(bytes) }) else {
                throw KeychainError(EnclaveError.foreignKey, of: .software)
            }
            return try enclaveKey(key)
        }
        guard let type = stored.type, let part = stored.part else { throw KeychainError(KeyError.unsupportedKey) }
        do throws(KeyError) {
            return ReadyKey(key: try CryptoKey(type, part, ofItem: secret), explain: { KeychainError($0) })
        } catch { throw KeychainError(error) }
    }

    private func enclaveKey(_ key: EnclaveKey) throws(KeychainError) -> ReadyKey {
        let holder = EnclaveKeyHolder(try enclaveInUse(), key)
        do throws(KeyError) {
            let key = try CryptoKey(heldBy: holder, publicKey: key.publicKey)
            return ReadyKey(key: key, explain: { holder.explanation(of: $0) })
        } catch { throw KeychainError(error) }
    }

    /// The enclave of the keys in hand, without waiting for whoever writes.
    func enclaveInUse() throws(KeychainError) -> any Enclave {
        let header = try read { (lane) throws(StoreError) in lane.keybag.keys.header }
        return try enclave(of: header).enclave
    }

    private func use(_ ready: ReadyKey, for task: UseKeyRequest.Task) throws(KeychainError) -> SecretValue {
        guard let name = task.algorithm else {
            do throws(KeyError) { return SecretValue(copying: try ready.key.representation()) } catch {
                throw ready.explain(error)
            }
        }
        guard let algorithm = KeyAlgorithm(name) else {
            throw KeychainError(.parameter, "there is no algorithm of this name")
        }
        do throws(KeyError) { return try perform(task, algorithm, with: ready.key) } catch {
            throw ready.explain(error)
        }
    }

    private func perform(
        _ task: UseKeyRequest.Task, _ algorithm: KeyAlgorithm, with key: CryptoKey
    ) throws(KeyError) -> SecretValue {
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
        // It has no algorithm.
        case .release: throw .unsupportedAlgorithm
        }
    }
}

extension UseKeyRequest.Task {
    /// What an access control has to allow for this.
    fileprivate func operation(under control: AccessControl, isInEnclave: Bool) -> ProtectedOperation {
        guard isInEnclave || control.isForEnclave else { return .decrypt }
        switch self {
        case .sign: return .sign
        case .encrypt, .decrypt, .exchange: return .computeKey
        case .release: return .decrypt
        }
    }

    /// nil for what no operation is.
    fileprivate var operation: KeyOperation? {
        switch self {
        case .sign: .sign
        case .encrypt: .encrypt
        case .decrypt: .decrypt
        case .exchange: .keyExchange
        case .release: nil
        }
    }

    /// nil for what has none.
    fileprivate var algorithm: String? {
        switch self {
        case .sign(_, let algorithm), .encrypt(_, let algorithm), .decrypt(_, let algorithm),
            .exchange(_, let algorithm, _, _):
            algorithm
        case .release: nil
        }
    }
}
