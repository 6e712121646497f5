// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What C may leave out by giving NULL.
extension Incoming {
    /// What a box holds: nothing for NULL, and nil for an object of another class.
    static func optional<Class: AnyObject>(_ pointer: CObject?, _ type: Class.Type) -> Class?? {
        optional(pointer) { reference($0, type) }
    }

    /// What is read: nothing for NULL, and nil for what cannot be read.
    static func optional<Object>(_ pointer: CObject?, _ read: (CObject?) -> Object?) -> Object?? {
        guard pointer != nil else { return .some(nil) }
        return read(pointer).map { Object?.some($0) }
    }

    /// A dictionary of Foundation's own class, which its initializers copy: of another class they take no entries over.
    static func plainDictionary(_ pointer: CObject?) -> NSDictionary? {
        guard let given = dictionary(pointer) else { return nil }
        let plain = NSMutableDictionary(capacity: given.count)
        for key in given.keyEnumerator() {
            guard let name = key as? NSObject, let value = given.object(forKey: name) else { continue }
            plain[name] = value
        }
        return plain
    }

    static func date(_ pointer: CObject?) -> NSDate? { object(pointer) as? NSDate }
}
