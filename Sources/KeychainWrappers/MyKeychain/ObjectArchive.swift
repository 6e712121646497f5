// SPDX-License-Identifier: Apache-2.0

internal import Security

/// A keyed archive of one object, made and read with secure coding.
///
/// Foundation's archiver and unarchiver trap, outside Apple's platforms, where they meet a class that they should only
/// refuse; so both directions are checked before they are called.
enum ObjectArchive {
    /// The archive of an object, or nil when something in it does not support secure coding.
    static func archive(_ object: Any) -> Data? {
        guard supportsSecureCoding(object) else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// The object in an archive, or nil when it is none of this type, or holds an instance of a class not named here.
    static func object<Object>(in archive: Data, as type: Object.Type, containing others: [AnyClass]) -> Object? {
        var allowed = propertyListClasses + others
        if let expected = type as? AnyClass { allowed.append(expected) }
        guard namesOnly(allowed, in: archive) else { return nil }
        let object = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: archive)
        return object as? Object
    }

    private static let propertyListClasses: [AnyClass] = [
        NSArray.self, NSData.self, NSDate.self, NSDictionary.self, NSNumber.self, NSString.self,
    ]

    private static func supportsSecureCoding(_ value: Any) -> Bool {
        guard let object = (value as AnyObject) as? any NSSecureCoding, type(of: object).supportsSecureCoding else {
            return false
        }
        return switch object {
        case let array as NSArray: array.allSatisfy(supportsSecureCoding)
        case let set as NSSet: set.allSatisfy(supportsSecureCoding)
        case let dictionary as NSDictionary:
            dictionary.allSatisfy { supportsSecureCoding($0.key) && supportsSecureCoding($0.value) }
        default: true
        }
    }

    /// Whether each class that the archive names is one of these or inherits from one.
    ///
    /// An archive is a property list: its table of objects holds, for each class, a dictionary with the class's name.
    private static func namesOnly(_ allowed: [AnyClass], in archive: Data) -> Bool {
        let list = unsafe try? PropertyListSerialization.propertyList(from: archive, format: nil)
        guard let list = list as? [String: Any],
            let objects = list["$objects"] as? [Any]
        else { return false }
        return objects.allSatisfy { object in
            guard let name = (object as? [String: Any])?["$classname"] else { return true }
            guard let name = name as? String, let named = NSClassFromString(name) else { return false }
            return allowed.contains { inherits(named, from: $0) }
        }
    }

    private static func inherits<Base: AnyObject>(_ named: AnyClass, from base: Base.Type) -> Bool {
        named is Base.Type
    }
}
