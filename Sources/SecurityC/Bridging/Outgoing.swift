// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// What the module Security answers, as objects that a C program owns.
package enum Outgoing {
    /// For the caller of the C function to release; nil without memory.
    package static func object(_ object: AnyObject?) -> CObject? {
        guard let object else { return nil }
        switch object {
        case let data as NSData: return self.data(data)
        case let text as NSString: return string(text)
        case let number as NSNumber: return self.number(number)
        case let dictionary as NSDictionary: return self.dictionary(dictionary)
        case let array as NSArray: return self.array(array)
        case let date as NSDate: return csec_date(date.timeIntervalSinceReferenceDate)
        case is NSNull: return csec_null()
        case let error as NSError: return self.error(error)
        case let uuid as NSUUID:
            return withUnsafeBytes(of: (uuid as UUID).uuid) { bytes in
                csec_uuid(bytes.bindMemory(to: UInt8.self).baseAddress)
            }
        default: return Boxes.box(object)
        }
    }

    /// Sets what C passed a pointer to, where there is something to set it to.
    static func put(_ object: AnyObject?, into result: CResult?) {
        guard let result, let object else { return }
        result.pointee = self.object(object)
    }

    /// The same, and NULL where there is nothing.
    static func set(_ result: CResult?, _ object: AnyObject?) { result?.pointee = self.object(object) }

    static func error(_ error: NSError) -> CObject? {
        var information: [String: NSString] = [:]
        for (key, value) in error.userInfo {
            if let text = value as? String { information[key] = text as NSString }
        }
        let domain = string(error.domain as NSString)
        let carried = dictionary(information as NSDictionary)
        defer { for object in [domain, carried] { object.map { csec_release($0) } } }
        return csec_error(domain, error.code, carried)
    }

    static func string(_ text: NSString) -> CObject? {
        var text = text as String
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                Constants.constant(text) ?? csec_string(text.baseAddress, text.count)
            }
        }
    }

    /// A secret of the keychain's goes as it is, in the memory that is wiped with it; other bytes are copied.
    ///
    /// Of data, unlike of collections, Core Foundation asks everything by its methods (Tests/SecurityCTests/Clients/secrets.c).
    private static func data(_ data: NSData) -> CObject? {
        guard type(of: data) == NSData.self || type(of: data) == NSMutableData.self else {
            return UnsafeRawPointer(Unmanaged.passRetained(data).toOpaque())
        }
        return withExtendedLifetime(data) { csec_data(data.length == 0 ? nil : data.bytes, data.length) }
    }

    private static func number(_ number: NSNumber) -> CObject? {
        if type(of: number) == type(of: Truth.yes) || number === Truth.yes || number === Truth.no {
            return csec_boolean(number.boolValue)
        }
        guard isWhole(number) else { return csec_double(number.doubleValue) }
        // No function makes a number beyond what 64 bits with a sign can say; nothing here answers one.
        guard number.compare(NSNumber(value: number.int64Value)) == .orderedSame else {
            return UnsafeRawPointer(Unmanaged.passRetained(number).toOpaque())
        }
        return csec_integer(number.int64Value)
    }

    private static func isWhole(_ number: NSNumber) -> Bool {
        // Codes of Objective-C for numbers with a fraction.
        let code = number.objCType.pointee
        return code != 0x66 && code != 0x64
    }

    private static func array(_ array: NSArray) -> CObject? {
        var objects: [CObject?] = []
        objects.reserveCapacity(array.count)
        for index in 0..<array.count { objects.append(object(array.object(at: index) as AnyObject)) }
        defer { release(objects) }
        return objects.contains(nil) ? nil : csec_array(objects, objects.count)
    }

    private static func dictionary(_ dictionary: NSDictionary) -> CObject? {
        var keys: [CObject?] = []
        var values: [CObject?] = []
        for key in dictionary.keyEnumerator() {
            guard let value = dictionary.object(forKey: key) else { continue }
            keys.append(object(key as AnyObject))
            values.append(object(value as AnyObject))
        }
        defer {
            release(keys)
            release(values)
        }
        return keys.contains(nil) || values.contains(nil) ? nil : csec_dictionary(keys, values, keys.count)
    }

    private static func release(_ objects: [CObject?]) {
        for object in objects { object.map { csec_release($0) } }
    }
}
