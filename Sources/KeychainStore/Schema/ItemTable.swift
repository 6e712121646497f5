// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The table of one item class: its columns, its unique key, its indexes.
// A class, because rows and selections have it beside them, and a copy of its lists would be counted each time.
package final class ItemTable: Sendable {
    package let itemClass: ItemClass
    /// The searchable columns, unique key first; a column's place here is its bit in a query's shape.
    package let columns: [TableColumn]
    /// The place in `columns` of each attribute, by its own ordinal; 255 for one without a column.
    private let ordinals: [UInt8]
    /// How many of `columns`, from the front, belong to the unique key.
    let identityCount: Int

    package var name: String { itemClass.name }

    /// The index of references, which SQLite makes for a column that is unique.
    var referenceIndex: String { "sqlite_autoindex_\(name)_1" }
    /// That of what tells items apart, which is unique together.
    var identityIndex: String { "sqlite_autoindex_\(name)_2" }

    /// What every row has before its class's own columns, in the order in which `RowImage` writes them.
    static let commonColumns = [
        "persistref", "syncid", "agrp", "pdmn", "sync", "tomb", "musr", "vwht", "tkid", "ggrp",
    ]

    /// Every column that an insert or update writes, in order.
    var writtenColumns: [String] { ItemTable.commonColumns + columns.map(\.name) + ["data"] }

    /// How many columns a row has in the file, its number among them.
    var columnCount: Int { ItemTable.commonColumns.count + columns.count + 2 }

    package static func of(_ itemClass: ItemClass) -> ItemTable { all[Int(itemClass.rawValue)] }

    private static let all: [ItemTable] = ItemClass.allCases.map(ItemTable.init)

    private init(_ itemClass: ItemClass) {
        self.itemClass = itemClass
        let identity = ItemIdentity.parts(of: itemClass).map { part in
            TableColumn(
                attribute: part.attribute, storage: TableColumn.Storage(of: part.attribute), absent: part.absent)
        }
        let inIdentity = Set(identity.map(\.attribute))
        let others = [Attribute.creationDate, .modificationDate, .label, .alias] + Attribute.own(of: itemClass)
        columns =
            identity
            + others.filter { !inIdentity.contains($0) }.map { attribute in
                TableColumn(attribute: attribute, storage: TableColumn.Storage(of: attribute), absent: nil)
            }
        let attributes = columns.map(\.attribute)
        ordinals = Attribute.table { attribute in attributes.firstIndex(of: attribute).map(UInt8.init) ?? .max }
        identityCount = identity.count
    }

    package func ordinal(of attribute: Attribute) -> Int? {
        let ordinal = ordinals[attribute.ordinal]
        return ordinal == .max ? nil : Int(ordinal)
    }

    /// The statements that make the table and its indexes, as a database of the format has them.
    ///
    /// There is no index for every searchable column: each one costs an add about as much as the row itself, and a
    /// program searches by service or server, by account, or by reference.
    package func definition(format: Int64) -> [String] {
        let common = [
            "rowid integer primary key", "persistref blob not null unique", "syncid blob not null",
            "agrp text not null", "pdmn text not null", "sync integer not null default 0",
            "tomb integer not null default 0", "musr blob not null default x''", "vwht text not null default ''",
            "tkid text not null default ''", "ggrp text not null default ''",
        ]
        let unique = columns.prefix(identityCount).map(\.name) + ItemTable.commonIdentity
        let lines =
            common + columns.map(\.declaration)
            + ["data blob not null", "unique(\(unique.joined(separator: ", ")))"]
        return ["create table \(name)(\(lines.joined(separator: ", ")))"] + firstIndexes
            + (format < 2 ? [] : secondIndexes)
    }

    /// The join of identities goes by a certificate's public key.
    private var firstIndexes: [String] {
        switch itemClass {
        case .genericPassword: indexes(of: ["svce"])
        case .internetPassword: indexes(of: ["srvr"])
        case .certificate: indexes(of: ["pkhh"])
        case .key: []
        }
    }

    /// What format 2 added: people look for keys and certificates by label, programs for keys by tag, and issuers are found
    /// by their subject.
    var secondIndexes: [String] {
        switch itemClass {
        case .genericPassword, .internetPassword: []
        case .certificate: indexes(of: ["labl", "subj"])
        case .key: indexes(of: ["atag", "labl"])
        }
    }

    private func indexes(of columns: [String]) -> [String] {
        columns.map { "create index \(name)\($0) on \(name)(\($0))" }
    }

    /// What makes an item unique in every class, after the class's own part of the key.
    static let commonIdentity = ["agrp", "sync", "vwht", "tkid", "musr", "ggrp"]
}

/// One searchable column of an item table.
package struct TableColumn: Sendable {
    /// What a column shows of its attribute.
    package enum Storage: Sendable {
        /// A keyed hash: equal values can be found, and nothing else can be told.
        case hashed
        /// The value itself, without type affinity: "080" stays text.
        case clear
        /// A date as a real number.
        case date
    }

    package let attribute: Attribute
    package let storage: Storage
    /// The value that stands for "not given" in a unique key; nil for columns outside it, which may be NULL.
    package let absent: AttributeValue?

    package var name: String { attribute.key }

    var declaration: String {
        switch (storage, absent) {
        case (.hashed, nil): "\(name) blob"
        case (.hashed, _?): "\(name) blob not null default x''"
        case (.date, nil): "\(name) real"
        case (.date, _?): "\(name) real not null default 0"
        case (.clear, nil): name
        case (.clear, _?): "\(name) not null default 0"
        }
    }
}

extension TableColumn.Storage {
    /// How an attribute is kept (semantics §2.2).
    init(of attribute: Attribute) {
        switch attribute {
        case .creationDate, .modificationDate, .startDate, .endDate: self = .date
        case .label, .itemDescription, .comment, .alias, .protected, .generic, .account, .service, .securityDomain,
            .server, .authenticationType, .path, .subject, .issuer, .serialNumber, .subjectKeyID, .keyClass,
            .applicationTag, .applicationLabel, .publicKeyHash:
            self = .hashed
        default: self = .clear
        }
    }
}
