// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCoding
package import KeychainCrypto
package import KeychainKeys
package import KeychainModel
internal import KeychainRequest

/// A stored key that is to be used where it is.
package struct StoredKey: Sendable {
    package let terms: KeyTerms
    /// The numbers that `kSecAttrKeyType` and `kSecAttrKeyClass` have, if they are numbers of ours.
    package let type: KeyType?
    package let part: KeyPart?
    package let isInEnclave: Bool
    package let secret: SecretValue?
    let item: Item

    init(_ item: Item) {
        self.item = item
        terms = KeyTerms(item.attributes, item.accessControl)
        type = Self.number(item.attributes[.type]).flatMap(KeyType.init(rawValue:))
        part = Self.number(item.attributes[.keyClass]).flatMap(KeyPart.init(rawValue:))
        isInEnclave = !item.tokenID.isEmpty
        secret = item.secret
    }

    private static func number(_ value: AttributeValue?) -> UInt32? {
        guard case .number(let number)? = value else { return nil }
        return UInt32(exactly: number)
    }
}

extension StoredKey {
    /// The key of a reference, with its bytes, for what its access control has to allow.
    static func revealed(
        for request: Authorized<UseKeyRequest>, _ shown: FactorSecrets, _ connection: StoreConnection,
        operation: (_ control: AccessControl, _ isInEnclave: Bool) -> ProtectedOperation
    ) throws(StoreError) -> StoredKey {
        guard case .stored(let id, _) = request.request.key,
            let item = try find(id, request.scope, RowAccess(connection))?.item
        else { throw .notFound }
        let operation = operation(item.accessControl, !item.tokenID.isEmpty)
        let revealed = StoredKey(try item.revealed(for: operation, shown, connection.keybag.keys))
        connection.notes.note(.used, item)
        return revealed
    }

    /// The key of a reference, with its bytes as they are sealed; nil when there is none that can be read.
    static func find(_ id: PersistentID, _ scope: GroupFilter, _ rows: RowAccess) throws(StoreError) -> StoredKey? {
        let selection = Selection(
            predicate: ItemPredicate(
                queriedClass: .stored(.key), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
            table: ItemTable.of(.key), scope: scope, id: id)
        var found: StoredKey?
        try unsafe rows.forEachRow(selection) { (row, opened) throws(StoreError) in
            do throws(SealingError) {
                found = try unsafe StoredKey(row.item(of: opened, with: rows.connection.sealer))
            } catch { try rows.passOverDamage(error, row) }
            return found == nil
        }
        return found
    }
}

extension Item {
    /// Whether the item's bytes are a key's that may not leave, in this process or in an enclave.
    var isKeptKey: Bool { itemClass == .key && (!tokenID.isEmpty || KeyTerms(attributes, accessControl).isKept) }

    /// Whether the item's bytes are a key's that is used where it is: kept, or one that its rules keep.
    var isUsedInside: Bool { isKeptKey || itemClass == .key && !accessControl.letsSecretOut }

    /// What is known of a key that is used where it is; nil when its bytes are no key's.
    func outline(of secret: SecretValue) -> KeptKey? {
        if accessControl.isConstrained, let envelope = try? FactorEnvelope(decoding: secret) {
            return envelope.front.map { KeptKey(publicKey: $0.publicKey, bits: $0.bits) }
        }
        return unsafe secret.withUnsafeBytes { bytes in
            if !tokenID.isEmpty {
                guard let key = unsafe EnclaveKeyCoding.decode(bytes) else { return nil }
                return KeptKey(publicKey: key.publicKey, bits: 256)
            }
            guard case .number(let typeNumber)? = attributes[.type],
                let type = UInt32(exactly: typeNumber).flatMap(KeyType.init(rawValue:)),
                case .number(let partNumber)? = attributes[.keyClass],
                // Of what is called a public key the bytes would be told, and they are not to be told.
                let part = UInt32(exactly: partNumber).flatMap(KeyPart.init(rawValue:)), part != .public,
                let outline = unsafe try? KeyOutline(type, part, bytes)
            else { return nil }
            return KeptKey(publicKey: outline.publicRepresentation, bits: outline.bits)
        }
    }
}

/// A key of the enclave's as an item keeps it: where other keys have their bytes.
package enum EnclaveKeyCoding {
    package static func encode(_ key: EnclaveKey) throws(KeychainError) -> SecretValue {
        let list = PropertyList.dictionary(["public": .data(key.publicKey), "blob": .data(key.blob)])
        do throws(CodingError) {
            let bytes = try list.encoded()
            return unsafe bytes.span.bytes.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        } catch { throw KeychainError(.internalError, "a key of the enclave could not be encoded") }
    }

    /// nil when the bytes are no such key's.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> EnclaveKey? {
        guard case .dictionary(let parts)? = unsafe try? PropertyList(decoding: Array(bytes)), parts.count == 2,
            case .data(let publicKey)? = parts["public"], case .data(let blob)? = parts["blob"]
        else { return nil }
        return EnclaveKey(publicKey: publicKey, blob: blob)
    }
}
