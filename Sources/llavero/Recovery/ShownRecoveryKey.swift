// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainTools

/// The words of a recovery key that was just made, for whoever writes them down.
enum ShownRecoveryKey {
    static func show(_ seed: SecretValue) throws(CommandError) { try show(try key(seed)) }

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
