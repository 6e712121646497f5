// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// Takes what came from a circle and notes what went there, in one transaction with the items.
struct SyncApplying {
    private let connection: StoreConnection
    private let writer: RowWriter
    private let history: History
    private let marks: SyncMarks
    private let state: SyncStateRows
    private let moment: WriteContext

    init(_ connection: StoreConnection, at moment: WriteContext) {
        self.connection = connection
        writer = RowWriter(connection)
        history = History(connection: connection)
        marks = SyncMarks(connection: connection)
        state = SyncStateRows(connection: connection)
        self.moment = moment
    }

    // MARK: Beginning and ending

    func begin(_ bytes: [UInt8], _ base: [UInt8]) throws(StoreError) {
        guard !connection.keybag.isOfEarlierFormat else { throw .tooEarlyForCircle }
        try connection.write { () throws(StoreError) in
            guard try !isInCircle() else { throw .inCircle }
            try translating { () throws(SQLiteError) in try SyncTables.make(in: connection.sqlite) }
            try state.write(bytes, base: base, version: 1)
            try marks.markAll()
        }
    }

    func end() throws(StoreError) {
        try connection.write { () throws(StoreError) in
            try translating { () throws(SQLiteError) in try SyncTables.drop(in: connection.sqlite) }
        }
    }

    func markAll() throws(StoreError) -> SyncReply {
        try connection.write { () throws(StoreError) in
            guard try isInCircle() else { throw .inNoCircle }
            let before = try marks.highest()
            try marks.markAll()
            return .marked(behind: UInt64(clamping: before), upTo: UInt64(clamping: try marks.highest()))
        }
    }

    private func isInCircle() throws(StoreError) -> Bool {
        try translating { () throws(SQLiteError) in try SyncTables.exist(in: connection.sqlite) }
    }

    // MARK: A batch

    /// Everything in it or, where another process wrote the state meanwhile, nothing.
    func apply(_ batch: SyncBatch) throws(StoreError) -> SyncReply {
        try connection.write(at: moment.now) { () throws(StoreError) in
            guard var version = try state.version() else { throw .inNoCircle }
            guard version == batch.version else { return .outdated }
            for view in batch.forgotten { try forgetAll(of: view) }
            if !batch.forgotten.isEmpty { try marks.markAll() }
            for sent in batch.sent { try note(sent) }
            let last = try marks.highest()
            var (outcomes, settled): ([SyncOutcome], [Settled]) = ([], [])
            outcomes.reserveCapacity(batch.incoming.count)
            for incoming in batch.incoming {
                let one = try take(incoming)
                outcomes.append(one.outcome)
                if one.item != nil { settled.append(one) }
            }
            // What was written here came from the circle, and is no change of this device's.
            try marks.takeOff(behind: last)
            for one in settled {
                guard let item = one.item else { continue }
                if one.outcome == .kept { try marks.mark(item) } else { try marks.takeOff(item) }
            }
            try marks.sweep()
            // A state says that all is here which it speaks of; what is locked here is not.
            guard batch.state == nil || !outcomes.contains(.locked) else { return .applied(outcomes, version: version) }
            try remember(batch)
            if let bytes = batch.state {
                version += 1
                try state.write(bytes, base: batch.base, version: version)
            }
            return .applied(outcomes, version: version)
        }
    }

    /// What became of a record; with the mark's number of the item that stayed, where one did.
    private struct Settled {
        let outcome: SyncOutcome
        var item: Int64?
    }

