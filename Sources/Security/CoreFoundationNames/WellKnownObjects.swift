// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// They are implicitly unwrapped as on Apple platforms, where sources write `kCFBooleanTrue!` as well as
// `kCFBooleanTrue as Any`.

/// The truth value true.
public let kCFBooleanTrue: CFBoolean! = true

/// The truth value false.
public let kCFBooleanFalse: CFBoolean! = false

/// The object that stands for no value.
public let kCFNull: CFNull! = NSNull()
