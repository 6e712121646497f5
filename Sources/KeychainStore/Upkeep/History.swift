// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// Earlier versions of items: their rows as they were, sealed as they were.
///
/// They are kept of people's own passwords. A program that deletes a token believes it gone, and what is bound to a passcode
/// or to somebody's presence must not outlive its item.
struct History {
    let connection: StoreConnection

    // MARK: Keeping

    /// Keeps the row of an item that is about to be written over or removed, if versions of such an item are kept.
    ///
    /// Of what was changed here and loses against another device's change they are kept in every group: nobody meant it to go.
    /// The version that goes for it, where it is gone back to, makes room for it.
    func keep(
        _ item: Item, in rowID: Int64, _ end: PastVersion.End, at now: Double, isLost: Bool = false,
        insteadOf number: Int64? = nil
    ) throws(StoreError) {
        guard isLost ? History.mayKeep(item) : History.keeps(item) else { return }
        guard let row = try RowWriter(connection).wholeRow(rowID, of: ItemTable.of(item.itemClass)) else { return }
        try keep(item, row, end, at: now, insteadOf: number)
    }

    /// Keeps what another device changed, and lost against what is in the row, as if it had been there.
    func keepLost(_ item: Item, for rowID: Int64, at now: Double) throws(StoreError) {
        guard History.mayKeep(item) else { return }
        let table = ItemTable.of(item.itemClass)
        let image = try RowWriter(connection).image(of: item)
        var columns = ["rowid": PropertyList.number(rowID), "data": .data(image.blob)]
        for (name, value) in zip(ItemTable.commonColumns + table.columns.map(\.name), image.columns) {
            columns[name] = value.kept
        }
        guard let row = try? PropertyList.dictionary(columns).encoded() else { return }
        try keep(item, row, .changed, at: now)
    }

    private func keep(
        _ item: Item, _ row: [UInt8], _ end: PastVersion.End, at now: Double, insteadOf replaced: Int64? = nil
    ) throws(StoreError) {
        guard !connection.keybag.isOfEarlierFormat else { return }
        let table = ItemTable.of(item.itemClass)
        try translating { () throws(SQLiteError) in
            let insert = try connection.statements.upkeep(
                """
                insert into past(class, persistref, why, since, until, agrp, row) values(?, ?, ?, ?, ?, ?, ?)
                """)
            try insert.bind(text: table.name, at: 1)
            try insert.bind(blob: item.id.bytes, at: 2)
            try insert.bind(text: end.name, at: 3)
            try insert.bind(item.date(.modificationDate), at: 4)
            try insert.bind(now, at: 5)
            try insert.bind(text: item.group, at: 6)
            try insert.bind(blob: row, at: 7)
            try insert.run()
            let number = connection.sqlite.lastInsertRowID
            // Not before the insert, which would give its number to another version.
            if let replaced { try remove(replaced) }
            try trim(item.id)
            if row.count > PastVersion.largeBytes { try trimLarge(item.id) }
            if number % History.oldLetGoAtOnce == 0 { try trimOld(at: number) }
        }
    }

    /// Whether versions of an item are kept when it changes or goes.
    private static func keeps(_ item: Item) -> Bool {
        item.group.hasSameBytes(as: AccessGroup.passwords.name) && mayKeep(item)
    }

    /// Whether versions of an item are ever kept.
    private static func mayKeep(_ item: Item) -> Bool {
        !item.isTombstone && item.tokenID.isEmpty && item.accessControl.rules == nil
            && item.accessControl.protection != .whenPasscodeSetThisDeviceOnly
    }

    /// Lets go of what is too much of one item.
    private func trim(_ id: PersistentID) throws(SQLiteError) {
        let count = try connection.statements.upkeep(
            """
            delete from past where id in \
            (select id from past where persistref = ?1 order by id desc limit -1 offset \(History.mostOfOne))
            """)
        try count.bind(blob: id.bytes, at: 1)
        try count.run()
    }

