// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

extension ToolKeychain {
    /// The password of a person's that has the name as its label, or else as its service; the newest of them.
    ///
    /// nil where there is none, or where one says that there is none (decision D26).
    func genericPassword(named name: String) throws(CommandError) -> SecretValue? {
        guard try isThere else { return nil }
        for attribute in [Attribute.label, .service] {
            var wanted = AttributeList()
            wanted[attribute] = .string(name)
            let predicate = ItemPredicate(
                queriedClass: .stored(.genericPassword), attributes: wanted, groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            let found = try match(
                MatchRequest(predicate: predicate, returning: [.attributes, .persistentReference], limit: .all),
                of: .person)
            let items = found.compactMap { found -> (PersistentReference, AttributeList)? in
                guard case .item(let item) = found, let attributes = item.attributes else { return nil }
                return (.item(item.itemClass, item.persistentID), attributes)
            }
            guard let newest = items.max(by: { Self.changed($0.1) < Self.changed($1.1) }) else { continue }
            guard items.allSatisfy({ !Self.isNegative($0.1) }) else { return nil }
            let whole = try match(
                MatchRequest(predicate: .only(newest.0), returning: [.data], limit: .single), of: .person)
            if case .item(let item)? = whole.first { return item.secret }
        }
        return nil
    }

    private static func changed(_ attributes: AttributeList) -> Double {
        if case .date(let date)? = attributes[.modificationDate] { date } else { 0 }
    }

    private static func isNegative(_ attributes: AttributeList) -> Bool {
        if case .number(let number)? = attributes[.isNegative] { number != 0 } else { false }
    }
}
