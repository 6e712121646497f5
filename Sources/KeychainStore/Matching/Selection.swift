// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// A predicate with everything that is needed to look: whose groups, which class, which one item.
struct Selection {
    let predicate: ItemPredicate
    let table: ItemTable
    let scope: GroupFilter
    /// Where a certificate's issuers may be.
    let reach: GroupFilter
    /// The one item to look at, or nil for all.
    let id: PersistentID?
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
    var sorted: Selection { Selection(self, isSorted: true) }

    private init(_ other: Selection, isSorted: Bool) {
        self = other
        shape.isSorted = isSorted
    }

    /// The values of the statement's placeholders, in the order in which `QueryShape.sql` names them.
    func values(bench: SealingBench) throws(SealingError) -> [ColumnValue] {
        var values: [ColumnValue] = []
        values.reserveCapacity(8)
        if let id { values.append(.hash(id.high, id.low)) }
        for ordinal in table.columns.indices where shape.columns & 1 << UInt64(ordinal) != 0 {
            let column = table.columns[ordinal]
            guard let value = predicate.attributes[column.attribute] else { continue }
            values.append(try ColumnValue(value, for: column, in: table, bench: bench))
        }
        if case .only(let groups) = scope {
            for group in groups { values.append(.text(group.name)) }
        }
        if case .only(let wanted) = predicate.synchronizable { values.append(.integer(wanted ? 1 : 0)) }
        if let accessibility = predicate.accessibility { values.append(.text(accessibility.name)) }
        for attribute in [Attribute.viewHint, .tokenID, .multiUser] {
            if let value = predicate.attributes[attribute] { values.append(ColumnValue(clear: value)) }
        }
        values.append(.integer(predicate.tombstones ? 1 : 0))
        return values
    }

    /// Whether an opened row is what was asked for: the columns only proposed it.
    func accepts(_ record: AttributeList) -> Bool {
        for entry in predicate.attributes.entries where entry.attribute != .digest {
            let stored = record[entry.attribute]
            switch (stored, entry.value) {
            case (nil, .string("")) where entry.attribute == .viewHint || entry.attribute == .tokenID: continue
            case (nil, _): return false
            case (let stored?, let wanted):
                let column = table.columns.first { $0.attribute == entry.attribute }
                let isSame = column?.storage == .hashed ? stored.hasSameComparisonBytes(as: wanted) : stored == wanted
                if !isSame { return false }
            }
        }
        if case .string(let group)? = record[.accessGroup] { return scope.contains(group) }
        return false
    }

    /// Whether an accepted row passes the filters that look at its attributes.
    func passesFilters(_ record: AttributeList, now: () -> Double) -> Bool {
        for filter in predicate.filters where !filter.passes(record, now: now) { return false }
        return true
    }

    /// The filters that look into a certificate.
    var certificateFilters: [CertificateFilter] {
        predicate.filters.compactMap { if case .certificate(let filter) = $0 { filter } else { nil } }
    }
}

extension MatchFilter {
    /// Whether a record passes; what looks at more than a record is not decided here.
    func passes(_ record: AttributeList, now: () -> Double) -> Bool {
        switch self {
        case .hostOrSubdomain(let host):
            guard case .string(let server)? = record[.server] else { return false }
            return server == host || Array(server.utf8).hasSuffix(Array(("." + host).utf8))
        case .keyValid(let given):
            let moment = given ?? now()
            return MatchFilter.isOpenOr(record[.startDate]) { $0 <= moment }
                && MatchFilter.isOpenOr(record[.endDate]) { moment <= $0 }
        case .text(let attribute, let pattern):
            guard case .string(let text)? = record[attribute] else { return false }
            return pattern.matches(text)
        case .certificate: return true
        }
    }

    /// A date of 0 leaves its side open.
    private static func isOpenOr(_ value: AttributeValue?, _ condition: (Double) -> Bool) -> Bool {
        guard case .date(let date)? = value, date != 0 else { return true }
        return condition(date)
    }
}

extension Array where Element == UInt8 {
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { count >= other.count && suffix(other.count) == other[...] }
}
