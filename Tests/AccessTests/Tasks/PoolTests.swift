// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import TestPrompts
import Testing

/// Tasks that wait for a person, and those that do not.
@Suite(.timeLimit(.minutes(60))) struct PoolTests {
    private static let item = Password("a guarded item")
    private static let plain = Password("a plain item")

    @Test("however many tasks wait for a person, others go on: no thread of the pool is held")
    func waiting() async throws {
        let keychain = try AccessKeychain()
        keychain.use {
            #expect(Self.item.add(.devicePasscode) == errSecSuccess)
            #expect(Self.plain.add(nil) == errSecSuccess)
        }
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(.thinks(gate))
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 4
        try await keychain.use {
            let looks = keychain.person.looks
            let tasks = (0..<count).map { number in Task { try await Self.find(number) } }
            // Each looks for fingers right before it asks.
            await keychain.person.looked(looks + count)
            for _ in 0..<count {
                let query = Self.plain.key.merging([kSecReturnData: true]) { $1 }
                let found = try await Llavero.items.copyMatching(query as CFDictionary) as? Data
                #expect(found == Self.plain.secret)
            }
            #expect(keychain.person.asked.count == 1)
            gate.open()
            for task in tasks { #expect(try await task.value == Self.item.secret) }
        }
        // Half of the reasons were new ones.
        #expect(keychain.person.asked.count >= 2)
    }

    /// Half of them for a reason of their own, and half for the same one.
    private static func find(_ number: Int) async throws -> Data? {
        let reason = number.isMultiple(of: 2) ? "the same" : "reason \(number)"
        let query = item.key.merging([kSecReturnData: true, kSecUseOperationPrompt: reason]) { $1 }
        return try await Llavero.items.copyMatching(query as CFDictionary) as? Data
    }

    @Test("an awaited call acts on the keychain of its task")
    func keychains() async throws {
        let keychains = [try AccessKeychain(), try AccessKeychain()]
        keychains[0].use { #expect(Self.item.add(.devicePasscode) == errSecSuccess) }
        async let first = keychains[0].use { try await Self.find(0) }
        #expect(try await first == Self.item.secret)
        await #expect(throws: LlaveroError.self) { _ = try await keychains[1].use { try await Self.find(0) } }
        #expect(keychains[0].person.asked == [.passcode("the same")] && keychains[1].person.asked == [])
    }
}
