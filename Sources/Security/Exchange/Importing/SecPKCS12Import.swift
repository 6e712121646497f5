// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
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
        let contents = try ExchangeCall.operation { () throws(ExchangeFailure) in
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
