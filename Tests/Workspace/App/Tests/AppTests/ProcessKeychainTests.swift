// SPDX-License-Identifier: Apache-2.0

import AppCore
import LocalAuthentication
import Security
import Testing

/// The keychain of this whole test run: it has a passcode, and somebody who knows it.
enum TestKeychain {
    static let passcode = "1234"
    static let installed = Result {
        try IsolatedKeychain.installForProcess(
            passcode: passcode, person: ScriptedPerson(usually: .types(passcode)))
    }
}

@Suite struct ProcessKeychainTests {
    /// Made before anything of this suite ran.
    let context = LAContext()

    init() throws { _ = try TestKeychain.installed.get() }

    @Test("a context of a property, and threads of one's own, act on the keychain of the run")
    func everywhere() async throws {
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        #expect(Passwords.store("secret", for: "testing", in: context) == errSecSuccess)
        let read = await withCheckedContinuation { continuation in
            Thread.detachNewThread { [context] in continuation.resume(returning: Passwords.read("testing", in: context))
            }
        }
        #expect(read == "secret")
        #expect(try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test"))
    }

    @Test("a keychain for one task still comes first")
    func task() throws {
        let own = try IsolatedKeychain()
        own.use {
            let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll]
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
            #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        }
    }

    @Test("there is one for a process")
    func once() throws {
        do {
            try IsolatedKeychain.installForProcess()
            Issue.record("a second one was installed")
        } catch let error as LlaveroError { #expect(error.status == errSecDuplicateItem) }
    }

    @Test("the error that a policy sets is an LAError, by the helper")
    func errors() throws {
        let own = try IsolatedKeychain()
        own.use {
            var error: NSError?
            #expect(!LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error.flatMap { LAError(bridging: $0) }?.code == .passcodeNotSet)
            #expect(LAError(bridging: NSError(domain: "other", code: -5)) == nil)
        }
    }
}