    private func take(_ incoming: SyncIncoming) throws(StoreError) -> Settled {
        let settled: Settled
        switch incoming.content {
        case .item(let shared):
            guard let item = try Item(shared, record: incoming.leaf.id, moment) else {
                settled = Settled(outcome: .refused)
                break
            }
            let (outcome, row) = try merge(item)
            // It waits, sealed, and its leaf comes with that.
            if outcome == .locked { return Settled(outcome: .locked) }
            try note(incoming.view, incoming.leaf, LeafItem(item.itemClass, row))
            try forget("sync_pending", incoming.view, incoming.leaf.id)
            return Settled(
                outcome: outcome,
                item: outcome == .kept || outcome == .same ? SyncMarks.item(item.itemClass, row.rowID) : nil)
        case .void:
            let outcome = try void(incoming)
            if outcome == .locked { return Settled(outcome: .locked) }
            // A device that cannot open it yet knows no more than its leaf: the root has that of all.
            try note(incoming.view, incoming.leaf, outcome == .kept ? nil : .void)
            try forget("sync_pending", incoming.view, incoming.leaf.id)
            return Settled(outcome: outcome)
        case .unreadable: settled = Settled(outcome: .refused)
        case .sealed(let body):
            try note(incoming.view, incoming.leaf, nil)
            try translating { () throws(SQLiteError) in
                let insert = try connection.statements.upkeep(
                    "insert or replace into sync_pending(view, id, body) values(?, ?, ?)")
                try insert.bind(blob: incoming.view.bytes, at: 1)
                try insert.bind(blob: incoming.leaf.id.bytes, at: 2)
                try insert.bind(blob: body, at: 3)
                try insert.run()
            }
            return Settled(outcome: .noted)
        }
        try note(incoming.view, incoming.leaf, nil)
        try forget("sync_pending", incoming.view, incoming.leaf.id)
        return settled
    }

    // MARK: Merging

    /// A row with what it has now.
    private typealias Row = (rowID: Int64, id: PersistentID, syncID: PersistentID)

    /// Has an item take its place, or leaves the one that is there (M20).
    private func merge(_ item: Item) throws(StoreError) -> (SyncOutcome, Row) {
        let none: Row = (0, item.id, item.syncID)
        if isLocked(item.accessControl.protection) { return (.locked, none) }
        let occupant: RowWriter.Occupant?
        do throws(StoreError) { occupant = try writer.occupant(of: item) } catch {
            // Nobody can tell which of the two is later before the one here opens.
            guard case .locked = error else { throw error }
            return (.locked, none)
        }
        switch occupant {
        case .live(let rowID, let local), .tombstone(let rowID, let local):
            return try settle(item, over: local, in: rowID)
        case .damaged(let rowID):
            try writer.quarantine(rowID: rowID, from: ItemTable.of(item.itemClass), at: moment.now)
        case nil: break
        }
        // The key is free, so only a reference could be taken: sixteen random bytes do not repeat by accident.
        guard try writer.insert(item) else { return (.refused, none) }
        let row: Row = (connection.sqlite.lastInsertRowID, item.id, item.syncID)
        if item.isTombstone { return (.noted, row) }
        connection.notes.note(.added, item)
        return (.added, row)
    }

    private func settle(_ incoming: Item, over local: Item, in rowID: Int64) throws(StoreError) -> (SyncOutcome, Row) {
        let row: Row = (rowID, local.id, local.syncID)
        // What demands somebody, or lives in an enclave, is not decided over by another device.
        guard local.accessControl.rules == nil, local.tokenID.isEmpty else { return (.refused, row) }
        var item = incoming
        // Who holds its reference goes on finding it.
        (item.id, item.syncID) = (local.id, local.syncID)
        let isChangedHere = try marks.isMarked(SyncMarks.item(item.itemClass, rowID))
        switch try item.precedence(over: local) {
        case .same: return (.same, row)
        case .gives:
            if isChangedHere { try history.keepLost(item, for: rowID, at: moment.now) }
            return (.kept, row)
        case .stays:
            let end: PastVersion.End = item.isTombstone ? .removed : .changed
            try history.keep(local, in: rowID, end, at: moment.now, isLost: isChangedHere)
            guard try writer.replace(rowID: rowID, with: item) else { return (.refused, row) }
            switch (local.isTombstone, item.isTombstone) {
            case (true, true): return (.noted, row)
            case (true, false):
                connection.notes.note(.added, item)
                return (.added, row)
            case (false, true):
                connection.notes.note(.deleted, item)
                return (.removed, row)
            case (false, false):
                connection.notes.note(.updated, item)
                return (.changed, row)
            }
        }
    }

