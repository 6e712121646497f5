// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Synchronization
import TestPrompts
import Testing

@Suite(.timeLimit(.minutes(60))) struct ContextThreadsTests {
    private static let demands: [SecAccessControlCreateFlags] = [
        .devicePasscode, .biometryAny, .applicationPassword, .userPresence,
    ]
    private static let items = demands.indices.map { Password("item \($0)") }

    @Test("threads that share a context while the keychain is locked and unlocked get what is stored, or nothing")
    func sharing() throws {
        let keychain = try AccessKeychain()
        let context = keychain.use { LAContext(passcode: Passcodes.first, password: Person.password) }
        keychain.use {
            for (item, flags) in zip(Self.items, Self.demands) {
                #expect(item.add(flags, [kSecUseAuthenticationContext: context]) == errSecSuccess)
            }
        }
        let isOver = Mutex(false)
        let readers = (0..<4).map { thread in
            Errand {
                var wrong: [OSStatus] = []
                var number = thread
                while !isOver.withLock({ $0 }) {
                    number += 1
                    let item = Self.items[number % Self.items.count]
                    // One of them brings a context of its own each time, which ends at once.
                    let own = thread == 0 ? keychain.use { LAContext(passcode: Passcodes.first) } : context
                    let answer = keychain.use { item.find(own) }
                    if thread == 0 { own.invalidate() }
                    if answer != item.found, answer != .nothing(errSecInteractionNotAllowed) {
                        wrong.append(answer.status)
                    }
                }
                return wrong
            }
        }
        for _ in 0..<20 {
            try keychain.lock()
            try keychain.unlock(Passcodes.first)
            // Unlocked, and nobody locks it but this thread.
            for item in Self.items { #expect(keychain.use { item.find(context) } == item.found) }
        }
        isOver.withLock { $0 = true }
        for reader in readers { #expect(try reader.result() == []) }
        #expect(try keychain.check() == [])
    }
}
