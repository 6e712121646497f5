// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainKeys
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

/// Keys that are made here, and used without their bytes leaving.
extension KeychainEngine {
    /// Makes a key and stores it, with its public half if that is wanted; both or none.
    ///
    /// An RSA key takes seconds, a large one minutes: it is made in turn with what others wait for, and given up when the
    /// caller is gone.
    package func generateKey(
        _ request: GenerateKeyRequest, from caller: Caller
    ) throws(KeychainError) -> GeneratedKey {
        guard let type = KeyType(rawValue: request.type), type.allows(bits: request.bits) else {
            throw KeychainError(KeyError.unsupportedKey)
        }
        // Before the work: a caller that may not store it need not wait for it.
        _ = try Authorization.authorize(request.items(label: nil, key: nil, publicKey: nil), from: caller)
        let made: MadeKey
        switch request.place {
        case .software: made = try MadeKey(type, bits: request.bits, surroundings.work, caller.work)
        case .enclave:
            guard type == .ec, request.bits == 256 else {
                throw KeychainError(
                    .parameter, "the enclave generates 256-bit elliptic curve keys only", subject: "tkid")
            }
            guard request.key?.isSynchronizable != true else {
                throw KeychainError(.parameter, "a key of the enclave cannot be synchronizable", subject: "sync")
            }
            made = try MadeKey(in: try enclaveInUse(), isCompact: request.outside?.isCompact ?? false)
        }
        var items = request.items(label: made.label, key: made.secret, publicKey: made.publicKey)
        items.authentication = request.authentication
        let loose = try looseKey(made, request, caller)
        if items.entries.isEmpty { return GeneratedKey(key: nil, loose: loose) }
        let found = try add(items, from: caller)
        guard request.key != nil, case .item(let key)? = found.first else {
            return GeneratedKey(key: nil, loose: loose)
        }
        return GeneratedKey(key: key, loose: nil)
    }

    /// A made key as it comes out where it is not stored: under its terms, if it has any.
    private func looseKey(
        _ made: MadeKey, _ request: GenerateKeyRequest, _ caller: Caller
    ) throws(KeychainError) -> LooseEnclaveKey? {
        guard let loose = made.loose, let terms = request.outside else { return made.loose }
        let key = EnclaveKey(publicKey: loose.publicKey, blob: loose.blob)
        let blob = try demands.meeting(request.authentication, of: caller, bindingTo: [terms.control]) {
            (shown) throws(KeychainError) in
            try reading(for: caller) { (connection) throws(StoreError) in
                try OutsideKey.seal(key, under: terms.control, shown, connection.keybag.keys)
            }
        }
        return LooseEnclaveKey(publicKey: loose.publicKey, blob: blob)
    }

    /// Does with a key what only the keychain can do with it; what comes back of a private operation is the result alone.
    package func useKey(_ request: UseKeyRequest, from caller: Caller) throws(KeychainError) -> SecretValue {
        let authorized = try Authorization.authorize(request, from: caller)
        let task = request.task
        if task.isAttestation { return try attest(request) }
        switch request.key {
        case .loose(let loose):
            let key = EnclaveKey(publicKey: loose.publicKey, blob: loose.blob)
            return try ReadyKey(key, in: try enclaveInUse()).perform(task)
        case .outside(let loose):
            let opened = try demands.meeting(request.authentication, of: caller) { (shown) throws(KeychainError) in
                try reading(for: caller) { (connection) throws(StoreError) in
                    try OutsideKey.open(loose.blob, shown.secrets, connection.keybag.keys) {
                        task.operation(under: $0, isInEnclave: true)
                    }
                }
            }
            let enclave = try enclaveInUse()
            guard let key = opened, key.publicKey == loose.publicKey else {
                throw KeychainError(EnclaveError.foreignKey, of: enclave.kind)
            }
            return try ReadyKey(key, in: enclave).perform(task)
        case .stored(_, let publicKey):
            let stored = try demands.meeting(request.authentication, of: caller) { (shown) throws(KeychainError) in
                try reading(for: caller) { (connection) throws(StoreError) in
                    try connection.key(authorized, shown.secrets) { task.operation(under: $0, isInEnclave: $1) }
                }
            }
            if case .release = task {
                try stored.terms.checkWrappedExport()
            } else if let operation = task.operation {
                try stored.terms.check(operation)
            }
            let ready = try readyKey(stored)
            guard ready.publicRepresentation == publicKey else {
                throw KeychainError(
                    .itemNotFound, "the item now holds another key; look the key up again", subject: "v_Ref")
            }
            return try ready.perform(task)
        }
    }