    /// Lets go of large versions that are too much, of one item or of all.
    private func trimLarge(_ id: PersistentID) throws(SQLiteError) {
        // How long a row is stands at the beginning of its record: of none more than that is read.
        let sizes = try connection.sqlite.prepare(
            """
            select id, length(row), persistref = ? from past where length(row) > \(PastVersion.largeBytes) \
            order by id desc
            """
        )
        try sizes.bind(blob: id.bytes, at: 1)
        var (large, tooMuch): (LargeVersions, [Int64]) = (LargeVersions(), [])
        defer { sizes.reset() }
        while try sizes.step() {
            if !large.keep(bytes: Int(sizes.int64(1)), ofTheItem: sizes.int64(2) == 1) {
                tooMuch.append(sizes.int64(0))
            }
        }
        for number in tooMuch { try remove(number) }
    }

    /// Lets go of what is too old, or too much, as many as came since the last time; so no write pays for many.
    ///
    /// Too old is what is so by the time of each that came since: a clock that is ahead for a while takes nothing away.
    private func trimOld(at number: Int64) throws(SQLiteError) {
        let age = try connection.statements.upkeep(
            """
            delete from past where until < (select min(until) from past where id > ?1 - \(History.oldLetGoAtOnce)) - ?2 \
            and id in (select id from past where not \(History.isOfUnknownAge) order by id limit \(History.oldLetGoAtOnce)) \
            or id <= ?1 - \(History.most) \
            and id in (select id from past order by id limit \(History.oldLetGoAtOnce))
            """)
        try age.bind(number, at: 1)
        try age.bind(History.longest, at: 2)
        try age.run()
    }

    static let table = "past"
    /// Its index by the references of items.
    static let referenceIndex = "pastref"
    private static let longest: Double = 30 * 86_400
    /// Of one that ended long before it began, one of the two clocks was wrong: it is not too old by what that says.
    private static let isOfUnknownAge = "since > until + 86400"
    private static let isShown = "(until >= ? or \(isOfUnknownAge))"
    private static let mostOfOne = 5
    private static let oldLetGoAtOnce: Int64 = 16
    private static let most = 4000
    /// Bytes of rows that are read before what came of them goes on.
    private static let mostAtOnce = 1 << 20

    // MARK: Reading

    /// The versions of one item, or all of the groups in scope, newest first and before one that was shown last; a part of
    /// them where they are many.
    func list(
        of reference: PersistentReference?, before: Int64?, _ scope: GroupFilter, at now: Double
    ) throws(StoreError) -> [PastVersion] {
        guard !connection.keybag.isOfEarlierFormat else { return [] }
        try connection.checkKeybag()
        var (versions, bytes): ([PastVersion], Int) = ([], 0)
        let statement = try translating { () throws(SQLiteError) in
            // Of one item by the index, so that the rows of others, which may be large, are not read.
            let ofOne = reference == nil ? "" : " and persistref = ?"
            let statement = try connection.sqlite.prepare(
                "select \(Kept.columns) from past where \(History.isShown) and id < ?\(ofOne) order by id desc")
            try statement.bind(now - History.longest, at: 1)
            try statement.bind(before ?? .max, at: 2)
            if case .item(_, let id)? = reference { try statement.bind(blob: id.bytes, at: 3) }
            return statement
        }
        defer { statement.reset() }
        while versions.count < 256, bytes < History.mostAtOnce, try statement.nextRow() {
            guard let kept = Kept(statement), scope.contains(kept.group) else { continue }
            if let reference, reference != .item(kept.itemClass, kept.id) { continue }
            guard let item = try item(of: kept) else {
                connection.notes.damagedRows += 1
                continue
            }
            bytes += kept.row.count
            versions.append(
                PastVersion(
                    kept, FoundItem(item.without(secret: true), returning: [.attributes, .persistentReference])))
        }
        return versions
    }

    /// One version, with its secret.
    func version(_ number: Int64, _ scope: GroupFilter, at now: Double) throws(StoreError) -> PastVersion {
        let (kept, item) = try require(number, scope, at: now)
        return PastVersion(kept, FoundItem(item, returning: [.attributes, .data, .persistentReference]))
    }

    /// The versions that do not open, but for those of locked classes and those whose keys are no more.
    func unreadable() throws(SQLiteError) -> [Int64] {
        let statement = try connection.sqlite.prepare("select \(Kept.columns) from past order by id")
        defer { statement.reset() }
        var numbers: [Int64] = []
        while try statement.step() {
            let number = statement.int64(0)
            guard let kept = Kept(statement) else {
                numbers.append(number)
                continue
            }
            do throws(StoreError) {
                let opened = try opened(kept)
                if opened.item == nil, !opened.isLost { numbers.append(number) }
            } catch {
                if case .locked = error { continue }
                numbers.append(number)
            }
        }
        return numbers
    }