    private func isLocked(_ protection: Accessibility) -> Bool {
        let keys = connection.keybag.keys
        if case .locked = keys.availability(of: protection, generation: keys.header.generation) { return true }
        return false
    }

    /// The circle has forgotten a record: what this keychain has of it goes, unless it was changed here since.
    private func void(_ incoming: SyncIncoming) throws(StoreError) -> SyncOutcome {
        guard let known = try item(of: incoming.view, incoming.leaf.id) else { return .noted }
        let local: (rowID: Int64, item: Item)?
        do throws(StoreError) { local = try history.readable(known.id, of: known.itemClass) } catch {
            guard case .locked = error else { throw error }
            return .locked
        }
        // Under another sync identity it is another record's by now.
        guard let (rowID, item) = local, item.syncID == known.syncID, item.isShared else { return .noted }
        if try marks.isMarked(SyncMarks.item(known.itemClass, rowID)) { return .kept }
        try history.keep(item, in: rowID, .removed, at: moment.now)
        try writer.remove(rowID: rowID, from: ItemTable.of(known.itemClass))
        if item.isTombstone { return .noted }
        connection.notes.note(.deleted, item)
        return .removed
    }

    // MARK: What is known of the circle

    /// Which item a record is about: its class, its reference, and the sync identity that it had then.
    private struct LeafItem {
        let itemClass: ItemClass
        let id: PersistentID
        let syncID: PersistentID

        init(_ itemClass: ItemClass, _ row: Row) { (self.itemClass, id, syncID) = (itemClass, row.id, row.syncID) }

        init?(_ bytes: [UInt8]) {
            guard bytes.count == LeafItem.size, let itemClass = ItemClass(rawValue: bytes[0]),
                let id = PersistentID(Array(bytes[1..<17])), let syncID = PersistentID(Array(bytes[17...]))
            else { return nil }
            (self.itemClass, self.id, self.syncID) = (itemClass, id, syncID)
        }

        private init(_ itemClass: ItemClass, none: PersistentID) {
            (self.itemClass, id, syncID) = (itemClass, none, none)
        }

        var bytes: [UInt8] { [itemClass.rawValue] + id.bytes + syncID.bytes }
        static let size = 33
        /// As `SyncTables.void`.
        static let void = LeafItem(.genericPassword, none: PersistentID(high: 0, low: 0))
    }

    private func item(of view: SyncView, _ id: SyncRecordID) throws(StoreError) -> LeafItem? {
        try translating { () throws(SQLiteError) in
            let statement = try connection.statements.upkeep("select item from sync_leaf where view = ? and id = ?")
            defer { statement.reset() }
            try statement.bind(blob: view.bytes, at: 1)
            try statement.bind(blob: id.bytes, at: 2)
            return try statement.step() ? LeafItem(statement.blob(0)) : nil
        }
    }

    /// Notes a leaf; which item it is about stays as it is known where nothing is said of it, and a void is none any more.
    private func note(_ view: SyncView, _ leaf: SyncLeaf, _ item: LeafItem?) throws(StoreError) {
        guard let number = Int64(exactly: leaf.head), leaf.digest.count == SyncLeaf.digestSize else {
            throw .sealing(.unencodable)
        }
        try translating { () throws(SQLiteError) in
            let insert = try connection.statements.upkeep(
                """
                insert into sync_leaf(view, id, n, digest, item) values(?1, ?2, ?3, ?4, ?5) on conflict(view, id) \
                do update set n = ?3, digest = ?4, item = case when ?5 <> x'' then ?5 \
                when item = \(SyncTables.void) then x'' else item end
                """)
            try insert.bind(blob: view.bytes, at: 1)
            try insert.bind(blob: leaf.id.bytes, at: 2)
            try insert.bind(number, at: 3)
            try insert.bind(blob: leaf.digest, at: 4)
            try insert.bind(blob: item?.bytes ?? [], at: 5)
            try insert.run()
        }
    }

