// SPDX-License-Identifier: Apache-2.0

/// The result of a call: zero for success, else a negative number.
public typealias OSStatus = Int32

/// The result of a call that succeeded.
public let noErr: OSStatus = 0

/// Four characters packed into a number, the first in the highest byte.
public typealias FourCharCode = UInt32

/// A four-character code that names a type.
public typealias OSType = FourCharCode

/// The number that identifies a class of objects; see ``CFGetTypeID(_:)``.
public typealias CFTypeID = UInt

/// A length or a position.
public typealias CFIndex = Int

/// A set of flags as bits.
public typealias CFOptionFlags = UInt
