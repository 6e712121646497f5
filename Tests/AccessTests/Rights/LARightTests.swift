// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Testing

/// Rights that a person gives, and what they open.
@Suite struct LARightTests {
    private let keychain: IsolatedKeychain

    init() throws {
        keychain = try IsolatedKeychain(person: ScriptedPerson(usually: .types("1234")))
        try keychain.use { try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil) }
    }

    @Test("a right is unknown until somebody is asked, and taken back when it is forgotten")
    func states() async throws {
        try await keychain.use {
            let right = LARight()
            #expect(right.state == .unknown)
            try await right.checkCanAuthorize()
            try await right.authorize(localizedReason: "to open the safe")
            #expect(right.state == .authorized)
            await right.deauthorize()
            #expect(right.state == .notAuthorized)
            let finger = LARight(requirement: .biometry)
            await #expect(throws: LAError.self) { try await finger.checkCanAuthorize() }
            await #expect(throws: (any Error).self) { try await finger.authorize(localizedReason: "x") }
            #expect(finger.state == .notAuthorized)
        }
    }

    @Test("a saved right opens its secret and its key, and nothing is left of one that is removed")
    func saved() async throws {
        try await keychain.use {
            let store = LARightStore.shared
            let right = LARight(requirement: .biometry(fallback: .devicePasscode))
            let saved = try await store.saveRight(right, identifier: "safe", secret: Data("gold".utf8))
            await #expect(throws: (any Error).self) { try await store.saveRight(right, identifier: "safe") }
            try await saved.authorize(localizedReason: "to open the safe")
            #expect(try await saved.secret.rawData == Data("gold".utf8))

            let found = try await store.right(forIdentifier: "safe")
            try await found.authorize(localizedReason: "to sign")
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            #expect(found.key.canSign(using: algorithm))
            let signature = try await found.key.sign(Data([1, 2]), algorithm: algorithm)
            try await found.key.publicKey.verify(Data([1, 2]), signature: signature, algorithm: algorithm)
            await #expect(throws: (any Error).self) {
                try await found.key.publicKey.verify(Data([1, 3]), signature: signature, algorithm: algorithm)
            }
            #expect(try await found.key.publicKey.bytes.count == 65)

            try await store.removeRight(found)
            await #expect(throws: (any Error).self) { try await store.right(forIdentifier: "safe") }
            let keys = [kSecClass: kSecClassKey] as [CFString: Any]
            #expect(SecItemCopyMatching(keys as CFDictionary, nil) == errSecItemNotFound)
            try await store.removeAllRights()
        }
    }

    @Test("functions that are called at the end say the same")
    func completions() async throws {
        try await keychain.use {
            let store = LARightStore.shared
            let saved = try await withCheckedThrowingContinuation { continuation in
                store.saveRight(LARight(), identifier: "box", secret: Data("tin".utf8)) { right, error in
                    continuation.resume(
                        with: Result { if let right { right } else { throw error ?? LAError(.invalidContext) } })
                }
            }
            let failure = await withCheckedContinuation { continuation in
                saved.authorize(localizedReason: "to open the box") { continuation.resume(returning: $0) }
            }
            #expect(failure == nil && saved.state == .authorized)
            let secret = await withCheckedContinuation { continuation in
                saved.secret.loadData { data, _ in continuation.resume(returning: data) }
            }
            #expect(secret == Data("tin".utf8))
            await withCheckedContinuation { continuation in saved.deauthorize { continuation.resume() } }
            #expect(saved.state == .notAuthorized)
            let missing = await withCheckedContinuation { continuation in
                store.removeRight(forIdentifier: "none") { continuation.resume(returning: $0) }
            }
            #expect(missing != nil)
        }
    }

    @Test("a saved right's key does with a function at the end what it does with await")
    func keyCompletions() async throws {
        try await keychain.use {
            let saved = try await LARightStore.shared.saveRight(LARight(), identifier: "key")
            try await saved.authorize(localizedReason: "to sign")
            let (key, half) = (saved.key, saved.key.publicKey)
            let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let sealing = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let message = Data("gold".utf8)
            let signature = await answer { key.sign(message, algorithm: signing, completion: $0) }
            let made = try #require(signature)
            let failure = await withCheckedContinuation { continuation in
                half.verify(message, signature: made, algorithm: signing) { continuation.resume(returning: $0) }
            }
            #expect(failure == nil)
            let refused = await withCheckedContinuation { continuation in
                half.verify(Data(), signature: made, algorithm: signing) { continuation.resume(returning: $0) }
            }
            #expect(refused != nil)
            let sealed = try #require(await answer { half.encrypt(message, algorithm: sealing, completion: $0) })
            #expect(await answer { key.decrypt(sealed, algorithm: sealing, completion: $0) } == message)

            let bytes = try #require(await answer { half.exportBytes(completion: $0) })
            let agreement = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
            let first = await answer {
                key.exchangeKeys(
                    publicKey: bytes, algorithm: agreement,
                    parameters: [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32], completion: $0)
            }
            let second = try await key.exchangeKeys(
                publicKey: bytes, algorithm: agreement,
                parameters: [SecKeyKeyExchangeParameter.requestedSize: 32, "sharedInfo": Data()])
            #expect(first?.count == 32 && first == second)
            #expect(
                await answer {
                    key.exchangeKeys(publicKey: Data([4]), algorithm: agreement, parameters: [:], completion: $0)
                } == nil)
        }
    }

    private func answer(_ ask: (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Void) async -> Data? {
        await withCheckedContinuation { continuation in ask { data, _ in continuation.resume(returning: data) } }
    }

    @Test("what is enrolled is said without a policy, and nothing is paired")
    func environment() throws {
        keychain.use {
            let context = LAContext()
            #expect(context.domainState.biometry.stateHash == nil)
            #expect(context.domainState.biometry.biometryType == .none)
            #expect(context.domainState.companion.availableCompanionTypes == Set<LACompanionType>())
            #expect(context.domainState.companion.stateHash(for: .watch) == nil)
            let state = LAEnvironment.currentUser.state
            #expect(state.userPassword?.isSet == true && state.userPassword?.isUsable == true)
            #expect(state.biometry == nil && state.companions.isEmpty)
            #expect(state.allMechanisms == [state.userPassword])
            #expect(state.copy() as? LAEnvironment.State === state)
        }
    }

    @Test("a reader is usable with a finger and a passcode, and its digest is that of the domain state")
    func reader() throws {
        for (passcode, finger) in [(nil, "left index"), ("1234", "left index"), ("1234", "")] {
            let keychain = try AccessKeychain(passcode: passcode)
            keychain.person.enroll(finger)
            try keychain.use {
                let biometry: LAEnvironment.MechanismBiometry = try #require(LAEnvironment.currentUser.state.biometry)
                #expect(biometry.isEnrolled == !finger.isEmpty)
                #expect(biometry.isUsable == (passcode != nil && !finger.isEmpty))
                #expect(biometry.stateHash == LAContext().domainState.biometry.stateHash ?? Data())
                #expect(biometry.biometryType == .touchID && !biometry.isLockedOut)
                #expect(!biometry.builtInSensorInaccessible && !biometry.localizedName.isEmpty)
            }
        }
    }

    @Test("the numbers of C are those of the enumerations")
    func numbers() {
        #expect(LAError.Code(rawValue: Int(kLAErrorUserCancel)) == .userCancel)
        #expect(LAError.Code(rawValue: Int(kLAErrorCompanionNotAvailable)) == .companionNotAvailable)
        #expect(kLAErrorDomain == LAError.errorDomain)
        #expect(LAPolicy(rawValue: Int(kLAPolicyDeviceOwnerAuthentication)) == .deviceOwnerAuthentication)
        #expect(
            LAPolicy(rawValue: Int(kLAPolicyDeviceOwnerAuthenticationWithCompanion))
                == .deviceOwnerAuthenticationWithCompanion)
        #expect(LABiometryType(rawValue: Int(kLABiometryTypeOpticID)) == .opticID)
        #expect(LACompanionType(rawValue: Int(kLACompanionTypeMac)) == .mac)
        #expect(
            LAAccessControlOperation(rawValue: Int(kLAAccessControlOperationUseKeyKeyExchange)) == .useKeyKeyExchange)
    }
}
