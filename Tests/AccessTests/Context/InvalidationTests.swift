// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import TestPrompts
import Testing

/// Contexts that are over.
@Suite(.timeLimit(.minutes(60))) struct InvalidationTests {
    private static let item = Password("an item")

    @Test("invalidating takes back the question that an item asks")
    func duringFind() async throws {
        for flags in [SecAccessControlCreateFlags.devicePasscode, .biometryAny, .applicationPassword] {
            let keychain = try AccessKeychain()
            let context = keychain.use {
                let right = LAContext(password: Person.password)
                #expect(Self.item.add(flags, [kSecUseAuthenticationContext: right]) == errSecSuccess)
                return LAContext()
            }
            keychain.person.behave(.isSilent)
            let finding = Errand { keychain.use { Self.item.find(context) } }
            await keychain.person.asked(1)
            context.invalidate()
            #expect(try finding.result() == .nothing(errSecUserCanceled))
        }
    }

    @Test("invalidating takes back the question that a policy asks, and the program is told that it was itself")
    func duringEvaluation() async throws {
        for fingers in ["left index", ""] {
            let keychain = try AccessKeychain(Person(.isSilent, enrolled: fingers))
            await keychain.use {
                let context = LAContext()
                let evaluation = Task { await context.failure(of: .deviceOwnerAuthentication) }
                await keychain.person.asked(1)
                context.invalidate()
                #expect(await evaluation.value == .appCancel)
            }
        }
    }

    @Test("a context that was invalidated evaluates nothing, takes no credential, and has none")
    func before() async throws {
        let keychain = try AccessKeychain()
        try await keychain.use {
            let context = LAContext(passcode: Passcodes.first, password: Person.password)
            context.invalidate()
            context.invalidate()
            #expect(!context.isCredentialSet(.passcode) && !context.isCredentialSet(.applicationPassword))
            #expect(!context.setCredential(Data("x".utf8), type: .applicationPassword))
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error?.code == LAError.Code.invalidContext.rawValue)
            let control = try SecAccessControl.demanding(.devicePasscode)
            #expect(await context.failure(of: .deviceOwnerAuthentication) == .invalidContext)
            #expect(await context.failure(of: control) == .invalidContext)
            #expect(keychain.person.asked == [])
        }
    }

    @Test("what was shown to a context is gone with it")
    func forgotten() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            #expect(Self.item.add([.devicePasscode, .biometryAny, .and]) == errSecSuccess)
            let context = LAContext()
            #expect(Self.item.find(context) == Self.item.found)
            context.invalidate()
            context.interactionNotAllowed = true
            #expect(Self.item.find(context).data == nil)
        }
    }

    @Test("another context's question stays when one is taken back")
    func others() throws {
        let keychain = try AccessKeychain()
        keychain.use { #expect(Self.item.add(.devicePasscode) == errSecSuccess) }
        let gate = Turnstile()
        defer { gate.open() }
        keychain.person.behave(.thinks(gate))
        let contexts = keychain.use { [LAContext(), LAContext()] }
        let first = Errand { keychain.use { Self.item.find(contexts[0]) } }
        try gate.wait()
        let second = Errand { keychain.use { Self.item.find(contexts[1]) } }
        contexts[0].invalidate()
        #expect(try first.result() == .nothing(errSecUserCanceled))
        gate.open()
        #expect(try second.result() == Self.item.found)
    }
}
