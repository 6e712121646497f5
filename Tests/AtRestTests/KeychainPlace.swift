// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainSQLite
import Security

/// A keychain folder that outlives the programs that open it, and can be tampered with between them.
final class KeychainPlace {
    let root: String
    private var host: EmbeddedHost

    init() throws {
        var template = Array("/tmp/llavero-at-rest-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw POSIXError(.EIO) }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        host = KeychainPlace.host(root)
    }

    deinit {
        host.closeIdle()
        try? FileManager.default.removeItem(atPath: root)
    }

    private static func host(_ root: String) -> EmbeddedHost {
        var entitlements = ProgramEntitlements.open
        entitlements.keychainAccessGroups = ["llavero.open", "team.two"]
        return EmbeddedHost(place: .folder(root: root, name: "login"), entitlements: entitlements) {
            Date().timeIntervalSinceReferenceDate
        }
    }

    /// The next program, which opens everything anew.
    func reopen() {
        host.closeIdle()
        host = KeychainPlace.host(root)
    }

    var folder: String { root + "/login" }
    func file(_ name: String) -> String { folder + "/" + name }

    func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try KeychainConnection.$isolated.withValue(host, operation: body)
    }

    func check() throws -> [String] { try host.check() }

    /// A connection of somebody who has the files and no key.
    func intruder() throws -> Connection {
        let connection = try Connection(path: file("keychain.db"), mode: .readWrite)
        try connection.execute("pragma synchronous=off")
        return connection
    }

    // What a program does.

    func add(_ attributes: [String: Any]) -> OSStatus { use { SecItemAdd(attributes as CFDictionary, nil) } }

    func update(_ query: [String: Any], _ changes: [String: Any]) -> OSStatus {
        use { SecItemUpdate(query as CFDictionary, changes as CFDictionary) }
    }

    func delete(_ query: [String: Any]) -> OSStatus { use { SecItemDelete(query as CFDictionary) } }

    /// Every match, with everything there is to know of it.
    func find(_ query: [String: Any]) -> (status: OSStatus, items: [[String: Any]]) {
        let wishes: [String: Any] = [
            "m_Limit": "m_LimitAll", "r_Attributes": true, "r_Data": true, "r_PersistentRef": true,
        ]
        var result: CFTypeRef?
        let status = use { SecItemCopyMatching(query.merging(wishes) { $1 } as CFDictionary, &result) }
        return (status, result as? [[String: Any]] ?? [])
    }

    /// The files of the keychain with the digests of their bytes.
    func digests() throws -> String {
        let names = ["keychain.db", "device.key", "keybag.copy"].map(file)
        let there = names.filter { FileManager.default.fileExists(atPath: $0) }
        return String(decoding: try Child.run(["sha256sum"] + there), as: UTF8.self)
    }
}

extension Connection {
    /// One value of one row, as SQL says it; what is written back unchanged is the same value.
    func literal(_ column: String, of table: String, row: Int) throws -> String {
        let statement = try prepare("select quote(\(column)) from \(table) where rowid = \(row)")
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : "null"
    }

    func blob(of table: String, row: Int) throws -> [UInt8] {
        let statement = try prepare("select data from \(table) where rowid = \(row)")
        defer { statement.reset() }
        return try statement.step() ? statement.blob(0) : []
    }

    func setBlob(_ bytes: [UInt8], of table: String, row: Int) throws {
        let statement = try prepare("update \(table) set data = ? where rowid = \(row)")
        try statement.bind(blob: bytes, at: 1)
        try statement.run()
    }

    func names(ofColumnsOf table: String) throws -> [String] {
        let statement = try prepare("select name from pragma_table_info('\(table)') where name <> 'rowid'")
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0)) }
        return names
    }
}
