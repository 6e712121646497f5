// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Synchronization
import Testing

/// Threads of one process that share an isolated keychain.
@Suite struct ThreadsTests {
    @Test(
        "eight threads add, update, find and delete side by side, and the counts are right",
        arguments: [IsolatedKeychain.Storage.inMemory, .temporaryFolder])
    func threads(storage: IsolatedKeychain.Storage) throws {
        let keychain = try IsolatedKeychain(storage)
        let troubles = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            // The keychain is the task's, and a thread has to enter it itself.
            keychain.use {
                let found = Self.work(as: thread)
                troubles.withLock { $0 += found }
            }
        }
        #expect(troubles.withLock { $0 } == [])
        keychain.use { #expect(Self.count() == 8 * 20) }
        #expect(try keychain.check() == [])
    }

    @Test("of eight threads that add the same item at once, exactly one succeeds")
    func onlyOne() throws {
        let keychain = try IsolatedKeychain(.temporaryFolder)
        for round in 0..<20 {
            let statuses = Mutex<[OSStatus]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                keychain.use {
                    let status = SecItemAdd(Self.item("round \(round)", "\(thread)") as CFDictionary, nil)
                    statuses.withLock { $0.append(status) }
                }
            }
            let all = statuses.withLock { $0 }.sorted()
            #expect(all == Array(repeating: errSecDuplicateItem, count: 7) + [errSecSuccess])
        }
        #expect(try keychain.check() == [])
    }

    /// Thirty items, of which ten are deleted again; every call's status is known.
    private static func work(as thread: Int) -> [String] {
        var troubles: [String] = []
        func expect(_ status: OSStatus, _ call: String) {
            if status != errSecSuccess { troubles.append("\(call): \(status)") }
        }
        for index in 0..<30 {
            let account = "thread \(thread) item \(index)"
            expect(SecItemAdd(item(account, "first") as CFDictionary, nil), "add")
            let key = item(account, nil) as CFDictionary
            expect(SecItemUpdate(key, [kSecValueData as String: Data("second".utf8)] as CFDictionary), "update")
            var query = item(account, nil)
            query[kSecReturnData as String] = true
            var result: CFTypeRef?
            expect(SecItemCopyMatching(query as CFDictionary, &result), "find")
            if result as? Data != Data("second".utf8) { troubles.append("another thread's data") }
            if index % 3 == 0 { expect(SecItemDelete(key), "delete") }
        }
        return troubles
    }

    private static func count() -> Int {
        var query = item(nil, nil)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return -1 }
        return (result as? [Any])?.count ?? -1
    }

    private static func item(_ account: String?, _ value: String?) -> [String: Any] {
        var item: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "threads"]
        if let account { item[kSecAttrAccount as String] = account }
        if let value { item[kSecValueData as String] = Data(value.utf8) }
        return item
    }
}
