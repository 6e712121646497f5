// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// Secrets that a tool hands out: straight to a descriptor, so that nothing of ours keeps a copy.
package enum SecretOutput {
    /// Writes all of it, and what belongs behind it.
    package static func write(
        _ secret: SecretValue, to descriptor: Int32, ending: String = ""
    ) throws(CommandError) {
        // What was printed before comes before.
        fflush(nil)
        try unsafe secret.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe write(bytes, to: descriptor) }
        let end = SecretValue(copying: Array(ending.utf8))
        try unsafe end.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe write(bytes, to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(CommandError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failure("the secret cannot be written (\(errno))") }
            done += count
        }
    }
}
