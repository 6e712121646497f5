// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSQLite
import KeychainStore
import Testing

/// The way SQLite takes to the rows of every query: a change of schema, of a query's wording or of SQLite that makes a
/// find walk a whole table shows here before it shows in a benchmark.
@Suite(.serialized) struct QueryPlanTests {
    @Test("a query goes the way that was planned for it", arguments: PlannedQuery.all)
    func plan(query: PlannedQuery) throws {
        let explained = try FullTable.shared.connection.prepare("explain query plan " + query.sql)
        defer { explained.reset() }
        var lines: [String] = []
        while try explained.step() { lines.append(explained.text(3)) }
        #expect(lines == query.way.lines(of: query.itemClass))
    }
}

/// The tables of a keychain with 10 000 passwords of one service and server, in two groups.
// Sendable: tests are given it by a suite that runs one at a time.
final class FullTable: @unchecked Sendable {
    static let shared = FullTable()
    let connection: SQLiteConnection

    private init() {
        do {
            connection = try SQLiteConnection(path: "", mode: .memory)
            for statement in DatabaseSchema.definition() { try connection.execute(statement) }
            for (table, column) in [("genp", "svce"), ("inet", "srvr")] {
                try connection.execute(
                    """
                    insert into \(table)(persistref, syncid, agrp, pdmn, acct, \(column), data)
                    with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
                    select randomblob(16), randomblob(16), 'group ' || (i % 2), 'ak', randomblob(16), x'01', x'' from n
                    """)
            }
        } catch { preconditionFailure("the tables cannot be made: \(error)") }
    }
}
