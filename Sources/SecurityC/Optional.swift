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

    static func date(_ pointer: CObject?) -> NSDate? { object(pointer) as? NSDate }
}
