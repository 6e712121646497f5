// SPDX-License-Identifier: Apache-2.0

internal import Security

/// One archived object for each service.
///
/// The object lies in a generic password whose service and account are both the given name. It can be read once the
/// keychain has been unlocked for the first time since the start.
public enum MyKeychain {
    /// Stores an object in place of the one the service had.
    ///
    /// - Parameter data: What conforms to `NSSecureCoding`, and strings, numbers, dates, data, arrays and dictionaries
    ///   of such.
    /// - Returns: Whether it is stored; if not, what was there is still there, and standard error says why.
    @discardableResult
    public static func save(_ service: String, data: Any) -> Bool {
        save(service, data: data, report: StandardError.write)
    }

    /// The object of a service, or nil when there is none that can be read as this type.
    ///
    /// Only instances of `type`, of the classes in `containing`, and of the classes a property list is made of are
    /// ever created. If something is there and cannot be read, standard error says why.
    ///
    /// - Parameters:
    ///   - type: The class that was saved, or the Swift type that it is bridged to, such as `String`.
    ///   - containing: Further classes that the object holds instances of.
    public static func load<Object>(
        _ service: String, as type: Object.Type = Object.self, containing: [AnyClass] = []
    ) -> Object? {
        load(service, as: type, containing: containing, report: StandardError.write)
    }

    /// Removes the object of a service; there may be none.
    ///
    /// - Returns: Whether there is none now; if not, standard error says why.
    @discardableResult
    public static func delete(_ service: String) -> Bool {
        delete(service, report: StandardError.write)
    }
}

// What goes wrong is reported without the service's name: it is the value of an attribute.
extension MyKeychain {
    package static func save(_ service: String, data: Any, report: (String) -> Void) -> Bool {
        guard let archive = ObjectArchive.archive(data) else {
            report("MyKeychain: save: a \(type(of: data)) cannot be archived, or holds something that cannot")
            return false
        }
        return reporting("save", to: report) { () throws(StatusFailure) in
            try ItemCalls.replaceOrAdd(
                query(service),
                with: [
                    kSecValueData: archive, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ])
        }
    }

    package static func load<Object>(
        _ service: String, as type: Object.Type, containing: [AnyClass], report: (String) -> Void
    ) -> Object? {
        var found = ItemCalls.SearchResult.nothing
        let isAnswered = reporting("load", to: report) { () throws(StatusFailure) in
            found = try ItemCalls.copyMatching(query(service).merging([kSecReturnData: true]) { _, new in new })
        }
        guard isAnswered, case .item(let value) = found else { return nil }
        let object = (value as? Data).flatMap { ObjectArchive.object(in: $0, as: type, containing: containing) }
        if object == nil { report("MyKeychain: load: the stored value cannot be read as \(type)") }
        return object
    }

    package static func delete(_ service: String, report: (String) -> Void) -> Bool {
        reporting("delete", to: report) { () throws(StatusFailure) in
            _ = try ItemCalls.isFound { () throws(StatusFailure) in try ItemCalls.delete(query(service)) }
        }
    }

    private static func query(_ service: String) -> ItemCalls.Attributes {
        ItemCalls.query(service: service, account: service)
    }

    /// Whether the work was done; if not, reports the keychain's answer.
    private static func reporting(
        _ name: String, to report: (String) -> Void, _ work: () throws(StatusFailure) -> Void
    ) -> Bool {
        do throws(StatusFailure) {
            try work()
            return true
        } catch {
            report("MyKeychain: \(name): \(KeychainWrapperError.status(error.status))")
            return false
        }
    }
}

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

    /// The object in an archive, or nil when it is not of this type, or holds an instance of a class not named here.
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

/// Where a call that has no way to throw says what went wrong.
enum StandardError {
    static func write(_ line: String) {
        // The plain `write(_:)` traps when standard error is closed, as it is in some daemons.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
