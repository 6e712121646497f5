// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// A secret that a person is asked for: on a terminal in a Mac's words, which scripts wait for; without one by a dialog.
struct AskedSecret {
    /// What a dialog says.
    private let description: String
    private let prompt: String
    private let line: LineQuestion
    private let confirms: Bool

    private init(_ description: String, prompt: String = "Password:", line: String, repeated: String? = nil) {
        self.description = description
        self.prompt = prompt
        self.line = LineQuestion(line, repetition: repeated ?? "", difference: "passwords don't match")
        confirms = repeated != nil
    }

    /// Asks; `option` gives the secret instead, from a descriptor.
    func ask(option: String = "--password-fd", call: String) throws(SecurityFailure) -> SecretValue {
        let advice = "or use \(option) N to read it from a descriptor"
        do throws(CommandError) {
            return try SecretInput.ask(description, prompt: prompt, confirms: confirms, line: line, otherwise: advice)
        } catch { throw SecurityFailure(error, in: call) }
    }

    static let newItem = AskedSecret(
        "The password of the new item.", line: "password data for new item:",
        repeated: "retype password for new item:")

    static let newKeychain = AskedSecret(
        "The password of the new keychain.", line: "password for new keychain:",
        repeated: "retype password for new keychain:")

    static func oldPassword(of keychain: ToolKeychain) -> AskedSecret {
        AskedSecret("The password of the keychain \(keychain.path).", line: "Old Password:")
    }

    static func newPassword(of keychain: ToolKeychain) -> AskedSecret {
        AskedSecret(
            "The new password of the keychain \(keychain.path).", line: "New Password:",
            repeated: "Retype New Password:")
    }

    /// `name` is what it was called on the command line, if it was named at all.
    static func unlocking(_ name: String?, _ description: String) -> AskedSecret {
        AskedSecret(description, line: "password to unlock \(name ?? "default"):")
    }

    // A Mac shows a dialog for these two.
    static let passphrase = AskedSecret(
        "The passphrase of the file.", prompt: "Passphrase:", line: "passphrase of the file:")

    static let newPassphrase = AskedSecret(
        "The passphrase of the file.", prompt: "Passphrase:", line: "passphrase for new file:",
        repeated: "retype passphrase for new file:")
}
