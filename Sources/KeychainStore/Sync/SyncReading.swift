// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// What synchronisation asks of a keychain without changing it.
struct SyncReading {
    private let connection: StoreConnection

    init(_ connection: StoreConnection) throws(StoreError) {
        self.connection = connection
        let isThere = try translating { () throws(SQLiteError) in try SyncTables.exist(in: connection.sqlite) }
        guard isThere else { throw .inNoCircle }
    }

    // MARK: What is known of the circle

    /// nil of a keychain that is in none.
    static func state(of connection: StoreConnection, knowing name: [UInt8]?) throws(StoreError) -> SyncState? {
        try connection.checkKeybag()
        return try SyncStateRows(connection: connection).read(knowing: name)
    }

    /// A row that is not as this software writes it is passed over: without it the root is another one, and that is noticed.
    func leaves(of view: SyncView, behind id: SyncRecordID?, limit: Int) throws(StoreError) -> [SyncLeaf] {
        try rows("select id, n, digest from sync_leaf where view = ? and id > ? order by id", limit) {
            (statement) throws(SQLiteError) in
            try statement.bind(blob: view.bytes, at: 1)
            try statement.bind(blob: id?.bytes ?? [], at: 2)
        } read: { statement in
            (SyncLeaf(statement, id: 0), SyncReading.leafSize)
        }
    }

    func waiting(in view: SyncView, behind id: SyncRecordID?, limit: Int) throws(StoreError) -> [SyncWaiting] {
        try rows(
            """
            select l.id, l.n, l.digest, p.body from sync_pending p join sync_leaf l on l.view = p.view and l.id = p.id \
            where p.view = ? and p.id > ? order by p.id
            """, limit
        ) { (statement) throws(SQLiteError) in
            try statement.bind(blob: view.bytes, at: 1)
            try statement.bind(blob: id?.bytes ?? [], at: 2)
        } read: { statement in
            let body = statement.blob(3)
            return (SyncLeaf(statement, id: 0).map { SyncWaiting(leaf: $0, body: body) }, body.count)
        }
    }

    func heads(of view: SyncView, before number: UInt64?, limit: Int) throws(StoreError) -> [SyncHead] {
        try rows("select n, body from sync_head where view = ? and n < ? order by n desc", limit) {
            (statement) throws(SQLiteError) in
            try statement.bind(blob: view.bytes, at: 1)
            try statement.bind(Int64(clamping: number ?? .max), at: 2)
        } read: { statement in
            let body = statement.blob(1)
            return (SyncHead(number: UInt64(clamping: statement.int64(0)), body: body), body.count)
        }
    }

