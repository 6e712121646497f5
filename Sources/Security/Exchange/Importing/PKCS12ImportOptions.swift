// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// The options of ``SecPKCS12Import(_:_:_:)``, with everything in them understood or refused.
struct PKCS12ImportOptions {
    let passphrase: Passphrase
    let isStored: Bool
    /// What the caller says about the stored items.
    let storedAttributes: [CFString: Any]

    init(_ options: CFDictionary) throws(ExchangeFailure) {
        for key in options.allKeys {
            guard let name = key as? String, Self.known.contains(name) else {
                throw .parameter("there is no such option, or it has no meaning for an import", subject: key as? String)
            }
        }
        guard options.object(forKey: kSecImportExportAccess) == nil else {
            throw ExchangeFailure(
                KeychainError(
                    .noSuchAttribute, "there are no access lists; use kSecAttrAccessControl", subject: "access"))
        }
        // As SecImportExport.c has it: none is an empty one, which fits a file without one.
        passphrase =
            try options.object(forKey: kSecImportExportPassphrase).map { (given) throws(ExchangeFailure) in
                try Passphrase.given(given as AnyObject)
            } ?? .empty

        let keychain = options.object(forKey: kSecImportExportKeychain)
        guard keychain == nil || keychain is SecKeychain else {
            throw .parameter("this is to be a keychain", subject: "keychain")
        }
        let isMemoryOnly = try Self.boolean(options, kSecImportToMemoryOnly)
        let usesKeychain = try Self.boolean(options, kSecUseDataProtectionKeychain) ?? false
        guard keychain == nil || isMemoryOnly != true else {
            throw .parameter("the items are to stay in memory and to go into a keychain", subject: "memory")
        }
        isStored = isMemoryOnly.map { !$0 } ?? (keychain != nil || usesKeychain)

        var attributes: [CFString: Any] = [:]
        for name in [kSecAttrAccessible, kSecAttrAccessGroup] {
            if let value = options.object(forKey: name) { attributes[name] = value }
        }
        guard isStored || attributes.isEmpty else {
            throw .parameter("items in memory have no access group and no accessibility; say where to store them")
        }
        if let keychain { attributes[kSecUseKeychain] = keychain }
        storedAttributes = attributes
    }

    private static func boolean(_ options: CFDictionary, _ name: CFString) throws(ExchangeFailure) -> Bool? {
        guard let value = options.object(forKey: name) else { return nil }
        guard let number = value as? NSNumber, ValueReading.isBoolean(number) || number == 0 || number == 1 else {
            throw .parameter("this is to be a truth value", subject: name as String)
        }
        return number.boolValue
    }

    private static let known: Set<String> = [
        kSecImportExportPassphrase as String, kSecImportExportKeychain as String, kSecImportExportAccess as String,
        kSecImportToMemoryOnly as String, kSecUseDataProtectionKeychain as String, kSecAttrAccessible as String,
        kSecAttrAccessGroup as String,
    ]
}
