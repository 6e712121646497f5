// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import TestPrompts
import Testing

/// What goes on while a person thinks (decision D33).
@Suite(.timeLimit(.minutes(60))) struct BlockingTests {
    private static let plain = Password("a plain item")
    private static let guarded = Password("a guarded item")
    private static let own = Password("an item with a password")

    /// A keychain, somebody who thinks, and a call that waits for them.
    private struct Scene {
        let keychain: AccessKeychain
        let gate = Turnstile()
        let waiting: Errand<Password.Answer>

        init(_ call: @escaping @Sendable () -> Password.Answer = { guarded.find() }) throws {
            let keychain = try AccessKeychain()
            keychain.use {
                #expect(plain.add(nil) == errSecSuccess)
                #expect(guarded.add(.devicePasscode) == errSecSuccess)
            }
            keychain.person.behave(.thinks(gate))
            self.keychain = keychain
            waiting = Errand { keychain.use(call) }
            try gate.wait()
        }
    }

    /// Calls that wait, and what comes of them in the end.
    private static let calls: [(@Sendable () -> Password.Answer, Password.Answer)] = [
        ({ guarded.find() }, guarded.found),
        ({ .nothing(own.add(.applicationPassword)) }, .nothing(errSecSuccess)),
        ({ .nothing(guarded.update([kSecAttrLabel: "x"])) }, .nothing(errSecSuccess)),
    ]

    @Test("a question blocks nobody but its caller: the others read, write and authenticate", arguments: 0..<3)
    func others(call: Int) throws {
        let scene = try Scene(Self.calls[call].0)
        defer { scene.gate.open() }
        let other = AccessKeychain(beside: scene.keychain)
        try other.unlock(Passcodes.first)
        for keychain in [scene.keychain, other] {
            keychain.use {
                #expect(Self.plain.find() == Self.plain.found)
                let new = Password("a new item")
                #expect(new.add(nil) == errSecSuccess)
                #expect(new.update([kSecValueData: new.secret]) == errSecSuccess)
                #expect(new.find() == new.found)
                #expect(new.delete() == errSecSuccess)
                // The same item too, for who can show what it demands without being asked.
                #expect(Self.guarded.find(LAContext(passcode: Passcodes.first)) == Self.guarded.found)
                #expect(LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
            }
        }
        scene.gate.open()
        #expect(try scene.waiting.result() == Self.calls[call].1)
        #expect(try scene.keychain.check() == [])
    }

    @Test("what happened to the item meanwhile counts, not what was when the question was asked")
    func changedMeanwhile() throws {
        let changes: [(AccessKeychain) throws -> Password.Answer] = [
            { keychain in
                #expect(keychain.use { Self.guarded.delete() } == errSecSuccess)
                return .nothing(errSecItemNotFound)
            },
            { keychain in
                keychain.use {
                    let context = LAContext(passcode: Passcodes.first)
                    let updated = Self.guarded.update(
                        [kSecValueData: "new".data], [kSecUseAuthenticationContext: context])
                    #expect(updated == errSecSuccess)
                }
                return Password.Answer(status: errSecSuccess, data: "new".data)
            },
            { keychain in
                try keychain.lock()
                return .nothing(errSecInteractionNotAllowed)
            },
            { keychain in
                try keychain.changePasscode(from: Passcodes.first, to: Passcodes.second)
                keychain.person.learn(passcode: Passcodes.second)
                return Self.guarded.found
            },
            { keychain in
                _ = try keychain.removePasscode(Passcodes.first)
                return .nothing(errSecNotAvailable)
            },
        ]
        for change in changes.dropLast() {
            let scene = try Scene()
            defer { scene.gate.open() }
            let expected = try change(scene.keychain)
            scene.gate.open()
            #expect(try scene.waiting.result() == expected)
        }
        // No passcode is right any more, whatever the status says of it.
        let scene = try Scene()
        defer { scene.gate.open() }
        _ = try changes[4](scene.keychain)
        scene.gate.open()
        let answer = try scene.waiting.result()
        #expect(answer.status != errSecSuccess && answer.data == nil)
    }
}
