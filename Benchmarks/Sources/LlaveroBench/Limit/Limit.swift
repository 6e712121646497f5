// SPDX-License-Identifier: Apache-2.0

import CLimit

/// What SQLite and OpenSSL allow for an encrypted item store, with nothing on top.
///
/// Per item: a per-item key sealed under a class key, 200 bytes of attributes sealed under the class key, a 32-byte
/// secret sealed under the per-item key; all AES-256-GCM. One durable transaction per add.
final class Limit {
    private static let attributes = 200
    private static let secret = 32
    private static let hash = Int32(16)

    private var isInTransaction = false
    private let cipher: LimitCipher
    private let database: LimitDatabase
    private let service: [UInt8] = Array("service".utf8)
    private let hashedAccount = LimitCipher.Bytes.allocate(capacity: 32)
    private let hashedService = LimitCipher.Bytes.allocate(capacity: 32)
    private let itemKey = LimitCipher.Bytes.allocate(capacity: LimitCipher.key)
    private let blob = LimitCipher.Bytes.allocate(capacity: 1024)
    private let plain = LimitCipher.Bytes.allocate(capacity: 1024)
    private let values = LimitCipher.Bytes.allocate(capacity: attributes)

    convenience init(folder: TemporaryFolder) throws(WrongResult) {
        try self.init(path: folder.path + "/limit.db", hasFixedKeys: false)
    }

    /// With fixed keys, what one process stored another one finds.
    init(path: String, hasFixedKeys: Bool) throws(WrongResult) {
        cipher = try LimitCipher(hasFixedKeys: hasFixedKeys)
        database = try LimitDatabase(path: path)
        values.initialize(repeating: 7, count: Self.attributes)
        cipher.hash(service, into: hashedService)
    }

    deinit {
        for bytes in [hashedAccount, hashedService, itemKey, blob, plain, values] { bytes.deallocate() }
    }

    /// Runs additions that end on the disk together.
    func inOneTransaction(_ additions: () throws(WrongResult) -> Void) throws(WrongResult) {
        try database.run("begin immediate")
        isInTransaction = true
        defer { isInTransaction = false }
        try additions()
        try database.run("commit")
    }

    func add(_ account: [UInt8], date: Int) throws(WrongResult) {
        cipher.hash(account, into: hashedAccount)
        RAND_bytes(itemKey, Int32(LimitCipher.key))
        var count = cipher.seal(itemKey, LimitCipher.key, under: cipher.classKey, into: blob)
        count += cipher.seal(values, Self.attributes, under: cipher.classKey, into: blob + count)
        count += cipher.seal(values, Self.secret, under: itemKey, into: blob + count)
        let insert = database.insert
        if !isInTransaction { try database.run("begin immediate") }
        sqlite3_bind_double(insert, 1, Double(date))
        sqlite3_bind_double(insert, 2, Double(date))
        sqlite3_bind_blob(insert, 3, hashedAccount, Self.hash, nil)
        sqlite3_bind_blob(insert, 4, hashedService, Self.hash, nil)
        sqlite3_bind_blob(insert, 5, blob, Int32(count), nil)
        try expect(SQLITE_DONE, of: insert)
        sqlite3_reset(insert)
        if !isInTransaction { try database.run("commit") }
    }

    func find(_ account: [UInt8]) throws(WrongResult) {
        let find = database.find
        cipher.hash(account, into: hashedAccount)
        cipher.hash(service, into: hashedService)
        sqlite3_bind_blob(find, 1, hashedAccount, Self.hash, nil)
        sqlite3_bind_blob(find, 2, hashedService, Self.hash, nil)
        try openRow(of: find)
    }

    /// Finds the first item of the service.
    func findFirst() throws(WrongResult) {
        cipher.hash(service, into: hashedService)
        sqlite3_bind_blob(database.first, 1, hashedService, Self.hash, nil)
        try openRow(of: database.first)
    }

    /// Opens the attributes of every item; returns how many there are.
    func list() throws(WrongResult) -> Int {
        let envelope = LimitCipher.key + LimitCipher.overhead
        var rows = 0
        while sqlite3_step(database.list) == SQLITE_ROW {
            let sealed = try data(of: database.list) + envelope
            try cipher.open(sealed, Self.attributes + LimitCipher.overhead, under: cipher.classKey, into: plain)
            rows += 1
        }
        sqlite3_reset(database.list)
        return rows
    }

    func delete(_ account: [UInt8]) throws(WrongResult) {
        let delete = database.delete
        cipher.hash(account, into: hashedAccount)
        cipher.hash(service, into: hashedService)
        try database.run("begin immediate")
        sqlite3_bind_blob(delete, 1, hashedAccount, Self.hash, nil)
        sqlite3_bind_blob(delete, 2, hashedService, Self.hash, nil)
        try expect(SQLITE_DONE, of: delete)
        sqlite3_reset(delete)
        try database.run("commit")
    }

    private func openRow(of statement: OpaquePointer) throws(WrongResult) {
        try expect(SQLITE_ROW, of: statement)
        let wrapped = LimitCipher.key + LimitCipher.overhead
        let attributes = Self.attributes + LimitCipher.overhead
        let data = try data(of: statement)
        try cipher.open(data, wrapped, under: cipher.classKey, into: itemKey)
        try cipher.open(data + wrapped, attributes, under: cipher.classKey, into: plain)
        try cipher.open(data + wrapped + attributes, Self.secret + LimitCipher.overhead, under: itemKey, into: plain)
        sqlite3_reset(statement)
    }

    private func expect(_ code: Int32, of statement: OpaquePointer) throws(WrongResult) {
        let result = sqlite3_step(statement)
        guard result == code else { throw WrongResult("SQLite answers \(result) to the limit, not \(code)") }
    }

    private func data(of statement: OpaquePointer) throws(WrongResult) -> LimitCipher.ConstantBytes {
        guard let data = sqlite3_column_blob(statement, 0) else { throw WrongResult("the limit has an empty row") }
        return data.assumingMemoryBound(to: UInt8.self)
    }
}
