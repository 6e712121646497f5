// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security

/// A keychain in a folder, a program that uses it, and a way in for somebody who has the files and no key.
final class TamperedKeychain {
    private let keychain: IsolatedKeychain
    let folder: String

    init() throws {
        keychain = try IsolatedKeychain(
            .temporaryFolder, entitlements: Entitlements(keychainAccessGroups: ["tamper.one", "tamper.two"]))
        guard let folder = keychain.folder else { throw CocoaError(.fileNoSuchFile) }
        self.folder = folder.path
    }

    deinit {
        // The keychain removes its own files and no others.
        try? FileManager.default.removeItem(atPath: aside)
    }

    /// A folder beside the keychain's, for what a test puts aside.
    var aside: String { folder + ".aside" }

    /// Closes every connection and forgets every key, as a new program would start.
    func reopen() {
        keychain.reopen()
    }

    /// What is wrong, but for what the sum over all items says: an intruder who adds, removes or puts back a row meets it each
    /// time, and most tests are about what else is noticed.
    func check() throws -> [String] {
        try checkWithTally().filter { !$0.contains("outside Llavero") && !$0.contains("that had been stored") }
    }
    func checkWithTally() throws -> [String] { try keychain.check() }
    func file(_ name: String) -> String { folder + "/" + name }

    func intruder() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: file("keychain.db"), mode: .readWrite)
        try connection.execute("pragma synchronous=off")
        return connection
    }

    /// The files that must not change by themselves, with their digests.
    func digests() throws -> String {
        let script = "cd \"$1\" && for f in keychain.db device.key keybag.copy; do sha256sum $f 2>&1 || :; done"
        return String(decoding: try Child.shell(script, folder), as: UTF8.self)
    }

    // What a program does.

    func add(_ item: [String: Any]) -> OSStatus { keychain.use { SecItemAdd(item as CFDictionary, nil) } }

    func update(_ query: [String: Any], _ changes: [String: Any]) -> OSStatus {
        keychain.use { SecItemUpdate(query as CFDictionary, changes as CFDictionary) }
    }

    func delete(_ query: [String: Any]) -> OSStatus { keychain.use { SecItemDelete(query as CFDictionary) } }

    func find(_ query: [String: Any], data: Bool = true) -> (status: OSStatus, items: [NSDictionary]) {
        let wishes: [String: Any] = [
            "m_Limit": "m_LimitAll", "r_Attributes": true, "r_Data": data, "r_PersistentRef": true,
        ]
        var result: CFTypeRef?
        let query = query.merging(wishes) { mine, _ in mine } as CFDictionary
        let status = keychain.use { SecItemCopyMatching(query, &result) }
        return (status, result as? [NSDictionary] ?? [])
    }

    /// Every item of a class, tombstones too.
    func everything(of itemClass: String, data: Bool = true) -> [NSDictionary] {
        [false, true].flatMap { find(["class": itemClass, "sync": "syna", "tomb": $0], data: data).items }
    }

    /// The statuses of the four calls about one item, and what the last failing one said.
    func fourCalls(about query: [String: Any]) -> [(status: OSStatus, failure: String)] {
        [
            { self.add(query) }, { self.find(query).status }, { self.update(query, ["labl": "changed"]) },
            { self.delete(query) },
        ].map { call in (call(), Llavero.lastFailure ?? "") }
    }
}
