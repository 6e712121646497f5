// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// What a file is encrypted under, out of the object a caller gives.
final class Passphrase: Sendable {
    let bytes: SecretBytes

    /// No passphrase, or one of no characters.
    static let empty = Passphrase()

    private init() { bytes = unsafe SecretBytes(count: 0) { _ in } }

    /// The UTF-8 of a string, or the bytes of data.
    init(_ object: AnyObject) throws(ExchangeFailure) {
        if let data = object as? NSData {
            guard data.length <= Self.longest else { throw Self.tooLong }
            bytes = SecretBytes(copying: data)
        } else if object is NSString {
            guard let text = ValueReading.string(object) else {
                throw ExchangeFailure(.invalidPassphrase, "the passphrase is no text")
            }
            let utf8 = text.utf8.span
            guard utf8.count <= Self.longest else { throw Self.tooLong }
            bytes = unsafe utf8.bytes.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        } else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase is neither a string nor data")
        }
        let hasZero = unsafe bytes.withUnsafeBytes { unsafe $0.contains(0) }
        // OpenSSL would take what is before it, and other programs all of it.
        guard !hasZero else { throw ExchangeFailure(.invalidPassphrase, "the passphrase has a zero in it") }
    }

    private static var tooLong: ExchangeFailure {
        ExchangeFailure(.invalidPassphrase, "the passphrase is longer than anybody types")
    }

    // Far below what OpenSSL counts in 32 bits.
    private static let longest = 1 << 16
}
