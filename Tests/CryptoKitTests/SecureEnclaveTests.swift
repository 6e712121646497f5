// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import LocalAuthentication
import TestDaemon
import TestProcesses
import TestSwtpm
import Testing

/// Keys of the enclave that a program keeps as bytes, on every enclave that this build has.
@Suite struct SecureEnclaveTests {
    @Test("a key signs and agrees, comes back from its bytes, and is no item", arguments: Ground.all)
    func use(ground: Ground) throws {
        let scene = try Scene(ground)
        let message = Data("a message".utf8)
        let (signing, agreeing) = try scene.keychain.use {
            #expect(SecureEnclave.isAvailable)
            return (try SecureEnclave.P256.Signing.PrivateKey(), try SecureEnclave.P256.KeyAgreement.PrivateKey())
        }
        let bytes = (signing.dataRepresentation, agreeing.dataRepresentation)
        try check(signing, agreeing, message)
        try scene.restarted().keychain.use {
            let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: bytes.0)
            #expect(again.publicKey.rawRepresentation == signing.publicKey.rawRepresentation)
            #expect(again.dataRepresentation == bytes.0)
            try check(again, SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: bytes.1), message)
            let query = [kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll] as [CFString: Any]
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    private func check(
        _ signing: SecureEnclave.P256.Signing.PrivateKey, _ agreeing: SecureEnclave.P256.KeyAgreement.PrivateKey,
        _ message: Data
    ) throws {
        #expect(signing.publicKey.compactRepresentation != nil && agreeing.publicKey.compactRepresentation != nil)
        let signature = try signing.signature(for: message)
        #expect(signing.publicKey.isValidSignature(signature, for: message))
        let ofDigest = try signing.signature(for: SHA512.hash(data: message))
        #expect(signing.publicKey.isValidSignature(ofDigest, for: SHA512.hash(data: message)))
        let other = P256.KeyAgreement.PrivateKey()
        let secret = try agreeing.sharedSecretFromKeyAgreement(with: other.publicKey)
        #expect(try secret == other.sharedSecretFromKeyAgreement(with: agreeing.publicKey))
        #expect(
            secret.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: Data(), sharedInfo: Data(), outputByteCount: 32
            ).bitCount == 256)
    }

    @Test("its bytes are of no use in another keychain, nor when one of them was changed", arguments: Ground.all)
    func elsewhere(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.keychain.use { try SecureEnclave.P256.Signing.PrivateKey() }
        let bytes = key.dataRepresentation
        let other = try Scene(ground)
        try other.keychain.use {
            let copy = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: bytes)
            #expect(Status.of { try copy.signature(for: Data()) } == errSecNotAvailable)
        }
        try scene.keychain.use {
            // Bytes of the point and of the blob.
            for index in stride(from: 1, to: bytes.count, by: ground == .tpm ? 29 : 7) {
                var changed = bytes
                changed[index] ^= 1
                #expect(throws: (any Error).self) {
                    try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: changed).signature(for: Data())
                }
            }
            for count in [0, 1, 65, 66, 100, bytes.count - 1] {
                #expect(throws: (any Error).self) {
                    try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: bytes.prefix(count))
                        .signature(for: Data())
                }
            }
            let signature = try key.signature(for: Data())
            #expect(key.publicKey.isValidSignature(signature, for: Data()))
        }
    }

    @Test("without an access control a key is used while the keychain is unlocked, with one as its class says")
    func classes() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        keychain.lockState = .locked
        keychain.lockState = .unlocked
        let afterFirst = try control([.privateKeyUsage], kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
        let (usual, later) = try keychain.use {
            (
                try SecureEnclave.P256.Signing.PrivateKey(),
                try SecureEnclave.P256.Signing.PrivateKey(accessControl: afterFirst)
            )
        }
        let table: [(IsolatedKeychain.LockState, OSStatus, OSStatus)] = [
            (.unlocked, errSecSuccess, errSecSuccess), (.locked, errSecInteractionNotAllowed, errSecSuccess),
            (.beforeFirstUnlock, errSecInteractionNotAllowed, errSecInteractionNotAllowed),
            (.unlocked, errSecSuccess, errSecSuccess),
        ]
        for (state, ofUsual, ofLater) in table {
            keychain.lockState = state
            #expect(Status.of { try usual.signature(for: Data()) } == ofUsual)
            #expect(Status.of { try later.signature(for: Data()) } == ofLater)
        }
        keychain.lockState = .locked
        #expect(
            keychain.use { Status.of { try SecureEnclave.P256.Signing.PrivateKey() } } == errSecInteractionNotAllowed)
    }

    @Test("an access control is kept to: somebody is asked for each use, or shows it to the context once")
    func demanding() throws {
        let person = ScriptedPerson(answers: [.types("1234"), .refuses, .types("0000"), .refuses])
        let keychain = try IsolatedKeychain(person: person)
        try keychain.use {
            try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil)
            let control = try control([.privateKeyUsage, .devicePasscode])
            let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
            #expect(person.questions.isEmpty)
            let signature = try key.signature(for: Data([1]))
            #expect(key.publicKey.isValidSignature(signature, for: Data([1])))
            #expect(person.questions.count == 1)
            #expect(Status.of { try key.signature(for: Data([1])) } == errSecUserCanceled)
            #expect(Status.of { try key.signature(for: Data([1])) } != errSecSuccess)

            let context = LAContext()
            #expect(context.setCredential(Data("1234".utf8), type: .passcode))
            let asked = person.questions.count
            let again = try SecureEnclave.P256.Signing.PrivateKey(
                dataRepresentation: key.dataRepresentation, authenticationContext: context)
            for _ in 0..<3 { _ = try again.signature(for: Data([2])) }
            #expect(person.questions.count == asked)
            context.invalidate()
            #expect(Status.of { try again.signature(for: Data([2])) } != errSecSuccess)

            let forbidden = LAContext()
            forbidden.interactionNotAllowed = true
            let silent = try SecureEnclave.P256.Signing.PrivateKey(
                dataRepresentation: key.dataRepresentation, authenticationContext: forbidden)
            #expect(Status.of { try silent.signature(for: Data()) } == errSecInteractionNotAllowed)
            #expect(person.questions.count == asked)

            // The passcode may change; once it is removed, what demanded it is gone.
            try Llavero.keybag.changePasscode(from: Llavero.Passcode("1234"), to: Llavero.Passcode("5678"))
            let later = LAContext()
            #expect(later.setCredential(Data("5678".utf8), type: .passcode))
            let changed = try SecureEnclave.P256.Signing.PrivateKey(
                dataRepresentation: key.dataRepresentation, authenticationContext: later)
            _ = try changed.signature(for: Data())
        }
    }

    @Test("what an access control does not name is refused")
    func operations() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        try keychain.use {
            let control = try #require(SecAccessControlCreate(nil, nil))
            #expect(SecAccessControlSetProtection(control, kSecAttrAccessibleAlwaysThisDeviceOnly, nil))
            #expect(SecAccessControlAddConstraintForOperation(control, "sign" as CFString, kCFBooleanTrue, nil))
            let agreeing = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: control)
            let other = P256.KeyAgreement.PrivateKey().publicKey
            #expect(Status.of { try agreeing.sharedSecretFromKeyAgreement(with: other) } == errSecAuthFailed)
            let signing = try SecureEnclave.P256.Signing.PrivateKey(
                dataRepresentation: agreeing.dataRepresentation)
            _ = try signing.signature(for: Data())
        }
    }

    @Test("with the passcode goes the class that needs one, for good")
    func withoutPasscode() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        let control = try control([.privateKeyUsage], kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
        try keychain.use {
            #expect(
                Status.of { try SecureEnclave.P256.Signing.PrivateKey(accessControl: control) } == errSecAuthFailed)
            let passcode = try Llavero.Passcode("1234")
            try Llavero.keybag.setPasscode(passcode, erasingAfter: nil)
            let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
            _ = try key.signature(for: Data())
            try Llavero.keybag.removePasscode(passcode)
            #expect(Status.of { try key.signature(for: Data()) } == errSecAuthFailed)
            try Llavero.keybag.setPasscode(passcode, erasingAfter: nil)
            #expect(Status.of { try key.signature(for: Data()) } == errSecNotAvailable)
        }
    }

    private func control(
        _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    ) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, protection, flags, nil))
    }
}

