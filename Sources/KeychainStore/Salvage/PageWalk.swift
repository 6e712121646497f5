// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSQLite

/// A row that somebody found: in a table, on a page, or in the quarantine.
///
/// Nothing says yet that it is true.
struct FoundRow {
    let itemClass: ItemClass
    var rowID: Int64?
    /// As `ItemTable.writtenColumns` orders them.
    let values: [StoredValue]
    /// Whether a sum says that its bytes are what was written.
    let isSumRight: Bool

    var id: PersistentID? { values.first?.bytes.flatMap(PersistentID.init) }
    var group: [UInt8]? { values.count > 2 ? values[2].characters : nil }
    /// What SQL cannot tell of bytes: whether they begin like a sealed item, of whatever version.
    var isMarked: Bool { values.last?.bytes?.starts(with: [UInt8(ascii: "L"), UInt8(ascii: "v")]) ?? false }
}

/// What an index still says of a row.
struct IndexEntry: Hashable {
    let rowID: Int64
    /// Of the index of references.
    var id: PersistentID?
    /// Of the index of unique keys, whose columns say the class.
    var itemClass: ItemClass?
    var group: [UInt8]?
}

/// All that the pages of a database hold, each page read by itself.
///
/// No schema, no interior page, and no other page has to be there. Bytes are untrusted; what does not add up is passed over.
struct PageWalk {
    private(set) var rows: [FoundRow] = []
    /// Rows of damaged frames of the log: newer than those of the same items elsewhere, where their seals open.
    private(set) var rowsOfDamagedFrames: [FoundRow] = []
    /// Rows of what the log holds behind its last commit.
    private(set) var rowsOfRest: [FoundRow] = []
    /// Rows of the quarantine: class, moved, reason, row.
    private(set) var quarantine: [[StoredValue]] = []
    /// Earlier versions of items.
    private(set) var versions: [FoundVersion] = []
    private(set) var keybags: [[UInt8]] = []
    /// Rows of table `keychain`.
    private(set) var keychains: [[StoredValue]] = []
    private(set) var entries: Set<IndexEntry> = []
    /// The numbers of the damaged pages.
    private(set) var damaged: [Int] = []
    /// All rows of items, the surest first.
    var freeRows: [FoundRow] { rows + rowsOfDamagedFrames + rowsOfRest }
    private let pages: PageImages
    /// How many bytes may still be read on other pages than a row's own: damaged or made-up rows may all name the same pages.
    private var budget: Int

    init(_ pages: PageImages) {
        self.pages = pages
        budget = (pages.count + 1) * 4 * PageSums.pageSize
        guard pages.count > 0 else { return }
        for number in 1...pages.count {
            guard let (bytes, standing) = pages.page(number) else {
                damaged.append(number)
                continue
            }
            if standing == .wrong { damaged.append(number) }
            walk(bytes, number, standing)
        }
        let rowsOfPages = rows
        rows = []
        for (number, bytes) in pages.damagedFrames { walk(bytes, number, .wrong) }
        (rowsOfDamagedFrames, rows) = (rows, [])
        for (number, bytes) in pages.rest { walk(bytes, number, .wrong) }
        (rowsOfRest, rows) = (rows, rowsOfPages)
    }

    // MARK: Pages

    private enum Kind: UInt8 {
        case interiorIndex = 2
        case interiorTable = 5
        case leafIndex = 10
        case leafTable = 13
    }

    private mutating func walk(_ page: [UInt8], _ number: Int, _ standing: PageImages.Standing) {
        let start = number == 1 ? 100 : 0
        let kind = Kind(rawValue: page[start])
        var isWhole = kind != nil
        if let kind, kind != .interiorTable {
            let cells = PageWalk.cells(page, start, kind, usable: pages.usable)
            isWhole = cells.isWhole
            for cell in cells.places {
                switch kind {
                case .leafTable: if !readRow(page, cell, standing) { isWhole = false }
                case .leafIndex: if standing != .wrong { readEntry(page, cell) }
                case .interiorIndex: if standing != .wrong { readEntry(page, cell + 4) }
                case .interiorTable: break
                }
            }
        }
        // What a sum proves is no place for other rows than those it names.
        if standing == .wrong || (standing == .unproved && !isWhole) { carve(page, start, standing) }
    }

    /// Where the cells of a page begin, and whether all that it names can be there.
    private static func cells(
        _ page: [UInt8], _ start: Int, _ kind: Kind, usable: Int
    ) -> (places: [Int], isWhole: Bool) {
        let head = start + (kind == .interiorIndex || kind == .interiorTable ? 12 : 8)
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        var places: [Int] = []
        for index in 0..<min(count, (usable - head) / 2) {
            let place = Int(page[head + 2 * index]) << 8 | Int(page[head + 2 * index + 1])
            if place >= head, place < usable { places.append(place) }
        }
        return (places, places.count == count)
    }

    // MARK: Cells

    private mutating func readRow(_ page: [UInt8], _ place: Int, _ standing: PageImages.Standing) -> Bool {
        guard let size = Varint(page, at: place, limit: pages.usable),
            let rowID = Varint(page, at: place + size.count, limit: pages.usable),
            let head = RecordHead(page, at: place + size.count + rowID.count, limit: pages.usable),
            head.total == size.value,
            let (record, isRight) = payload(
                page, place + size.count + rowID.count, head.total, standing, largestLocal: pages.usable - 35),
            let values = head.values(of: record)
        else { return false }
        take(values, rowID: Int64(rowID.value), isSumRight: isRight)
        return true
    }

