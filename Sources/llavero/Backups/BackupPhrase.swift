// SPDX-License-Identifier: Apache-2.0

internal import KeychainBackup
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The passphrase that a backup is to open with.
struct BackupPhrase {
    /// The one of `--fd`, which can be read once only; nil without that.
    let given: Passcode?
    private let keychain: ToolKeychain
    private let options: Options

    init(_ options: Options, of keychain: ToolKeychain) throws(CommandError) {
        (self.keychain, self.options) = (keychain, options)
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        given = try descriptor.map { (descriptor) throws(CommandError) in
            try BackupPhrase.read(descriptor, keychain, options)
        }
    }

    /// It, or what the person types.
    func asked() throws(CommandError) -> Passcode {
        if let given { return given }
        return try BackupPhrase.read(nil, keychain, options)
    }

    private static func read(
        _ descriptor: Int32?, _ keychain: ToolKeychain, _ options: Options
    ) throws(CommandError) -> Passcode {
        let phrase = try PasscodeInput.passcode(
            descriptor, "A passphrase for the backup of the keychain \(keychain.shownName).", confirms: true,
            secret: "the backup's passphrase", prompt: "Passphrase:")
        if let warning = PasscodeStrength(of: phrase).warningOfBackup { options.tell(warning) }
        return phrase
    }
}

extension BackupHeader {
    /// Whether what opens this one is what is to open another that goes on from it: the same words, and the passphrase, if one is
    /// given.
    func opens(with phrase: BackupPhrase, _ secrets: BackupSecrets) throws(CommandError) -> Bool {
        var words: [UInt8]?
        for case .recovery(_, let owner, _) in stanzas { words = owner }
        guard words == secrets.recovery else { return false }
        guard let given = phrase.given else { return true }
        return try BackupJob.saying { () throws(BackupError) in
            for stanza in stanzas where try stanza.open(file, passphrase: given.bytes) != nil { return true }
            return false
        }
    }
}
