// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCrypto
internal import KeychainModel

/// A secret that is sealed under what a person shows, tried with a finger and a password that are always the same.
internal enum FactorEnvelopeFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let keybag = Self.keybag, let password = Self.password else {
            throw BrokenPromise("the fixtures are there")
        }
        // Made anew for each: what was opened before is opened again without its ways being looked at.
        let shown = EnvelopeFixture.shown(password)
        guard let envelope = try? FactorEnvelope(decoding: SecretValue(copying: bytes)) else { return .refused }
        try promise(envelope.id.count == 16, "a seal has a name")
        try promise((try? envelope.open(with: .none, keybag)) == nil, "without anything shown nothing opens")
        guard let opened = try? envelope.open(with: shown, keybag) else { return .accepted }
        let secret = opened.withUnsafeBytes { Array($0) }
        try promise(secret == EnvelopeFixture.secret, "what opens is what was sealed")
        try promise(EnvelopeFixture.sealed.contains { $0 == bytes }, "a seal opens as it was made, or not at all")
        return .accepted
    }

    private static let keybag = KeybagFixture.keybag()
    private static let password = keybag.flatMap { try? EnvelopeFixture.password($0) }
}

/// What the envelopes of the corpus were sealed with, and those that were.
internal enum EnvelopeFixture {
    static let secret = Array("what is kept".utf8)

    static func password(_ keybag: UnlockedKeybag) throws -> PasswordFactor {
        try PasswordFactor(
            SecretBytes("password"), of: keybag.header.keychain, pepper: keybag.passwordPepper(), cost: .light)
    }

    static func shown(_ password: PasswordFactor) -> FactorSecrets {
        FactorSecrets(passcode: [], openedBy: nil, password: password, hasFinger: true, fingers: [UInt8](0..<32))
    }

    static let sealed: [[UInt8]] = {
        let folder = Fixtures.url("envelopes")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap { (try? Data(contentsOf: $0)).map { [UInt8]($0) } }
    }()
}
