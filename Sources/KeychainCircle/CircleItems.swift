// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel
package import KeychainRequest

/// What a keychain keeps of its circle as items of the group `llavero.sync`: they never leave the device.
///
/// One kind opens from the first unlock on, so that a locked device goes on receiving; the other while the keychain is
/// unlocked.
package struct CircleItems: Sendable {
    package enum Opening: Sendable {
        case afterFirstUnlock, whenUnlocked

        var accessibility: Accessibility {
            switch self {
            case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
            case .whenUnlocked: .whenUnlockedThisDeviceOnly
            }
        }
    }

    /// Who asks for them: synchronisation itself, which may touch nothing else as a program.
    package static let caller: Caller = {
        var caller = Caller(groups: [.sync], seesEveryGroup: false, administersKeys: true, program: nil)
        caller.synchronizes = true
        return caller
    }()

    private let session: any KeychainSession

    package init(_ session: any KeychainSession) { self.session = session }

    /// The secret of that name; nil when there is none.
    package func secret(_ name: String) throws(KeychainError) -> SecretValue? {
        let request = MatchRequest(predicate: predicate(name), returning: .data, limit: .single)
        do throws(KeychainError) {
            guard case .item(let item)? = try session.match(request).first else { return nil }
            return item.secret
        } catch {
            guard error.reason == .itemNotFound else { throw error }
            return nil
        }
    }

    /// Stores it, in place of one that is there.
    package func keep(_ secret: SecretValue, as name: String, _ opening: Opening) throws(KeychainError) {
        var attributes = AttributeList()
        attributes[.service] = .string(CircleItems.service)
        attributes[.account] = .string(name)
        attributes[.label] = .string("Llavero circle: \(name)")
        attributes[.isInvisible] = .number(1)
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.sync.name),
            protection: .accessControl(AccessControl(protection: opening.accessibility)), isSynchronizable: false,
            isTombstone: false, secret: secret, returning: [], origin: .caller)
        do throws(KeychainError) { _ = try session.add(request) } catch {
            guard error.reason == .duplicateItem else { throw error }
            let changes = ItemChanges(
                attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil, secret: secret)
            try session.update(UpdateRequest(predicate: predicate(name), changes: changes, tombstones: .never))
        }
    }

    /// Removes those whose names begin so: everything, for "".
    package func remove(beginning prefix: String) throws(KeychainError) {
        for name in try names() where prefix.isEmpty || name.utf8.starts(with: prefix.utf8) {
            try remove(name)
        }
    }

    /// Removes the one of that name, where there is one: also while others are locked.
    package func remove(_ name: String) throws(KeychainError) {
        do throws(KeychainError) {
            try session.delete(DeleteRequest(predicate: predicate(name), tombstones: .never))
        } catch { guard error.reason == .itemNotFound else { throw error } }
    }

    /// The names of all, or of those that open so: a look at others, too, is refused while the keychain is locked.
    package func names(_ opening: Opening? = nil) throws(KeychainError) -> [String] {
        var predicate = predicate(nil)
        predicate.accessibility = opening?.accessibility
        let request = MatchRequest(predicate: predicate, returning: .attributes, limit: .all)
        do throws(KeychainError) {
            return try session.match(request).compactMap { found in
                guard case .item(let item) = found, case .string(let name)? = item.attributes?[.account] else {
                    return nil
                }
                return name
            }
        } catch {
            guard error.reason == .itemNotFound else { throw error }
            return []
        }
    }

    private func predicate(_ name: String?) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.service] = .string(CircleItems.service)
        if let name { attributes[.account] = .string(name) }
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .named(AccessGroup.sync.name),
            synchronizable: .only(false), tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    private static let service = "llavero.circle"
}
