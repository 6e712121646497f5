// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import TestPrompts
import Testing

/// Many who want an answer at once.
@Suite(.timeLimit(.minutes(60))) struct SharedAnswerTests {
    private static let item = Password("an item")

    private static func find(_ reason: String, in keychain: AccessKeychain) -> WatchedCall<Password.Answer> {
        WatchedCall { keychain.use { item.find([kSecUseOperationPrompt: reason]) } }
    }

    private static func keychain(_ flags: SecAccessControlCreateFlags) throws -> AccessKeychain {
        let keychain = try AccessKeychain()
        keychain.use {
            let given: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            #expect(item.add(flags, given) == errSecSuccess)
        }
        return keychain
    }

    @Test(
        "eight that ask the same share one answer, be it a refusal, and the next one is a new question",
        arguments: [SecAccessControlCreateFlags.devicePasscode, .applicationPassword].map(\.rawValue), [false, true])
    func equal(flags: UInt, isRefused: Bool) throws {
        let keychain = try Self.keychain(SecAccessControlCreateFlags(rawValue: flags))
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(isRefused ? .refusesAfter(gate) : .thinks(gate))
        let calls = (0..<8).map { _ in Self.find("the same", in: keychain) }
        for call in calls { try call.waitInLine() }
        try gate.wait()
        #expect(keychain.person.asked.count == 1)
        gate.open()
        for call in calls {
            #expect(try call.result() == (isRefused ? .nothing(errSecUserCanceled) : Self.item.found))
        }
        #expect(keychain.person.asked.count == 1)
        keychain.person.behave(.right)
        #expect(keychain.use { Self.item.find() } == Self.item.found)
        #expect(keychain.person.asked.count == 2)
    }

    @Test("questions for different reasons are asked one after the other")
    func different() throws {
        let keychain = try Self.keychain(.devicePasscode)
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(.thinks(gate))
        let calls = (0..<4).map { Self.find("reason \($0)", in: keychain) }
        for call in calls { try call.waitInLine() }
        try gate.wait()
        #expect(keychain.person.asked.count == 1)
        gate.open()
        for call in calls { #expect(try call.result() == Self.item.found) }
        let asked = keychain.person.asked
        #expect(asked.count == 4)
        for number in 0..<4 { #expect(asked.contains(.passcode("reason \(number)"))) }
    }

    @Test("questions of two keychains are apart")
    func keychains() throws {
        let keychains = [try Self.keychain(.devicePasscode), try Self.keychain(.devicePasscode)]
        let gate = Turnstile()
        defer { gate.open() }
        keychains[0].person.behave(.thinks(gate))
        let waiting = Self.find("the same", in: keychains[0])
        try gate.wait()
        #expect(keychains[1].use { Self.item.find([kSecUseOperationPrompt: "the same"]) } == Self.item.found)
        gate.open()
        #expect(try waiting.result() == Self.item.found)
    }

    @Test("who refuses is not asked again for the same request, in another way or at all")
    func refusal() throws {
        let flags: [SecAccessControlCreateFlags] = [
            .devicePasscode, .biometryAny, .userPresence, .applicationPassword,
            [.biometryAny, .devicePasscode, .or], [.biometryAny, .devicePasscode, .and],
            [.userPresence, .applicationPassword],
        ]
        for flags in flags {
            let keychain = try Self.keychain(flags)
            keychain.person.behave(.refuses)
            #expect(keychain.use { Self.item.find() } == .nothing(errSecUserCanceled))
            #expect(keychain.person.asked.count == 1, "\(flags.rawValue)")
        }
    }

    @Test("eight who want a finger for the same share one, and different reasons come one after the other")
    func fingers() throws {
        let keychain = try Self.keychain(.biometryAny)
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(.thinks(gate))
        let calls = (0..<8).map { _ in Self.find("the same", in: keychain) } + [Self.find("another", in: keychain)]
        for call in calls { try call.waitInLine() }
        try gate.wait()
        #expect(keychain.person.asked.count == 1)
        gate.open()
        for call in calls { #expect(try call.result() == Self.item.found) }
        #expect(keychain.person.asked.count == 2)
    }

    @Test("a password is one item's: neither what is thought of for two, nor what opens them, is one answer")
    func ownPasswords() throws {
        let keychain = try AccessKeychain()
        let items = [Password("one"), Password("another")]
        let calls: [@Sendable (Password) -> Password.Answer] = [
            { .nothing($0.add(.applicationPassword)) }, { $0.find() },
        ]
        for (call, isNew) in zip(calls, [true, false]) {
            let gate = Turnstile()
            defer { gate.open() }
            keychain.person.behave(.thinks(gate))
            let before = keychain.person.asked.count
            let waiting = items.map { item in WatchedCall { keychain.use { call(item) } } }
            for call in waiting { try call.waitInLine() }
            gate.open()
            for (item, call) in zip(items, waiting) {
                #expect(try call.result() == (isNew ? .nothing(errSecSuccess) : item.found))
            }
            #expect(keychain.person.asked[before...] == [.password(isNew: isNew), .password(isNew: isNew)])
        }
    }
}
