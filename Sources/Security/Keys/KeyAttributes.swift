// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

/// The dictionary that describes a key to be made, with one for a half of a pair laid over it.
struct KeyAttributes {
    private let dictionaries: [CFDictionary]

    init(_ dictionary: CFDictionary) { dictionaries = [dictionary] }

    private init(_ dictionaries: [CFDictionary]) { self.dictionaries = dictionaries }

    /// The attributes of one half: its own ones count before those of both.
    func half(_ name: CFString) throws(KeychainError) -> KeyAttributes {
        guard let value = value(name) else { return self }
        guard let own = value as? CFDictionary else { throw refusal("this is to be a dictionary", name) }
        return KeyAttributes([own] + dictionaries)
    }

    func value(_ name: CFString) -> AnyObject? {
        for dictionary in dictionaries {
            if let value = dictionary.object(forKey: name) { return value as AnyObject }
        }
        return nil
    }

    func boolean(_ name: CFString) throws(KeychainError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let number = value as? NSNumber else { throw refusal("this is to be a truth value", name) }
        return number.boolValue
    }

    func data(_ name: CFString) throws(KeychainError) -> NSData? {
        guard let value = value(name) else { return nil }
        guard let data = value as? NSData else { throw refusal("this is to be data", name) }
        return data
    }

    /// A whole number, or one written out, as Apple's constants for types and classes are.
    func number(_ name: CFString) throws(KeychainError) -> Int? {
        guard let value = value(name) else { return nil }
        if let text = ValueReading.string(value) {
            guard let number = Int(text), String(number) == text else { throw refusal("this is no number", name) }
            return number
        }
        guard let number = value as? NSNumber, !ValueReading.isBoolean(number),
            number.compare(NSNumber(value: number.intValue)) == .orderedSame
        else { throw refusal("this is no whole number", name) }
        return number.intValue
    }

    func type() throws(KeychainError) -> KeyType {
        guard let number = try number(kSecAttrKeyType) else { throw refusal("a key type is needed", kSecAttrKeyType) }
        guard let type = UInt32(exactly: number).flatMap(KeyType.init(rawValue:)) else {
            throw refusal("there are no keys of this type", kSecAttrKeyType)
        }
        return type
    }

    func part() throws(KeychainError) -> KeyPart {
        guard let number = try number(kSecAttrKeyClass) else {
            throw refusal("a key class is needed", kSecAttrKeyClass)
        }
        guard let part = UInt32(exactly: number).flatMap(KeyPart.init(rawValue:)) else {
            throw refusal("there is no such key class", kSecAttrKeyClass)
        }
        return part
    }

    /// Throws when the key is to be stored: that is not done here.
    func refuseStorage() throws(KeychainError) {
        guard try boolean(kSecAttrIsPermanent) != true else {
            throw KeychainError(
                .unimplemented, "keys are not stored yet; make it without this, and it lives in memory",
                subject: "perm")
        }
    }

    private func refusal(_ cause: StaticString, _ name: CFString) -> KeychainError {
        KeychainError(.parameter, cause, subject: name as String)
    }
}