    /// Removes the versions that do not open, of a database that was put together anew: where they came from, they stay.
    func leaveOutUnreadable() throws(SQLiteError) {
        let numbers = try unreadable()
        let statement = try connection.sqlite.prepare("delete from past where id = ?")
        for number in numbers {
            try statement.bind(number, at: 1)
            try statement.run()
        }
    }

    /// How many versions there are of each item.
    func counts() throws(SQLiteError) -> [PersistentID: Int] {
        let statement = try connection.sqlite.prepare("select persistref, count(*) from past group by persistref")
        defer { statement.reset() }
        var counts: [PersistentID: Int] = [:]
        while try statement.step() {
            if let id = PersistentID(statement.blob(0)) { counts[id] = Int(statement.int64(1)) }
        }
        return counts
    }

    // MARK: Going back

    /// Makes an item again what it was, under the reference that it had; what is there now becomes a version itself.
    ///
    /// It stays shared with other devices, or of this one alone, as it is now: a version from before it was shared would otherwise
    /// remove it from all others. What may not be shared keeps the access rules of now, too. Throws `duplicate` where another item has
    /// taken its place meanwhile.
    func bringBack(_ number: Int64, _ scope: GroupFilter, at moment: WriteContext) throws(StoreError) {
        let writer = RowWriter(connection)
        try connection.write(at: moment.now) { () throws(StoreError) in
            var (kept, item) = try require(number, scope, at: moment.now)
            let date = item.date(.modificationDate)
            item.attributes[.modificationDate] = .date(moment.later(than: date))
            if let (rowID, current) = try self.current(kept.id, of: kept.itemClass) {
                guard scope.contains(current.group), current.accessControl.rules == nil else { throw .duplicate }
                // Other devices know the item by its sync identity, and must see this as its latest change.
                item.syncID = current.syncID
                if !current.isTombstone { item.shares(as: current) }
                let later = max(date, current.date(.modificationDate))
                item.attributes[.modificationDate] = .date(moment.later(than: later))
                let tombstone = try item.leaving(current, .whenSynchronizable, at: moment)
                try keep(current, in: rowID, .changed, at: moment.now, insteadOf: number)
                if try !writer.replace(rowID: rowID, with: item) {
                    guard try writer.makesRoom(for: &item, at: moment), try writer.replace(rowID: rowID, with: item)
                    else { throw .duplicate }
                }
                if let tombstone, try !writer.insert(tombstone) { throw .duplicate }
                connection.notes.note(current.isTombstone ? .added : .updated, item)
            } else {
                if try !writer.insert(item) {
                    guard try writer.makesRoom(for: &item, at: moment), try writer.insert(item) else {
                        throw .duplicate
                    }
                }
                connection.notes.note(.added, item)
            }
            try translating { () throws(SQLiteError) in try remove(number) }
        }
    }

    /// Lets go of the versions of one item, or of all in scope, for good; returns how many.
    func forget(_ reference: PersistentReference?, _ scope: GroupFilter) throws(StoreError) -> Int {
        let count = try connection.write { () throws(StoreError) in
            guard !connection.keybag.isOfEarlierFormat else { return 0 }
            var numbers: [Int64] = []
            try translating { () throws(SQLiteError) in
                let statement = try connection.sqlite.prepare("select \(Kept.names) from past")
                defer { statement.reset() }
                while try statement.step() {
                    // Also what cannot be read any more: it was asked to go, and its group is known.
                    guard scope.contains(statement.text(Kept.groupColumn)) else { continue }
                    if let reference {
                        guard let itemClass = ItemClass(name: statement.text(1)),
                            let id = PersistentID(statement.blob(2)), reference == .item(itemClass, id)
                        else { continue }
                    }
                    numbers.append(statement.int64(0))
                }
            }
            try translating { () throws(SQLiteError) in for number in numbers { try remove(number) } }
            return numbers.count
        }
        connection.forgetEarlierRows()
        return count
    }

    private func remove(_ number: Int64) throws(SQLiteError) {
        let statement = try connection.statements.upkeep("delete from past where id = ?")
        try statement.bind(number, at: 1)
        try statement.run()
    }

    // MARK: Other keys

