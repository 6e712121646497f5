// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
package import KeychainCrypto
package import KeychainKeys
package import KeychainModel
package import KeychainRequest

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

extension StoreLane {
    /// The key of a reference, with its bytes.
    ///
    /// `operation` says what its access control has to allow.
    package func key(
        _ authorized: Authorized<UseKeyRequest>, _ shown: FactorSecrets,
        for operation: (_ control: AccessControl, _ isInEnclave: Bool) -> ProtectedOperation
    ) throws(StoreError) -> StoredKey {
        guard case .stored(let id, _) = authorized.request.key, let key = try storedKey(id, authorized.scope) else {
            throw .notFound
        }
        let operation = operation(key.item.accessControl, !key.item.tokenID.isEmpty)
        let revealed = StoredKey(try key.item.revealed(for: operation, shown, keybag.keys))
        note(.used, key.item)
        return revealed
    }

    func storedKey(_ id: PersistentID, _ scope: GroupFilter) throws(StoreError) -> StoredKey? {
        let selection = Selection(
            predicate: ItemPredicate(
                queriedClass: .stored(.key), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
            table: ItemTable.of(.key), scope: scope, id: id)
        var found: StoredKey?
        let now = { 0.0 }
        try unsafe forEachRow(selection, now) { (row, opened) throws(StoreError) in
            do throws(SealingError) { found = try unsafe StoredKey(row.item(of: opened, with: bench)) } catch {
                try skip(error, row)
            }
            return found == nil
        }
        return found
    }
}
