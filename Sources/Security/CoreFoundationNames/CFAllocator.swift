// SPDX-License-Identifier: Apache-2.0

/// A choice of how memory is given back, for ``CFDataCreateWithBytesNoCopy(_:_:_:_:)``.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// Memory comes from `malloc` and goes back with `free`.
public let kCFAllocatorDefault: CFAllocator! = nil

/// Memory is not given back: it belongs to the caller.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
