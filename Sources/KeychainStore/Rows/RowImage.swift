// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// All that is written for an item: every column, and the sealed blob bound to them.
struct RowImage {
    /// Every column but the blob: the common ones, then the class's own, as `ItemTable.writtenColumns` orders them.
    let columns: [ColumnValue]
    let blob: [UInt8]

    init(_ item: Item, keychain: KeychainUUID, sealer: ItemSealer) throws(SealingError) {
        let table = ItemTable.of(item.itemClass)
        let accessibility = item.accessControl.protection
        columns = try RowImage.columns(of: item, in: table, sealer: sealer)
        let group = Array(item.group.utf8)
        let name = Array(accessibility.name.utf8)
        let viewHint = Array(item.viewHint.utf8)
        let tokenID = Array(item.tokenID.utf8)
        let empty = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        let binding = unsafe group.withUnsafeBytes { group in
            unsafe name.withUnsafeBytes { name in
                unsafe viewHint.withUnsafeBytes { viewHint in
                    unsafe tokenID.withUnsafeBytes { tokenID in
                        unsafe RowBinding(
                            keychain: keychain, itemClass: item.itemClass, id: item.id,
                            synchronizable: item.isSynchronizable ? 1 : 0, tombstone: item.isTombstone ? 1 : 0,
                            group: group, accessibility: name, multiUser: empty, viewHint: viewHint,
                            tokenID: tokenID, sharingGroup: empty)
                    }
                }
            }
        }
        blob = try sealer.seal(try item.record(), secret: item.secret, accessibility: accessibility, binding: binding)
    }

    /// What every column of an item but the blob holds.
    static func columns(
        of item: Item, in table: ItemTable, sealer: ItemSealer
    ) throws(SealingError) -> [ColumnValue] {
        var values: [ColumnValue] = []
        values.reserveCapacity(ItemTable.commonColumns.count + table.columns.count)
        values.append(.hash(item.id.high, item.id.low))
        values.append(.hash(item.syncID.high, item.syncID.low))
        values.append(.text(item.group))
        values.append(.text(item.accessControl.protection.name))
        values.append(.integer(item.isSynchronizable ? 1 : 0))
        values.append(.integer(item.isTombstone ? 1 : 0))
        values.append(.blob([]))
        values.append(.text(item.viewHint))
        values.append(.text(item.tokenID))
        values.append(.text(""))
        for column in table.columns { values.append(try ColumnValue(of: item, column, in: table, sealer: sealer)) }
        return values
    }
}

/// A value as it stands in a column.
enum ColumnValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// The 16 bytes of a keyed hash.
    case hash(UInt64, UInt64)

    /// A value stored in the clear.
    init(clear value: AttributeValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .data(let bytes): self = .blob(bytes)
        case .number(let number): self = .integer(number)
        case .date(let date): self = .real(date)
        }
    }

    /// What stands in a searchable column for an attribute's value.
    init(
        _ value: AttributeValue, for column: TableColumn, in table: ItemTable, sealer: ItemSealer
    ) throws(SealingError) {
        guard column.storage == .hashed else {
            self = ColumnValue(clear: value)
            return
        }
        self = try unsafe value.withComparisonBytes { (bytes) throws(SealingError) in
            // Nothing to hide in an empty value, and a constant spares most rows several hashes.
            if unsafe bytes.isEmpty { return .blob([]) }
            return try unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) {
                hash -> Result<ColumnValue, SealingError> in
                do throws(SealingError) {
                    try unsafe sealer.indexHash(
                        table: table.itemClass, column: column.attribute, bytes, into: hash)
                    return unsafe .success(
                        .hash(
                            UInt64(bigEndian: hash.load(fromByteOffset: 0, as: UInt64.self)),
                            UInt64(bigEndian: hash.load(fromByteOffset: 8, as: UInt64.self))))
                } catch { return .failure(error) }
            }.get()
        }
    }

    /// What stands in a searchable column for an item.
    init(of item: Item, _ column: TableColumn, in table: ItemTable, sealer: ItemSealer) throws(SealingError) {
        guard let value = item.attributes[column.attribute] ?? column.absent else {
            self = .null
            return
        }
        try self.init(value, for: column, in: table, sealer: sealer)
    }

    /// What a row holds in a column.
    init(of statement: Statement, column: Int) {
        switch statement.columnType(column) {
        case .null: self = .null
        case .integer: self = .integer(statement.int64(column))
        case .real: self = .real(statement.double(column))
        case .text: self = .text(statement.text(column))
        case .blob: self = .blob(statement.blob(column))
        }
    }

    func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
        switch self {
        case .null: try statement.bindNull(at: index)
        case .integer(let number): try statement.bind(number, at: index)
        case .real(let number): try statement.bind(number, at: index)
        case .text(let text): try statement.bind(text: text, at: index)
        case .blob(let bytes): try statement.bind(blob: bytes, at: index)
        case .hash(let high, let low):
            try unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { (bytes) throws(SQLiteError) in
                try unsafe statement.bind(blob: bytes, at: index)
            }
        }
    }

    /// As the quarantine and earlier versions keep it.
    var kept: PropertyList {
        switch self {
        case .null: StoredValue.null.kept
        case .integer(let number): StoredValue.integer(number).kept
        case .real(let number): StoredValue.real(number).kept
        case .text(let text): StoredValue.text(Array(text.utf8)).kept
        case .blob(let bytes): StoredValue.blob(bytes).kept
        case .hash(let high, let low): StoredValue.blob(PersistentID(high: high, low: low).bytes).kept
        }
    }

    /// Equality that sees a hash and its bytes as one.
    func isSame(as other: ColumnValue) -> Bool { normalized == other.normalized }

    private var normalized: ColumnValue {
        guard case .hash(let high, let low) = self else { return self }
        return .blob(PersistentID(high: high, low: low).bytes)
    }
}

/// Binds values to a statement's placeholders, one after the other, as each is made.
struct Placeholders {
    private let statement: Statement
    private var next = 1

    fileprivate init(of statement: Statement) { self.statement = statement }

    mutating func bind(_ value: ColumnValue) throws(StoreError) {
        try translating { () throws(SQLiteError) in try value.bind(to: statement, at: next) }
        next += 1
    }

    /// Binds what stands in a searchable column for an attribute's value.
    mutating func bind(
        _ value: AttributeValue, for column: TableColumn, in table: ItemTable, sealer: ItemSealer
    ) throws(StoreError) {
        let stored = try sealing { () throws(SealingError) in
            try ColumnValue(value, for: column, in: table, sealer: sealer)
        }
        try bind(stored)
    }
}

extension Statement {
    /// Has `body` bind the statement's values; resets the statement when one cannot be made or bound.
    func bindingPlaceholders(_ body: (inout Placeholders) throws(StoreError) -> Void) throws(StoreError) {
        var placeholders = Placeholders(of: self)
        do throws(StoreError) { try body(&placeholders) } catch {
            reset()
            throw error
        }
    }
}
