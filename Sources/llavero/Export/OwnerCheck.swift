// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Whether it is the keychain's owner who asks for all of it at once.
enum OwnerCheck {
    /// Has the passcode shown, once for each keychain that has one.
    static func require(_ keychains: [ToolKeychain], _ descriptor: Int32?, _ what: String) throws(CommandError) {
        var guarded: [ToolKeychain] = []
        for keychain in keychains where try keychain.standing().lockState != .noPasscode { guarded.append(keychain) }
        guard descriptor == nil || guarded.count <= 1 else {
            throw .usage(
                "--fd has one passcode, and \(guarded.count) keychains have one each; name one with --keychain")
        }
        for keychain in guarded {
            let name = KeychainNames.name(of: keychain.place)
            let words = guarded.count == 1 ? what : "\(what) This is for the keychain \(PlainText.shown(name))."
            try PasscodeInput.using(descriptor, words) { (passcode) throws(CommandError) in
                // Of a daemon's keychain others would have the benefit; here it ends with this process.
                _ = try keychain.perform(keychain.hasDaemon ? .verify(passcode) : .unlock(passcode))
            }
        }
    }
}
