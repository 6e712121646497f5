// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// An item under each kind of demand, which has to be there, and to be guarded, whatever happens to its keychain.
struct GuardedItems: Sendable {
    private static let demands: [(name: String, flags: SecAccessControlCreateFlags)] = [
        ("passcode", .devicePasscode), ("presence", .userPresence), ("finger", .biometryAny),
        ("same fingers", .biometryCurrentSet), ("own password", .applicationPassword),
        ("finger and passcode", [.biometryAny, .devicePasscode, .and]),
        ("same fingers or passcode", [.biometryCurrentSet, .devicePasscode, .or]),
        ("passcode and own password", [.devicePasscode, .applicationPassword]),
    ]

    private let items: [Password]

    /// Stores them.
    init(in keychain: AccessKeychain, _ accessibility: CFString = kSecAttrAccessibleWhenUnlocked) throws {
        let context = keychain.use { LAContext(password: Person.password) }
        items = try keychain.use {
            try GuardedItems.demands.map { name, flags in
                let item = Password("\(name), \(accessibility)")
                let control = try SecAccessControl.demanding(flags, accessibility)
                #expect(item.add(control, [kSecUseAuthenticationContext: context]) == errSecSuccess)
                return item
            }
        }
    }

    /// They are all there for who does what they demand, and for nobody else.
    func check(in keychain: AccessKeychain) {
        for item in items {
            keychain.person.behave(.isAway)
            #expect(keychain.use { item.find() } == .nothing(errSecInteractionNotAllowed), "\(item.account)")
            keychain.person.behave(.refuses)
            #expect(keychain.use { item.find() } == .nothing(errSecUserCanceled), "\(item.account)")
            keychain.person.behave(.right)
            #expect(keychain.use { item.find() } == item.found, "\(item.account)")
        }
    }

    /// None of them can be read now, whoever is there; what each find gives.
    func statuses(in keychain: AccessKeychain) -> Set<OSStatus> {
        keychain.person.behave(.right)
        let answers = items.map { item in keychain.use { item.find() } }
        #expect(answers.allSatisfy { $0.data == nil })
        return Set(answers.map(\.status))
    }
}
