// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainKeys
internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What is to be said about a key: the attributes it would be stored with (semantics §11.2).
///
/// `kSecValueData` is among them unless the key may not leave.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    unsafe KeyCall.result("SecKeyCopyAttributes", nil) { () throws(KeychainError) in try key.attributes() }
}

extension SecKey {
    fileprivate func attributes() throws(KeychainError) -> CFDictionary {
        let result = NSMutableDictionary()
        result[kSecClass] = kSecClassKey
        result[kSecAttrKeyClass] = key.part.name as NSString
        result[kSecAttrKeyType] = key.type.name as NSString
        result[kSecAttrKeySizeInBits] = NSNumber(value: key.bits)
        result[kSecAttrEffectiveKeySize] = NSNumber(value: key.bits)
        if let label = try KeyCall.using({ () throws(KeyError) in try key.applicationLabel() }) {
            result[kSecAttrApplicationLabel] = NSData(copying: label)
        }
        result[kSecAttrIsPermanent] = kCFBooleanTrue
        result[kSecAttrIsPrivate] = kCFBooleanTrue
        result[kSecAttrIsModifiable] = kCFBooleanTrue
        let isOpen = terms.isExtractable && !key.isHeldElsewhere
        result[kSecAttrIsSensitive] = truth(terms.isSensitive)
        result[kSecAttrWasAlwaysSensitive] = truth(terms.isSensitive)
        result[kSecAttrIsExtractable] = truth(isOpen)
        result[kSecAttrWasNeverExtractable] = truth(!isOpen)
        let roles = roles
        for (name, role) in Self.roleNames { result[name] = truth(roles.contains(role)) }
        result[kSecAttrCanSignRecover] = kCFBooleanFalse
        result[kSecAttrCanVerifyRecover] = kCFBooleanFalse
        if isOpen, !terms.isSensitive { result[kSecValueData] = try externalRepresentation() }
        return result
    }

    private func truth(_ value: Bool) -> CFBoolean { value ? kCFBooleanTrue : kCFBooleanFalse }

    fileprivate enum Role { case encrypt, decrypt, derive, sign, verify, wrap, unwrap }

    /// What a key of the kind does, without what its terms deny.
    private var roles: Set<Role> {
        let all: Set<Role> =
            switch (key.type, key.part) {
            case (.rsa, .private): [.decrypt, .sign, .unwrap]
            // It decrypts: the bare operation undoes a signature.
            case (.rsa, .public): [.encrypt, .decrypt, .verify, .wrap]
            case (.ec, .private): [.decrypt, .derive, .sign, .unwrap]
            case (.ec, .public): [.encrypt, .verify, .wrap]
            case (.ed25519, .private), (.ed448, .private): [.sign]
            case (.ed25519, .public), (.ed448, .public): [.verify]
            case (.x25519, .private), (.x448, .private): [.derive]
            case (.aes, _): [.encrypt, .decrypt]
            default: []
            }
        return all.subtracting(terms.denied.map(Role.init))
    }

    private static var roleNames: [(CFString, Role)] {
        [
            (kSecAttrCanEncrypt, .encrypt), (kSecAttrCanDecrypt, .decrypt), (kSecAttrCanDerive, .derive),
            (kSecAttrCanSign, .sign), (kSecAttrCanVerify, .verify), (kSecAttrCanWrap, .wrap),
            (kSecAttrCanUnwrap, .unwrap),
        ]
    }
}

extension SecKey.Role {
    fileprivate init(_ operation: KeyOperation) {
        switch operation {
        case .sign: self = .sign
        case .verify: self = .verify
        case .encrypt: self = .encrypt
        case .decrypt: self = .decrypt
        case .keyExchange: self = .derive
        }
    }
}
