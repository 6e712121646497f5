// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
package import KeychainModel
package import KeychainRequest

/// Which conditions a query has, without their values: the key under which its statement is kept.
package struct QueryShape: Hashable {
    var itemClass: ItemClass
    /// One bit per column of the table that must be equal to something.
    var columns: UInt64 = 0
    var conditions: Conditions = []
    /// How many groups the caller has; nil when every group is seen.
    var groupCount: Int?
    /// Whether even the few rows of a pinned query are to come in order.
    package var isSorted = false

    struct Conditions: OptionSet, Hashable {
        let rawValue: UInt8
        static let reference = Conditions(rawValue: 1)
        static let synchronizable = Conditions(rawValue: 2)
        static let accessibility = Conditions(rawValue: 4)
        static let viewHint = Conditions(rawValue: 8)
        static let tokenID = Conditions(rawValue: 16)
        static let multiUser = Conditions(rawValue: 32)
    }

    package init(_ predicate: ItemPredicate, itemClass: ItemClass, scope: GroupFilter, byReference: Bool) {
        self.itemClass = itemClass
        let table = ItemTable.of(itemClass)
        for entry in predicate.attributes.entries {
            switch entry.attribute {
            case .viewHint: conditions.insert(.viewHint)
            case .tokenID: conditions.insert(.tokenID)
            case .multiUser: conditions.insert(.multiUser)
            default:
                if let ordinal = table.ordinal(of: entry.attribute) { columns |= 1 << UInt64(ordinal) }
            }
        }
        if case .only = predicate.synchronizable { conditions.insert(.synchronizable) }
        if predicate.accessibility != nil { conditions.insert(.accessibility) }
        if case .only(let groups) = scope { groupCount = groups.count }
        if byReference { conditions.insert(.reference) }
    }

    /// The select statement.
    ///
    /// Placeholders stand in the order in which `Selection` binds them.
    package var sql: String {
        let table = ItemTable.of(itemClass)
        return "select \(RowReader.columns) from \(table.name) where \(conditions(of: ""))\(order)"
    }

    /// The conditions on the columns of the table, which has that prefix in the statement.
    func conditions(of prefix: String) -> String {
        var terms: [String] = []
        func add(_ column: String) { terms.append("\(prefix)\(column) = ?") }
        if conditions.contains(.reference) { add("persistref") }
        for (ordinal, column) in ItemTable.of(itemClass).columns.enumerated()
        where columns & 1 << UInt64(ordinal) != 0 {
            add(column.name)
        }
        if let groupCount { terms.append(groups(groupCount, of: prefix)) }
        if conditions.contains(.synchronizable) { add("sync") }
        if conditions.contains(.accessibility) { add("pdmn") }
        if conditions.contains(.viewHint) { add("vwht") }
        if conditions.contains(.tokenID) { add("tkid") }
        if conditions.contains(.multiUser) { add("musr") }
        add("tomb")
        return terms.joined(separator: " and ")
    }

    /// The caller's groups.
    ///
    /// In a pinned query the rest of the key has found the few rows already, and looking into the index once for each
    /// group would cost more than comparing: the plus keeps the term out of the index.
    private func groups(_ count: Int, of prefix: String) -> String {
        if count == 1 { return "\(prefix)agrp = ?" }
        let places = repeatElement("?", count: count).joined(separator: ", ")
        return "\(isPinned ? "+" : "")\(prefix)agrp in (\(places))"
    }

    /// Whether the query names the class's whole unique key, so that at most a handful of rows can match: one for each
    /// group, kind of synchronizing and view hint.
    var isPinned: Bool {
        let identity = UInt64(1) << UInt64(ItemTable.of(itemClass).identityCount) - 1
        return columns & identity == identity || conditions.contains(.reference)
    }

    /// Items come in the order in which they were stored.
    ///
    /// A pinned query is asked without order first, which spares SQLite's sorter: nearly always it finds one row. Where an
    /// account alone leads the unique key, SQLite sorts; with a plain `rowid` it would rather walk a whole service in
    /// row order to spare itself that. Elsewhere the index or the table yields row order by itself, and a sort would
    /// read every match before the first is returned.
    private var order: String {
        if isPinned { return isSorted ? " order by +rowid" : "" }
        return columns & 1 != 0 ? " order by +rowid" : " order by rowid"
    }
}
