// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainModel
import KeychainRequest
import KeychainStore

/// A query by what is planned for it: its class, the attributes it names, and how far it reaches.
struct PlannedQuery: Sendable, CustomStringConvertible {
    let itemClass: ItemClass
    let attributes: [Attribute]
    var groups = 1
    var isByReference = false
    var isAnyKind = false
    var accessibility: Accessibility?
    var isSorted = false
    var isPart = false
    let way: PlannedWay

    init(
        _ itemClass: ItemClass, _ attributes: [Attribute], groups: Int = 1, isByReference: Bool = false,
        isAnyKind: Bool = false, accessibility: Accessibility? = nil, isSorted: Bool = false,
        isPart: Bool = false, goes way: PlannedWay
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.groups = groups
        self.isByReference = isByReference
        self.isAnyKind = isAnyKind
        self.accessibility = accessibility
        self.isSorted = isSorted
        self.isPart = isPart
        self.way = way
    }

    var description: String {
        let words =
            attributes.map(\.key) + (isByReference ? ["reference"] : []) + (isAnyKind ? ["syna"] : [])
            + (isPart ? ["part"] : [])
        return "\(itemClass.name) \(words.joined(separator: " ")), \(groups) groups"
    }

    /// The statement; no groups at all stand for a caller who sees every one.
    var sql: String {
        var list = AttributeList()
        for attribute in attributes { list[attribute] = .string("x") }
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: list, groups: .everyGroupOfCaller,
            synchronizable: isAnyKind ? .any : .only(false), tombstones: false, accessibility: accessibility,
            restriction: .none, filters: [])
        let names = (0..<groups).compactMap { AccessGroup("group \($0)") }
        var shape = QueryShape(
            predicate, itemClass: itemClass, scope: groups == 0 ? .every : .only(names), byReference: isByReference)
        shape.isSorted = isSorted || isPart
        shape.isPart = isPart
        return shape.sql
    }
}
