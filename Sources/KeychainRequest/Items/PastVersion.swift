// SPDX-License-Identifier: Apache-2.0

/// An item as it was before it was changed or removed.
package struct PastVersion: Sendable {
    /// How it ended.
    package enum End: Sendable, Equatable, CaseIterable {
        case changed
        case removed
    }

    /// What it is called by: a later version has a greater number.
    package let number: Int64
    package let end: End
    /// From when until when the item was so, in seconds since 2001-01-01 UTC.
    package let since: Double
    package let until: Double
    /// With its secret only where that one version was asked for.
    package let item: FoundItem

    package init(number: Int64, end: End, since: Double, until: Double, item: FoundItem) {
        (self.number, self.end, self.since, self.until, self.item) = (number, end, since, until, item)
    }

    /// How many days an earlier version can be gone back to.
    package static let days = 30
    /// Bytes of a version from which on it is a large one.
    package static let largeBytes = 65_536
    /// Bytes that the large ones of one item may have, and those of all items.
    package static let mostLargeBytesOfOne = 128 << 20
    package static let mostLargeBytes = 512 << 20
    /// More no secret has: it comes in a message.
    package static let largestSecret = 64 << 20
}
