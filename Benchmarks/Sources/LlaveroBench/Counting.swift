// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Security

/// One operation, so many times: Scripts/instructions.sh counts the instructions of two lengths and takes the difference.
///
/// A process fills a folder once; those that are counted open it, so that nothing but the operation differs between them.
struct Counting {
    enum Operation: String, CaseIterable {
        /// What SQLite and OpenSSL allow.
        case limitFind = "limit-find"
        case limitAdd = "limit-add"
        /// The call alone: its dictionaries are made before.
        case find
        /// From the literal to the `Data`, as programs write it.
        case findAsWritten = "find-as-written"
        /// Of an item that demands the passcode, which was shown before; in a keychain of its own.
        case findShown = "find-shown"
        case add
        case update
        /// Of people's passwords, whose versions are kept; in a keychain of its own.
        case updateKept = "update-kept"
        case delete
        /// A thousand items of all, for each time.
        case list
    }

    private let folder: URL
    private let items: Int

    /// The folder holds the limit's database and the keychain that LLAVERO_HOME names.
    init(folder: String, items: Int) throws {
        self.folder = URL(fileURLWithPath: folder)
        self.items = items
        try WrongResult.unless(items > 0, "there are no items to count with")
        setenv("LLAVERO_HOME", self.folder.appendingPathComponent("home").path, 1)
    }

    func fill() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let limit = try Limit(path: folder.path + "/limit.db", hasFixedKeys: true)
        for number in 0..<items {
            let item = BenchItem(number: number)
            try limit.add(Array(item.account.utf8), date: number)
            try expectSuccess(SecItemAdd(item.addition, nil))
        }
    }

    /// Whatever a call does not need is made before, for as many as there may be, so that it costs the same at every length.
    func run(_ operation: Operation, times: Int) throws {
        try WrongResult.unless(times <= Counting.most, "an operation is counted \(Counting.most) times at most")
        var random = SplitMix(seed: 1)
        let chosen = (0..<Counting.most).map { _ in BenchItem(number: Int.random(in: 0..<items, using: &random)) }
        let added = (items..<items + Counting.most).map { BenchItem(number: $0) }
        switch operation {
        case .limitFind:
            let limit = try Limit(path: folder.path + "/limit.db", hasFixedKeys: true)
            for account in chosen.map({ Array($0.account.utf8) }).prefix(times) { try limit.find(account) }
        case .limitAdd:
            let limit = try Limit(path: folder.path + "/limit.db", hasFixedKeys: true)
            for (index, account) in added.map({ Array($0.account.utf8) }).prefix(times).enumerated() {
                try limit.add(account, date: index)
            }
        case .find:
            for query in chosen.map(\.query).prefix(times) {
                var result: CFTypeRef?
                try expectSuccess(SecItemCopyMatching(query, &result))
            }
        case .findAsWritten:
            for item in chosen.prefix(times) {
                var result: CFTypeRef?
                try expectSuccess(SecItemCopyMatching(item.query, &result))
                try WrongResult.unless((result as? Data)?.count == 32, "\(item.account) has another secret")
            }
        case .findShown: try ConstraintBenchmark.count(times)
        case .add:
            for addition in added.map(\.addition).prefix(times) { try expectSuccess(SecItemAdd(addition, nil)) }
        case .update:
            for (query, change) in chosen.map({ ($0.identity, $0.change) }).prefix(times) {
                try expectSuccess(SecItemUpdate(query, change))
            }
        case .updateKept:
            let people = try OurKeychain(groups: ["llavero.passwords"])
            let stored = (0..<Counting.most).map { BenchItem(number: $0) }
            try people.add(stored)
            _ = try people.update(Array(stored.prefix(times)))
        case .delete:
            let queries = (0..<Counting.most).map { BenchItem(number: $0).identity }
            for query in queries.prefix(times) { try expectSuccess(SecItemDelete(query)) }
        case .list:
            var query = BenchItem.listQuery as? [String: Any] ?? [:]
            query[kSecMatchLimit as String] = 1000
            for _ in 0..<times {
                var result: CFTypeRef?
                try expectSuccess(SecItemCopyMatching(query as CFDictionary, &result))
                try WrongResult.unless((result as? NSArray)?.count == 1000, "the list has another length")
            }
        }
    }

    private static let most = 600

    private func expectSuccess(_ status: OSStatus) throws {
        try WrongResult.unless(status == errSecSuccess, "a call answered \(status)")
    }
}
