// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel

/// A caller's ``SecItemImportExportKeyParameters``, with everything in them understood or refused.
struct KeyParameters {
    /// nil when none was given.
    var passphrase: Passphrase?
    /// What imported keys are held to.
    var terms = KeyTerms.none
    var importsOnlyOne = false
    /// Whether imported keys are put into the keychain that is given.
    var storesKeys = true
    /// Whether it was said that they are.
    var demandsStorage = false
    private var concernsImport = false

    /// What a caller asks who gives no parameters.
    init() {}

    init(_ given: SecItemImportExportKeyParameters) throws(ExchangeFailure) {
        guard given.version == UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION) else {
            throw .parameter("there is no such version of the key parameters", subject: "version")
        }
        let known: SecKeyImportExportFlags = [.importOnlyOne, .securePassphrase, .noAccessControl]
        guard given.flags.isSubset(of: known) else { throw .parameter("there is no such flag for keys") }
        guard !given.flags.contains(.securePassphrase) else {
            throw ExchangeFailure(
                KeychainError(.unimplemented, "nothing here can ask for the passphrase; give it to the function"))
        }
        guard unsafe given.accessRef == nil else {
            throw ExchangeFailure(
                KeychainError(
                    .noSuchAttribute, "there are no access lists; use kSecAttrAccessControl", subject: "accessRef"))
        }
        importsOnlyOne = given.flags.contains(.importOnlyOne)
        if let object = unsafe given.passphrase?.takeUnretainedValue() { passphrase = try Passphrase.given(object) }
        if let usage = unsafe given.keyUsage?.takeUnretainedValue() {
            concernsImport = true
            terms.denied = try Self.denied(by: Self.names(usage))
        }
        if let attributes = unsafe given.keyAttributes?.takeUnretainedValue() {
            concernsImport = true
            try take(Self.names(attributes))
        }
    }

    private mutating func take(_ attributes: Set<String>) throws(ExchangeFailure) {
        let (permanent, sensitive) = (kSecAttrIsPermanent as String, kSecAttrIsSensitive as String)
        let extractable = kSecAttrIsExtractable as String
        guard attributes.isSubset(of: [permanent, sensitive, extractable]) else {
            throw .parameter("there is no such attribute for imported keys", subject: "keyAttributes")
        }
        terms.isSensitive = attributes.contains(sensitive)
        terms.isExtractable = attributes.contains(extractable)
        storesKeys = attributes.contains(permanent)
        demandsStorage = storesKeys
    }

    private static func denied(by usage: Set<String>) throws(ExchangeFailure) -> Set<KeyOperation> {
        guard !usage.isEmpty else { return [] }
        let operations: [String: KeyOperation] = [
            kSecAttrCanSign as String: .sign, kSecAttrCanVerify as String: .verify,
            kSecAttrCanEncrypt as String: .encrypt, kSecAttrCanDecrypt as String: .decrypt,
            kSecAttrCanDerive as String: .keyExchange,
        ]
        // No function here wraps keys by keys; denied or not, it makes no difference.
        let wrapping: Set = [kSecAttrCanWrap as String, kSecAttrCanUnwrap as String]
        guard usage.subtracting(wrapping).isSubset(of: operations.keys) else {
            throw .parameter("there is no such use of keys", subject: "keyUsage")
        }
        return Set(operations.filter { !usage.contains($0.key) }.values)
    }

    private static func names(_ array: CFArray) throws(ExchangeFailure) -> Set<String> {
        var names: Set<String> = []
        for element in array {
            guard let name = element as? String else {
                throw .parameter("an array of attribute names has something else in it")
            }
            names.insert(name)
        }
        return names
    }

    /// Throws when something was asked that is nothing to an export.
    func checkExport() throws(ExchangeFailure) {
        guard !concernsImport else {
            throw .parameter("the use and the attributes of keys are for imports; an export changes neither")
        }
    }
}
