// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// Access controls that are put in the place of others (semantics §3.5 and §7.4).
@Suite struct AccessControlChangeTests {
    private static let item = Password("an item")

    /// What an item demands; nil for one with a protection class alone.
    private static let demands: [SecAccessControlCreateFlags?] = [
        nil, [], .devicePasscode, .biometryAny, .biometryCurrentSet, .applicationPassword,
        [.devicePasscode, .applicationPassword],
    ]

    private static func asked(_ flags: SecAccessControlCreateFlags?) -> Set<String> {
        var asked: Set<String> = []
        guard let flags else { return [] }
        if flags.contains(.devicePasscode) { asked.insert("passcode") }
        if flags.contains(.applicationPassword) { asked.insert("password") }
        if !flags.isDisjoint(with: [.biometryAny, .biometryCurrentSet]) { asked.insert("finger") }
        return asked
    }

    @Test("from any demand to any other: the old one is met to change it, the new one is met from then on")
    func every() throws {
        let keychain = try AccessKeychain()
        for old in Self.demands {
            for new in Self.demands {
                try keychain.use { try Self.change(old, new, keychain.person) }
            }
        }
        #expect(try keychain.check() == [])
    }

    private static func change(
        _ old: SecAccessControlCreateFlags?, _ new: SecAccessControlCreateFlags?, _ person: Person
    ) throws {
        let name: Comment = "\(old.map { "\($0.rawValue)" } ?? "none") to \(new.map { "\($0.rawValue)" } ?? "none")"
        person.behave(.right)
        #expect(item.add(try old.map { try .demanding($0) }) == errSecSuccess)
        let change: Password.Terms =
            if let new {
                [kSecAttrAccessControl: try SecAccessControl.demanding(new, kSecAttrAccessibleAfterFirstUnlock)]
            } else {
                [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
            }
        // Where it demands somebody nothing changes without them.
        let isGuarded = !asked(old).isEmpty
        if isGuarded {
            person.behave(.refuses)
            #expect(item.update(change) == errSecUserCanceled, name)
            person.behave(.right)
        }
        let beforeUpdate = person.asked.count
        #expect(item.update(change) == errSecSuccess, name)
        let questions = Set(person.asked[beforeUpdate...].map(\.kind))
        // A new password has to be known too, besides what the old access control demands.
        #expect(questions == asked(old).union(asked(new).intersection(["password"])), name)
        let beforeFind = person.asked.count
        #expect(item.find() == item.found, name)
        #expect(Set(person.asked[beforeFind...].map(\.kind)) == asked(new), name)
        person.behave(.isAway)
        let expected: Password.Answer = asked(new).isEmpty ? item.found : .nothing(errSecInteractionNotAllowed)
        #expect(item.find() == expected, name)
        // It is deleted without being asked (scenario M11).
        #expect(item.delete([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) == errSecSuccess, name)
    }

    @Test("what an item demands can be seen without meeting it, and is what was given")
    func visible() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            for flags in Self.demands.compactMap({ $0 }) where !flags.contains(.biometryCurrentSet) {
                let control = try SecAccessControl.demanding(flags)
                #expect(Self.item.add(control) == errSecSuccess)
                let before = keychain.person.asked.count
                var result: CFTypeRef?
                let query = Self.item.key.merging([kSecReturnAttributes: true]) { $1 }
                #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
                #expect((result as? NSDictionary)?[kSecAttrAccessControl] as? SecAccessControl == control)
                #expect(keychain.person.asked.count == before)
                #expect(Self.item.delete() == errSecSuccess)
            }
        }
    }
}
