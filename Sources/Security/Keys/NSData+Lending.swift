// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

extension NSData {
    /// Lends the bytes; unlike `Data` it makes no copy of them, and keeps the type of what is thrown.
    func lendingBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = unsafe length == 0 ? nil : self.bytes
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(UnsafeRawBufferPointer(start: bytes, count: length))
    }

    /// The bytes, which are no secret.
    var unsecretBytes: [UInt8] { unsafe lendingBytes { bytes in unsafe Array(bytes) } }

    /// Data of the same bytes.
    convenience init(copying bytes: [UInt8]) {
        unsafe self.init(bytes: bytes, length: bytes.count)
    }
}

extension SecretData {
    /// Data that is the caller's own from now on; it is wiped when it goes.
    convenience init(copying secret: borrowing SecretBytes) {
        self.init(SecretValue(copying: secret))
    }
}
