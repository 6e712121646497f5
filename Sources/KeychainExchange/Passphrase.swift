// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What a file is encrypted under.
package final class Passphrase: Sendable {
    package let bytes: SecretBytes

    /// No passphrase, or one of no characters.
    package static let empty = Passphrase()

    private init() { bytes = unsafe SecretBytes(count: 0) { _ in } }

    /// A copy of these bytes; of text its UTF-8.
    package init(_ given: UnsafeRawBufferPointer) throws(ExchangeFailure) {
        guard given.count <= Self.longest else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase is too long")
        }
        // OpenSSL would take what is before it, and other programs all of it.
        guard unsafe !given.contains(0) else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase contains a zero byte")
        }
        bytes = unsafe SecretBytes(copying: given)
    }

    // Far below what OpenSSL counts in 32 bits.
    private static let longest = 1 << 16
}
