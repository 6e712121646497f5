// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Something that was done with an item.
package struct ItemEvent: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// It was found, and told of as far as was asked.
        case found
        case added
        case updated
        case deleted
        /// A key did its work where it is.
        case used
    }

    package let kind: Kind
    package let itemClass: ItemClass
    package let group: String
    package let id: PersistentID

    package init(_ kind: Kind, _ itemClass: ItemClass, group: String, _ id: PersistentID) {
        self.kind = kind
        self.itemClass = itemClass
        self.group = group
        self.id = id
    }

    /// Whether others see it: a look changes nothing.
    package var isChange: Bool {
        switch kind {
        case .added, .updated, .deleted: true
        case .found, .used: false
        }
    }
}

/// Receives the events of a request once it is done.
package protocol ItemObserver: AnyObject, Sendable {
    func saw(_ events: [ItemEvent])
}

/// What became of items since the last time, as far as a program may see them.
package struct KeychainChanges: Sendable, Equatable {
    /// Added, updated and deleted ones, in the order in which it was done.
    package let events: [ItemEvent]
    /// Whether there was more than was kept for a program that did not listen.
    package let isIncomplete: Bool

    package init(_ events: [ItemEvent], isIncomplete: Bool) {
        self.events = events
        self.isIncomplete = isIncomplete
    }
}