    private mutating func readEntry(_ page: [UInt8], _ place: Int) {
        guard let size = Varint(page, at: place, limit: pages.usable),
            let head = RecordHead(page, at: place + size.count, limit: pages.usable), head.total == size.value,
            let (record, _) = payload(
                page, place + size.count, head.total, .unproved,
                largestLocal: (pages.usable - 12) * 64 / 255 - 23),
            let values = head.values(of: record), let rowID = values.last?.number
        else { return }
        if values.count == 2, let id = values[0].bytes.flatMap(PersistentID.init) {
            entries.insert(IndexEntry(rowID: rowID, id: id))
            return
        }
        for itemClass in ItemClass.allCases {
            let table = ItemTable.of(itemClass)
            guard values.count == table.identityCount + ItemTable.commonIdentity.count + 1,
                let group = values[table.identityCount].characters
            else { continue }
            entries.insert(IndexEntry(rowID: rowID, itemClass: itemClass, group: group))
        }
    }

    /// The bytes of a record, together with those that lie on other pages, and whether sums prove all of them.
    private mutating func payload(
        _ page: [UInt8], _ place: Int, _ total: Int, _ standing: PageImages.Standing, largestLocal: Int
    ) -> ([UInt8], isRight: Bool)? {
        var isRight = standing == .right
        guard total > largestLocal else {
            guard place + total <= pages.usable else { return nil }
            return (Array(page[place..<place + total]), isRight)
        }
        let least = (pages.usable - 12) * 32 / 255 - 23
        let middle = least + (total - least) % (pages.usable - 4)
        let local = middle <= largestLocal ? middle : least
        guard place + local + 4 <= pages.usable, total <= pages.count * PageSums.pageSize else { return nil }
        var record = Array(page[place..<place + local])
        var next = PageWalk.number(page, place + local)
        while record.count < total {
            // The last page of a chain names none, and each one before another.
            budget -= PageSums.pageSize
            guard budget > 0, let (more, standing) = pages.page(next) else { return nil }
            isRight = isRight && standing == .right
            next = PageWalk.number(more, 0)
            record += more[4..<min(pages.usable, 4 + total - record.count)]
        }
        return (record, isRight)
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: Records

    /// Looks at every byte of a page whether a record of ours begins there.
    private mutating func carve(_ page: [UInt8], _ start: Int, _ standing: PageImages.Standing) {
        var place = start
        while place + 4 < pages.usable {
            // Each of our tables begins with its row's number, which SQLite keeps outside of the record.
            if page[place + 1] == 0, page[place] < 0x80,
                let head = RecordHead(page, at: place, limit: pages.usable), PageWalk.mayBeOurs(head),
                let (record, _) = payload(page, place, head.total, .wrong, largestLocal: pages.usable - 35),
                let values = head.values(of: record),
                take(values, rowID: PageWalk.rowID(before: place, of: head.total, page), isSumRight: false)
            {
                // Where a record was hit inside, another one may begin; so it is not passed over.
                place += head.size
            } else {
                place += 1
            }
        }
    }

    private static func mayBeOurs(_ head: RecordHead) -> Bool {
        switch head.types.count {
        case 2, 5, 7, 8: true
        // Two references of 16 bytes.
        default: head.types.count > 10 && head.types[1] == 44 && head.types[2] == 44
        }
    }

    /// The row number in front of a record, where the two numbers there add up.
    private static func rowID(before place: Int, of total: Int, _ page: [UInt8]) -> Int64? {
        for count in 1...9 {
            guard let rowID = Varint(page, at: place - count, limit: place), rowID.count == count else { continue }
            for sizeCount in 1...5 {
                let start = place - count - sizeCount
                guard let size = Varint(page, at: start, limit: place), size.count == sizeCount, size.value == total
                else { continue }
                return Int64(rowID.value)
            }
        }
        return nil
    }

    @discardableResult
    private mutating func take(_ values: [StoredValue], rowID: Int64?, isSumRight: Bool) -> Bool {
        guard values.first == .null else { return false }
        switch values.count {
        case 2:
            guard let bytes = values[1].bytes, bytes.starts(with: Array("LLAVEBAG".utf8)) else { return false }
            keybags.append(bytes)
            return true
        case 5:
            guard values[1].characters != nil, values[3].characters != nil, values[4].bytes != nil else {
                return false
            }
            quarantine.append(Array(values.dropFirst()))
            return true
        case 7:
            guard values[1].bytes?.count == 16, values[2].number != nil, values[5].characters != nil,
                values[6].characters != nil
            else { return false }
            keychains.append(values)
            return true
        case 8:
            guard let version = FoundVersion(values, rowID: rowID) else { return false }
            versions.append(version)
            return true
        default:
            for itemClass in ItemClass.allCases
            where values.count == ItemTable.of(itemClass).columnCount {
                let row = FoundRow(
                    itemClass: itemClass, rowID: rowID, values: Array(values.dropFirst()), isSumRight: isSumRight)
                guard row.isMarked, row.id != nil else { return false }
                rows.append(row)
                return true
            }
            return false
        }
    }
}
