// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange
internal import KeychainParsing

extension Passphrase {
    /// What a caller gives: the UTF-8 of a string, or the bytes of data.
    static func given(_ object: AnyObject) throws(ExchangeFailure) -> Passphrase {
        if let data = object as? NSData {
            let start = unsafe data.length == 0 ? nil : data.bytes
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: data.length)
            defer { withExtendedLifetime(data) {} }
            return try unsafe Passphrase(bytes)
        }
        guard object is NSString else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase is neither a string nor data")
        }
        guard let text = ValueReading.string(object) else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase is no text")
        }
        return try unsafe text.utf8.span.bytes.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe Passphrase(bytes)
        }
    }
}
