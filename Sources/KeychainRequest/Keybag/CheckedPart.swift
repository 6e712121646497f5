// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The row behind which an examination goes on.
package struct CheckPosition: Sendable, Equatable {
    package let itemClass: ItemClass
    package let row: Int64

    package init(itemClass: ItemClass, row: Int64) { (self.itemClass, self.row) = (itemClass, row) }
}

/// What one part of an examination of a keychain came to.
package struct CheckedPart: Sendable, Equatable {
    /// What is wrong; places, never values.
    package var findings: [String]
    /// The rows that were come to, those that are locked among them.
    package var rows: Int
    /// Of these the ones that nobody could look into, because their class is locked.
    package var locked: Int
    /// How many rows there are in all.
    package var total: Int
    /// nil when this was the last part.
    package var next: CheckPosition?

    package init(findings: [String], rows: Int, locked: Int, total: Int, next: CheckPosition?) {
        (self.findings, self.rows, self.locked) = (findings, rows, locked)
        (self.total, self.next) = (total, next)
    }
}
