// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// The awaited functions beside those of Apple's interface: one does what the other does.
@Suite struct SameResultTests {
    /// One call, as it is made on a keychain.
    enum Step: Sendable {
        case add(@Sendable () -> Password.Terms)
        case find(@Sendable () -> Password.Terms)
        case update(@Sendable () -> Password.Terms, Password.Changes)
        case delete(@Sendable () -> Password.Terms)
    }

    private static let plain = Password("plain")
    private static let guarded = Password("guarded")

    /// What a program might do, one step after the other; what is wrong in some is part of it.
    private static let steps: [(name: String, step: Step)] = [
        ("add", .add { plain.described(nil) }),
        ("add again", .add { plain.described(nil) }),
        ("add with attributes back", .add { guarded.described(control, [kSecReturnAttributes: true]) }),
        ("add what is no item", .add { [kSecAttrAccount: "x"] }),
        ("add an unknown class", .add { [kSecClass: "none"] }),
        ("add with a skip", .add { plain.described(nil, skip) }),
        ("find everything", .find { plain.key.merging(all) { $1 } }),
        ("find the data", .find { plain.key.merging([kSecReturnData: true]) { $1 } }),
        ("find nothing of it", .find { plain.key }),
        (
            "find all",
            .find {
                [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]
            }
        ),
        ("find what demands somebody", .find { guarded.key.merging(all) { $1 } }),
        ("find it with a skip", .find { guarded.key.merging(all.merging(skip) { $1 }) { $1 } }),
        ("find it where nobody may be asked", .find { guarded.key.merging(all.merging(fail) { $1 }) { $1 } }),
        ("find what is not there", .find { Password("none").key }),
        ("find with a wrong limit", .find { plain.key.merging([kSecMatchLimit: "many"]) { $1 } }),
        ("update", .update({ plain.key }, .label)),
        ("update what demands somebody", .update({ guarded.key }, .label)),
        ("update it where nobody may be asked", .update({ guarded.key.merging(fail) { $1 } }, .label)),
        ("update to what is there", .update({ plain.key }, .account(guarded.account))),
        ("update what is not there", .update({ Password("none").key }, .label)),
        ("update with a search key", .update({ plain.key }, .limit)),
        ("find the new labels", .find { guarded.key.merging(all) { $1 } }),
        ("delete with a skip", .delete { plain.key.merging(skip) { $1 } }),
        ("delete", .delete { plain.key }),
        ("delete again", .delete { plain.key }),
        ("delete what demands somebody", .delete { guarded.key }),
    ]

    private static var control: SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
    }
    private static var all: Password.Terms { [kSecReturnData: true, kSecReturnAttributes: true] }
    private static var skip: Password.Terms { [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] }
    private static var fail: Password.Terms { [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] }

    @Test("step by step, both give the same status and the same result")
    func steps() async throws {
        let (called, awaited) = (try AccessKeychain(), try AccessKeychain())
        var statuses: Set<OSStatus> = []
        for (name, step) in Self.steps {
            let one = called.use { step.called }
            let other = await awaited.use { await step.awaited }
            #expect(one.status == other.status, "\(name)")
            #expect(one.result == other.result, "\(name)")
            #expect(called.person.asked == awaited.person.asked, "\(name)")
            statuses.insert(one.status)
        }
        // The steps went where they were meant to.
        #expect(
            statuses == [
                errSecSuccess, errSecDuplicateItem, errSecParam, errSecNoSuchClass, errSecItemNotFound,
                errSecInteractionNotAllowed, errSecNoSuchAttr,
            ])
        for keychain in [called, awaited] { #expect(try keychain.check() == []) }
    }

    @Test("a failure has the explanation of the other function's failure")
    func explanations() async throws {
        let keychain = try AccessKeychain(Person(.isAway))
        await keychain.use {
            #expect(Self.guarded.add(.devicePasscode) == errSecSuccess)
            #expect(Self.guarded.find() == .nothing(errSecInteractionNotAllowed))
            let explanation = Llavero.lastFailure
            let query = Self.guarded.key.merging([kSecReturnData: true]) { $1 }
            do throws(LlaveroError) {
                _ = try await Llavero.items.copyMatching(query as CFDictionary)
                Issue.record("nobody was asked")
            } catch {
                #expect(error.status == errSecInteractionNotAllowed)
                #expect(error.description == explanation)
            }
        }
    }
}
