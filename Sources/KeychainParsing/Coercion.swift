// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

/// From a caller's object to a checked attribute value (semantics §2.5).
enum Coercion {
    static func value(_ object: AnyObject, for attribute: Attribute) throws(KeychainError) -> AttributeValue {
        let coerced: AttributeValue? =
            switch attribute.kind {
            case .string: string(object).map(AttributeValue.string)
            case .blob: blob(object)
            case .data: data(object)
            case .number: number(object)
            case .flag: flag(object)
            case .date: date(object)
            case .uuid: bytes(object, counts: [0, 16])
            case .digest: bytes(object, counts: [20])
            case .accessControl: nil
            }
        guard let coerced else {
            throw KeychainError(
                .parameter, "the value has a type that this attribute does not accept",
                subject: attribute.key)
        }
        return coerced
    }

    static func string(_ object: AnyObject) -> String? {
        if let text = ValueReading.string(object) { return text }
        if let data = ValueReading.data(object) { return String(validating: ValueReading.bytes(data), as: UTF8.self) }
        if let uuid = object as? NSUUID { return uuid.uuidString }
        return nil
    }

    private static func blob(_ object: AnyObject) -> AttributeValue? {
        if let text = ValueReading.string(object) { return .string(text) }
        if let data = ValueReading.data(object) { return .data(ValueReading.bytes(data)) }
        if let number = object as? NSNumber, !ValueReading.isBoolean(object) {
            return ValueReading.wholeNumber(number).map(AttributeValue.number)
        }
        return nil
    }

    private static func data(_ object: AnyObject) -> AttributeValue? {
        if let data = ValueReading.data(object) { return .data(ValueReading.bytes(data)) }
        if let text = ValueReading.string(object) { return .data(Array(text.utf8)) }
        if let number = object as? NSNumber, !ValueReading.isBoolean(object),
            let whole = ValueReading.wholeNumber(number), let short = Int32(exactly: whole)
        {
            return unsafe .data(withUnsafeBytes(of: short.littleEndian) { unsafe Array($0) })
        }
        return nil
    }

    private static func number(_ object: AnyObject) -> AttributeValue? {
        if let number = object as? NSNumber { return ValueReading.wholeNumber(number).map(AttributeValue.number) }
        guard let text = ValueReading.string(object) else { return nil }
        // "80" is the number 80; "080" and "http" are themselves.
        if let number = Int64(text), String(number) == text { return .number(number) }
        return .string(text)
    }

    private static func flag(_ object: AnyObject) -> AttributeValue? {
        switch number(object) {
        case .number(0): .number(0)
        case .number(1): .number(1)
        default: nil
        }
    }

    private static func date(_ object: AnyObject) -> AttributeValue? {
        guard let date = object as? NSDate else { return nil }
        return isStorable(date.timeIntervalSinceReferenceDate) ? .date(date.timeIntervalSinceReferenceDate) : nil
    }

    /// Whether the date lies in the years 0 to 9999, which is what the stored form can say.
    private static func isStorable(_ seconds: Double) -> Bool {
        seconds >= -63_145_526_400 && seconds < 252_423_993_600
    }

    private static func bytes(_ object: AnyObject, counts: [Int]) -> AttributeValue? {
        if let uuid = object as? NSUUID, counts.contains(16) {
            return unsafe withUnsafeBytes(of: (uuid as UUID).uuid) { unsafe .data(Array($0)) }
        }
        guard let data = ValueReading.data(object), counts.contains(data.length) else { return nil }
        return .data(ValueReading.bytes(data))
    }
}
