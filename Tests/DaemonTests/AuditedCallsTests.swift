// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import KeychainConnection
import KeychainEngine
import KeychainModel
import Security
import TestDaemon
import TestProcesses
import Testing

/// What each call through a socket leaves in the log.
@Suite struct AuditedCallsTests {
    private final class Scene {
        let keychain: IsolatedKeychain
        let log: AuditLog
        private let daemon: ServedKeychain
        private let folder: TestFolder
        private let key: AuditKey

        init(_ policy: AuditPolicy = .bestEffort) throws {
            folder = try TestFolder()
            keychain = try IsolatedKeychain(.inMemory)
            key = try AuditKey(keychain.host.engine().auditKey())
            log = AuditLog(folder: folder.file("audit"), key: key, policy: policy, clock: { 1 })
            try log.open()
            daemon = try ServedKeychain(keychain.host, audit: log)
            keychain.reach(through: daemon.host)
        }

        var path: String { folder.file("audit") }

        /// What is in the log so far, but for admissions.
        func entries() throws -> [AuditEntry] {
            var entries: [AuditEntry] = []
            let report = try AuditReader(folder: path, key: key).entries { record, _ in
                if case .entry(let entry) = record.content, entry.operation != .admit { entries.append(entry) }
            }
            #expect(report.isIntact)
            return entries
        }
    }

    private func password(_ account: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "s",
        ]
        return query.merging(more) { $1 } as CFDictionary
    }

    @Test("adding, finding, changing and deleting name the item and its group, whatever was asked back")
    func items() throws {
        let scene = try Scene()
        try scene.keychain.use {
            var reference: CFTypeRef?
            let added = password("a", [kSecValueData: Data("x".utf8), kSecReturnPersistentRef: true])
            #expect(SecItemAdd(added, &reference) == errSecSuccess)
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(password("a", [kSecReturnAttributes: true]), &result) == errSecSuccess)
            #expect(SecItemCopyMatching(password("a", [kSecReturnData: true]), &result) == errSecSuccess)
            let change = [kSecValueData: Data("y".utf8)] as [CFString: Any] as CFDictionary
            #expect(SecItemUpdate(password("a"), change) == errSecSuccess)
            let named = [kSecValuePersistentRef: try #require(reference)] as [CFString: Any] as CFDictionary
            #expect(SecItemDelete(named) == errSecSuccess)
            #expect(SecItemDelete(password("a", [kSecAttrAccessGroup: "other.group"])) != errSecSuccess)
        }
        let entries = try scene.entries()
        #expect(entries.map(\.operation) == [.add, .find, .findSecrets, .update, .delete, .delete])
        let item = try #require(entries[0].items.first)
        #expect(item.itemClass == .genericPassword)
        #expect(entries[1].items.map(\.persistentID) == [item.persistentID])
        #expect(entries[1].items.map(\.group) == [.named(.open)])
        #expect(entries[2].items.map(\.persistentID) == [item.persistentID])
        #expect(entries[3].items == [AuditedItem(.genericPassword, item.persistentID, group: .named(.open))])
        #expect(entries[3].queriedClass == .stored(.genericPassword))
        #expect(entries[3].groups == .everyOfProgram)
        #expect(entries[4].items.map(\.persistentID) == [item.persistentID])
        #expect(entries[5].groups == AuditedGroup(try #require(AccessGroup("other.group"))))
        #expect(entries[5].outcome == .failed(.missingEntitlement))
        #expect(entries[..<5].allSatisfy { $0.outcome == .done })
    }

    @Test("making a key that stays, and each use of it, is recorded")
    func keys() throws {
        let scene = try Scene()
        try scene.keychain.use {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true],
            ]
            let key = try #require(SecKeyCreateRandomKey(attributes as CFDictionary, nil))
            _ = SecKeyCreateSignature(
                key, .ecdsaSignatureMessageX962SHA256, Data("message".utf8) as CFData, nil)
        }
        let entries = try scene.entries()
        #expect(entries.map(\.operation).first == .generateKey)
        #expect(entries.last?.operation == .sign)
        #expect(entries.allSatisfy { $0.outcome == .done })
        #expect(entries.first?.items.map(\.persistentID) == entries.last?.items.map(\.persistentID))
        #expect(entries.last?.items.count == 1)
    }

    @Test("where recording is required, nothing is done with secrets once it fails, and searches for names go on")
    func required() throws {
        let scene = try Scene(.required)
        try scene.keychain.use {
            #expect(SecItemAdd(password("a", [kSecValueData: Data("x".utf8)]), nil) == errSecSuccess)
            try scene.log.close()
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(password("a", [kSecReturnData: true]), &result) == errSecNotAvailable)
            #expect(SecItemDelete(password("a")) == errSecNotAvailable)
            #expect(SecItemCopyMatching(password("a", [kSecReturnAttributes: true]), &result) == errSecSuccess)
        }
        #expect(try scene.entries().map(\.operation) == [.add])
    }
}
