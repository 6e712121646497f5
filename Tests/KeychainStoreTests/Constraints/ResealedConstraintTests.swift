// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainStore
import Testing

/// Access controls changed by somebody who has the keys of the classes: what they say is gone, and the seal is not.
@Suite struct ResealedConstraintTests {
    private typealias Guard = ConstrainedStore.Guard

    /// What comes of row 1 when its record is sealed again with another access control, or none.
    private static func secret(
        under control: AttributeValue?, in store: ConstrainedStore, _ shown: FactorSecrets
    ) throws -> SecretValue? {
        let own = try store.opened(row: 1)
        var attributes = own.attributes
        attributes[.accessControl] = control
        try store.seal(attributes, own.sealed, row: 1)
        defer { try? store.seal(own.attributes, own.sealed, row: 1) }
        let before = try store.everything()
        defer { #expect((try? store.everything()) == before) }
        return try store.find("a", shown)
    }

    @Test("an item whose constraint was taken away gives no secret", arguments: Guard.allCases)
    func removed(guarding: ConstrainedStore.Guard) throws {
        let store = try ConstrainedStore().add("a", "the secret", try ConstrainedStore.control(guarding.flags))
        // Nothing demands anybody any more, and what comes out is sealed still.
        let found = try? Self.secret(under: nil, in: store, .none)
        #expect(found?.says("the secret") != true)
        #expect(try store.find("a", store.person)?.says("the secret") == true)
    }

    @Test("an item whose constraint was made easier gives no secret to who shows less", arguments: Guard.allCases)
    func easier(guarding: ConstrainedStore.Guard) throws {
        let store = try ConstrainedStore().add("a", "the secret", try ConstrainedStore.control(guarding.flags))
        let easier: [AccessFlags] = [[], .biometryAny, .userPresence, .privateKeyUsage]
        let claimed = FactorSecrets(
            passcode: [], openedBy: nil, password: nil, hasFinger: true, fingers: [UInt8](repeating: 7, count: 32))
        for flags in easier {
            let control = AttributeValue.data(try AccessControlCoding.encode(try ConstrainedStore.control(flags)))
            for shown in [FactorSecrets.none, claimed] {
                let found = try? Self.secret(under: control, in: store, shown)
                #expect(found?.says("the secret") != true, "\(flags.rawValue)")
            }
        }
        #expect(try store.find("a", store.person)?.says("the secret") == true)
    }

    @Test(
        "with any byte of the access control changed, nobody who shows nothing reads the secret")
    func everyByte() throws {
        let store = try ConstrainedStore().add("a", "the secret", try ConstrainedStore.control(Guard.both.flags))
        guard case .data(let own)? = try store.opened(row: 1).attributes[.accessControl] else {
            throw CodingError.wrongType
        }
        for index in own.indices {
            for bit in 0..<8 {
                var bytes = own
                bytes[index] ^= 1 << UInt8(bit)
                let found = try? Self.secret(under: .data(bytes), in: store, .none)
                #expect(found?.says("the secret") != true, "byte \(index), bit \(bit)")
            }
        }
        for count in own.indices {
            #expect(throws: (any Error).self) {
                _ = try Self.secret(under: .data(Array(own[..<count])), in: store, store.person)
            }
        }
        #expect(try store.find("a", store.person)?.says("the secret") == true)
    }
}
