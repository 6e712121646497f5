// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm

/// A program that uses a keychain, at a time that stands still until it is moved.
final class Program: Sendable {
    let keychain: IsolatedKeychain
    /// What the keychain lies in, for as long as there is a program that uses it.
    private let folder: TestFolder?
    private let chip: SwtpmProcess?

    static let startOfTime = Date(timeIntervalSinceReferenceDate: 800_000_000)

    init(_ keychain: IsolatedKeychain, in folder: TestFolder?, with chip: SwtpmProcess?) {
        self.keychain = keychain
        self.folder = folder
        self.chip = chip
        keychain.setClock(Program.startOfTime)
    }

    deinit {
        // Before the folder goes.
        keychain.reopen()
    }

    /// Closes every connection and forgets every key, as the end of the program and another start would.
    func reopen() { keychain.reopen() }

    func check() throws -> [String] { try keychain.check() }
    /// The same without what the sum over all items says, for tests in which an intruder changes rows or puts files back.
    func checkWithoutTally() throws -> [String] {
        try check().filter { !$0.contains("outside Llavero") && !$0.contains("that had been stored") }
    }

    // What it asks of the keybag.

    func keybag<Result>(_ body: (Llavero.Keybag) throws -> Result) throws -> Result {
        try keychain.use { try body(Llavero.keybag) }
    }

    /// The failure of something it asks, or nil.
    func failure<Result>(_ body: (Llavero.Keybag) throws -> Result) -> LlaveroError? {
        do {
            _ = try keybag(body)
            return nil
        } catch let error as LlaveroError { return error } catch { return nil }
    }

    /// The status of something it asks: 0, or the failure's.
    func status<Result>(_ body: (Llavero.Keybag) throws -> Result) -> OSStatus {
        failure(body)?.status ?? errSecSuccess
    }

    func state() throws -> Llavero.Status { try keybag { try $0.status() } }
    func lockState() throws -> Llavero.LockState { try state().lockState }
    func setPasscode(_ passcode: Llavero.Passcode) throws {
        try keybag { try $0.setPasscode(passcode, erasingAfter: nil) }
    }
    func unlock(_ passcode: Llavero.Passcode) throws { try keybag { try $0.unlock(with: passcode) } }
    func lock() throws { try keybag { try $0.lock() } }

    // What it asks about items.

    func add(_ item: TestItem) -> OSStatus { keychain.use { SecItemAdd(item.whole as CFDictionary, nil) } }

    func update(_ item: TestItem, label: String) -> OSStatus {
        keychain.use {
            SecItemUpdate(item.key as CFDictionary, [kSecAttrLabel as String: label] as CFDictionary)
        }
    }

    func delete(_ item: TestItem) -> OSStatus { keychain.use { SecItemDelete(item.key as CFDictionary) } }

    /// Finds an item and what of it is wanted; with no wishes nothing comes back but the status.
    func find(_ query: [String: Any], _ wishes: CFString...) -> (status: OSStatus, result: CFTypeRef?) {
        var query = query
        for wish in wishes { query[wish as String] = true }
        var result: CFTypeRef?
        let status = keychain.use {
            wishes.isEmpty
                ? SecItemCopyMatching(query as CFDictionary, nil) : SecItemCopyMatching(query as CFDictionary, &result)
        }
        return (status, result)
    }

    /// The status of a find of an item's secret; a wrong secret is no success.
    func find(_ item: TestItem) -> OSStatus {
        let (status, result) = find(item.key, kSecReturnData)
        guard status == errSecSuccess else { return status }
        return result as? Data == item.secret ? errSecSuccess : errSecDecode
    }

    /// The statuses of many.
    func find(_ items: [TestItem]) -> [OSStatus] { items.map(find) }

    /// Why the last of these calls failed.
    func whyNot(_ item: TestItem) -> String { find(item) == errSecSuccess ? "" : Llavero.lastFailure ?? "" }
}