    /// Seals some versions again that are sealed under an earlier generation, as `Resealing` does items.
    ///
    /// Returns the number of the last that was looked at; nil where there are no more. What does not open stays as it is.
    func reseal(from start: Int64, atMost limit: Int) throws(StoreError) -> Int64? {
        guard !connection.keybag.isOfEarlierFormat else { return nil }
        var kept: [Kept] = []
        var last: Int64?
        try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(
                "select \(Kept.columns) from past where id >= ? order by id limit ?")
            defer { statement.reset() }
            try statement.bind(start, at: 1)
            try statement.bind(Int64(limit), at: 2)
            var bytes = 0
            while bytes < History.mostAtOnce, try statement.step() {
                last = statement.int64(0)
                guard let version = Kept(statement) else { continue }
                bytes += version.row.count
                kept.append(version)
            }
        }
        for version in kept {
            guard case .dictionary(var columns)? = try? PropertyList(decoding: version.row),
                case .data(let old)? = columns["data"], isOfEarlierGeneration(old), let item = try item(of: version)
            else { continue }
            // What stands in the other columns hangs on no class key.
            columns["data"] = .data(try RowWriter(connection).image(of: item).blob)
            guard let row = try? PropertyList.dictionary(columns).encoded() else { continue }
            try translating { () throws(SQLiteError) in
                let update = try connection.statements.upkeep("update past set row = ? where id = ?")
                try update.bind(blob: row, at: 1)
                try update.bind(version.number, at: 2)
                try update.run()
            }
        }
        return last
    }

    private func isOfEarlierGeneration(_ blob: [UInt8]) -> Bool {
        let generation = unsafe blob.withUnsafeBytes { bytes in try? unsafe SealedItem(bytes).generation }
        return generation != nil && generation != connection.keybag.keys.header.generation
    }

    // MARK: Rows

    /// A version as it is stored.
    struct Kept {
        static let names = "id, class, persistref, why, since, until, agrp"
        static let columns = names + ", row"
        static let groupColumn = 6

        let number: Int64
        let itemClass: ItemClass
        let id: PersistentID
        let end: PastVersion.End
        let since: Double
        let until: Double
        let group: String
        let row: [UInt8]

        /// nil of one that is not as this software writes it.
        init?(_ statement: Statement) {
            guard let itemClass = ItemClass(name: statement.text(1)), let id = PersistentID(statement.blob(2)),
                let end = PastVersion.End(name: statement.text(3))
            else { return nil }
            (number, self.itemClass, self.id, self.end) = (statement.int64(0), itemClass, id, end)
            (since, until) = (statement.double(4), statement.double(5))
            (group, row) = (statement.text(Kept.groupColumn), statement.blob(7))
        }
    }

    /// A version in scope that can be read; throws `notFound` where there is none, and `damaged` where it cannot be read.
    private func require(
        _ number: Int64, _ scope: GroupFilter, at now: Double
    ) throws(StoreError) -> (Kept, Item) {
        guard !connection.keybag.isOfEarlierFormat else { throw .notFound }
        let kept = try translating { () throws(SQLiteError) -> Kept? in
            let statement = try connection.sqlite.prepare(
                "select \(Kept.columns) from past where id = ? and \(History.isShown)")
            defer { statement.reset() }
            try statement.bind(number, at: 1)
            try statement.bind(now - History.longest, at: 2)
            return try statement.step() ? Kept(statement) : nil
        }
        try connection.checkKeybag()
        guard let kept, scope.contains(kept.group) else { throw .notFound }
        guard let item = try item(of: kept) else { throw .sealing(.undecodable) }
        return (kept, item)
    }

    /// The item in a row that was kept, opened as a row of its table is; nil where it does not open, or says something else of
    /// itself than the version does.
    ///
    /// Throws `locked` where its class is.
    func item(of kept: Kept) throws(StoreError) -> Item? { try opened(kept).item }

    /// The same, and whether it does not open since its key went with an old device key or passcode.
    private func opened(_ kept: Kept) throws(StoreError) -> (item: Item?, isLost: Bool) {
        guard case .dictionary(let columns)? = try? PropertyList(decoding: kept.row) else { return (nil, false) }
        let names = RowReader.columns.split(separator: ", ")
        // SQLite says the values back as it would read them from the table, so there is one way to read a row.
        let statement = try translating { () throws(SQLiteError) in
            let places = repeatElement("?", count: names.count).joined(separator: ", ")
            return try connection.statements.upkeep("select \(places)")
        }
        defer { statement.reset() }
        for (index, name) in names.enumerated() {
            guard let value = columns[String(name)].flatMap(StoredValue.init(kept:))?.column else {
                return (nil, false)
            }
            try translating { () throws(SQLiteError) in try value.bind(to: statement, at: index + 1) }
        }
        guard try statement.nextRow() else { return (nil, false) }
        let row = connection.reader(statement, ItemTable.of(kept.itemClass))
        do throws(SealingError) {
            let item = try unsafe row.item(of: row.open(with: connection.sealer), with: connection.sealer)
            let isIt = item.id == kept.id && History.mayKeep(item) && item.group.hasSameBytes(as: kept.group)
            return (isIt ? item : nil, false)
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return (nil, connection.hasLostKey(row))
        }
    }

    /// What has a reference now.
    enum Holder {
        /// An item, or the tombstone of one.
        case item(rowID: Int64, Item)
        /// A row that cannot be read.
        case damaged(rowID: Int64)
    }

    /// The row that has a reference now; nil where there is none.
    func holder(of id: PersistentID, in itemClass: ItemClass) throws(StoreError) -> Holder? {
        let table = ItemTable.of(itemClass)
        let statement = try translating { () throws(SQLiteError) in
            let statement = try connection.sqlite.prepare(
                "select \(RowReader.columns) from \(table.name) where persistref = ?")
            try statement.bind(blob: id.bytes, at: 1)
            return statement
        }
        defer { statement.reset() }
        guard try statement.nextRow() else { return nil }
        let row = connection.reader(statement, table)
        do throws(SealingError) {
            let item = try unsafe row.item(of: row.open(with: connection.sealer), with: connection.sealer)
            return .item(rowID: row.rowID, item)
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return .damaged(rowID: row.rowID)
        }
    }

    /// The same; nil also where its row cannot be read.
    func readable(_ id: PersistentID, of itemClass: ItemClass) throws(StoreError) -> (rowID: Int64, item: Item)? {
        guard case .item(let rowID, let item)? = try holder(of: id, in: itemClass) else { return nil }
        return (rowID, item)
    }

    /// The item that has a reference now, a tombstone too; throws when its row cannot be read.
    func current(_ id: PersistentID, of itemClass: ItemClass) throws(StoreError) -> (rowID: Int64, Item)? {
        switch try holder(of: id, in: itemClass) {
        case nil: return nil
        case .item(let rowID, let item): return (rowID, item)
        case .damaged: throw StoreError(SealingError.undecodable)
        }
    }
}

