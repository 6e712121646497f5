// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// A Core Foundation name stands for Foundation's own class: only so do `"x" as CFString`, `[CFString: Any]` and
// `result as? [String: Any]` compile and bridge outside Apple's platforms.

/// Any object.
public typealias CFTypeRef = AnyObject

/// A string.
public typealias CFString = NSString

/// A string that can change.
public typealias CFMutableString = NSMutableString

/// A dictionary.
public typealias CFDictionary = NSDictionary

/// A dictionary that can change.
public typealias CFMutableDictionary = NSMutableDictionary

/// An array.
public typealias CFArray = NSArray

/// An array that can change.
public typealias CFMutableArray = NSMutableArray

/// A set.
public typealias CFSet = NSSet

/// A set that can change.
public typealias CFMutableSet = NSMutableSet

/// Bytes.
public typealias CFData = NSData

/// Bytes that can change.
public typealias CFMutableData = NSMutableData

/// A number.
public typealias CFNumber = NSNumber

/// A truth value, of the same class as a number.
public typealias CFBoolean = NSNumber

/// A point in time.
public typealias CFDate = NSDate

/// A URL.
public typealias CFURL = NSURL

/// An error.
public typealias CFError = NSError

/// The object that stands for no value.
public typealias CFNull = NSNull
