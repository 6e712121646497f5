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
        /// Something was given that is no group name; it is in nobody's list.
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
