// SPDX-License-Identifier: Apache-2.0

import Security
import TestSeed
import Testing

@Suite struct BadDictionaryTests {
    /// All that Apple documents these functions to return and that a keychain in memory can give.
    private static let statuses: Set<OSStatus> = [
        errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecDuplicateItem, errSecItemNotFound,
        errSecInteractionNotAllowed, errSecAuthFailed, errSecMissingEntitlement, errSecNotAvailable,
        errSecUnimplemented,
    ]

    private typealias Outcome = (name: String, status: OSStatus, isResultUntouched: Bool)

    @Test("no dictionary makes a call trap, invent a status, touch a result in vain, or repeat a value")
    func random() throws {
        var seed = Seed(for: "bad dictionaries")
        let number = seed.number
        let keychain = try IsolatedKeychain(.inMemory)
        var random = RandomDictionary()
        var successes: [String: Int] = [:]
        var troubles: [String] = []
        for round in 0..<20_000 where troubles.count < 5 {
            if round % 400 == 0 { random.references = Self.references(round, on: keychain) }
            let dictionary = random.make(&seed)
            let other = seed.oneIn(4) ? random.make(&seed) : dictionary
            let changes = random.make(&seed, changes: true)
            keychain.use {
                for call in 0..<4 {
                    let outcome = Self.outcome(of: call, dictionary, other, changes)
                    if outcome.status == errSecSuccess { successes[outcome.name, default: 0] += 1 }
                    troubles += Self.troubles(of: outcome).map { "round \(round): \($0)" }
                }
            }
            if round % 2_000 == 1_999 { troubles += try keychain.check().map { "round \(round): \($0)" } }
        }
        #expect(troubles.isEmpty, "KEYCHAIN_SEED=\(number)")
        print("bad dictionaries that were good enough: \(successes)")
        for name in ["add", "copy", "update", "delete"] {
            #expect(
                successes[name, default: 0] > 300, "KEYCHAIN_SEED=\(number): too few went far enough to show anything")
        }
    }

    private static func outcome(
        of call: Int, _ dictionary: NSDictionary, _ other: NSDictionary, _ changes: NSDictionary
    ) -> Outcome {
        let untouched = NSObject()
        var result: CFTypeRef? = untouched
        switch call {
        case 0:
            let status = SecItemAdd(dictionary, &result)
            return ("add", status, result === untouched)
        case 1:
            let status = SecItemCopyMatching(dictionary, &result)
            return ("copy", status, result === untouched)
        case 2: return ("update", SecItemUpdate(dictionary, changes), true)
        default: return ("delete", SecItemDelete(other), true)
        }
    }

    private static func troubles(of outcome: Outcome) -> [String] {
        var troubles: [String] = []
        if !statuses.contains(outcome.status) { troubles.append("\(outcome.name) gave \(outcome.status)") }
        guard outcome.status != errSecSuccess else { return troubles }
        if !outcome.isResultUntouched { troubles.append("\(outcome.name) failed and set a result") }
        guard let said = Llavero.lastFailure else { return troubles + ["\(outcome.name) said nothing"] }
        if said.contains(ValueZoo.marker) || said.contains("\(ValueZoo.markedNumber)") {
            troubles.append("\(outcome.name) said \(said)")
        }
        return troubles
    }

    /// A few real items, and what names them.
    private static func references(_ round: Int, on keychain: IsolatedKeychain) -> [AnyObject] {
        var references: [AnyObject] = []
        keychain.use {
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
                var result: CFTypeRef?
                let item: [CFString: Any] = [
                    kSecClass: itemClass, kSecAttrAccount: "real \(round)", kSecValueData: Data("MARKED".utf8),
                    kSecReturnPersistentRef: true,
                ]
                #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
                if let result { references.append(result) }
            }
        }
        return references
    }
}
