// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// What one context serves for.
@Suite struct ReuseTests {
    @Test("one context reads many items after one question; each read without one asks")
    func oneQuestion() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            let items = (0..<3).map { Password("item \($0)") }
            for item in items { #expect(item.add(.devicePasscode) == errSecSuccess) }
            let context = LAContext()
            for item in items { #expect(item.find(context) == item.found) }
            #expect(keychain.person.asked.count == 1)
            for item in items { #expect(item.find() == item.found) }
            #expect(keychain.person.asked.count == 4)
        }
    }

    @Test("one own password that was typed serves every item that has it")
    func ownPassword() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            let items = (0..<3).map { Password("item \($0)") }
            let context = LAContext()
            let terms: Password.Terms = [kSecUseAuthenticationContext: context]
            for item in items { #expect(item.add(.applicationPassword, terms) == errSecSuccess) }
            for item in items { #expect(item.find(context) == item.found) }
            // It was asked for once, by the first Add, which has it confirmed.
            #expect(keychain.person.asked == [.password(isNew: true)])
        }
    }

    @Test("what was shown to one context is nothing to another, however long a finger may be reused")
    func contextsApart() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            let item = Password("an item")
            #expect(item.add(.biometryAny) == errSecSuccess)
            let contexts = (0..<2).map { _ in
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = 300
                return context
            }
            #expect(item.find(contexts[0]) == item.found)
            keychain.person.behave(.isAway)
            #expect(item.find(contexts[1]) == .nothing(errSecInteractionNotAllowed))
            #expect(item.find() == .nothing(errSecInteractionNotAllowed))
            #expect(item.find(contexts[0]) == item.found)
        }
    }

    @Test("the time for reuse is none at first, and five minutes at most")
    func duration() throws {
        let context = try AccessKeychain().use { LAContext() }
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
        #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
        for (set, kept) in [(10.0, 10.0), (300, 300), (301, 300), (-1, 0)] {
            context.touchIDAuthenticationAllowableReuseDuration = set
            #expect(context.touchIDAuthenticationAllowableReuseDuration == kept)
        }
    }

    @Test("a context belongs to the keychain it was made for: what it has opens nothing in another")
    func keychainsApart() throws {
        let keychains = [try AccessKeychain(Person(.isAway)), try AccessKeychain(Person(.isAway))]
        let item = Password("an item")
        for keychain in keychains { keychain.use { #expect(item.add(.devicePasscode) == errSecSuccess) } }
        let context = keychains[0].use { LAContext() }
        // Wherever it is asked, it is its own keychain's.
        keychains[1].use { #expect(context.setCredential(Passcodes.first.data, type: .passcode)) }
        #expect(keychains[1].use { context.isCredentialSet(.passcode) })
        #expect(keychains[0].use { item.find(context) } == item.found)
        #expect(keychains[1].use { item.find(context) } == .nothing(errSecAuthFailed))
        // Nor in another program on the same keychain.
        let other = AccessKeychain(beside: keychains[0])
        try other.unlock(Passcodes.first)
        #expect(other.use { item.find(context) } == .nothing(errSecAuthFailed))
        #expect(keychains[0].use { item.find(context) } == item.found)
    }
}