    /// As many rows as are asked for, unless they become too large; of rows there are, always one.
    private func rows<Row>(
        _ sql: String, _ limit: Int, bind: (Statement) throws(SQLiteError) -> Void,
        read: (Statement) -> (row: Row?, size: Int)
    ) throws(StoreError) -> [Row] {
        try connection.checkKeybag()
        return try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(sql)
            defer { statement.reset() }
            try bind(statement)
            var (rows, bytes): ([Row], Int) = ([], 0)
            while rows.count < min(limit, SyncRequest.mostAtOnce), bytes < SyncRequest.mostBytes,
                try statement.step()
            {
                let (row, size) = read(statement)
                guard let row else { continue }
                rows.append(row)
                bytes += size
            }
            return rows
        }
    }

    private static let leafSize = 64

    // MARK: Of which items

    /// How many items of a view are no tombstones, among those of some records and among all.
    func live(of view: SyncView, among ids: [SyncRecordID]) throws(StoreError) -> (some: Int, all: Int) {
        try connection.checkKeybag()
        let named = Set(ids.map(\.bytes))
        var (some, all) = (0, 0)
        try eachItem(of: view, "i.tomb = 0") { statement in
            all += 1
            if named.contains(statement.blob(0)) { some += 1 }
        }
        return (some, all)
    }

    /// Those of some records that are void, as this keychain took them.
    ///
    /// That there is no item is not enough: a row that was damaged is gone from its table too, or a record was never taken.
    func voids(of view: SyncView, among ids: [SyncRecordID]) throws(StoreError) -> [SyncRecordID] {
        try connection.checkKeybag()
        return try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(
                "select 1 from sync_leaf where view = ? and id = ? and item = \(SyncTables.void)")
            var voids: [SyncRecordID] = []
            for id in ids {
                try statement.bind(blob: view.bytes, at: 1)
                try statement.bind(blob: id.bytes, at: 2)
                if try statement.step() { voids.append(id) }
                statement.reset()
            }
            return voids
        }
    }

    /// Tombstones of a view that are older than a date, the oldest first; those of locked classes are passed over.
    func tombstones(of view: SyncView, before date: Double, limit: Int) throws(StoreError) -> [SyncTombstone] {
        try connection.checkKeybag()
        var proposed: [(date: Double, id: SyncRecordID, itemClass: ItemClass, rowID: Int64)] = []
        try eachItem(of: view, "i.tomb = 1 and i.mdat < ?2", date) { statement in
            guard let id = SyncRecordID(statement.blob(0)), let itemClass = ItemClass(name: statement.text(1)) else {
                return
            }
            proposed.append((statement.double(3), id, itemClass, statement.int64(2)))
        }
        proposed.sort { ($0.date, $0.id) < ($1.date, $1.id) }
        let rows = RowAccess(connection)
        var tombstones: [SyncTombstone] = []
        for one in proposed {
            guard tombstones.count < min(limit, SyncRequest.mostAtOnce) else { break }
            // The columns propose; what the seal says counts.
            let said = try rows.withRow(one.rowID, ItemTable.of(one.itemClass)) { (row) throws(StoreError) -> Double? in
                do throws(SealingError) {
                    let opened = try unsafe row.open(with: connection.sealer)
                    guard unsafe opened.record[.tombstone] == .number(1),
                        case .date(let modified)? = unsafe opened.record[.modificationDate], modified < date
                    else { return nil }
                    return modified
                } catch {
                    if !error.isOfLockedClass { try rows.passOverDamage(error, row) }
                    return nil
                }
            }
            if let said = said ?? nil { tombstones.append(SyncTombstone(id: one.id, date: said)) }
        }
        return tombstones
    }

    /// Visits the leaves of a view whose items are there: record, class, row, date.
    private func eachItem(
        of view: SyncView, _ condition: String, _ date: Double? = nil,
        _ visit: (Statement) -> Void
    ) throws(StoreError) {
        for itemClass in SyncTables.classes {
            try translating { () throws(SQLiteError) in
                let statement = try connection.sqlite.prepare(
                    """
                    select l.id, '\(itemClass.name)', i.rowid, i.mdat from sync_leaf l cross join \(itemClass.name) i \
                    on i.persistref = substr(l.item, 2, 16) and i.syncid = substr(l.item, 18) \
                    where l.view = ?1 and substr(l.item, 1, 1) = x'0\(itemClass.rawValue)' and \(condition)
                    """)
                defer { statement.reset() }
                try statement.bind(blob: view.bytes, at: 1)
                if let date { try statement.bind(date, at: 2) }
                while try statement.step() { visit(statement) }
            }
        }
    }

    // MARK: What changed

    /// Changed items in the order of their marks; those of locked classes are passed over, and so is what cannot be read.
    func changes(behind mark: UInt64, limit: Int) throws(StoreError) -> (changes: [SyncChange], someAreLocked: Bool) {
        try connection.checkKeybag()
        let rows = RowAccess(connection)
        let statement = try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(
                "select mark, item from sync_mark where mark > ? and item > 0 order by mark")
            try statement.bind(Int64(clamping: mark), at: 1)
            return statement
        }
        defer { statement.reset() }
        var (changes, bytes, someAreLocked): ([SyncChange], Int, Bool) = ([], 0, false)
        while changes.count < min(limit, SyncRequest.mostAtOnce), bytes < SyncRequest.mostBytes,
            try statement.nextRow()
        {
            let (itemClass, rowID) = SyncMarks.row(of: statement.int64(1))
            let item = try rows.withRow(rowID, ItemTable.of(itemClass)) { (row) throws(StoreError) -> Item? in
                do throws(SealingError) {
                    return try unsafe row.item(of: row.open(with: connection.sealer), with: connection.sealer)
                } catch {
                    if error.isOfLockedClass { someAreLocked = true } else { try rows.passOverDamage(error, row) }
                    return nil
                }
            }
            guard let item = item ?? nil, item.isShared else { continue }
            bytes += 1024 + (item.secret?.count ?? 0)
            changes.append(
                SyncChange(
                    mark: UInt64(clamping: statement.int64(0)),
                    item: SyncItem(
                        itemClass: itemClass, attributes: item.attributes, secret: item.secret,
                        secretGeneration: item.circle.secretGeneration, later: item.circle.later)))
        }
        return (changes, someAreLocked)
    }
}

