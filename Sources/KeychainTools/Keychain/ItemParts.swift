// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// What belongs to a person's item and is secret (fields, one-time codes, notes, files) is in items of its own, which name that
/// item by its `id` in their service.
package enum ItemParts {
    /// Behind it stands the `id`.
    package static let service = "llavero.of."

    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The `id` of an item that has parts; nil of one that is a part itself, or a program's.
    fileprivate static func id(_ attributes: AttributeList) -> String? {
        guard attributes[.accessGroup] == .string(AccessGroup.passwords.name), !isPart(attributes) else { return nil }
        let text: String?
        switch attributes[.protected] {
        case .string(let value)?: text = value
        case .data(let bytes)?: text = String(validating: bytes, as: UTF8.self)
        case .number?, .date?, nil: text = nil
        }
        let lines = text?.split(separator: "\n") ?? []
        return lines.lazy.filter { $0.utf8.starts(with: "id=".utf8) }.map { String($0.dropFirst(3)) }.first(where: isID)
    }

    private static func isPart(_ attributes: AttributeList) -> Bool {
        guard case .string(let text)? = attributes[.service] else { return false }
        return text.utf8.starts(with: service.utf8) && isID(String(text.dropFirst(service.count)))
    }
}

extension ItemParts {
    /// What of an item's parts goes with it when it is removed.
    package enum Going {
        /// Another item has the same `id` and the same parts, as one that was imported twice.
        case nothing
        /// Of what the circle shares and what is here alone, that which the item is.
        case itsOwnSide
        case all

        package func includes(areShared: Bool, of item: AttributeList) -> Bool {
            switch self {
            case .nothing: false
            case .itsOwnSide: areShared == ItemParts.isShared(item)
            case .all: true
            }
        }
    }

    fileprivate static func isShared(_ attributes: AttributeList) -> Bool {
        attributes[.synchronizable] == .number(1)
    }
}

extension ToolKeychain {
    package func goingParts(
        of itemClass: ItemClass, _ reference: PersistentID?, _ attributes: AttributeList, _ owners: ItemOwners
    ) throws(CommandError) -> ItemParts.Going {
        guard let id = ItemParts.id(attributes) else { return .nothing }
        let isShared = ItemParts.isShared(attributes)
        var hasDouble = false
        for other in [ItemClass.genericPassword, .internetPassword] {
            for item in try passwords(other, AttributeList(), owners)
            where item.persistentID != reference || other != itemClass {
                guard let others = item.attributes, ItemParts.id(others) == id else { continue }
                if ItemParts.isShared(others) == isShared { return .nothing }
                hasDouble = true
            }
        }
        return isShared && !hasDouble ? .all : .itsOwnSide
    }

    /// Removes what goes with the items that a predicate is about: first, so that a removal that was interrupted can be repeated.
    package func removeParts(of predicate: ItemPredicate, _ owners: ItemOwners) throws(CommandError) {
        let request = MatchRequest(
            predicate: predicate, returning: [.attributes, .persistentReference], limit: .all)
        for case .item(let item) in try match(request, of: owners) {
            guard let attributes = item.attributes, let id = ItemParts.id(attributes) else { continue }
            var service = AttributeList()
            service[.service] = .string(ItemParts.service + id)
            let parts = try passwords(.genericPassword, service, owners)
            guard !parts.isEmpty else { continue }
            let going = try goingParts(of: item.itemClass, item.persistentID, attributes, owners)
            for part in parts {
                let areShared = part.attributes.map(ItemParts.isShared) ?? false
                guard going.includes(areShared: areShared, of: attributes) else { continue }
                try delete(
                    DeleteRequest(
                        predicate: .only(.item(part.itemClass, part.persistentID)), tombstones: .whenSynchronizable),
                    of: owners)
            }
        }
    }

    /// Those that can be read.
    private func passwords(
        _ itemClass: ItemClass, _ attributes: AttributeList, _ owners: ItemOwners
    ) throws(CommandError) -> [FoundItem] {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: attributes, groups: .named(AccessGroup.passwords.name),
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let request = MatchRequest(predicate: predicate, returning: [.attributes, .persistentReference], limit: .all)
        return try matchWithDamaged(request, of: owners).compactMap { found in
            if case .item(let item) = found { item } else { nil }
        }
    }
}

extension ItemPredicate {
    /// An item by its reference, in any access group.
    package static func only(_ reference: PersistentReference) -> ItemPredicate {
        ItemPredicate(
            queriedClass: reference.queriedClass ?? .stored(.internetPassword), attributes: AttributeList(),
            groups: .everyGroupOfCaller, synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items([.persistent(reference)]), filters: [])
    }
}
