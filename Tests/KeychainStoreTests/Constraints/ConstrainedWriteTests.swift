// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainSQLite
import KeychainStore
import Testing

/// What writes do to items that demand somebody: nothing that a person did not show, and nothing that loses one.
@Suite struct ConstrainedWriteTests {
    private typealias Guard = ConstrainedStore.Guard

    @Test("an update without what an item demands changes nothing", arguments: Guard.allCases)
    func refusedUpdate(guarding: ConstrainedStore.Guard) throws {
        let control = try ConstrainedStore.control(guarding.flags)
        let store = try ConstrainedStore().add("a", "the secret", control)
        let before = try store.everything()
        let claimed = FactorSecrets(
            passcode: [], openedBy: nil, password: nil, hasFinger: true, fingers: [UInt8](repeating: 7, count: 32))
        for shown in [FactorSecrets.none, claimed] {
            #expect(throws: StoreError.self) { try store.update("a", shown) }
        }
        #expect(try store.everything() == before)
        try store.update("a", store.person)
        #expect(try store.everything() != before)
        #expect(try store.find("a", store.person)?.says("the secret") == true)
        #expect(throws: StoreError.self) { _ = try store.find("a", .none) }
    }

    @Test("an item whose envelope is broken is neither replaced nor changed", arguments: Guard.allCases)
    func broken(guarding: ConstrainedStore.Guard) throws {
        let control = try ConstrainedStore.control(guarding.flags)
        let store = try ConstrainedStore().add("a", "the secret", control)
        let own = try store.opened(row: 1)
        for envelope in [[UInt8](), [0], Array("no envelope".utf8)] {
            try store.seal(own.attributes, SecretValue(copying: envelope), row: 1)
            let before = try store.everything()
            #expect(throws: StoreError.self) { _ = try store.find("a", store.person) }
            #expect(throws: StoreError.self) { try store.update("a", store.person) }
            #expect(throws: StoreError.duplicate) { try store.add("a", "another secret", control) }
            #expect(try store.everything() == before)
        }
        try store.seal(own.attributes, own.sealed, row: 1)
        #expect(try store.find("a", store.person)?.says("the secret") == true)
    }

    @Test("an item that nobody could ever open is not stored")
    func nobody() throws {
        let store = try ConstrainedStore()
        let before = try store.everything()
        // A watch, of which there is none; fingers, where none is enrolled; a password that was not given.
        for flags: AccessFlags in [.companion, .biometryCurrentSet, [.companion, .devicePasscode]] {
            let control = try ConstrainedStore.control(flags)
            #expect(throws: StoreError.constraintUnavailable) { try store.add("a", "the secret", control) }
        }
        let control = try ConstrainedStore.control(.applicationPassword)
        #expect(throws: StoreError.self) { try store.add("a", "the secret", control, FactorSecrets.none) }
        #expect(try store.everything() == before)
    }

    @Test(
        "sealing again under another generation needs nobody, and opens nothing", arguments: Guard.allCases
    )
    func rotation(guarding: ConstrainedStore.Guard) throws {
        let control = try ConstrainedStore.control(guarding.flags)
        let store = try ConstrainedStore().add("a", "the secret", control)
        let (blob, sealed) = (try store.blob(1), try store.opened(row: 1).sealed)
        let next = try store.keys.nextGeneration()
        #expect(next.passcodeFactors.isEmpty)
        try store.connection.adopt(
            LoadedKeybag(
                keychain: store.uuid, keys: next, version: try store.sqlite.userVersion(), mayWrite: true))
        #expect(try store.connection.reseal(atMost: 10).resealed == 1)
        #expect(try store.blob(1) != blob)
        #expect(try store.opened(row: 1, with: next).sealed.isEqualInConstantTime(to: sealed))
        #expect(throws: StoreError.self) { _ = try store.find("a", .none) }
        #expect(try store.find("a", store.person)?.says("the secret") == true)
    }
}
