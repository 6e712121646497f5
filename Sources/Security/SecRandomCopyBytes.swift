// SPDX-License-Identifier: Apache-2.0

internal import Glibc

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Fills `bytes` with `count` random bytes that cannot be predicted; for any status but success it holds zeros.
///
/// - Returns: ``errSecSuccess``, ``errSecParam`` for a negative count (then nothing is written), or
///   ``errSecInternalComponent`` when the kernel refuses.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    // getentropy is getrandom without short reads and interruptions, at most 256 bytes a call; Swift's Glibc module
    // has no getrandom.
    let longest = 256
    var filled = 0
    while filled < count {
        let length = min(longest, count - filled)
        if unsafe getentropy(bytes + filled, length) != 0 {
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: count)
            return errSecInternalComponent
        }
        filled += length
    }
    return errSecSuccess
}

/// A source of random bytes.
public typealias SecRandomRef = OpaquePointer

// `@safe nonisolated(unsafe)`: it is nil, which leads nowhere, and never changes.

/// The only source of random bytes: the kernel's.
@safe nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil
