// SPDX-License-Identifier: Apache-2.0

internal import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The number of the object's class, equal to the result of the class's `…GetTypeID` function; 0 for other classes.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
    switch object {
    case let number as NSNumber: isBoolean(number) ? CFBooleanGetTypeID() : CFNumberGetTypeID()
    case is NSString: CFStringGetTypeID()
    case is NSData: CFDataGetTypeID()
    case is NSDate: CFDateGetTypeID()
    case is NSDictionary: CFDictionaryGetTypeID()
    case is NSArray: CFArrayGetTypeID()
    case is NSSet: CFSetGetTypeID()
    case is NSURL: CFURLGetTypeID()
    case is NSError: CFErrorGetTypeID()
    case is NSNull: CFNullGetTypeID()
    case is CFAllocator: CFAllocatorGetTypeID()
    case let object as any CFTypeIdentified: type(of: object).typeID
    default: 0
    }
}

// Class and encoding do not tell a truth value from a small number everywhere; that there are only two of them does.
private func isBoolean(_ number: NSNumber) -> Bool {
    number === kCFBooleanTrue || number === kCFBooleanFalse
}
