// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A checked request for one part of a list that may be long, so that a program lists a million items in little memory.
///
/// `match.limit` is how many rows the part looks at, at most; it ends earlier where the answer would become large. Rows that
/// are passed over count too, so every part takes a short time.
///
/// Every part is the database as it is when the part is read. A row keeps its number as long as it exists, so an item that is
/// there from the first part to the last comes exactly once. What is stored meanwhile comes or does not; what is removed
/// before its part is read does not come; what is changed comes as its part finds it. An item that is deleted and added again
/// is another row: it may come twice, or not at all. Parts that are read in one view are all of the moment it was made at.
package struct MatchPageRequest: Sendable {
    package let match: MatchRequest
    /// Where an earlier part ended; nil for the first one.
    package let start: MatchPosition?
    package let view: ViewID?

    /// nil where there is no order of rows to go on in: for identities, and for items that are named one by one.
    package init?(_ match: MatchRequest, from start: MatchPosition?, in view: ViewID? = nil) {
        guard case .stored = match.predicate.queriedClass, case .none = match.predicate.restriction,
            match.limit != .nothing
        else { return nil }
        self.match = match
        self.start = start
        self.view = view
    }
}

/// One part of a list; it may be empty, also where more follow.
package struct MatchPage: Sendable {
    /// Items in the order in which they were stored, and behind them what is damaged, where that is asked for.
    package let found: [Found]
    /// Where the next part begins; nil behind the last one.
    package let next: MatchPosition?

    package init(found: [Found], next: MatchPosition?) {
        self.found = found
        self.next = next
    }
}

/// The end of a part of a list: the keychain, and the number of the last row that was looked at.
///
/// A list does not go on in another keychain that has come to the same place meanwhile.
package struct MatchPosition: Sendable, Equatable {
    package let keychain: KeychainUUID
    package let row: Int64

    package init(in keychain: KeychainUUID, row: Int64) {
        self.keychain = keychain
        self.row = row
    }
}

/// The name of a view: the database as it was at one moment, held for reading.
package struct ViewID: Sendable, Hashable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    package static func random() -> ViewID { ViewID(.random(in: 1...Int64.max)) }
}

/// What tells whether a row is still the same: eight bytes that change with all that it says.
package struct RowStamp: Sendable, Equatable {
    package let row: Int64
    package let id: PersistentID
    package let stamp: UInt64

    package init(row: Int64, id: PersistentID, stamp: UInt64) { (self.row, self.id, self.stamp) = (row, id, stamp) }

    /// More are not told at once.
    package static let most = 10_000
}
