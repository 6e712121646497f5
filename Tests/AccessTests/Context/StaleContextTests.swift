// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// Contexts that have something which counts no longer.
@Suite struct StaleContextTests {
    private static let item = Password("an item")
    private static let failed = Password.Answer.nothing(errSecAuthFailed)

    private static func keychain(_ flags: SecAccessControlCreateFlags) throws -> AccessKeychain {
        let keychain = try AccessKeychain()
        keychain.use {
            let given: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            #expect(item.add(flags, given) == errSecSuccess)
        }
        return keychain
    }

    @Test("items refuse a context that was invalidated, and nobody is asked for it")
    func invalidated() throws {
        for flags in [SecAccessControlCreateFlags.devicePasscode, .biometryAny, .applicationPassword] {
            let keychain = try Self.keychain(flags)
            keychain.use {
                let context = LAContext(passcode: Passcodes.first, password: Person.password)
                context.invalidate()
                let terms: Password.Terms = [kSecUseAuthenticationContext: context]
                #expect(Self.item.find(context) == Self.failed)
                #expect(Self.item.update([kSecAttrLabel: "x"], terms) == errSecAuthFailed)
                #expect(Password("new").add(.applicationPassword, terms) == errSecAuthFailed)
                #expect(!context.isCredentialSet(.passcode) && !context.isCredentialSet(.applicationPassword))
            }
            #expect(keychain.person.asked == [])
        }
    }

    @Test("other fingers close an item to a context that was shown one before")
    func changedFingers() throws {
        let keychain = try Self.keychain(.biometryCurrentSet)
        keychain.use {
            let context = LAContext()
            #expect(Self.item.find(context) == Self.item.found)
            keychain.person.enroll("another's thumb")
            #expect(Self.item.find(context) == .nothing(errSecItemNotFound))
            #expect(
                Self.item.update([kSecAttrLabel: "x"], [kSecUseAuthenticationContext: context]) == errSecItemNotFound)
        }
    }

    @Test("without a passcode an item that demands it is closed to a context that was shown it before")
    func removedPasscode() throws {
        let keychain = try Self.keychain(.devicePasscode)
        let context = keychain.use { LAContext() }
        #expect(keychain.use { Self.item.find(context) } == Self.item.found)
        _ = try keychain.removePasscode(Passcodes.first)
        #expect(keychain.use { Self.item.find(context) } == Self.failed)
    }

    @Test("after a change of the passcode a context that was shown the old one asks for the new one")
    func changedPasscode() throws {
        let keychain = try Self.keychain(.devicePasscode)
        let context = keychain.use { LAContext() }
        #expect(keychain.use { Self.item.find(context) } == Self.item.found)
        try keychain.changePasscode(from: Passcodes.first, to: Passcodes.second)
        keychain.person.learn(passcode: Passcodes.second)
        #expect(keychain.use { Self.item.find(context) } == Self.item.found)
        #expect(keychain.person.asked.count == 2)
    }

    @Test("a slip of the finger is no credential: the next request with the context asks anew")
    func slip() throws {
        let keychain = try Self.keychain(.applicationPassword)
        keychain.use {
            let context = LAContext()
            keychain.person.behave(.wrong)
            #expect(Self.item.find(context) == Self.failed)
            #expect(!context.isCredentialSet(.applicationPassword))
            keychain.person.behave(.right)
            #expect(Self.item.find(context) == Self.item.found)
        }
    }

    @Test("what another keychain's person showed ends with the context too")
    func foreign() throws {
        let own = try AccessKeychain()
        let other = try Self.keychain(.devicePasscode)
        let context = own.use { LAContext() }
        _ = other.use { Self.item.find(context) }
        context.invalidate()
        other.person.behave(.isAway)
        #expect(other.use { Self.item.find(context) }.data == nil)
    }

    @Test("a context that has read an item reads what it is now, and meets what it demands now")
    func changedItem() throws {
        let keychain = try Self.keychain(.devicePasscode)
        try keychain.use {
            let context = LAContext(passcode: Passcodes.first)
            let other: Password.Terms = [
                kSecUseAuthenticationContext: LAContext(passcode: Passcodes.first, password: Person.password)
            ]
            keychain.person.behave(.isAway)
            for _ in 0..<2 { #expect(Self.item.find(context) == Self.item.found) }
            #expect(Self.item.update([kSecValueData: "new".data], other) == errSecSuccess)
            #expect(Self.item.find(context) == Password.Answer(status: errSecSuccess, data: "new".data))
            let control = try SecAccessControl.demanding([.devicePasscode, .applicationPassword])
            #expect(Self.item.update([kSecAttrAccessControl: control], other) == errSecSuccess)
            #expect(Self.item.find(context) == .nothing(errSecInteractionNotAllowed))
            #expect(Self.item.delete() == errSecSuccess)
            #expect(Self.item.find(context) == .nothing(errSecItemNotFound))
            #expect(Self.item.add(.biometryAny) == errSecSuccess)
            #expect(Self.item.find(context) == .nothing(errSecInteractionNotAllowed))
        }
    }
}
