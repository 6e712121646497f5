// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What is to be said about a key: the attributes it would be stored with (semantics §11.2).
///
/// `kSecValueData` is among them unless the key may not leave, and `kSecAttrTokenID` when an enclave has it.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    unsafe KeyCall.result("SecKeyCopyAttributes", nil) { () throws(KeychainError) in try key.attributes() }
}

extension SecKey {
    fileprivate func attributes() throws(KeychainError) -> CFDictionary {
        let result = NSMutableDictionary()
        result[kSecClass] = kSecClassKey
        for entry in try itemAttributes().entries {
            result[entry.attribute.key as NSString] = SecKey.object(for: entry)
        }
        if isInEnclave { result[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave }
        if terms.isExtractable, !terms.isSensitive, !key.isHeldElsewhere {
            result[kSecValueData] = try externalRepresentation()
        }
        return result
    }

    /// Numbers that Apple's constants write as text are text here, and truths are truths.
    private static func object(for entry: AttributeList.Entry) -> AnyObject {
        guard case .number(let number) = entry.value else { return ResultKeys.object(for: entry.value) }
        switch entry.attribute {
        case .keyClass, .type: return String(number) as NSString
        case .keySizeInBits, .effectiveKeySize: return NSNumber(value: number)
        default: return number == 0 ? kCFBooleanFalse : kCFBooleanTrue
        }
    }
}
