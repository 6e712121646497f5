// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import Security
import Synchronization
import TestDaemon
import TestProcesses
import Testing

/// Being told what becomes of items.
@Suite struct ChangeTests {
    /// What an observer was told, and waiting for it.
    private final class Notices: Sendable {
        private let notices = Mutex<[Llavero.ChangeNotice]>([])
        private let arrival = DispatchSemaphore(value: 0)

        func take(_ notice: Llavero.ChangeNotice) {
            notices.withLock { $0.append(notice) }
            arrival.signal()
        }

        /// The next ones, once there are so many.
        func next(_ count: Int) throws -> [Llavero.Change] {
            for _ in 0..<count {
                guard arrival.wait(timeout: .now() + EventLimit.seconds) == .success else { throw NothingCame() }
            }
            let taken = notices.withLock { notices in
                defer { notices.removeFirst(count) }
                return notices.prefix(count)
            }
            return taken.compactMap { if case .change(let change) = $0 { change } else { nil } }
        }

        struct NothingCame: Error {}
    }

    private let keychain: IsolatedKeychain
    private let served: ServedKeychain

    init() throws {
        keychain = try IsolatedKeychain()
        served = try ServedKeychain(keychain.host)
        keychain.reach(through: served.host)
    }

    private func item(_ account: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
        let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account]
        return item.merging(more) { $1 } as CFDictionary
    }

    private func isIn(_ groups: String...) {
        keychain.entitlements = Entitlements(
            keychainAccessGroups: groups, applicationIdentifier: nil, applicationGroups: [])
    }

    @Test("adding, updating and deleting is told with class, group and reference")
    func told() throws {
        let notices = Notices()
        try keychain.use {
            let observer = try Llavero.observeChanges { notices.take($0) }
            var reference: CFTypeRef?
            let secret = Data("x".utf8)
            #expect(SecItemAdd(item("a", [kSecValueData: secret, kSecReturnPersistentRef: true]), &reference) == 0)
            #expect(SecItemUpdate(item("a"), [kSecAttrLabel: "new"] as [CFString: Any] as CFDictionary) == 0)
            #expect(SecItemCopyMatching(item("a"), nil) == 0)
            #expect(SecItemDelete(item("a")) == 0)
            let changes = try notices.next(3)
            #expect(changes.map(\.kind) == [.added, .updated, .deleted])
            #expect(changes.allSatisfy { $0.persistentReference == reference as? Data })
            #expect(changes.allSatisfy { $0.accessGroup == "llavero.open" && $0.itemClass == "genp" })
            observer.end()
        }
    }

    @Test("a program is told of its own groups alone; an item that changes its group comes, or goes")
    func groups() throws {
        isIn("A")
        let notices = Notices()
        try keychain.use {
            let observer = try Llavero.observeChanges { notices.take($0) }
            isIn("B", "A")
            #expect(SecItemAdd(item("hidden", [kSecValueData: Data("x".utf8)]), nil) == 0)
            #expect(SecItemUpdate(item("hidden"), [kSecAttrLabel: "new"] as [CFString: Any] as CFDictionary) == 0)
            let change = [kSecAttrAccessGroup: "A"] as [CFString: Any] as CFDictionary
            #expect(SecItemUpdate(item("hidden"), change) == 0)
            let back = [kSecAttrAccessGroup: "B"] as [CFString: Any] as CFDictionary
            #expect(SecItemUpdate(item("hidden"), back) == 0)
            #expect(SecItemDelete(item("hidden")) == 0)
            #expect(SecItemAdd(item("last", [kSecValueData: Data("x".utf8), kSecAttrAccessGroup: "A"]), nil) == 0)
            let changes = try notices.next(3)
            #expect(changes.map(\.kind) == [.added, .deleted, .added])
            #expect(changes.allSatisfy { $0.accessGroup == "A" })
            observer.end()
        }
    }

    @Test("what is refused is no change, and without a daemon nobody is told")
    func nothing() throws {
        let notices = Notices()
        try keychain.use {
            let observer = try Llavero.observeChanges { notices.take($0) }
            #expect(SecItemDelete(item("absent")) == errSecItemNotFound)
            #expect(SecItemAdd(item("a", [kSecValueData: Data("x".utf8)]), nil) == 0)
            #expect(SecItemAdd(item("a", [kSecValueData: Data("x".utf8)]), nil) == errSecDuplicateItem)
            #expect(SecItemDelete(item("a")) == 0)
            #expect(try notices.next(2).map(\.kind) == [.added, .deleted])
            observer.end()
        }
        let embedded = try IsolatedKeychain()
        #expect(throws: LlaveroError.self) {
            try embedded.use { _ = try Llavero.observeChanges { _ in } }
        }
    }

    @Test("an asynchronous sequence says the same")
    func sequence() async throws {
        let changes = try keychain.use { try Llavero.changes() }
        keychain.use { #expect(SecItemAdd(item("a", [kSecValueData: Data("x".utf8)]), nil) == 0) }
        for await notice in changes {
            guard case .change(let change) = notice else { continue }
            #expect(change.kind == .added)
            break
        }
    }
}
