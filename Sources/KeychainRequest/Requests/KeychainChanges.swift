// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What became of items since the last time, as far as a program may see them.
package struct KeychainChanges: Sendable, Equatable {
    /// Added, updated and deleted ones, in the order in which it was done.
    package let deeds: [ItemDeed]
    /// Whether there was more than was kept for a program that did not listen.
    package let isIncomplete: Bool

    package init(_ deeds: [ItemDeed], isIncomplete: Bool) {
        self.deeds = deeds
        self.isIncomplete = isIncomplete
    }
}

extension ItemDeed {
    /// Whether others see it: a look changes nothing.
    package var isChange: Bool {
        switch kind {
        case .added, .updated, .deleted: true
        case .found, .used: false
        }
    }
}
