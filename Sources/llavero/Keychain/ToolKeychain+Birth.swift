// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

extension ToolKeychain {
    /// What it is called, for a sentence.
    var shownName: String { PlainText.shown(KeychainNames.name(of: place)) }

    /// Says, once, when a keychain was just made and has no passcode, who can read it.
    func tellWhoCanReadIt(_ options: Options) {
        guard let standing = try? standing(), standing.lockState == .noPasscode else { return }
        let guardian =
            standing.enclave.kind == .tpm
            ? "whoever is logged in as you can read it"
            : "its key lies beside it, so whoever can read or copy your files can read it"
        options.tell(
            "the keychain \(shownName) has no passcode: \(guardian); `llavero passcode set\(option)` sets one")
    }
}