    private func forgetAll(of view: SyncView) throws(StoreError) {
        try translating { () throws(SQLiteError) in
            for table in ["sync_leaf", "sync_pending", "sync_head"] as [StaticString] {
                let remove = try connection.statements.upkeep("delete from \(table) where view = ?")
                try remove.bind(blob: view.bytes, at: 1)
                try remove.run()
            }
        }
    }

    private func forget(_ table: StaticString, _ view: SyncView, _ id: SyncRecordID) throws(StoreError) {
        try translating { () throws(SQLiteError) in
            let remove = try connection.statements.upkeep("delete from \(table) where view = ? and id = ?")
            try remove.bind(blob: view.bytes, at: 1)
            try remove.bind(blob: id.bytes, at: 2)
            try remove.run()
        }
    }

    /// A change that went.
    ///
    /// An item that was changed again since has a higher mark, which stays.
    private func note(_ sent: SyncSent) throws(StoreError) {
        let item = try Int64(exactly: sent.mark).flatMap { (mark) throws(StoreError) in try marks.item(of: mark) }
        if let (view, leaf) = sent.leaf {
            try note(view, leaf, try item.flatMap { (item) throws(StoreError) in try row(of: item) })
            try forget("sync_pending", view, leaf.id)
        }
        if let item {
            if sent.generation > 0 { try note(generation: sent.generation, of: item) }
            try marks.takeOff(item)
        }
    }

    /// Notes with an item under which keys its secret first went.
    ///
    /// A later change of its label alone does not make the secret a new one then: the list of what a removed device could read
    /// would miss it. A higher number is of a history that was left.
    private func note(generation: UInt32, of item: Int64) throws(StoreError) {
        guard let known = try row(of: item) else { return }
        do throws(StoreError) {
            guard let (rowID, found) = try history.readable(known.id, of: known.itemClass), found.secret != nil,
                found.circle.secretGeneration == 0 || found.circle.secretGeneration > generation
            else { return }
            var item = found
            item.circle.secretGeneration = generation
            _ = try writer.replace(rowID: rowID, with: item)
        } catch {
            // Locked since it was read for this: then its secret counts as new at its next change.
            guard case .locked = error else { throw error }
        }
    }

    private func row(of item: Int64) throws(StoreError) -> LeafItem? {
        let (itemClass, rowID) = SyncMarks.row(of: item)
        return try translating { () throws(SQLiteError) in
            let statement = try connection.statements.upkeep(
                "select persistref, syncid from \(itemClass.name) where rowid = ?")
            defer { statement.reset() }
            try statement.bind(rowID, at: 1)
            guard try statement.step(), let id = PersistentID(statement.blob(0)),
                let syncID = PersistentID(statement.blob(1))
            else { return nil }
            return LeafItem(itemClass, (rowID, id, syncID))
        }
    }

    private func remember(_ batch: SyncBatch) throws(StoreError) {
        var newest: [SyncView: (number: Int64, count: Int64)] = [:]
        for (view, head) in batch.heads {
            guard let number = Int64(exactly: head.number) else { throw .sealing(.unencodable) }
            try translating { () throws(SQLiteError) in
                let insert = try connection.statements.upkeep(
                    "insert or replace into sync_head(view, n, body) values(?, ?, ?)")
                try insert.bind(blob: view.bytes, at: 1)
                try insert.bind(number, at: 2)
                try insert.bind(blob: head.body, at: 3)
                try insert.run()
            }
            let known = newest[view] ?? (0, 0)
            newest[view] = (max(known.number, number), known.count + 1)
        }
        // By numbers and not by rows: nothing that stays is looked at. And as many as came at most: numbers that somebody fills with
        // junk push out nothing.
        for (view, (number, count)) in newest {
            try translating { () throws(SQLiteError) in
                let remove = try connection.statements.upkeep(
                    """
                    delete from sync_head where view = ?1 and n in \
                    (select n from sync_head where view = ?1 and n <= ?2 order by n limit ?3)
                    """)
                try remove.bind(blob: view.bytes, at: 1)
                try remove.bind(number - Int64(max(1, batch.keptHeads)), at: 2)
                try remove.bind(count, at: 3)
                try remove.run()
            }
        }
    }
}
