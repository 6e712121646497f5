// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Which items a request is about.
///
/// Every wide choice is spelled: nothing here has a default.
package struct ItemPredicate: Sendable {
    /// The access groups a request names.
    package enum GroupScope: Sendable, Equatable {
        /// Every group of the caller.
        case everyGroupOfCaller
        case named(String)
        /// Something was given that is no group name; no program has it.
        case unnameable
    }

    package enum Synchronizable: Sendable, Equatable {
        case only(Bool)
        case any
    }

    /// The only items a request may touch.
    package enum Restriction: Sendable {
        case none
        case items([ItemDesignation])
    }

    package var queriedClass: QueriedClass
    /// Attributes to be equal, all of them; without those that have a field of their own here.
    package var attributes: AttributeList
    package var groups: GroupScope
    package var synchronizable: Synchronizable
    package var tombstones: Bool
    package var accessibility: Accessibility?
    package var restriction: Restriction
    package var filters: [MatchFilter]

    package init(
        queriedClass: QueriedClass, attributes: AttributeList, groups: GroupScope, synchronizable: Synchronizable,
        tombstones: Bool, accessibility: Accessibility?, restriction: Restriction, filters: [MatchFilter]
    ) {
        self.queriedClass = queriedClass
        self.attributes = attributes
        self.groups = groups
        self.synchronizable = synchronizable
        self.tombstones = tombstones
        self.accessibility = accessibility
        self.restriction = restriction
        self.filters = filters
    }
}

/// How a request names one of the items it may touch.
package enum ItemDesignation: Sendable {
    case persistent(PersistentReference)
    /// What a certificate or a key says of itself.
    case content(ItemClass, AttributeList)
    /// What both halves of an identity say of themselves.
    case identity(certificate: AttributeList, key: AttributeList)

    package var queriedClass: QueriedClass? {
        switch self {
        case .persistent(let reference): reference.queriedClass
        case .content(let itemClass, _): .stored(itemClass)
        case .identity: .identity
        }
    }
}

/// A condition that is looked at after an item was opened.
package enum MatchFilter: Sendable, Equatable {
    /// The server equals the host or is a subdomain of it.
    case hostOrSubdomain(String)
    /// The moment, nil for now, lies between a key's start and end date; a date of 0 leaves that side open.
    case keyValid(on: Double?)
    /// An attribute is the text, but for differences that do not count (decision D1).
    case text(Attribute, TextPattern)
    case certificate(CertificateFilter)
}

/// A condition on what stands in a certificate.
package enum CertificateFilter: Sendable, Equatable {
    /// It is valid at the moment, nil for now.
    case valid(on: Double?)
    /// It has the address, or none at all (decision D2).
    case emailAddress(String)
    case subject(TextPattern)
    /// Its issuer is among the names (DER), or that of a certificate of the keychain on the way to its root.
    case issued(under: [[UInt8]])
    /// It is good for that by itself at the moment; its issuer is not examined.
    case satisfies(TrustPolicy, on: Double?)
    /// It leads to one of the system's anchors at the moment.
    case trusted(on: Double?)
}
