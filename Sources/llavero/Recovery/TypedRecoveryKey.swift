// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainTools

/// The fourteen words, as the holder of the paper gives them; never on the command line.
enum TypedRecoveryKey {
    /// From a descriptor, from standard input, or from the person.
    static func seed(_ options: Options) throws(CommandError) -> SecretValue {
        try options.requireOne(of: ["--fd", "--stdin"])
        let text: SecretValue
        if let descriptor = try PasscodeInput.descriptor(options, "--fd") {
            text = try SecretInput.all(from: descriptor, line: true)
        } else if options.has("--stdin") {
            if Screen.hasInput {
                throw .usage("--stdin reads what is redirected to it; without it the words are asked for, unseen")
            }
            text = try SecretInput.all(from: 0, line: true)
        } else {
            text = try SecretInput.ask(
                "The fourteen words of the recovery key.", prompt: "Words:", confirms: false,
                otherwise: "--stdin or --fd N gives them without one")
        }
        let key: RecoveryKey
        do throws(RecoveryWordsError<CryptoError>) {
            key = try unsafe text.withUnsafeBytes { (text) throws(RecoveryWordsError<CryptoError>) in
                try unsafe RecoveryKey(words: text)
            }
        } catch { throw .failure(words(for: error)) }
        return SecretValue(copying: key.seed)
    }

    private static func words(for error: RecoveryWordsError<CryptoError>) -> String {
        switch error {
        case .wrongCount(let count): "a recovery key has fourteen words, and these are \(count)"
        case .unknownWord(let position): "word \(position) is none of the words that recovery keys are made of"
        case .wrongChecksum: "every word exists, but one of them is wrong or in the wrong place"
        case .abandoned, .noChecksum: "the words cannot be read"
        }
    }
}
