// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// Somebody shows to a context what an access control demands, before any item asks for it.
@Suite struct AccessControlEvaluationTests {
    /// An access control, what the person is asked for it, and what comes of it when they do the right thing.
    struct Row: Sendable, CustomTestStringConvertible {
        let flags: SecAccessControlCreateFlags
        let operation: LAAccessControlOperation
        let asked: [Person.Asked]
        let failure: LAError.Code?

        init(
            _ flags: SecAccessControlCreateFlags, _ operation: LAAccessControlOperation, _ asked: [Person.Asked],
            _ failure: LAError.Code? = nil
        ) {
            (self.flags, self.operation, self.asked, self.failure) = (flags, operation, asked, failure)
        }

        var testDescription: String { "\(flags.rawValue), \(operation)" }
    }

    private static let finger = Person.Asked.finger("to test")
    private static let passcode = Person.Asked.passcode("to test")
    private static let password = Person.Asked.password("to test")

    private static let rows = [
        Row([], .useItem, []),
        Row([.userPresence], .useItem, [finger]),
        Row([.biometryAny], .useItem, [finger]),
        Row([.devicePasscode], .useItem, [passcode]),
        Row([.applicationPassword], .useItem, [password]),
        Row([.devicePasscode, .applicationPassword], .useItem, [password, passcode]),
        Row([.biometryAny, .devicePasscode, .or], .useItem, [finger]),
        Row([.biometryAny, .devicePasscode, .and], .useItem, [finger, passcode]),
        Row([.privateKeyUsage], .useKeySign, []),
        Row([.privateKeyUsage, .devicePasscode], .useKeySign, [passcode]),
        Row([.privateKeyUsage, .devicePasscode], .useKeyKeyExchange, [passcode]),
        Row([.privateKeyUsage, .biometryAny], .useKeyDecrypt, [finger]),
        // Nobody can ever.
        Row([.watch], .useItem, [], .authenticationFailed),
    ]

    @Test("what an access control demands can be shown before, and then nobody is asked again", arguments: rows)
    func evaluation(row: Row) async throws {
        let keychain = try AccessKeychain()
        try await keychain.use {
            let control = try SecAccessControl.demanding(row.flags)
            let context = LAContext()
            for _ in 0..<2 { #expect(await context.failure(of: control, for: row.operation) == row.failure) }
            #expect(keychain.person.asked == row.asked)
            // And nothing was shown to others.
            #expect(await LAContext().failure(of: control, for: row.operation) == row.failure)
            #expect(keychain.person.asked == row.asked + row.asked)
        }
    }

    @Test("who refuses has refused, by callback and awaited")
    func refusal() async throws {
        let keychain = try AccessKeychain(Person(.refuses))
        try await keychain.use {
            let control = try SecAccessControl.demanding([.devicePasscode])
            let error = await withCheckedContinuation { (continuation: CheckedContinuation<LAError?, Never>) in
                LAContext().evaluateAccessControl(control, operation: .useItem, localizedReason: "to test") {
                    #expect(!$0)
                    continuation.resume(returning: $1 as? LAError)
                }
            }
            #expect(error?.code == .userCancel)
            #expect(await LAContext().failure(of: control) == .userCancel)
        }
    }

    @Test("an access control that is not finished can be met by nobody")
    func unfinished() async throws {
        let keychain = try AccessKeychain()
        try await keychain.use {
            let control = try #require(SecAccessControlCreate(nil, nil))
            #expect(await LAContext().failure(of: control) == .authenticationFailed)
            #expect(keychain.person.asked == [])
        }
    }

    @Test("an access control for the current fingers that was not stored yet is met by one of them")
    func currentFingers() async throws {
        let keychain = try AccessKeychain()
        try await keychain.use {
            let context = LAContext()
            let item = Password("an item")
            let control = try SecAccessControl.demanding(.biometryCurrentSet)
            #expect(await context.failure(of: control) == nil)
            #expect(keychain.person.asked == [.finger("to test")])
            #expect(item.add(control) == errSecSuccess)
            #expect(item.find(context) == item.found)
            #expect(keychain.person.asked.count == 1)
        }
    }

    @Test("a password for an item that is to be made is confirmed")
    func confirmation() async throws {
        let keychain = try AccessKeychain()
        try await keychain.use {
            let control = try SecAccessControl.demanding(.applicationPassword)
            #expect(await LAContext().failure(of: control, for: .createItem) == nil)
            #expect(keychain.person.asked == [.password("to test", isNew: true)])
        }
    }
}
