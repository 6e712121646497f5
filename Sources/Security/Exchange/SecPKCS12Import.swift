// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Reads the identities out of a PKCS#12 file.
///
/// They stay in memory, as on iOS, unless the options say that they are to be stored: a keychain
/// (`kSecImportExportKeychain`), `kSecUseDataProtectionKeychain` true, or `kSecImportToMemoryOnly` false. Then each
/// identity is stored as `SecItemAdd` does it, all of them or none; what is in the keychain already stays as it is, and
/// when that is everything the status is ``errSecDuplicateItem``. Other certificates of the file are not stored; they
/// are in the chains. A file with certificates alone, or with keys alone, gives an empty array, as on iOS;
/// ``SecItemImport(_:_:_:_:_:_:_:_:)`` gives those too.
///
/// A file that is not PKCS#12 is ``errSecDecode``; a wrong passphrase or a changed file is ``errSecAuthFailed``, and so is
/// one that nothing protects from change. No passphrase counts as an empty one. An identity that stands twice in the file
/// comes out once.
///
/// - Parameters:
///   - pkcs12_data: The file.
///   - options: `kSecImportExportPassphrase`; where to store, as above, and then also `kSecAttrAccessible` and `kSecAttrAccessGroup`. Anything else is refused.
///   - items: Set to an array with a dictionary for each identity, of the `kSecImportItem…` keys.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    ExchangeCall.status("SecPKCS12Import") { () throws(ExchangeFailure) in
        let options = try PKCS12ImportOptions(options)
        let contents = try ForkGate.operation { () throws(ExchangeFailure) in
            try unsafe FileSnapshot.lending(pkcs12_data) { (bytes) throws(ExchangeFailure) in
                do throws(ExchangeFailure) { return try unsafe PKCS12Contents(Array(bytes), options.passphrase) } catch
                {
                    // SecImportExport.h has one status for both: "an incorrect password was passed, or data in the
                    // container got damaged"; errSecPkcs12VerifyFailure is SecItemImport's.
                    throw error.kind == .verification ? error.called(.wrongPassphrase) : error
                }
            }
        }
        if options.isStored {
            let identities = contents.identities.map { identity in
                FileItem.identity(identity.certificate, identity.key, label: identity.label)
            }
            try ItemStorage.add(identities, terms: .none, attributes: options.storedAttributes)
        }
        unsafe items.pointee = contents.identities.map { contents.dictionary(of: $0) } as NSArray
    }
}

extension PKCS12Contents {
    fileprivate func dictionary(of identity: Identity) -> CFDictionary {
        let certificate = SecCertificate(identity.certificate)
        let result = NSMutableDictionary()
        result[kSecImportItemIdentity] = SecIdentity(certificate, SecKey(identity.key))
        result[kSecImportItemKeyID] = NSData(copying: identity.keyIdentifier)
        if let label = identity.label { result[kSecImportItemLabel] = label as NSString }
        result[kSecImportItemCertChain] = identity.chain.map { SecCertificate($0) } as NSArray
        // All that came with it may stand between it and an anchor, those too whose names do not say so.
        let others = certificates.map(\.content).filter { $0 != identity.certificate }.map { SecCertificate($0) }
        var trust: SecTrust?
        unsafe SecTrustCreateWithCertificates([certificate] + others as NSArray, SecPolicyCreateBasicX509(), &trust)
        result[kSecImportItemTrust] = trust
        return result
    }
}

/// The options of ``SecPKCS12Import(_:_:_:)``, with everything in them understood or refused.
struct PKCS12ImportOptions {
    let passphrase: Passphrase
    let isStored: Bool
    /// What the caller says about the stored items.
    let storedAttributes: [CFString: Any]

    init(_ options: CFDictionary) throws(ExchangeFailure) {
        for key in options.allKeys {
            guard let name = key as? String, Self.known.contains(name) else {
                throw .parameter("unknown import option", subject: key as? String)
            }
        }
        guard options.object(forKey: kSecImportExportAccess) == nil else {
            throw ExchangeFailure(
                KeychainError(
                    .noSuchAttribute, "access lists are not supported; use kSecAttrAccessControl", subject: "access"))
        }
        // As SecImportExport.c has it: none is an empty one, which fits a file without one.
        passphrase =
            try options.object(forKey: kSecImportExportPassphrase).map { (given) throws(ExchangeFailure) in
                try Passphrase.given(given as AnyObject)
            } ?? .empty

        let keychain = options.object(forKey: kSecImportExportKeychain)
        guard keychain == nil || keychain is SecKeychain else {
            throw .parameter("the value must be a keychain", subject: "keychain")
        }
        let isMemoryOnly = try Self.boolean(options, kSecImportToMemoryOnly)
        let usesKeychain = try Self.boolean(options, kSecUseDataProtectionKeychain) ?? false
        guard keychain == nil || isMemoryOnly != true else {
            throw .parameter("the options ask for items in memory and in a keychain; choose one", subject: "memory")
        }
        isStored = isMemoryOnly.map { !$0 } ?? (keychain != nil || usesKeychain)

        var attributes: [CFString: Any] = [:]
        for name in [kSecAttrAccessible, kSecAttrAccessGroup] {
            if let value = options.object(forKey: name) { attributes[name] = value }
        }
        guard isStored || attributes.isEmpty else {
            throw .parameter(
                "items in memory have no access group and no accessibility; name a keychain to store them in")
        }
        if let keychain { attributes[kSecUseKeychain] = keychain }
        storedAttributes = attributes
    }

    private static func boolean(_ options: CFDictionary, _ name: CFString) throws(ExchangeFailure) -> Bool? {
        guard let value = options.object(forKey: name) else { return nil }
        guard let number = value as? NSNumber, ValueReading.isBoolean(number) || number == 0 || number == 1 else {
            throw .parameter("the value must be a boolean", subject: name as String)
        }
        return number.boolValue
    }

    private static let known: Set<String> = [
        kSecImportExportPassphrase as String, kSecImportExportKeychain as String, kSecImportExportAccess as String,
        kSecImportToMemoryOnly as String, kSecUseDataProtectionKeychain as String, kSecAttrAccessible as String,
        kSecAttrAccessGroup as String,
    ]
}

// Options of SecPKCS12Import. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The passphrase of the file: a string, of which the UTF-8 counts, or data; it may be empty.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"
/// The ``SecKeychain`` that the identities are put into.
@safe nonisolated(unsafe) public let kSecImportExportKeychain: CFString = "keychain"
/// The access list of an item in a file keychain; it has no meaning on Linux and is refused.
@safe nonisolated(unsafe) public let kSecImportExportAccess: CFString = "access"
/// Whether the identities stay in memory; true unless something else says that they are stored.
@safe nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = "memory"

// What SecPKCS12Import says of each identity.

/// The name that the file gives it; not there when the file gives none.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"
/// The identifier by which key and certificate found each other, else the SHA-1 of the public key.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"
/// A ``SecTrust`` for the certificate and those that came with it, under the basic policy.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"
/// The certificates from the identity's own towards its root, as far as the file has them.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"
/// The ``SecIdentity``.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"
