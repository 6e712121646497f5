// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// Changes of items that demand somebody (semantics §3.5 and §7.4).
@Suite struct UpdateTests {
    private static let item = Password("an item")
    private static let other = Password("another item")

    /// A change, and what it leaves.
    enum Change: Sendable, CaseIterable {
        case data, label, both

        var attributes: Password.Terms {
            switch self {
            case .data: [kSecValueData: "new".data]
            case .label: [kSecAttrLabel: "new"]
            case .both: [kSecValueData: "new".data, kSecAttrLabel: "new"]
            }
        }
        var secret: Data { self == .label ? item.secret : "new".data }
        var label: String? { self == .data ? nil : "new" }
    }

    private static let demands: [SecAccessControlCreateFlags] = [
        .devicePasscode, .biometryAny, .biometryCurrentSet, .applicationPassword,
        [.userPresence, .applicationPassword],
    ]

    private static func keychain(_ flags: SecAccessControlCreateFlags) throws -> AccessKeychain {
        let keychain = try AccessKeychain()
        keychain.use {
            let given: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            #expect(item.add(flags, given) == errSecSuccess)
        }
        return keychain
    }

    private static func attributes(_ item: Password) -> NSDictionary? {
        var result: CFTypeRef?
        let query = item.key.merging([kSecReturnAttributes: true]) { $1 }
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        return result as? NSDictionary
    }

    @Test("whatever is changed, somebody has to be there; else nothing is", arguments: Change.allCases)
    func change(change: Change) throws {
        for flags in Self.demands {
            let keychain = try Self.keychain(flags)
            let refusals: [(Person.Manner, Password.Terms, OSStatus)] = [
                (.refuses, [:], errSecUserCanceled), (.isAway, [:], errSecInteractionNotAllowed),
                (.right, [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], errSecInteractionNotAllowed),
                (.right, [kSecUseNoAuthenticationUI: true], errSecInteractionNotAllowed),
                (.right, [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip], errSecParam),
            ]
            for (manner, terms, status) in refusals {
                keychain.person.behave(manner)
                keychain.use {
                    #expect(Self.item.update(change.attributes, terms) == status)
                    #expect(Self.attributes(Self.item)?[kSecAttrLabel] == nil)
                }
                keychain.person.behave(.right)
                #expect(keychain.use { Self.item.find() } == Self.item.found)
            }
            keychain.use {
                #expect(Self.item.update(change.attributes) == errSecSuccess)
                #expect(Self.item.find() == Password.Answer(status: errSecSuccess, data: change.secret))
                #expect(Self.attributes(Self.item)?[kSecAttrLabel] as? String == change.label)
            }
            // And it demands what it did.
            keychain.person.behave(.isAway)
            #expect(keychain.use { Self.item.find() } == .nothing(errSecInteractionNotAllowed))
            #expect(try keychain.check() == [])
        }
    }

    @Test("of several items all are changed, or none when one demands what nobody shows")
    func several() throws {
        let keychain = try Self.keychain(.devicePasscode)
        keychain.use {
            #expect(Self.other.add(nil) == errSecSuccess)
            let all = [kSecClass: kSecClassGenericPassword] as [CFString: Any] as CFDictionary
            let label = [kSecAttrLabel: "new"] as [CFString: Any] as CFDictionary
            keychain.person.behave(.refuses)
            #expect(SecItemUpdate(all, label) == errSecUserCanceled)
            for item in [Self.item, Self.other] { #expect(Self.attributes(item)?[kSecAttrLabel] == nil) }
            keychain.person.behave(.right)
            #expect(SecItemUpdate(all, label) == errSecSuccess)
            for item in [Self.item, Self.other] {
                #expect(Self.attributes(item)?[kSecAttrLabel] as? String == "new")
                #expect(item.find() == item.found)
            }
        }
    }

    @Test("an Update binds to the fingers that are enrolled when it is made")
    func binding() throws {
        let keychain = try Self.keychain(.devicePasscode)
        try keychain.use {
            keychain.person.enroll("another's thumb")
            let control = try SecAccessControl.demanding(.biometryCurrentSet)
            #expect(Self.item.update([kSecAttrAccessControl: control]) == errSecSuccess)
            #expect(Self.item.find() == Self.item.found)
            keychain.person.enroll("left index")
            #expect(Self.item.find() == .nothing(errSecItemNotFound))
            // Nor can it be changed then.
            #expect(Self.item.update([kSecAttrLabel: "x"]) == errSecItemNotFound)
            keychain.person.enroll("another's thumb")
            #expect(Self.item.find() == Self.item.found)
        }
    }
}
