// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainSQLite

/// The keybag as it lies in a database, for somebody who damages it.
struct StoredKeybag {
    let header: PropertyList
    private(set) var records: [PropertyList]

    private static let magic = Array("LLAVEBAG".utf8)

    struct Unreadable: Error {}

    init(in database: SQLiteConnection) throws {
        guard let payload = try TwinRecord.decode(try Self.bytes(in: database), magic: Self.magic),
            case .dictionary(let fields) = try PropertyList(decoding: payload.bytes),
            let header = fields["header"], case .array(let records)? = fields["records"]
        else { throw Unreadable() }
        self.header = header
        self.records = records
    }

    static func bytes(in database: SQLiteConnection) throws -> [UInt8] {
        let statement = try database.prepare("select data from keybag order by generation desc limit 1")
        defer { statement.reset() }
        return try statement.step() ? statement.blob(0) : []
    }

    /// The generations before the current one that have keys still, with how many.
    static func earlierGenerations(in database: SQLiteConnection) throws -> [UInt32: Int] {
        let keybag = try LockedKeybag(decoding: try bytes(in: database))
        return Dictionary(grouping: keybag.earlierNames, by: \.generation).mapValues(\.count)
    }

    /// Puts it in the place of the one that is there; nobody is told.
    func store(in database: SQLiteConnection) throws {
        let payload = try PropertyList.dictionary(["header": header, "records": .array(records)]).encoded()
        let statement = try database.prepare("update keybag set data = ?")
        try statement.bind(blob: try TwinRecord.encode(payload, magic: Self.magic), at: 1)
        try statement.run()
    }

    /// What is done to the record of a class.
    enum Damage: String, Sendable, CaseIterable {
        case overwritten
        case deleted
    }

    /// Damages the keys of a class, of which there is one record unless a recovery key has another.
    mutating func damage(_ protection: Protection, _ damage: Damage) throws {
        let matching = records.indices.filter { records[$0].number("class") == protection.classNumber }
        guard let index = matching.first, case .dictionary(var fields) = records[index],
            case .data(var key)? = fields["key"]
        else { throw Unreadable() }
        switch damage {
        case .deleted: records.remove(at: index)
        case .overwritten:
            key[key.count / 2] ^= 0xFF
            fields["key"] = .data(key)
            records[index] = .dictionary(fields)
        }
    }
}

extension PropertyList {
    fileprivate func number(_ name: String) -> Int64? {
        guard case .dictionary(let fields) = self, case .number(let number)? = fields[name] else { return nil }
        return number
    }
}

extension Protection {
    /// The number the class has in blobs and records (semantics §1.5).
    var classNumber: Int64 {
        switch self {
        case .ak: 6
        case .ck: 7
        case .dk: 8
        case .aku: 9
        case .cku: 10
        case .dku: 11
        case .akpu: 12
        }
    }
}
