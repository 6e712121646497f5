// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// How SQLite gets to the rows of a query, in fewer words than its own.
enum PlannedWay: Sendable {
    /// From the first row to the last, in the order of storing.
    case scan
    /// Through the index of persistent references.
    case reference
    /// Through the unique key, by its first columns; what is found is put in order if it can be more than a handful.
    case uniqueKey(String, isSorted: Bool = false)
    /// Through the index of one column, which yields rows in the order of storing.
    case column(String)
    /// From a row on, in the order of storing.
    case scanBehind
    /// Through the index of one column, from a row on.
    case columnBehind(String)

    /// What EXPLAIN QUERY PLAN says of it.
    func lines(of itemClass: ItemClass) -> [String] {
        let table = itemClass.name
        switch self {
        case .scan: return ["SCAN \(table)"]
        case .scanBehind: return ["SEARCH \(table) USING INTEGER PRIMARY KEY (rowid>?)"]
        case .columnBehind(let name):
            return ["SEARCH \(table) USING INDEX \(table)\(name) (\(name)=? AND rowid>?)"]
        case .reference: return ["SEARCH \(table) USING INDEX sqlite_autoindex_\(table)_1 (persistref=?)"]
        case .column(let name): return ["SEARCH \(table) USING INDEX \(table)\(name) (\(name)=?)"]
        case .uniqueKey(let columns, let isSorted):
            let terms = columns.split(separator: " ").map { "\($0)=?" }.joined(separator: " AND ")
            let search = "SEARCH \(table) USING INDEX sqlite_autoindex_\(table)_2 (\(terms))"
            return isSorted ? [search, "USE TEMP B-TREE FOR ORDER BY"] : [search]
        }
    }
}
