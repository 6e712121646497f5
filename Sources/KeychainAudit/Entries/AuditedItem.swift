// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One item that was touched: its class, what it is found by for ever, and its group where that is known.
package struct AuditedItem: Sendable, Equatable {
    package let itemClass: ItemClass
    package let persistentID: PersistentID
    package let group: AuditedGroup

    package init(_ itemClass: ItemClass, _ persistentID: PersistentID, group: AuditedGroup) {
        self.itemClass = itemClass
        self.persistentID = persistentID
        self.group = group
    }
}

/// What is said of an access group.
package enum AuditedGroup: Sendable, Equatable {
    case named(AccessGroup)
    /// Nobody said, or what was said names none.
    case unknown
    /// Every group of the program.
    case everyOfProgram
    /// A name that is longer than what is kept of one.
    case tooLong

    package init(_ group: AccessGroup) {
        self = group.name.utf8.count <= AuditedGroup.longestName ? .named(group) : .tooLong
    }

    static let longestName = 256
}
