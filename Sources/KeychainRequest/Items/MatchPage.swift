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
/// is another row: it may come twice, or not at all.
package struct MatchPageRequest: Sendable {
    package let match: MatchRequest
    /// Where an earlier part ended; nil for the first one.
    package let start: MatchPosition?

    /// nil where there is no order of rows to go on in: for identities, and for items that are named one by one.
    package init?(_ match: MatchRequest, from start: MatchPosition?) {
        guard case .stored = match.predicate.queriedClass, case .none = match.predicate.restriction,
            match.limit != .nothing
        else { return nil }
        self.match = match
        self.start = start
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
