// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
package import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSQLite

/// Finds one part of a list, in the order in which items were stored, and says where the next part begins.
///
/// It goes on behind a row by that row's number, and never by counting rows, so the last part takes no longer than the first,
/// and what others store or remove between two parts moves no other item.
struct PagedMatching {
    private let rows: RowAccess
    private let wanted: Wanted

    init(_ connection: StoreConnection, _ match: MatchRequest, _ wanted: Wanted, _ now: @escaping () -> Double) {
        rows = RowAccess(connection, filteringFor: match.predicate, now)
        // The bytes found are counted in every case, because a part ends by them.
        var counted = wanted
        if wanted.budget == nil { counted.budget = { _ in .enough } }
        self.wanted = counted
    }

    func find(_ authorized: Authorized<MatchPageRequest>) throws(StoreError) -> MatchPage {
        let match = authorized.request.match
        let start = authorized.request.start
        guard start == nil || start?.keychain == rows.connection.keybag.keychain else { throw .keychainReplaced }
        // `MatchPageRequest` takes no other.
        guard case .stored(let itemClass) = match.predicate.queriedClass else { throw .notFound }
        let selection = Selection(
            predicate: match.predicate, table: ItemTable.of(itemClass), scope: authorized.scope,
            reach: authorized.reach, id: nil
        ).behind(row: start?.row ?? .min)
        guard wanted.returning.contains(.damaged) else { return try look(selection, match.limit.count) }
        var part = MatchPage(found: [], next: nil)
        let damaged = try rows.notes.listingDamage { () throws(StoreError) in
            part = try look(selection, match.limit.count)
        }
        return MatchPage(found: part.found + damaged.map { Found.damaged($0) }, next: part.next)
    }

    private func look(_ selection: Selection, _ mostRows: Int) throws(StoreError) -> MatchPage {
        var cursor = try RowCursor(rows, selection)
        defer { cursor.end() }
        var found: [Found] = []
        var last: MatchPosition?
        var looked = 0
        while looked < mostRows, rows.notes.foundBytes < PagedMatching.mostBytes {
            let isThere = try cursor.step()
            if looked == 0 { try rows.connection.checkKeybag() }
            guard isThere else { return MatchPage(found: found, next: nil) }
            let row = cursor.row
            do throws(StoreError) {
                if let opened = try unsafe rows.opened(row, selection),
                    let item = try unsafe rows.foundItem(row, opened, selection, wanted)
                {
                    found.append(.item(item))
                }
            } catch {
                // A large item for which there is no room beside the others begins the next part.
                guard error.isWantOfRoom, let last else { throw error }
                return MatchPage(found: found, next: last)
            }
            last = MatchPosition(in: row.keychain, row: row.rowID)
            looked += 1
        }
        return MatchPage(found: found, next: last)
    }

    /// A part that has more ends: half of what a client's message may have without taking room that users share.
    private static let mostBytes = 1 << 19
}

extension StoreError {
    /// Whether the answer had no room, and a smaller one may have.
    fileprivate var isWantOfRoom: Bool {
        switch self {
        case .answerTooLarge, .noRoomForAnswer: true
        default: false
        }
    }
}

extension StoreConnection {
    /// Finds one part of a list in the order in which items were stored.
    package func match(
        _ authorized: Authorized<MatchPageRequest>, _ shown: FactorSecrets, unmet: UnmetDemands,
        budget: (@Sendable (Int) -> AnswerBudget)? = nil, now: @escaping () -> Double
    ) throws(StoreError) -> MatchPage {
        notes.begin()
        let match = authorized.request.match
        let wanted = Wanted(returning: match.returning, shown: shown, unmet: unmet, budget: budget)
        return try PagedMatching(self, match, wanted, now).find(authorized)
    }
}
