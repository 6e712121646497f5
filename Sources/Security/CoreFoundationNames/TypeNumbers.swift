// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The type number of allocators.
public func CFAllocatorGetTypeID() -> CFTypeID { 2 }

/// The type number of the object that stands for no value.
public func CFNullGetTypeID() -> CFTypeID { 16 }

/// The type number of sets.
public func CFSetGetTypeID() -> CFTypeID { 17 }

/// The type number of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }

/// The type number of arrays.
public func CFArrayGetTypeID() -> CFTypeID { 19 }

/// The type number of data.
public func CFDataGetTypeID() -> CFTypeID { 20 }

/// The type number of truth values.
public func CFBooleanGetTypeID() -> CFTypeID { 21 }

/// The type number of numbers that are not truth values.
public func CFNumberGetTypeID() -> CFTypeID { 22 }

/// The type number of errors.
public func CFErrorGetTypeID() -> CFTypeID { 27 }

/// The type number of URLs.
public func CFURLGetTypeID() -> CFTypeID { 29 }

/// The type number of dates.
public func CFDateGetTypeID() -> CFTypeID { 42 }

/// The type number of strings.
public func CFStringGetTypeID() -> CFTypeID { 7 }