    /// Has the chip prove where a key is; only keys without an item or terms are asked about.
    private func attest(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue {
        let enclave = try enclaveInUse()
        guard case .loose(let loose) = request.key, let chip = enclave as? any AttestingEnclave else {
            throw KeychainError(
                .notAvailable, "this keychain's keys are in no TPM, so none attests for them", subject: "TPM")
        }
        let key = EnclaveKey(publicKey: loose.publicKey, blob: loose.blob)
        return try enclave.kind.explaining { () throws(EnclaveError) in
            switch request.task {
            case .endorsementKey(let isRSA): return SecretValue(copying: try chip.endorsementKey(isRSA: isRSA))
            case .certify(let digest):
                let made = try chip.certify(key, over: digest)
                let parts = PropertyList.array([
                    .data(made.attestationKey), .data(made.statement), .data(made.signature),
                ])
                do throws(CodingError) { return SecretValue(copying: try parts.encoded()) } catch { throw .damaged }
            case .activate(let credential):
                let secret = try chip.activate(credential)
                return unsafe secret.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
            case .sign, .encrypt, .decrypt, .exchange, .release: throw .foreignKey
            }
        }
    }

    private func readyKey(_ stored: StoredKey) throws(KeychainError) -> ReadyKey {
        guard let secret = stored.secret else { throw KeychainError(.parameter, "the item does not contain a key") }
        if stored.isInEnclave {
            guard let key = unsafe secret.withUnsafeBytes({ bytes in unsafe EnclaveKeyCoding.decode(bytes) }) else {
                throw KeychainError(EnclaveError.foreignKey, of: .software)
            }
            return try ReadyKey(key, in: try enclaveInUse())
        }
        guard let type = stored.type, let part = stored.part else { throw KeychainError(KeyError.unsupportedKey) }
        return try ReadyKey(type, part, ofItem: secret)
    }

    /// The enclave of the keys in hand, without waiting for a writer.
    private func enclaveInUse() throws(KeychainError) -> any Enclave {
        let header = try read { (connection) throws(StoreError) in connection.keybag.keys.header }
        return try home.enclave(of: header).enclave
    }
}

extension GenerateKeyRequest {
    /// The items to store: the key's first.
    fileprivate func items(label: [UInt8]?, key bytes: SecretValue?, publicKey publicBytes: [UInt8]?) -> AddAllRequest {
        var entries: [AddAllRequest.Entry] = []
        if var key {
            key.secret = bytes
            key.setLabel(label)
            if place == .enclave { key.origin = .enclave }
            entries.append(.item(key))
        }
        if var publicKey {
            publicKey.secret = publicBytes.map { SecretValue(copying: $0) }
            publicKey.setLabel(label)
            entries.append(.item(publicKey))
        }
        var request = AddAllRequest(entries: entries, returning: .reference)
        request.authentication = authentication
        return request
    }
}

extension AddRequest {
    /// What tells the key from others, unless the caller said it.
    fileprivate mutating func setLabel(_ label: [UInt8]?) {
        guard let label, !attributes.contains(.applicationLabel) else { return }
        attributes[.applicationLabel] = .data(label)
    }
}

extension UseKeyRequest.Task {
    /// What an access control has to allow for this.
    fileprivate func operation(under control: AccessControl, isInEnclave: Bool) -> ProtectedOperation {
        guard isInEnclave || control.isForEnclave else { return .decrypt }
        switch self {
        case .sign: return .sign
        case .encrypt, .decrypt, .exchange: return .computeKey
        case .release, .endorsementKey, .certify, .activate: return .decrypt
        }
    }

    /// nil for what no operation is.
    fileprivate var operation: KeyOperation? {
        switch self {
        case .sign: .sign
        case .encrypt: .encrypt
        case .decrypt: .decrypt
        case .exchange: .keyExchange
        case .release, .endorsementKey, .certify, .activate: nil
        }
    }
}