extension SyncLeaf {
    fileprivate init?(_ statement: Statement, id column: Int) {
        let digest = statement.blob(column + 2)
        guard let id = SyncRecordID(statement.blob(column)), digest.count == SyncLeaf.digestSize,
            statement.columnType(column + 1) == .integer
        else { return nil }
        self.init(id: id, head: UInt64(clamping: statement.int64(column + 1)), digest: digest)
    }
}

// MARK: - What is shared

extension Item {
    /// Whether an item is one that the devices of a circle share.
    var isShared: Bool {
        SyncTables.classes.contains(itemClass) && isSynchronizable && accessControl.rules == nil && tokenID.isEmpty
            && Item.sharedProtections.contains(accessControl.protection)
            && !group.hasSameBytes(as: AccessGroup.sync.name)
    }

    static let sharedProtections: [Accessibility] = [.whenUnlocked, .afterFirstUnlock, .always]

    /// The item that another device shares; nil of one that this keychain could not have.
    ///
    /// What it lacks of its unique key is written out, so that it is the same here as there.
    init?(_ shared: SyncItem, record: SyncRecordID, _ moment: WriteContext) throws(StoreError) {
        guard SyncTables.classes.contains(shared.itemClass),
            case .string(let name)? = shared.attributes[.accessible], let protection = Accessibility(name: name),
            case .string(let named)? = shared.attributes[.accessGroup], let group = AccessGroup(named),
            group != .token, case .date(let modified)? = shared.attributes[.modificationDate], modified.isFinite,
            case .date(let created)? = shared.attributes[.creationDate], created.isFinite,
            let syncID = PersistentID(record.bytes)
        else { return nil }
        var attributes = AttributeList(reservingCapacity: shared.attributes.entries.count + 4)
        for entry in shared.attributes.entries {
            switch entry.attribute {
            // Ours to say, and the same for every device.
            case .digest, .syncIdentifier, .circleFacts, .accessControl: return nil
            case .multiUser, .tokenID: guard entry.value.isEmpty else { return nil }
            case .viewHint where entry.value.isEmpty: continue
            case let attribute:
                guard attribute.isKnown(to: shared.itemClass), attribute.kind.takes(entry.value),
                    !attributes.contains(attribute)
                else { return nil }
                attributes.append(unchecked: attribute, entry.value)
            }
        }
        attributes.append(unchecked: .multiUser, .emptyData)
        for part in ItemIdentity.parts(of: shared.itemClass) where !attributes.contains(part.attribute) {
            attributes.append(unchecked: part.attribute, part.absent)
        }
        if !attributes.contains(.tombstone) { attributes.append(unchecked: .tombstone, .number(0)) }
        guard let identifiers = moment.identifiers() else { throw .sealing(.crypto(.randomnessUnavailable)) }
        self.init(
            itemClass: shared.itemClass, id: identifiers.persistent, syncID: syncID, attributes: attributes,
            accessControl: AccessControl(protection: protection), secret: shared.secret,
            circle: CircleFacts(secretGeneration: shared.secretGeneration, later: shared.later))
        guard isShared, !isTombstone || secret == nil else { return nil }
        // What has no encoding, such as a date without text, could not be stored.
        do throws(SealingError) { _ = try digest() } catch {
            guard error == .unencodable else { throw StoreError(error) }
            return nil
        }
    }

    // MARK: Which of two stays

    /// The SHA-1 that the seal of an item has inside, which is the same on all devices.
    func digest() throws(SealingError) -> [UInt8] {
        try ItemSealer.digest(of: try record(), secret: secret)
    }

    /// Which of two versions of one item stays, wherever it is asked (semantics §9.1).
    enum Precedence {
        case stays, gives, same
    }

    /// The later one stays; of two of one age the one with the smaller digest, so that all devices decide alike.
    func precedence(over other: Item) throws(StoreError) -> Precedence {
        let (mine, theirs) = (date(.modificationDate), other.date(.modificationDate))
        if mine != theirs { return mine > theirs ? .stays : .gives }
        let (own, others) = try sealing { () throws(SealingError) in (try digest(), try other.digest()) }
        if own == others { return .same }
        return own.lexicographicallyPrecedes(others) ? .stays : .gives
    }
}

extension AttributeValue {
    fileprivate var isEmpty: Bool { self == .emptyData || self == .emptyString }
}
