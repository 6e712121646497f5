// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainKeys
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

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
        // Before the work: who may not store it need not wait for it.
        _ = try Authorization.authorize(request.items(label: nil, key: nil, publicKey: nil), from: caller)
        let made: MadeKey
        switch request.place {
        case .software: made = try MadeKey(type, bits: request.bits, surroundings.work, caller.work)
        case .enclave:
            guard type == .ec, request.bits == 256 else {
                throw KeychainError(
                    .parameter, "an enclave makes elliptic curve keys of 256 bits alone", subject: "tkid")
            }
            guard request.key?.isSynchronizable != true else {
                throw KeychainError(.parameter, "a key of the enclave stays on this device", subject: "sync")
            }
            made = try MadeKey(in: try enclaveInUse())
        }
        var items = request.items(label: made.label, key: made.secret, publicKey: made.publicKey)
        items.authentication = request.authentication
        if items.entries.isEmpty { return GeneratedKey(key: nil, loose: made.loose) }
        let found = try add(items, from: caller)
        guard request.key != nil, case .item(let key)? = found.first else {
            return GeneratedKey(key: nil, loose: made.loose)
        }
        return GeneratedKey(key: key, loose: nil)
    }
}

/// A key that was just made, as its items will have it.
private struct MadeKey {
    let label: [UInt8]?
    let secret: SecretValue
    let publicKey: [UInt8]?
    let loose: LooseEnclaveKey?

    init(_ type: KeyType, bits: Int, _ work: CostlyWork, _ order: WorkOrder) throws(KeychainError) {
        let publicLabel: [UInt8]?
        let key = try MadeKey.generated(type, bits: bits, work, order)
        do throws(KeyError) {
            let bytes = try key.representation()
            secret = SecretValue(copying: bytes)
            publicLabel = key.part == .symmetric ? nil : try key.applicationLabel()
            publicKey = key.publicRepresentation
            loose = nil
        } catch { throw KeychainError(error) }
        // A symmetric key has nothing public to be named after; what is derived from it would let guesses be checked.
        label = if let publicLabel { publicLabel } else { try MadeKey.randomLabel() }
    }

    private static func generated(
        _ type: KeyType, bits: Int, _ work: CostlyWork, _ order: WorkOrder
    ) throws(KeychainError) -> CryptoKey {
        guard type == .rsa else {
            do throws(KeyError) { return try CryptoKey.generate(type, bits: bits) } catch { throw KeychainError(error) }
        }
        return try work.keys.perform(order, refused: KeychainError.init) { (turn) throws(KeychainError) in
            do throws(KeyError) { return try CryptoKey.generate(type, bits: bits) { turn.goesOn() } } catch {
                throw turn.isAbandoned ? KeychainError(WorkRefusal.abandoned) : KeychainError(error)
            }
        }
    }

    private static func randomLabel() throws(KeychainError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe [UInt8](count: 20) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        } catch { throw KeychainError(error) }
    }

    init(in enclave: any Enclave) throws(KeychainError) {
        let key: EnclaveKey
        do throws(EnclaveError) { key = try enclave.makeKey() } catch { throw KeychainError(error, of: enclave.kind) }
        do throws(KeyError) {
            label = try CryptoKey(.ec, .public, representation: key.publicKey).applicationLabel()
        } catch { throw KeychainError(error) }
        secret = try EnclaveKeyCoding.encode(key)
        publicKey = key.publicKey
        loose = LooseEnclaveKey(publicKey: key.publicKey, blob: key.blob)
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
