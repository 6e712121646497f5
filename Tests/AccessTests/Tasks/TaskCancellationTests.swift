// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import TestPrompts
import Testing

/// Tasks that are cancelled while somebody is asked for them.
@Suite(.timeLimit(.minutes(60))) struct TaskCancellationTests {
    private static let item = GuardedCall.item

    @Test(
        "cancelling takes the question back, whichever function asks it", arguments: GuardedCall.allCases,
        [false, true]
    )
    func cancelling(call: GuardedCall, isFinger: Bool) async throws {
        let keychain = try GuardedCall.keychain(isFinger ? .biometryAny : .devicePasscode)
        await keychain.use {
            let task = Task { await call.status() }
            await keychain.person.asked(1)
            task.cancel()
            #expect(await task.value == errSecUserCanceled)
            await keychain.person.relieved(1)
        }
        // Nothing was done.
        keychain.person.behave(.right)
        keychain.use {
            #expect(Self.item.find() == Self.item.found)
            #expect(GuardedCall.new.find() == .nothing(errSecItemNotFound))
        }
    }

    @Test("a task that was cancelled before asks nobody")
    func before() async throws {
        let keychain = try GuardedCall.keychain()
        await keychain.use {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await GuardedCall.find.status()
            }
            task.cancel()
            #expect(await task.value == errSecUserCanceled)
        }
        #expect(keychain.person.asked == [])
    }

    @Test("a caller's context can be asked again after the task that asked for it was cancelled")
    func context() async throws {
        let keychain = try GuardedCall.keychain()
        await keychain.use {
            let context = LAContext()
            for _ in 0..<2 {
                let before = keychain.person.asked.count
                let task = Task { await GuardedCall.find.status([kSecUseAuthenticationContext: context]) }
                await keychain.person.asked(before + 1)
                task.cancel()
                #expect(await task.value == errSecUserCanceled)
            }
            keychain.person.behave(.right)
            for _ in 0..<2 { #expect(Self.item.find(context) == Self.item.found) }
            #expect(await GuardedCall.find.status([kSecUseAuthenticationContext: context]) == errSecSuccess)
            #expect(keychain.person.asked.count == 3)
        }
    }

    @Test("the others who wait for the same answer keep their question")
    func others() async throws {
        let keychain = try GuardedCall.keychain()
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(.thinks(gate))
        let staying = WatchedCall { keychain.use { Self.item.find() } }
        try staying.waitInLine()
        try gate.wait()
        let looks = keychain.person.looks
        await keychain.use {
            let task = Task { await GuardedCall.find.status() }
            // Right before it gets in line, or in it: both are the same to a task that is cancelled.
            await keychain.person.looked(looks + 1)
            task.cancel()
            #expect(await task.value == errSecUserCanceled)
        }
        gate.open()
        #expect(try staying.result() == Self.item.found)
        #expect(keychain.person.asked.count == 1)
    }

    @Test("a task that is cancelled takes back its own question, not that of another with the same context")
    func sharedContext() async throws {
        let keychain = try GuardedCall.keychain()
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(.thinks(gate))
        let context = keychain.use { LAContext() }
        let staying = WatchedCall {
            keychain.use {
                Self.item.find([kSecUseAuthenticationContext: context, kSecUseOperationPrompt: "staying"])
            }
        }
        try staying.waitInLine()
        try gate.wait()
        let looks = keychain.person.looks
        await keychain.use {
            let task = Task {
                await GuardedCall.find.status([
                    kSecUseAuthenticationContext: context, kSecUseOperationPrompt: "going",
                ])
            }
            await keychain.person.looked(looks + 1)
            task.cancel()
            #expect(await task.value == errSecUserCanceled)
        }
        gate.open()
        #expect(try staying.result() == Self.item.found)
    }
}
