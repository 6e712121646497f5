// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// What a program gives in a person's place.
@Suite struct CredentialTests {
    /// A keychain with an item under each kind of credential, and nobody who could be asked.
    private static func keychain() throws -> AccessKeychain {
        let keychain = try AccessKeychain(Person(.isAway))
        keychain.use {
            #expect(passcode.add(.devicePasscode) == errSecSuccess)
            let right: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            #expect(password.add(.applicationPassword, right) == errSecSuccess)
            #expect(both.add([.devicePasscode, .applicationPassword], right) == errSecSuccess)
        }
        return keychain
    }

    private static let passcode = Password("under the passcode")
    private static let password = Password("under a password of its own")
    private static let both = Password("under both")

    private static let closed = Password.Answer.nothing(errSecInteractionNotAllowed)
    private static let failed = Password.Answer.nothing(errSecAuthFailed)

    @Test("each credential opens what demands it, and nothing that demands more")
    func opening() throws {
        let keychain = try Self.keychain()
        keychain.use {
            let passcode = LAContext(passcode: Passcodes.first)
            let password = LAContext(password: Person.password)
            for _ in 0..<2 {
                #expect(Self.passcode.find(passcode) == Self.passcode.found)
                #expect(Self.password.find(passcode) == Self.closed)
                #expect(Self.both.find(passcode) == Self.closed)
                #expect(Self.passcode.find(password) == Self.closed)
                #expect(Self.password.find(password) == Self.password.found)
                #expect(Self.both.find(password) == Self.closed)
            }
            let both = LAContext(passcode: Passcodes.first, password: Person.password)
            for item in [Self.both, Self.passcode, Self.password] { #expect(item.find(both) == item.found) }
        }
    }

    @Test("a credential is there when it was set, for this context, and until nil takes it back")
    func taking() throws {
        let keychain = try Self.keychain()
        keychain.use {
            for type in [LACredentialType.applicationPassword, .passcode] {
                let item = type == .passcode ? Self.passcode : Self.password
                let text = type == .passcode ? Passcodes.first : Person.password
                let context = LAContext()
                #expect(!context.isCredentialSet(type))
                #expect(context.setCredential(Data(text.utf8), type: type))
                #expect(context.isCredentialSet(type))
                #expect(!context.isCredentialSet(type == .passcode ? .applicationPassword : .passcode))
                #expect(!LAContext().isCredentialSet(type))
                #expect(item.find(context) == item.found)
                #expect(context.setCredential(nil, type: type))
                #expect(!context.isCredentialSet(type))
                // What it had opened is closed again too.
                #expect(item.find(context) == Self.closed)
                #expect(context.setCredential(Data(text.utf8), type: type))
                #expect(item.find(context) == item.found)
            }
        }
    }

    @Test("a wrong credential is refused each time, the person is not asked for another, and a right one opens")
    func wrong() throws {
        let keychain = try Self.keychain()
        keychain.person.behave(.right)
        keychain.use {
            for (item, type, text) in [
                (Self.passcode, LACredentialType.passcode, Passcodes.first),
                (Self.password, .applicationPassword, Person.password),
            ] {
                let context = LAContext()
                // Nothing says yet whether it is right.
                #expect(context.setCredential(Data("something else".utf8), type: type))
                #expect(context.isCredentialSet(type))
                for _ in 0..<2 { #expect(item.find(context) == Self.failed) }
                #expect(item.update([kSecAttrLabel: "x"], [kSecUseAuthenticationContext: context]) == errSecAuthFailed)
                #expect(keychain.person.asked == [])
                context.setCredential(Data(text.utf8), type: type)
                #expect(item.find(context) == item.found)
            }
            #expect(keychain.person.asked == [])
        }
    }

    @Test("an empty password is none: nothing is stored under it")
    func empty() throws {
        let keychain = try Self.keychain()
        keychain.use {
            let item = Password("under nothing")
            let context = LAContext(password: "")
            #expect(item.add(.applicationPassword, [kSecUseAuthenticationContext: context]) != errSecSuccess)
            #expect(item.find() == .nothing(errSecItemNotFound))
        }
    }

    @Test("what the passcode opened ends when the keychain is locked, and so does a passcode that was given")
    func locking() throws {
        let keychain = try Self.keychain()
        try keychain.use {
            keychain.person.behave(.right)
            let typed = LAContext()
            let given = LAContext(passcode: Passcodes.first)
            for context in [typed, given] { #expect(Self.passcode.find(context) == Self.passcode.found) }
            try keychain.lock()
            for context in [typed, given] {
                #expect(Self.passcode.find(context) == .nothing(errSecInteractionNotAllowed))
            }
            try keychain.unlock(Passcodes.first)
            #expect(!given.isCredentialSet(.passcode))
            for context in [typed, given] {
                let before = keychain.person.asked.count
                #expect(Self.passcode.find(context) == Self.passcode.found)
                #expect(keychain.person.asked.count == before + 1)
            }
        }
    }

    @Test("what the context has is found with a skip too, and nobody is asked")
    func skip() throws {
        let keychain = try Self.keychain()
        keychain.use {
            let context = LAContext(passcode: Passcodes.first, password: Person.password)
            let terms: Password.Terms = [
                kSecUseAuthenticationUI: kSecUseAuthenticationUISkip, kSecUseAuthenticationContext: context,
            ]
            for item in [Self.both, Self.passcode, Self.password, Self.both] { #expect(item.find(terms) == item.found) }
        }
        #expect(keychain.person.asked == [])
    }
}