/// The status that a call of Security's below ended with.
enum Status {
    static func of<Result>(_ body: () throws -> Result) -> OSStatus {
        do {
            _ = try body()
            return errSecSuccess
        } catch let error as NSError { return OSStatus(error.code) }
    }
}

/// Where a keychain is kept, and what its enclave is.
enum Ground: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case memory = "software, in memory"
    case daemon = "software, in memory, through a socket"
    case folder = "software, in a folder"
    case tpm = "a TPM, in a folder"

    var testDescription: String { rawValue }

    #if TPM
        static let all = allCases
    #else
        static let all = allCases.filter { $0 != .tpm }
    #endif
}

final class Scene {
    let keychain: IsolatedKeychain
    private let ground: Ground
    private let chip: SwtpmProcess?
    private let folder: TestFolder?
    private let daemon: ServedKeychain?

    init(_ ground: Ground) throws {
        self.ground = ground
        chip = ground == .tpm ? try SwtpmProcess() : nil
        folder = ground == .memory || ground == .daemon ? nil : try TestFolder()
        keychain = try Scene.keychain(folder, chip)
        daemon = ground == .daemon ? try ServedKeychain(keychain.host) : nil
        if let daemon { keychain.reach(through: daemon.host) }
    }

    private init(_ ground: Ground, _ chip: SwtpmProcess?, _ folder: TestFolder) throws {
        self.ground = ground
        self.chip = chip
        self.folder = folder
        daemon = nil
        keychain = try Scene.keychain(folder, chip)
    }

    deinit {
        // Before the folder goes.
        keychain.reopen()
    }

    /// The same keychain after the machine was started again; in memory, after everything was let go of.
    func restarted() throws -> Scene {
        keychain.reopen()
        try chip?.restart()
        guard let folder else { return self }
        return try Scene(ground, chip, folder)
    }

    private static func keychain(_ folder: TestFolder?, _ chip: SwtpmProcess?) throws -> IsolatedKeychain {
        guard let folder else { return try IsolatedKeychain(.inMemory) }
        let hardware = chip.map { IsolatedKeychain.Hardware.tpm(connection: $0.connection) } ?? .software
        return try IsolatedKeychain(.folder(URL(fileURLWithPath: folder.path)), hardware: hardware)
    }
}
