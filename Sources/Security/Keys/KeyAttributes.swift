// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// The dictionary that describes a key to be made, with one for a half of a pair laid over it.
struct KeyAttributes {
    private let dictionaries: [CFDictionary]

    init(_ dictionary: CFDictionary) { dictionaries = [dictionary] }

    private init(_ dictionaries: [CFDictionary]) { self.dictionaries = dictionaries }

    /// The attributes of one half: its own ones count before those of both.
    func half(_ name: CFString) throws(KeychainError) -> KeyAttributes {
        guard let value = value(name) else { return self }
        guard let own = value as? CFDictionary else { throw refusal("the value must be a dictionary", name) }
        // Decision D16: both halves of a pair are in one place.
        if own.object(forKey: kSecAttrTokenID) != nil {
            throw refusal("a token must be named for the pair, not for one half", kSecAttrTokenID)
        }
        return KeyAttributes([own] + dictionaries)
    }

    /// Whether the key is to be stored.
    func isPermanent(unlessSaid usual: Bool) throws(KeychainError) -> Bool {
        try boolean(kSecAttrIsPermanent) ?? usual
    }

    /// The request to store the key, described by these attributes and, where they say nothing, by `content`.
    func addRequest(of content: ItemContent) throws(KeychainError) -> AddRequest {
        let item = NSMutableDictionary()
        for dictionary in dictionaries.reversed() {
            for key in dictionary.keyEnumerator() {
                guard let name = key as? NSString, !Self.isOfMaking(name) else { continue }
                item[name] = dictionary.object(forKey: key)
            }
        }
        for entry in content.attributes.entries {
            let name = entry.attribute.key as NSString
            if item[name] == nil || Self.isOfKey(entry.attribute) { item[name] = ResultKeys.object(for: entry.value) }
        }
        for entry in content.binding.entries {
            item[entry.attribute.key as NSString] = ResultKeys.object(for: entry.value)
        }
        item[kSecClass] = kSecClassKey
        item[kSecReturnRef] = kCFBooleanTrue
        guard case .item(var request) = try AddRequest.parse(item).request else {
            throw refusal("the attributes do not describe one key", kSecClass)
        }
        request.secret = content.secret
        return request
    }

    /// What says how a key is made, and not what its item is to be.
    private static func isOfMaking(_ name: NSString) -> Bool {
        let names = [
            kSecPrivateKeyAttrs, kSecPublicKeyAttrs, kSecSymmetricKeyAttrs, kSecAttrTokenID, kSecReturnData,
            kSecReturnAttributes, kSecReturnPersistentRef, kSecAttrPRF, kSecAttrSalt, kSecAttrRounds,
        ]
        return names.contains(name)
    }

    /// What the key itself determines, whatever the attributes say.
    private static func isOfKey(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .keyClass, .type, .keySizeInBits, .effectiveKeySize: true
        default: false
        }
    }

    func value(_ name: CFString) -> AnyObject? {
        for dictionary in dictionaries {
            if let value = dictionary.object(forKey: name) { return value as AnyObject }
        }
        return nil
    }

    func boolean(_ name: CFString) throws(KeychainError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let number = value as? NSNumber else { throw refusal("the value must be a boolean", name) }
        return number.boolValue
    }

    func data(_ name: CFString) throws(KeychainError) -> NSData? {
        guard let value = value(name) else { return nil }
        guard let data = value as? NSData else { throw refusal("the value must be data", name) }
        return data
    }

    /// A whole number, or one written out, as Apple's constants for types and classes are.
    func number(_ name: CFString) throws(KeychainError) -> Int? {
        guard let value = value(name) else { return nil }
        if let text = ValueReading.string(value) {
            guard let number = Int(text), String(number) == text else {
                throw refusal("the value is not a number", name)
            }
            return number
        }
        guard let number = value as? NSNumber, !ValueReading.isBoolean(number),
            number.compare(NSNumber(value: number.intValue)) == .orderedSame
        else { throw refusal("the value is not a whole number", name) }
        return number.intValue
    }

    func type() throws(KeychainError) -> KeyType {
        guard let number = try number(kSecAttrKeyType) else {
            throw refusal("the key type is missing", kSecAttrKeyType)
        }
        guard let type = UInt32(exactly: number).flatMap(KeyType.init(rawValue:)) else {
            throw refusal("unknown key type", kSecAttrKeyType)
        }
        return type
    }

    func part() throws(KeychainError) -> KeyPart {
        guard let number = try number(kSecAttrKeyClass) else {
            throw refusal("the key class is missing", kSecAttrKeyClass)
        }
        guard let part = UInt32(exactly: number).flatMap(KeyPart.init(rawValue:)) else {
            throw refusal("unknown key class", kSecAttrKeyClass)
        }
        return part
    }

    private func refusal(_ cause: StaticString, _ name: CFString) -> KeychainError {
        KeychainError(.parameter, cause, subject: name as String)
    }
}

extension KeyTerms {
    /// The terms of a key that is not stored, as they were asked for when it was made.
    init(_ attributes: KeyAttributes) throws(KeychainError) {
        self.init()
        for (operation, attribute) in Self.attributes {
            if try attributes.boolean(attribute.key as NSString) == false { denied.insert(operation) }
        }
        isExtractable = try attributes.boolean(kSecAttrIsExtractable) ?? true
        isSensitive = try attributes.boolean(kSecAttrIsSensitive) ?? false
        guard let object = attributes.value(kSecAttrAccessControl) else { return }
        guard let control = (object as? SecAccessControl)?.control else {
            throw KeychainError(.parameter, "the value is not a SecAccessControl", subject: "accc")
        }
        // No prompt would appear: an access control must not seem to protect a key that is not stored.
        guard !control.isConstrained else {
            throw KeychainError(.unimplemented, "only a stored key can require authentication", subject: "accc")
        }
        accessControl = control
        demandsEnclave = control.isForEnclave
    }
}