extension PastVersion {
    fileprivate init(_ kept: History.Kept, _ item: FoundItem) {
        self.init(number: kept.number, end: kept.end, since: kept.since, until: kept.until, item: item)
    }
}

extension PastVersion.End {
    /// The word in the file.
    fileprivate var name: String {
        switch self {
        case .changed: "changed"
        case .removed: "removed"
        }
    }

    fileprivate init?(name: String) {
        guard let end = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = end
    }
}

extension Item {
    fileprivate func without(secret: Bool) -> Item {
        var item = self
        if secret { item.secret = nil }
        return item
    }
}

/// What large versions may take on the disk: of one item, and all together, counted from the newest on.
package struct LargeVersions {
    private var ofTheItem = 0
    private var together = 0

    package init() {}

    /// Whether the next older one stays; the newest always does, for no item is larger than what one may have.
    package mutating func keep(bytes: Int, ofTheItem isOfTheItem: Bool) -> Bool {
        if isOfTheItem {
            ofTheItem += bytes
            guard ofTheItem <= PastVersion.mostLargeBytesOfOne || ofTheItem == bytes else { return false }
        }
        together += bytes
        return together <= PastVersion.mostLargeBytes || together == bytes
    }
}

extension Item {
    /// Makes it shared as another is.
    fileprivate mutating func shares(as other: Item) {
        attributes[.synchronizable] = .number(other.isSynchronizable ? 1 : 0)
        guard other.isSynchronizable, accessControl.protection.isThisDeviceOnly else { return }
        accessControl = other.accessControl
        attributes[.accessible] = other.attributes[.accessible]
    }
}
