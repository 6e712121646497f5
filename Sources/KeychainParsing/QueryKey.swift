// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

/// What a dictionary key means, told by its shape (semantics §3.1).
enum QueryKey {
    enum Match: String {
        case limit = "m_Limit"
        case issuers = "m_Issuers"
        case policy = "m_Policy"
        case validOnDate = "m_ValidOnDate"
        case trustedOnly = "m_TrustedOnly"
        case emailAddressIfPresent = "m_EmailAddressIfPresent"
        case hostOrSubdomainOfHost = "m_HostOrSubdomainOfHost"
        case subjectContains = "m_SubjectContains"
        case subjectStartsWith = "m_SubjectStartsWith"
        case subjectEndsWith = "m_SubjectEndsWith"
        case subjectWholeString = "m_SubjectWholeString"
        case caseInsensitive = "m_CaseInsensitive"
        case diacriticInsensitive = "m_DiacriticInsensitive"
        case widthInsensitive = "m_WidthInsensitive"
        case itemList = "m_ItemList"
        case searchList = "m_SearchList"
    }

    enum Use: String {
        case itemList = "u_ItemList"
        case keychain = "u_Keychain"
        case tombstones = "u_Tomb"
        case credentialReference = "u_CredRef"
        case authenticationContext = "u_AuthCtx"
        case operationPrompt = "u_OpPrompt"
        case noAuthenticationUI = "u_NoAuthUI"
        case authenticationUI = "u_AuthUI"
        case callerName = "u_CallerName"
    }

    enum Value: String {
        case data = "v_Data"
        case reference = "v_Ref"
        case persistentReference = "v_PersistentRef"
    }

    case attribute(Attribute)
    case itemClass
    case match(Match)
    /// An unknown match key: accepted and without effect where match keys are allowed.
    case unknownMatch
    case returning(ReturnTypes)
    case use(Use)
    case value(Value)
    /// Keys that choose between a Mac's two kinds of keychain, or name a callback.
    case withoutEffect

    init(_ object: AnyObject) throws(KeychainError) {
        guard let key = ValueReading.string(object) else {
            if object is NSNumber { throw QueryKey.unknownAttribute("a number") }
            throw KeychainError(.parameter, "a key of the dictionary is not a string")
        }
        try self.init(key)
    }

    init(_ key: String) throws(KeychainError) {
        // Comparing numbers spares the keys of nearly every query a dozen comparisons of strings.
        let packed = key.packed
        if packed >> 24 != 0, packed >> 32 == 0, let attribute = QueryKey.attribute(packed) {
            self = .attribute(attribute)
            return
        }
        switch packed {
        case 0x63_6C_61_73_73: self = .itemClass  // class
        case 0x72_5F_44_61_74_61: self = .returning(.data)  // r_Data
        case 0x76_5F_44_61_74_61: self = .value(.data)  // v_Data
        case 0x6D_5F_4C_69_6D_69_74: self = .match(.limit)  // m_Limit
        default: try self.init(anyKey: key)
        }
    }

    private init(anyKey key: String) throws(KeychainError) {
        if key.utf8.count == 4, key.isASCII {
            self = try QueryKey.fourLetters(key)
            return
        }
        // Four characters that are not four bytes have an attribute's shape, and are no attribute's name.
        if key.utf8.count > 4, key.utf8.count <= 64, !key.isASCII, key.count == 4 {
            throw QueryKey.unknownAttribute(key)
        }
        guard key.utf8.count > 1, let first = key.utf8.first else { throw QueryKey.unknown(key) }
        switch first {
        case UInt8(ascii: "m"): self = Match(rawValue: key).map(QueryKey.match) ?? .unknownMatch
        case UInt8(ascii: "r"): self = .returning(try QueryKey.returnType(key))
        case UInt8(ascii: "u"):
            guard let use = Use(rawValue: key) else { throw QueryKey.unknown(key) }
            self = .use(use)
        case UInt8(ascii: "v"):
            guard let value = Value(rawValue: key) else { throw QueryKey.unknown(key) }
            self = .value(value)
        case UInt8(ascii: "f"): self = .withoutEffect
        default: throw QueryKey.unknown(key)
        }
    }

    /// The attribute whose four letters these are; the identifier of synchronization is not for callers.
    private static func attribute(_ packed: UInt64) -> Attribute? {
        let attribute = Attribute(rawValue: UInt32(truncatingIfNeeded: packed))
        return attribute == .syncIdentifier || attribute == .circleFacts ? nil : attribute
    }

    /// Four letters that are no attribute's.
    private static func fourLetters(_ key: String) throws(KeychainError) -> QueryKey {
        switch key {
        case "nleg": return .withoutEffect
        case "clip": throw KeychainError(.parameter, "App Clips are not supported", subject: key)
        default: throw unknownAttribute(key)
        }
    }

    private static func returnType(_ key: String) throws(KeychainError) -> ReturnTypes {
        switch key {
        case "r_Data": return .data
        case "r_Attributes": return .attributes
        case "r_Ref": return .reference
        case "r_PersistentRef": return .persistentReference
        default: throw unknown(key)
        }
    }

    private static func unknown(_ key: String) -> KeychainError {
        KeychainError(.parameter, "unknown key", subject: reportable(key))
    }

    static func unknownAttribute(_ key: String) -> KeychainError {
        KeychainError(.noSuchAttribute, "unknown attribute", subject: reportable(key))
    }

    /// A key comes from the program, but a program that confuses keys with values must not see a secret in its log.
    private static func reportable(_ key: String) -> String {
        let hasPrefix = ["m_", "r_", "u_", "v_"].contains { key.hasPrefix($0) }
        let name = hasPrefix ? key.utf8.dropFirst(2) : key.utf8[...]
        let isShown =
            (hasPrefix || key.utf8.count == 4) && name.count <= 24
            && name.allSatisfy { byte in
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
        return isShown ? key : "(a key of \(key.utf8.count) bytes)"
    }
}
