// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

/// What an item that demands somebody costs once somebody was there, beside one that demands nobody.
struct ConstraintBenchmark {
    let plan: Plan

    /// The same find so many times, for `Counting`.
    static func count(_ times: Int) throws {
        let benchmark = ConstraintBenchmark(plan: .smoke)
        try IsolatedKeychain(.temporaryFolder).use {
            try Llavero.keybag.setPasscode(Llavero.Passcode("a passcode"), erasingAfter: nil)
            let context = LAContext()
            context.setCredential(Data("a passcode".utf8), type: .passcode)
            var query = try benchmark.store("passcode", .devicePasscode, context)
            query[kSecUseAuthenticationContext] = context
            for _ in 0..<times { try benchmark.find(query) }
        }
    }

    func rows() throws -> [Row] {
        let keychain = try IsolatedKeychain(.temporaryFolder)
        return try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode("a passcode"), erasingAfter: nil)
            let plain = try store("plain", nil)
            return [
                try row("passcode", .devicePasscode, .passcode, "a passcode", beside: plain),
                try row("application password", .applicationPassword, .applicationPassword, "secret", beside: plain),
            ]
        }
    }

    private func row(
        _ name: String, _ flags: SecAccessControlCreateFlags, _ type: LACredentialType, _ credential: String,
        beside plain: [CFString: Any]
    ) throws -> Row {
        let context = LAContext()
        context.setCredential(Data(credential.utf8), type: type)
        var query = try store(name, flags, context)
        query[kSecUseAuthenticationContext] = context
        // The first one shows what is demanded, which is stretched.
        try find(query)
        let times = plan.isSmoke ? 200 : 2000
        var (limit, ours): ([Double], [Double]) = ([], [])
        for _ in 0..<(plan.isSmoke ? 5 : 15) {
            limit.append(try Stopwatch.each(times) { for _ in 0..<times { try find(plain) } })
            ours.append(try Stopwatch.each(times) { for _ in 0..<times { try find(query) } })
        }
        return Row(
            name: "find, \(name) shown before", items: 0, ours: ours.median, limit: limit.median,
            target: .ratio(atMost: 1.5))
    }

    private func find(_ query: [CFString: Any]) throws {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        try WrongResult.unless(status == errSecSuccess && result is Data, "an item is not found")
    }

    /// Stores an item; returns what finds it.
    private func store(
        _ account: String, _ flags: SecAccessControlCreateFlags?, _ context: LAContext? = nil
    ) throws -> [CFString: Any] {
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "constraints", kSecAttrAccount: account,
            kSecValueData: Data(repeating: 7, count: 32),
        ]
        if let flags {
            item[kSecAttrAccessControl] = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        }
        if let context { item[kSecUseAuthenticationContext] = context }
        try WrongResult.unless(SecItemAdd(item as CFDictionary, nil) == errSecSuccess, "an item cannot be added")
        return [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "constraints", kSecAttrAccount: account,
            kSecMatchLimit: kSecMatchLimitOne, kSecReturnData: true,
        ]
    }
}
