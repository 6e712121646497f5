// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCoding
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// Apple has these, though not in a public header: access controls piece by piece, and as bytes (semantics §7.3).

/// An access control without a protection class and without rules; give it both before it is used.
public func SecAccessControlCreate(
    _ allocator: CFAllocator?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    SecAccessControl(nil)
}

/// Sets the protection class: one of the `kSecAttrAccessible` values.
@discardableResult
public func SecAccessControlSetProtection(
    _ access_control: SecAccessControl, _ protection: CFTypeRef, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    guard let name = ValueReading.string(protection), let accessibility = Accessibility(name: name) else {
        unsafe KeyCall.report(errSecParam, "unknown protection class", error)
        return false
    }
    access_control.change { control in
        if control == nil {
            control = AccessControl(protection: accessibility)
        } else {
            control?.protection = accessibility
        }
    }
    return true
}

/// The protection class; nil for one that is not finished.
public func SecAccessControlGetProtection(_ access_control: SecAccessControl) -> CFTypeRef? {
    access_control.control.map { $0.protection.name as NSString }
}

/// Says what an operation demands.
///
/// - Parameters:
///   - access_control: An access control with a protection class.
///   - operation: "decrypt", "encrypt", "sign", "computeKey", "decapsulate", "attest", "delete", or "default" for all others.
///   - constraint: A truth value, or a dictionary as ``SecAccessControlGetConstraint(_:_:)`` gives it.
///   - error: Set when false is returned; the caller releases it.
@discardableResult
public func SecAccessControlAddConstraintForOperation(
    _ access_control: SecAccessControl, _ operation: CFTypeRef, _ constraint: CFTypeRef,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    guard access_control.control != nil, let name = ValueReading.string(operation),
        let operation = ProtectedOperation(rawValue: name), let list = PropertyList(object: constraint),
        let read = try? AccessControlCoding.constraint(list)
    else {
        unsafe KeyCall.report(errSecParam, "unknown constraint or operation", error)
        return false
    }
    let isSet = access_control.change { control in
        var rules = control?.rules ?? AccessRules([:])
        rules.set(read, on: operation)
        if rules.isTooWide { return false }
        control?.operations = .rules(rules)
        return true
    }
    if !isSet { unsafe KeyCall.report(errSecParam, "the constraints name too many factors", error) }
    return isSet
}

/// What an operation demands: a truth value or a dictionary; nil for one that is not finished.
public func SecAccessControlGetConstraint(_ access_control: SecAccessControl, _ operation: CFTypeRef) -> CFTypeRef? {
    guard let control = access_control.control, let name = ValueReading.string(operation),
        let operation = ProtectedOperation(rawValue: name)
    else { return nil }
    return AccessControlCoding.list(control.constraint(on: operation)).object
}

/// Says whether a password of the item's own is needed.
public func SecAccessControlSetRequirePassword(_ access_control: SecAccessControl, _ require: Bool) {
    access_control.change { control in
        var rules = control?.rules ?? AccessRules([.others: .allowed])
        rules.requiresPassword = require
        control?.operations = .rules(rules)
    }
}

/// Whether a password of the item's own is needed.
public func SecAccessControlGetRequirePassword(_ access_control: SecAccessControl) -> Bool {
    access_control.control?.rules?.requiresPassword ?? false
}

/// Whether nothing about it depends on the fingers that are enrolled when it is used.
public func SecAccessControlIsBound(_ access_control: SecAccessControl) -> Bool {
    access_control.control?.rules?.isBound ?? true
}

/// Marks it as bound, or not.
public func SecAccessControlSetBound(_ access_control: SecAccessControl, _ bound: Bool) {
    access_control.change { control in
        var rules = control?.rules ?? AccessRules([.others: .allowed])
        rules.isMarkedBound = bound
        control?.operations = .rules(rules)
    }
}

/// The access control as bytes; nil for one that is not finished.
public func SecAccessControlCopyData(_ access_control: SecAccessControl) -> CFData? {
    guard let control = access_control.control, let bytes = try? AccessControlCoding.encode(control) else { return nil }
    return NSData(der: bytes)
}

/// The access control in bytes that ``SecAccessControlCopyData(_:)`` made; nil, and ``errSecDecode``, for any others.
public func SecAccessControlCreateFromData(
    _ allocator: CFAllocator?, _ data: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let control = try? AccessControlCoding.decode(data.der) else {
        unsafe KeyCall.report(errSecDecode, "the data is not an encoded access control", error)
        return nil
    }
    return SecAccessControl(control)
}

extension PropertyList {
    /// The list as an object of Foundation's; of the kinds that constraints are made of.
    fileprivate var object: AnyObject {
        switch self {
        case .null, .date: NSNull()
        case .boolean(let truth): truth ? kCFBooleanTrue : kCFBooleanFalse
        case .number(let number): NSNumber(value: number)
        case .string(let text): text as NSString
        case .data(let bytes): NSData(der: bytes)
        case .array(let elements): elements.map(\.object) as NSArray
        case .dictionary(let fields): fields.mapValues(\.object) as NSDictionary
        }
    }

    /// The list that an object stands for; nil for one with anything else in it, or too deep.
    fileprivate init?(object: AnyObject, depth: Int = 0) {
        guard depth < 8 else { return nil }
        if ValueReading.isBoolean(object), let number = object as? NSNumber {
            self = .boolean(number.boolValue)
        } else if let text = ValueReading.string(object) {
            self = .string(text)
        } else if let number = object as? NSNumber, number == NSNumber(value: number.int64Value) {
            self = .number(number.int64Value)
        } else if let data = object as? NSData {
            self = .data(data.der)
        } else if let array = object as? NSArray {
            var elements: [PropertyList] = []
            for element in array {
                guard let read = PropertyList(object: element as AnyObject, depth: depth + 1) else { return nil }
                elements.append(read)
            }
            self = .array(elements)
        } else if let dictionary = object as? NSDictionary {
            var fields: [String: PropertyList] = [:]
            for (key, value) in dictionary {
                guard let name = ValueReading.string(key as AnyObject),
                    let read = PropertyList(object: value as AnyObject, depth: depth + 1)
                else { return nil }
                fields[name] = read
            }
            self = .dictionary(fields)
        } else {
            return nil
        }
    }
}
