// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A checked SecItemAdd of one item.
package struct AddRequest: Sendable {
    /// What `kSecAttrAccessible` or `kSecAttrAccessControl` asked for.
    package enum Protection: Sendable, Equatable {
        /// Neither was given: the class and the group decide.
        case byClassAndGroup
        case accessControl(AccessControl)
    }

    /// Where the item's bytes are to come from.
    package enum Origin: Sendable, Equatable {
        case caller
        /// It is in the keychain already: an Add can only find it there.
        case stored(PersistentID)
        /// A key that an enclave made; only the engine says so.
        case enclave
    }

    package let itemClass: ItemClass
    package var attributes: AttributeList
    package var group: ItemPredicate.GroupScope
    package var protection: Protection
    package let isSynchronizable: Bool
    package let isTombstone: Bool
    package var secret: SecretValue?
    package let returning: ReturnTypes
    package var origin: Origin
    /// By which it is known when it comes a second time; nil when it comes once.
    package var token: AddToken?

    package var authentication = AuthenticationTerms.usual

    package init(
        itemClass: ItemClass, attributes: AttributeList, group: ItemPredicate.GroupScope, protection: Protection,
        isSynchronizable: Bool, isTombstone: Bool, secret: SecretValue?, returning: ReturnTypes, origin: Origin
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.group = group
        self.protection = protection
        self.isSynchronizable = isSynchronizable
        self.isTombstone = isTombstone
        self.secret = secret
        self.returning = returning
        self.origin = origin
    }
}

/// A checked SecItemAdd of several items, or of an identity, which is two: all are stored or none.
package struct AddAllRequest: Sendable {
    package enum Entry: Sendable {
        case item(AddRequest)
        /// One half may be there already, but not both.
        case identity(certificate: AddRequest, key: AddRequest)
    }

    package let entries: [Entry]
    package let returning: ReturnTypes

    package var authentication = AuthenticationTerms.usual

    package init(entries: [Entry], returning: ReturnTypes) {
        self.entries = entries
        self.returning = returning
    }
}

extension AddRequest.Protection {
    package var accessControl: AccessControl? { if case .accessControl(let control) = self { control } else { nil } }
}

extension AddAllRequest {
    /// The access controls that were given for its items.
    package var accessControls: [AccessControl] {
        entries.flatMap { entry in
            switch entry {
            case .item(let item): [item]
            case .identity(let certificate, let key): [certificate, key]
            }
        }.compactMap(\.protection.accessControl)
    }
}

/// A checked SecItemCopyMatching.
package struct MatchRequest: Sendable {
    package let predicate: ItemPredicate
    package let returning: ReturnTypes
    package let limit: MatchLimit

    package var authentication = AuthenticationTerms.usual

    package init(predicate: ItemPredicate, returning: ReturnTypes, limit: MatchLimit) {
        self.predicate = predicate
        self.returning = returning
        self.limit = limit
    }
}

/// Whether something that vanishes leaves a tombstone.
package enum TombstonePolicy: Sendable, Equatable {
    /// Synchronizable items do, local ones do not.
    case whenSynchronizable
    case always
    case never
}

/// A checked SecItemUpdate.
package struct UpdateRequest: Sendable {
    package let predicate: ItemPredicate
    package let changes: ItemChanges
    package let tombstones: TombstonePolicy

    package var authentication = AuthenticationTerms.usual

    package init(predicate: ItemPredicate, changes: ItemChanges, tombstones: TombstonePolicy) {
        self.predicate = predicate
        self.changes = changes
        self.tombstones = tombstones
    }
}

/// Several updates in one transaction: all are made or none.
///
/// For what is stored as more than one item, each of which changes in its own way.
package struct UpdateAllRequest: Sendable {
    /// In the order in which they are made, and each has to find something; their own terms are not used.
    package let updates: [UpdateRequest]

    package var authentication = AuthenticationTerms.usual

    package init(_ updates: [UpdateRequest]) { self.updates = updates }
}

/// What an update replaces; what is nil or absent stays.
package struct ItemChanges: Sendable {
    package var attributes: AttributeList
    package let group: ItemPredicate.GroupScope?
    package let accessControl: AccessControl?
    package let isSynchronizable: Bool?
    package let secret: SecretValue?

    package init(
        attributes: AttributeList, group: ItemPredicate.GroupScope?, accessControl: AccessControl?,
        isSynchronizable: Bool?, secret: SecretValue?
    ) {
        self.attributes = attributes
        self.group = group
        self.accessControl = accessControl
        self.isSynchronizable = isSynchronizable
        self.secret = secret
    }
}

/// A checked SecItemDelete.
package struct DeleteRequest: Sendable {
    package let predicate: ItemPredicate
    package let tombstones: TombstonePolicy

    package var authentication = AuthenticationTerms.usual

    package init(predicate: ItemPredicate, tombstones: TombstonePolicy) {
        self.predicate = predicate
        self.tombstones = tombstones
    }
}

/// What may be synchronizable: nothing with access control flags (semantics §3.10).
///
/// A `…ThisDeviceOnly` class is no obstacle, as on Apple's systems: the item lies under the synchronizable key, and stays
/// on this device, since whatever sends items elsewhere goes by their class (decision D9).
package enum SynchronizableRule {
    package static func check(_ accessControl: AccessControl?) throws(KeychainError) {
        guard let accessControl else { return }
        guard accessControl.rules == nil else {
            throw KeychainError(.parameter, "a synchronizable item takes no access control flags", subject: "accc")
        }
    }
}

/// What makes one Add known when it is made again: thirty-two random bytes, which become the new item's identifiers.
///
/// A program whose connection breaks asks again with the same token. Where the item is there and has those identifiers,
/// it was stored by the first time, and the second is told so.
package struct AddToken: Sendable, Hashable {
    package let first: UInt64
    package let second: UInt64
    package let third: UInt64
    package let fourth: UInt64

    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }

    package static func fresh() -> AddToken {
        var random = SystemRandomNumberGenerator()
        return AddToken(random.next(), random.next(), random.next(), random.next())
    }
}
