// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero recovery`.
enum RecoveryVerb: Verb {
    static let name = "recovery"
    static let summary = "makes or removes the recovery key"
    static let help = """
        usage: llavero recovery make [--fd N]
               llavero recovery remove [--fd N]

        `make` prints fourteen words, once: write them down. They open the keychain when its device key is lost; one that was
        made before opens nothing any more. Both ask for the passcode if there is one.

          --fd N   reads the passcode from descriptor N
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, single: ["--fd"])
        let deed = try options.operand("make or remove")
        guard deed == "make" || deed == "remove" else { throw .usage("recovery has make and remove, and no \(deed)") }
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        let keychain = try ToolKeychain()
        try keychain.requireThere()
        let standing = try keychain.standing()
        if deed == "remove", !standing.hasRecoveryKey { throw .failure("the keychain has no recovery key") }
        var shown = KeybagAuthorization.unlocked
        if standing.lockState != .noPasscode {
            let words = "The keychain's recovery key is to be \(deed == "make" ? "made" : "removed")."
            shown = .passcode(try PasscodeInput.passcode(descriptor, words))
        }
        guard deed == "make" else {
            try keychain.perform(.removeRecoveryKey(shown))
            return
        }
        guard case .recoverySeed(let seed?) = try keychain.perform(.makeRecoveryKey(shown)) else {
            throw ToolKeychain.otherReply
        }
        try show(seed)
    }

    private static func show(_ seed: SecretValue) throws(CommandError) { try show(try key(seed)) }

    /// Straight from memory that is wiped.
    static func show(_ key: RecoveryKey) throws(CommandError) {
        let text: SecretBytes
        do throws(RecoveryWordsError<CryptoError>) { text = try key.words() } catch {
            throw .failure("the words cannot be shown; make another recovery key")
        }
        try unsafe text.withUnsafeBytes { (text) throws(CommandError) in try unsafe write(text) }
    }

    private static func key(_ seed: SecretValue) throws(CommandError) -> RecoveryKey {
        do throws(CryptoError) {
            return try RecoveryKey(seed: unsafe seed.withUnsafeBytes { unsafe SecretBytes(copying: $0) })
        } catch { throw ToolKeychain.otherReply }
    }

    private static func write(_ text: UnsafeRawBufferPointer) throws(CommandError) {
        var rest = unsafe text[...]
        while unsafe !rest.isEmpty {
            let count = unsafe UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) { bytes in
                unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failure("the words could not be printed; make another recovery key") }
            unsafe rest = rest.dropFirst(count)
        }
        print("")
    }
}
