// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainStore
import Testing

/// An engine whose check was taken out: it calls the crypto with all it has in its hands, and nobody was asked.
@Suite struct PatchedEngineTests {
    /// What it may put together without a person.
    private static func fabricated(_ store: ConstrainedStore) throws -> [FactorSecrets] {
        let other = try ConstrainedStore(2)
        let set = [UInt8](repeating: 7, count: 32)
        // What a newborn keychain's keybag has in it hangs on nothing but its device.
        let newborn = try UnlockedKeybag.fresh(
            keychain: store.uuid, enclave: .software, binding: store.root.binding, recovery: nil)
        let passcodes = [[], other.person.passcode, newborn.passcodeFactors]
        var passwords: [PasswordFactor?] = [nil]
        // Guesses, the right one with another keychain's pepper, and the right one stretched in another way.
        passwords.append(try ConstrainedStore.password("a guess", store.keys, store.uuid))
        passwords.append(try ConstrainedStore.password("the password", other.keys, store.uuid))
        passwords.append(try ConstrainedStore.password("the password", store.keys, other.uuid))
        passwords.append(
            try ConstrainedStore.password(
                "the password", store.keys, store.uuid, cost: PasscodeCost(log2N: 11, r: 8, p: 1)))
        return passcodes.flatMap { passcode in
            passwords.flatMap { password in
                [nil, set].map {
                    FactorSecrets(
                        passcode: passcode, openedBy: nil, password: password, hasFinger: $0 != nil, fingers: $0)
                }
            }
        }
    }

    @Test("with the check taken out, what is not shown opens nothing", arguments: ConstrainedStore.Guard.allCases)
    func withoutCheck(guarding: ConstrainedStore.Guard) throws {
        let store = try ConstrainedStore()
        try store.add("a", "the secret", try ConstrainedStore.control(guarding.flags))
        let sealed = try store.opened(row: 1).sealed
        let envelope = try FactorEnvelope(decoding: sealed)
        for factors in try Self.fabricated(store) {
            #expect(throws: FactorEnvelope.Failure.self) { _ = try envelope.open(with: factors, store.keys) }
        }
        // Half of what is demanded is nothing, with anything in place of the other half.
        if guarding == .both {
            for made in try Self.fabricated(store) {
                for half in [
                    FactorSecrets(
                        passcode: store.person.passcode, openedBy: nil, password: made.password, hasFinger: true,
                        fingers: made.fingers),
                    FactorSecrets(
                        passcode: made.passcode, openedBy: nil, password: store.person.password, hasFinger: true,
                        fingers: made.fingers),
                ] {
                    #expect(throws: FactorEnvelope.Failure.self) { _ = try envelope.open(with: half, store.keys) }
                }
            }
        }
        #expect(try envelope.open(with: store.person, store.keys)?.says("the secret") == true)
    }

    @Test("the class seal holds no secret of an item that demands somebody", arguments: ConstrainedStore.Guard.allCases)
    func classSeal(guarding: ConstrainedStore.Guard) throws {
        let store = try ConstrainedStore()
        try store.add("a", "the secret", try ConstrainedStore.control(guarding.flags))
        let sealed = try store.opened(row: 1).sealed
        let needle = Array("the secret".utf8)
        let bytes = Array(UnsafeRawBufferPointer(start: sealed.bytes, count: sealed.count))
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: needle) })
        // An item that demands nobody is all there, so the search can fail.
        try store.add("b", "the secret", AccessControl(protection: .whenUnlocked))
        let plain = try store.opened(row: 2).sealed
        #expect(plain.says("the secret"))
    }

    @Test("the keys in use have no factor of the passcode, in whatever state they are")
    func keysInUse() throws {
        let store = try ConstrainedStore()
        #expect(store.connection.keybag.keys.passcodeFactors.isEmpty)
        #expect(try store.keybag.opened(with: store.root).passcodeFactors.isEmpty)
        let stretched = try StretchedPasscode(
            ConstrainedStore.bytes("the passcode"), salt: try #require(store.keys.header.passcode?.salt),
            cost: ConstrainedStore.cost)
        let opened = try store.keybag.opened(with: store.root, gate: store.gate, passcode: stretched)
        #expect(!opened.passcodeFactors.isEmpty)
        for state in [LockState.unlocked, .locked, .beforeFirstUnlock, .noPasscode] {
            #expect(opened.limited(to: state).passcodeFactors.isEmpty)
        }
        let loaded = LoadedKeybag(keychain: store.uuid, keys: opened, version: 1, mayWrite: true)
        #expect(loaded.keys.passcodeFactors.isEmpty)
        #expect(store.keys.adopting(opened).passcodeFactors.isEmpty)
    }

    @Test("neither another passcode nor another gate opens the passcode's factor")
    func otherPasscode() throws {
        let store = try ConstrainedStore()
        let salt = try #require(store.keys.header.passcode?.salt)
        let right = try StretchedPasscode(
            ConstrainedStore.bytes("the passcode"), salt: salt, cost: ConstrainedStore.cost)
        let wrong = try StretchedPasscode(ConstrainedStore.bytes("a guess"), salt: salt, cost: ConstrainedStore.cost)
        #expect(try store.keybag.opened(with: store.root, gate: store.gate, passcode: wrong).passcodeFactors.isEmpty)
        let other = try ConstrainedStore(2)
        #expect(try store.keybag.opened(with: store.root, gate: other.gate, passcode: right).passcodeFactors.isEmpty)
        #expect(throws: KeybagError.self) {
            _ = try store.keybag.opened(with: other.root, gate: store.gate, passcode: right)
        }
    }

    /// A reader of fingers gives no key, and the threat model says so; here it is seen.
    @Test("what only a finger guards is guarded by the engine's word alone")
    func fingers() throws {
        let store = try ConstrainedStore()
        try store.add("a", "the secret", try ConstrainedStore.control(.biometryAny))
        let envelope = try FactorEnvelope(decoding: try store.opened(row: 1).sealed)
        let claimed = FactorSecrets(
            passcode: [], openedBy: nil, password: nil, hasFinger: true, fingers: [UInt8](repeating: 7, count: 32))
        #expect(try envelope.open(with: claimed, store.keys)?.says("the secret") == true)
        #expect(throws: FactorEnvelope.Failure.notMet) { _ = try envelope.open(with: .none, store.keys) }
    }
}
