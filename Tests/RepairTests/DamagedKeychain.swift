// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainRequest
import KeychainStore
import Security

/// A keychain of fifty items in a folder, to be damaged again and again, and repaired.
final class DamagedKeychain {
    /// The folder that holds it, and what a repair puts beside it.
    let root: URL
    /// Its files as they were.
    private let files: [String: Data]
    /// The note beside it, of how many commits there were.
    private let note: Data?
    /// What every item is, by its account.
    let items: [String: NSDictionary]
    private let entitlements: Entitlements

    /// With `inLog` the second half of the items lies in the log, as after a crash; and so does what `change` does then.
    init(
        inLog: Bool = false, passcode: String? = nil, count: Int = 50, group: String = "llavero.open",
        change: (IsolatedKeychain) throws -> Void = { (_) in }
    ) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("llavero-repair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        entitlements = Entitlements(keychainAccessGroups: [group])
        let keychain = try IsolatedKeychain(.folder(root), entitlements: entitlements)
        if let passcode {
            try keychain.use { try Llavero.keybag.setPasscode(Llavero.Passcode(passcode), erasingAfter: nil) }
        }
        for number in 0..<count {
            if inLog, number == count / 2 { keychain.reopen() }
            let status = keychain.use { SecItemAdd(Self.item(number) as CFDictionary, nil) }
            guard status == errSecSuccess else { throw Failure(status: status) }
        }
        try change(keychain)
        if !inLog { keychain.reopen() }
        if let passcode { try keychain.use { try Llavero.keybag.unlock(with: Llavero.Passcode(passcode)) } }
        items = Self.items(of: keychain)
        if !inLog { keychain.reopen() }
        let folder = root.appendingPathComponent("login")
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
            files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        self.files = files
        note = try? Data(contentsOf: root.appendingPathComponent(".tally-login"))
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    struct Failure: Error { let status: OSStatus }

    private static func item(_ number: Int) -> [String: Any] {
        [
            "class": "genp", "svce": "service \(number % 7)", "acct": "account \(number)",
            "v_Data": Data(repeating: UInt8(number), count: number % 10 == 5 ? 5000 : 150),
        ]
    }

    static func items(of keychain: IsolatedKeychain) -> [String: NSDictionary] {
        let query: [String: Any] = [
            "class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true, "r_Data": true, "r_PersistentRef": true,
        ]
        var result: CFTypeRef?
        _ = keychain.use { SecItemCopyMatching(query as CFDictionary, &result) }
        return (result as? [NSDictionary] ?? []).reduce(into: [:]) { items, item in
            if let account = item["acct"] as? String { items[account] = item }
        }
    }

    var database: Data { files["keychain.db"] ?? Data() }
    var log: Data { files["keychain.db-wal"] ?? Data() }

    func content(_ name: String) -> Data? { files[name] }

    var place: Place { .folder(root: root.path, name: "login") }

    /// Puts the files in place, some with other content; nil leaves one out.
    func lay(_ changed: [String: Data?] = [:], withNote: Bool = false) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path) {
            try FileManager.default.removeItem(at: root.appendingPathComponent(name))
        }
        let folder = root.appendingPathComponent("login")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for (name, content) in files {
            guard let content = changed[name] ?? content else { continue }
            let file = folder.appendingPathComponent(name)
            try content.write(to: file)
            chmod(file.path, 0o600)
        }
        if withNote { try note?.write(to: root.appendingPathComponent(".tally-login")) }
    }

    func repair(passcode: String? = nil, isDryRun: Bool = false) throws -> KeychainRepair.Outcome {
        try KeychainRepair(place).run(
            passcode.flatMap { text in Array(text.utf8).withUnsafeBytes { Passcode(copying: $0) } },
            isDryRun: isDryRun)
    }

    /// The earlier versions that the keychain in the place has now, the newest first.
    func versionsNow() throws -> [PastVersion] {
        let keychain = try IsolatedKeychain(.folder(root), entitlements: entitlements)
        guard case .past(let versions) = try keychain.host.session().perform(.history(of: nil, before: nil)) else {
            throw Failure(status: errSecInternalError)
        }
        return versions
    }

    /// The items that the keychain in the place has now.
    func itemsNow(passcode: String? = nil) throws -> [String: NSDictionary] {
        let keychain = try IsolatedKeychain(.folder(root), entitlements: entitlements)
        if let passcode { try keychain.use { try Llavero.keybag.unlock(with: Llavero.Passcode(passcode)) } }
        return Self.items(of: keychain)
    }

    /// What finding, changing, removing and adding an item of an account ends with; what it adds it takes away again.
    func statuses(of account: String) throws -> [OSStatus] {
        let query: [String: Any] = ["class": "genp", "acct": account]
        let number = Int(account.split(separator: " ").last ?? "") ?? 0
        return try IsolatedKeychain(.folder(root)).use {
            let statuses = [
                SecItemCopyMatching(query as CFDictionary, nil),
                SecItemUpdate(query as CFDictionary, ["labl": "changed"] as CFDictionary),
                SecItemUpdate(query as CFDictionary, ["labl": ""] as CFDictionary),
                SecItemAdd(Self.item(number) as CFDictionary, nil),
            ]
            if statuses[3] == errSecSuccess { _ = SecItemDelete(query as CFDictionary) }
            return statuses
        }
    }

    func check() throws -> [String] { try IsolatedKeychain(.folder(root)).check() }

    /// What lies beside the keychain and its note.
    var beside: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [])
            .filter { !["login", ".tally-login"].contains($0) }.sorted()
    }
}

extension Data {
    /// The same with other bytes in a range.
    func changed(_ range: Range<Int>, _ byte: (UInt8) -> UInt8) -> Data {
        var data = self
        for position in range where position < data.count { data[position] = byte(data[position]) }
        return data
    }
}
