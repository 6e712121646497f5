// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

extension ToolKeychain {
    /// The password of a person's that has the name as its label, or else as its service.
    ///
    /// nil where there is none, or where one says that there is none (decision D26). Where several have it none is taken: a
    /// wrong password would be as bad as none, and one of them may be meant for another place.
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
            guard let only = items.first else { continue }
            guard items.allSatisfy({ !Self.isNegative($0.1) }) else { return nil }
            guard items.count == 1 else { throw Self.ambiguity(of: items, name) }
            let whole = try match(
                MatchRequest(predicate: .only(only.0), returning: [.data], limit: .single), of: .person)
            if case .item(let item)? = whole.first { return item.secret }
        }
        return nil
    }

    /// Says which there are, and how the others get out of the way: by what is asked, none of them can be named.
    private static func ambiguity(
        of items: [(PersistentReference, AttributeList)], _ name: String
    ) -> CommandError {
        var ways: [String] = []
        for (reference, attributes) in items.prefix(mostShown) {
            let account: String = if case .string(let account)? = attributes[.account] { account } else { "" }
            let user = account.isEmpty ? "without a user" : "user \(PlainText.shown(account))"
            ways.append("\(reference.identifier) (\(user))")
        }
        let more = items.count > mostShown ? " and \(items.count - mostShown) more" : ""
        return .ambiguous(
            "\(items.count) items are called \(PlainText.shown(name)), and none of them is given: "
                + "\(ways.joined(separator: ", "))\(more); `llavero rename id:… NAME` gives one another name, "
                + "`llavero remove id:…` removes one")
    }

    private static let mostShown = 20

    private static func isNegative(_ attributes: AttributeList) -> Bool {
        if case .number(let number)? = attributes[.isNegative] { number != 0 } else { false }
    }
}
