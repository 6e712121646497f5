// SPDX-License-Identifier: Apache-2.0

import KeychainSQLite

/// What somebody sees and does who has the database and no key.
extension SQLiteConnection {
    /// One number.
    func number(_ sql: String) throws -> Int {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.int64(0)) : -1
    }

    /// How many generic passwords are sealed under each generation, by the header of their blobs.
    func generations() throws -> [Int: Int] {
        let statement = try prepare("select substr(data, 5, 4), count(*) from genp group by 1")
        defer { statement.reset() }
        var counts: [Int: Int] = [:]
        while try statement.step() {
            let generation = statement.blob(0).reversed().reduce(0) { $0 << 8 | Int($1) }
            counts[generation] = Int(statement.int64(1))
        }
        return counts
    }

    /// The sealed items by row, to see which were written anew.
    func blobs() throws -> [Int: [UInt8]] {
        let statement = try prepare("select rowid, data from genp")
        defer { statement.reset() }
        var blobs: [Int: [UInt8]] = [:]
        while try statement.step() { blobs[Int(statement.int64(0))] = statement.blob(1) }
        return blobs
    }

    /// Writes four bytes of rubbish over a sealed item.
    func overwriteItem(row: Int) throws {
        let statement = try prepare("update genp set data = ? where rowid = \(row)")
        try statement.bind(blob: [0xDE, 0xAD, 0xBE, 0xEF], at: 1)
        try statement.run()
    }
}
