// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

/// A secret as the data object a caller receives: it lends the secret's own memory, which is wiped with the object.
///
/// When an NSData becomes a `Data`, Foundation looks whether it has its bytes in one piece, and else reads them one by one
/// through `enumerateBytes`, which takes some dozens of times as long.
final class SecretData: NSData, ContiguousBytes {
    private let secret: SecretValue

    init(_ secret: SecretValue) {
        self.secret = secret
        super.init()
    }

    /// Data that is the caller's own from now on; it is wiped when it goes.
    convenience init(copying secret: borrowing SecretBytes) {
        self.init(SecretValue(copying: secret))
    }

    required init?(coder: NSCoder) { nil }

    override var length: Int { secret.count }

    override var bytes: UnsafeRawPointer { unsafe secret.bytes }

    /// A copy that is lent and not given.
    var secretCopy: SecretBytes { unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: bytes, count: length)) }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(UnsafeRawBufferPointer(start: secret.bytes, count: secret.count))
    }

    override func enumerateBytes(
        _ block: (UnsafeRawPointer, NSRange, UnsafeMutablePointer<Bool>) -> Void
    ) {
        var stop = false
        unsafe block(secret.bytes, NSRange(location: 0, length: secret.count), &stop)
    }

    /// Says nothing of what it holds.
    override var description: String { "SecretData(redacted)" }
    override var debugDescription: String { description }
}

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

    /// Data with a copy of the bytes of something in DER.
    convenience init(der bytes: [UInt8]) {
        unsafe self.init(bytes: bytes, length: bytes.count)
    }

    /// A copy of the bytes, to be read as DER.
    var der: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: length)) }
}

extension SecretValue {
    /// The bytes of something that is no secret after all: a signature, a ciphertext.
    var unsecretBytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe Array(bytes) } }
}
