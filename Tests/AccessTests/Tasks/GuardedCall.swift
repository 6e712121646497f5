// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// An awaited call that asks somebody.
enum GuardedCall: String, Sendable, CaseIterable {
    case find, update, delete, add

    static let item = Password("an item")
    static let new = Password("a new item")

    /// What came of it.
    func status(_ terms: Password.Terms = [:]) async -> OSStatus {
        do throws(LlaveroError) {
            try await make(terms)
            return errSecSuccess
        } catch { return error.status }
    }

    private func make(_ terms: Password.Terms) async throws(LlaveroError) {
        let query = GuardedCall.item.key.merging(terms) { $1 } as CFDictionary
        switch self {
        case .find:
            let wanted = [kSecReturnData: true].merging(terms) { $1 }
            _ = try await Llavero.items.copyMatching(GuardedCall.item.key.merging(wanted) { $1 } as CFDictionary)
        case .update: try await Llavero.items.update(query, [kSecAttrLabel: "x"] as CFDictionary)
        case .delete: try await Llavero.items.delete(query)
        case .add:
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
            _ = try await Llavero.items.add(GuardedCall.new.described(control, terms) as CFDictionary)
        }
    }

    /// A keychain with an item that demands something for whatever is done with it, and somebody who says nothing for
    /// as long as a question may last, which is longer than these tests.
    static func keychain(_ flags: SecAccessControlCreateFlags = .devicePasscode) throws -> AccessKeychain {
        let keychain = try AccessKeychain(Person(.isSilent))
        try keychain.use {
            let control = try SecAccessControl.demanding(flags)
            let constraint = try #require(SecAccessControlGetConstraint(control, "decrypt" as CFString))
            SecAccessControlAddConstraintForOperation(control, "delete" as CFString, constraint, nil)
            #expect(item.add(control) == errSecSuccess)
        }
        return keychain
    }
}
