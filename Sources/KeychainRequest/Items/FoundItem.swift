// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One result of a request.
package enum Found: Sendable {
    case item(FoundItem)
    indirect case identity(certificate: FoundItem, key: FoundItem)
    /// One that cannot be read; comes only where `ReturnTypes.damaged` asks for it.
    indirect case damaged(DamagedItem)

    /// What a caller may keep to find it again: an identity is known by its certificate.
    ///
    /// Of what is damaged it may be lost.
    package var persistentReference: PersistentReference? {
        switch self {
        case .item(let item): .item(item.itemClass, item.persistentID)
        case .identity(let certificate, _): .identity(certificate.persistentID)
        case .damaged(let item): item.persistentID.map { .item(item.itemClass, $0) }
        }
    }
}

/// An item whose row is there and does not open: neither found nor not there.
package struct DamagedItem: Sendable {
    package let itemClass: ItemClass
    /// As the row has it, which nothing vouches for.
    package let persistentID: PersistentID?
    /// Everything but the secret, where that alone is damaged; nil where nothing can be read.
    package let rest: FoundItem?

    package init(itemClass: ItemClass, persistentID: PersistentID?, rest: FoundItem?) {
        self.itemClass = itemClass
        self.persistentID = persistentID
        self.rest = rest
    }
}

/// One item of a reply, with no more opened than was asked for.
package struct FoundItem: Sendable {
    package let itemClass: ItemClass
    package let persistentID: PersistentID
    /// Everything a caller may see, when attributes or a reference were asked for.
    package let attributes: AttributeList?
    package let accessControl: AccessControl
    /// The secret, when data or a reference was asked for, the item has any, and it may leave.
    package let secret: SecretValue?
    /// What is known of a key that may not leave, when a reference was asked for.
    package let keptKey: KeptKey?

    package init(
        itemClass: ItemClass, persistentID: PersistentID, attributes: AttributeList?, accessControl: AccessControl,
        secret: SecretValue?, keptKey: KeptKey? = nil
    ) {
        self.itemClass = itemClass
        self.persistentID = persistentID
        self.attributes = attributes
        self.accessControl = accessControl
        self.secret = secret
        self.keptKey = keptKey
    }
}

/// What is known of a key that stays where it is stored.
package struct KeptKey: Sendable, Equatable {
    /// The external bytes of the public half; nil of a symmetric key.
    package let publicKey: [UInt8]?
    package let bits: Int

    package init(publicKey: [UInt8]?, bits: Int) {
        self.publicKey = publicKey
        self.bits = bits
    }
}

/// What a caller wants back of an item.
package struct ReturnTypes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let data = ReturnTypes(rawValue: 1)
    package static let attributes = ReturnTypes(rawValue: 2)
    package static let reference = ReturnTypes(rawValue: 4)
    package static let persistentReference = ReturnTypes(rawValue: 8)
    /// What matches and cannot be read, too; it does not count for the limit.
    ///
    /// No call of Apple's asks for it.
    package static let damaged = ReturnTypes(rawValue: 16)
}

/// How many items a caller wants, and whether alone or in an array.
package enum MatchLimit: Sendable, Equatable {
    case nothing
    case single
    case atMost(Int)
    case all

    /// The number of rows after which to stop.
    package var count: Int {
        switch self {
        case .nothing: 0
        case .single: 1
        case .atMost(let count): count
        case .all: Int.max
        }
    }
}
