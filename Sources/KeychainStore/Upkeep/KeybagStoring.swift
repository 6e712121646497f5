// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite

/// What happens to items and to the old keybag when another one takes its place.
package struct KeybagReplacement: Sendable {
    package let keybag: LockedKeybag
    /// Removes the items whose class key the new keybag gives up because there is no passcode any more (decision D21).
    package var removesPasscodeItems = false
    /// Keeps the old keybag in the quarantine: it holds something that could not be opened.
    package var keepsOld = false
    /// Takes from kept keybags what an earlier recovery key opens.
    package var endsEarlierRecovery = false
    /// Keys the new keybag does without, because no row needs them; looked at again before it is stored.
    package var retiring: Set<ClassKeyName> = []

    package init(_ keybag: LockedKeybag) { self.keybag = keybag }
}

/// Puts another keybag in the place of the stored one.
struct KeybagStoring {
    let connection: StoreConnection

    /// Puts another keybag in the place of the one this connection has read, in one transaction; every process sees it at its
    /// next operation.
    ///
    /// Throws `keybagChanged` when the stored one is no longer that. Returns how many items went with their class key.
    func replace(
        _ replacement: KeybagReplacement, at moment: Double, _ turn: borrowing OwnerLock
    ) throws(StoreError) -> Int {
        let keybag = replacement.keybag
        let encoded: [UInt8]
        do throws(KeybagError) { encoded = try keybag.encoded() } catch { throw .keybag(error) }
        return try connection.write { () throws(StoreError) in
            guard try connection.unused(replacement.retiring) == replacement.retiring else {
                throw .keybagChanged
            }
            let removed = replacement.removesPasscodeItems ? try removePasscodeItems() : 0
            return try translating { () throws(SQLiteError) in
                let generation = try storedGeneration()
                if replacement.keepsOld { try keepKeybag(at: moment) }
                if replacement.endsEarlierRecovery { try endEarlierRecovery() }
                if let statement = try upgrade() { try connection.sqlite.execute(statement) }
                try connection.sqlite.execute("delete from keybag")
                let row = try connection.sqlite.prepare("insert into keybag(generation, data) values(?, ?)")
                try row.bind(Int64(keybag.header.generation), at: 1)
                try row.bind(blob: encoded, at: 2)
                try row.run()
                if keybag.header.generation != generation {
                    try connection.sqlite.execute("delete from resealing")
                }
                try connection.sqlite.setUserVersion(try connection.sqlite.userVersion() &+ 1)
                return removed
            }
        }
    }

    /// Marks a database of format 1 as one of format 2, which the keybag needs; what makes the missing table, when there is one.
    private func upgrade() throws(SQLiteError) -> String? {
        let row = try connection.sqlite.prepare("select format from keychain where id = 1")
        defer { row.reset() }
        guard try row.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
        guard row.int64(0) < DatabaseSchema.keybagFormat else { return nil }
        row.reset()
        let format = DatabaseSchema.keybagFormat
        try connection.sqlite.execute(
            "update keychain set format = \(format), min_reader = \(format), min_writer = \(format) where id = 1")
        for itemClass in ItemClass.allCases {
            for index in ItemTable.of(itemClass).secondIndexes { try connection.sqlite.execute(index) }
        }
        return DatabaseSchema.resealing
    }

    private func storedGeneration() throws(SQLiteError) -> Int64 {
        let row = try connection.sqlite.prepare("select max(generation) from keybag")
        defer { row.reset() }
        guard try row.step() else { throw SQLiteError(code: .corrupt, operation: .step) }
        return row.int64(0)
    }

    private func endEarlierRecovery() throws(SQLiteError) {
        let kept = try connection.sqlite.prepare("select id, row from quarantine where class = 'keybag'")
        var changed: [(id: Int64, row: [UInt8])] = []
        while try kept.step() {
            guard case .dictionary(var fields)? = try? PropertyList(decoding: kept.blob(1)),
                case .data(let bytes)? = fields["data"], let keybag = try? LockedKeybag(decoding: bytes),
                let pruned = try? keybag.droppingRecovery().encoded()
            else { continue }
            fields["data"] = .data(pruned)
            if let row = try? PropertyList.dictionary(fields).encoded() { changed.append((kept.int64(0), row)) }
        }
        kept.reset()
        for (id, row) in changed {
            let update = try connection.sqlite.prepare("update quarantine set row = ? where id = ?")
            try update.bind(blob: row, at: 1)
            try update.bind(id, at: 2)
            try update.run()
        }
    }

    private func keepKeybag(at moment: Double) throws(SQLiteError) {
        let old = try connection.sqlite.prepare("select generation, data from keybag")
        defer { old.reset() }
        while try old.step() {
            let encoded: [UInt8]
            do throws(CodingError) {
                encoded = try PropertyList.dictionary([
                    "generation": .number(old.int64(0)), "data": .data(old.blob(1)),
                ]).encoded()
            } catch { throw SQLiteError(code: .misuse, operation: .step) }
            let insert = try connection.sqlite.prepare(
                "insert into quarantine(class, moved, reason, row) values('keybag', ?, 'damaged', ?)")
            try insert.bind(moment, at: 1)
            try insert.bind(blob: encoded, at: 2)
            try insert.run()
        }
    }

    /// Both the column and the blob must say so: a row of which only one does was changed from outside, and stays.
    private func removePasscodeItems() throws(StoreError) -> Int {
        let name = Accessibility.whenPasscodeSetThisDeviceOnly.name
        let number = Accessibility.whenPasscodeSetThisDeviceOnly.rawValue
        let writer = RowWriter(connection)
        var removed = 0
        for itemClass in ItemClass.allCases {
            let table = ItemTable.of(itemClass)
            var rows: [Int64] = []
            try translating { () throws(SQLiteError) in
                let statement = try connection.sqlite.prepare(
                    "select rowid from \(table.name) where pdmn = ? and substr(data, 4, 1) = ?")
                defer { statement.reset() }
                try statement.bind(text: name, at: 1)
                try statement.bind(blob: [number], at: 2)
                while try statement.step() { rows.append(statement.int64(0)) }
            }
            for row in rows { try writer.remove(rowID: row, from: table) }
            removed += rows.count
        }
        return removed
    }
}
