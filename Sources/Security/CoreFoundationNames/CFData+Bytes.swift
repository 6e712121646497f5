// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// The number of bytes in the data.
public func CFDataGetLength(_ data: CFData!) -> CFIndex {
    data?.length ?? 0
}

/// The first of the data's bytes, valid for as long as the data lives unchanged.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    guard let data, data.length > 0 else { return nil }
    return unsafe data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Data over the caller's bytes, which `bytesDeallocator` gives back in the end; nil for a negative length.
///
/// The bytes come from `malloc`, unless the deallocator is ``kCFAllocatorNull``; then the caller keeps them in place
/// for as long as the data lives. When the result is nil they still belong to the caller.
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex,
    _ bytesDeallocator: CFAllocator!
) -> CFData! {
    guard length >= 0 else { return nil }
    guard let bytes = unsafe bytes else { return length == 0 ? NSData() : nil }
    return unsafe NSData(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), length: length,
        freeWhenDone: bytesDeallocator !== kCFAllocatorNull)
}
