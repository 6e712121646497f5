// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthorization
internal import KeychainCertificates
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest

/// A predicate with everything that is needed to look: whose groups, which class, which one item.
struct Selection {
    let predicate: ItemPredicate
    let table: ItemTable
    let scope: GroupFilter
    /// Where a certificate's issuers may be.
    let reach: GroupFilter
    /// The one item to look at, or nil for all.
    let id: PersistentID?
    /// The row behind which the look begins, where it is a part of a list.
    private(set) var position: Int64?
    /// The conditions without their values.
    private(set) var shape: QueryShape

    init(
        predicate: ItemPredicate, table: ItemTable, scope: GroupFilter, reach: GroupFilter? = nil, id: PersistentID?
    ) {
        var predicate = predicate
        if table.itemClass == .certificate { predicate.attributes.normalizeIssuer() }
        self.predicate = predicate
        self.table = table
        self.scope = scope
        self.reach = reach ?? scope
        self.id = id
        shape = QueryShape(predicate, itemClass: table.itemClass, scope: scope, byReference: id != nil)
    }

    /// The same look with its rows in the order in which they were stored, whatever that costs.
    var sorted: Selection {
        var sorted = self
        sorted.shape.isSorted = true
        return sorted
    }

    /// The same look, sorted, at the rows behind one alone.
    func behind(row: Int64) -> Selection {
        var rest = sorted
        rest.position = row
        rest.shape.isPart = true
        return rest
    }

    /// The same look, row by row through the table from a number on: it needs no index.
    func walking(from row: Int64) -> Selection {
        var walk = behind(row: row)
        walk.shape.isWalk = true
        return walk
    }

    /// The looks that answer a predicate: one, or one for each item that is named.
    static func all<Request>(
        for predicate: ItemPredicate, _ itemClass: ItemClass, _ authorized: Authorized<Request>
    ) -> [Selection] {
        let table = ItemTable.of(itemClass)
        func selection(_ predicate: ItemPredicate, _ id: PersistentID?) -> Selection {
            Selection(
                predicate: predicate, table: table, scope: authorized.scope, reach: authorized.reach, id: id)
        }
        guard case .items(let designations) = predicate.restriction else {
            return [selection(predicate, nil)]
        }
        return designations.compactMap { designation in
            switch designation {
            case .persistent(.item(itemClass, let id)):
                return selection(predicate, id)
            case .content(itemClass, let attributes):
                var predicate = predicate
                for entry in attributes.entries where !predicate.attributes.contains(entry.attribute) {
                    predicate.attributes.append(unchecked: entry.attribute, entry.value)
                }
                return selection(predicate, nil)
            case .persistent, .content, .identity: return nil
            }
        }
    }

    /// Binds the values of the statement's placeholders, in the order in which `QueryShape.sql` names them.
    func bind(to placeholders: inout Placeholders, sealer: ItemSealer) throws(StoreError) {
        if let id { try placeholders.bind(.hash(id.high, id.low)) }
        var ordinals = shape.columns
        while ordinals != 0 {
            let column = table.columns[ordinals.trailingZeroBitCount]
            ordinals &= ordinals - 1
            guard let value = predicate.attributes[column.attribute] else { continue }
            try placeholders.bind(value, for: column, in: table, sealer: sealer)
        }
        if case .only(let groups) = scope {
            for group in groups { try placeholders.bind(.text(group.name)) }
        }
        if case .only(let wanted) = predicate.synchronizable { try placeholders.bind(.integer(wanted ? 1 : 0)) }
        if let accessibility = predicate.accessibility { try placeholders.bind(.text(accessibility.name)) }
        if shape.conditions.contains(.viewHint) { try bind(.viewHint, to: &placeholders) }
        if shape.conditions.contains(.tokenID) { try bind(.tokenID, to: &placeholders) }
        if shape.conditions.contains(.multiUser) { try bind(.multiUser, to: &placeholders) }
        if let position { try placeholders.bind(.integer(position)) }
        try placeholders.bind(.integer(predicate.tombstones ? 1 : 0))
    }

    private func bind(_ attribute: Attribute, to placeholders: inout Placeholders) throws(StoreError) {
        guard let value = predicate.attributes[attribute] else { return }
        try placeholders.bind(ColumnValue(clear: value))
    }

    /// Whether an opened row is what was asked for: the columns only proposed it.
    func accepts(_ record: AttributeList) -> Bool {
        let wanted = predicate.attributes.entries
        for index in wanted.indices where wanted[index].attribute != .digest {
            let attribute = wanted[index].attribute
            guard let stored = record[attribute] else {
                let mayBeAbsent = attribute == .viewHint || attribute == .tokenID
                if mayBeAbsent, wanted[index].value == .emptyString { continue }
                return false
            }
            let isHashed = table.ordinal(of: attribute).map { table.columns[$0].storage == .hashed } ?? false
            let isSame =
                isHashed ? stored.hasSameComparisonBytes(as: wanted[index].value) : stored == wanted[index].value
            if !isSame { return false }
        }
        if case .string(let group)? = record[.accessGroup] { return scope.contains(group) }
        return false
    }
}

extension AttributeList {
    /// Brings an issuer that is a whole name (a SEQUENCE in DER) into the form that is stored and compared; other data is
    /// taken as it is (semantics §1.2).
    mutating func normalizeIssuer() {
        guard case .data(let bytes)? = self[.issuer], let name = DistinguishedName(der: bytes) else { return }
        self[.issuer] = .data(name.normalizedContent)
    }
}

/// Which conditions a query has, without their values: the key under which its statement is kept.
package struct QueryShape: Hashable {
    var itemClass: ItemClass
    /// One bit per column of the table that must be equal to something.
    var columns: UInt64 = 0
    var conditions = Conditions(rawValue: 0)
    /// How many groups the caller has; nil when every group is seen.
    var groupCount: Int?
    /// Whether even the few rows of a pinned query are to come in order.
    package var isSorted = false
    /// Whether only rows behind one are looked at.
    package var isPart = false
    /// Whether the table is read row by row, whatever indexes there are.
    package var isWalk = false

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
        // By index, here and below: iterating would copy every value.
        let entries = predicate.attributes.entries
        for index in entries.indices {
            switch entries[index].attribute {
            case .viewHint: conditions.insert(.viewHint)
            case .tokenID: conditions.insert(.tokenID)
            case .multiUser: conditions.insert(.multiUser)
            default:
                if let ordinal = table.ordinal(of: entries[index].attribute) { columns |= 1 << UInt64(ordinal) }
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
        return
            "select \(RowReader.columns) from \(table.name)\(isWalk ? " not indexed" : "") where \(conditions(of: ""))\(order)"
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
        if isPart { terms.append("\(isOrderedByRow ? "" : "+")\(prefix)rowid \(isWalk ? ">=" : ">") ?") }
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
        if isWalk { return false }
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
        if isPinned, !isSorted { return "" }
        return isOrderedByRow ? " order by rowid" : " order by +rowid"
    }

    /// Whether the index or the table yields row order by itself.
    ///
    /// Elsewhere the plus keeps `rowid` away from the planner, in the order and in what a part begins behind: SQLite would
    /// walk a whole service behind a row to find one account in it.
    private var isOrderedByRow: Bool { isWalk || (!isPinned && columns & 1 == 0) }

    /// Whether rows come in the order of their numbers.
    var isInRowOrder: Bool { !isPinned || isSorted }
}
