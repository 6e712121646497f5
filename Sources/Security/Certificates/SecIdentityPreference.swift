// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainModel
public import LlaveroFoundation

/// Says which identity is to be used with a name: a mail address, a host or an address of the web.
///
/// It is an item of the program's keychain, so programs of other access groups do not see it.
///
/// - Parameters:
///   - identity: The identity, which has to be in a keychain when it is looked for; nil for none from now on.
///   - name: The name.
///   - keyUsage: For which uses, such as ``kSecAttrCanSign``; nil for all.
@discardableResult
public func SecIdentitySetPreferred(_ identity: SecIdentity?, _ name: CFString, _ keyUsage: CFArray?) -> OSStatus {
    Preference(.identity, name, keyUsage)?.set(identity?.certificate) ?? errSecParam
}

/// The identity to be used with a name; nil when none was said, or it is no longer in a keychain.
///
/// - Parameters:
///   - name: The name.
///   - keyUsage: For which uses; one that was set for all is taken too.
///   - validIssuers: Names of issuers in DER, one of which has to have certified it; nil for any.
public func SecIdentityCopyPreferred(_ name: CFString, _ keyUsage: CFArray?, _ validIssuers: CFArray?) -> SecIdentity? {
    guard let certificate = Preference(.identity, name, keyUsage)?.certificate else { return nil }
    let attributes: [CFString: Any] = [
        kSecAttrIssuer: NSData(der: certificate.issuer.normalizedContent),
        kSecAttrSerialNumber: NSData(der: certificate.serialNumber),
    ]
    let identity = StoredCertificates.identities(attributes).first { $0.certificate.certificate == certificate }
    guard let identity, let validIssuers, validIssuers.count > 0 else { return identity }
    var query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
    query[kSecUseItemList] = [identity] as NSArray
    query[kSecMatchIssuers] = validIssuers
    var found: CFTypeRef?
    return unsafe SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess ? identity : nil
}

/// Says which certificate is to be used with a name, such as the address of somebody to whom mail is encrypted.
@discardableResult
public func SecCertificateSetPreferred(
    _ certificate: SecCertificate?, _ name: CFString, _ keyUsage: CFArray?
) -> OSStatus {
    Preference(.certificate, name, keyUsage)?.set(certificate) ?? errSecParam
}

/// The certificate to be used with a name; nil when none was said.
public func SecCertificateCopyPreferred(_ name: CFString, _ keyUsage: CFArray?) -> SecCertificate? {
    Preference(.certificate, name, keyUsage)?.certificate.map { SecCertificate($0) }
}

/// The older form of ``SecIdentitySetPreferred(_:_:_:)``; only a usage of 0, for all, is supported.
@available(*, deprecated, renamed: "SecIdentitySetPreferred")
@discardableResult
public func SecIdentitySetPreference(_ identity: SecIdentity, _ name: CFString, _ keyUsage: UInt32) -> OSStatus {
    keyUsage == 0 ? SecIdentitySetPreferred(identity, name, nil) : errSecUnimplemented
}

/// The older form of ``SecIdentityCopyPreferred(_:_:_:)``; ``errSecItemNotFound`` when there is none.
@available(*, deprecated, renamed: "SecIdentityCopyPreferred")
@discardableResult
public func SecIdentityCopyPreference(
    _ name: CFString, _ keyUsage: UInt32, _ validIssuers: CFArray?, _ identity: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    guard keyUsage == 0 else { return errSecUnimplemented }
    guard let found = SecIdentityCopyPreferred(name, nil, validIssuers) else { return errSecItemNotFound }
    unsafe identity.pointee = found
    return errSecSuccess
}

/// The older form of ``SecCertificateSetPreferred(_:_:_:)``; only a usage of 0, for all, and no date are supported.
@available(*, deprecated, renamed: "SecCertificateSetPreferred")
@discardableResult
public func SecCertificateSetPreference(
    _ certificate: SecCertificate, _ name: CFString, _ keyUsage: UInt32, _ date: CFDate?
) -> OSStatus {
    keyUsage == 0 && date == nil ? SecCertificateSetPreferred(certificate, name, nil) : errSecUnimplemented
}

/// The older form of ``SecCertificateCopyPreferred(_:_:)``; ``errSecItemNotFound`` when there is none.
@available(*, deprecated, renamed: "SecCertificateCopyPreferred")
@discardableResult
public func SecCertificateCopyPreference(
    _ name: CFString, _ keyUsage: UInt32, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    guard keyUsage == 0 else { return errSecUnimplemented }
    guard let found = SecCertificateCopyPreferred(name, nil) else { return errSecItemNotFound }
    unsafe certificate.pointee = found
    return errSecSuccess
}

/// Refused with ``errSecUnimplemented``: a Linux system has no identity of its own that programs share.
@discardableResult
public func SecIdentityCopySystemIdentity(
    _ domain: CFString, _ idRef: UnsafeMutablePointer<SecIdentity?>,
    _ actualDomain: UnsafeMutablePointer<CFString?>?
) -> OSStatus {
    refusedSystemIdentity("SecIdentityCopySystemIdentity")
}

/// Refused with ``errSecUnimplemented``: a Linux system has no identity of its own that programs share.
@discardableResult
public func SecIdentitySetSystemIdentity(_ domain: CFString, _ idRef: SecIdentity?) -> OSStatus {
    refusedSystemIdentity("SecIdentitySetSystemIdentity")
}

private func refusedSystemIdentity(_ name: StaticString) -> OSStatus {
    Call.status(name) { () throws(KeychainError) in
        throw KeychainError(
            .unimplemented, "the system has no identity that programs share; name a keychain, or a preferred identity")
    }
}

// The domains of the system's identities. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The usual identity of the system.
@safe nonisolated(unsafe) public let kSecIdentityDomainDefault: CFString = "com.apple.systemdefault"
/// The identity of the system's Kerberos server.
@safe nonisolated(unsafe) public let kSecIdentityDomainKerberosKDC: CFString = "com.apple.kerberos.kdc"

/// What is to be used with a name: a password item whose secret is the certificate.
private struct Preference {
    enum Kind: String {
        case identity = "identity preference"
        case certificate = "certificate preference"
    }

    private let kind: Kind
    private let name: NSString
    /// The uses in the order of their names; empty for all.
    private let uses: [String]

    /// nil for a name that is empty, and uses that are no strings.
    init?(_ kind: Kind, _ name: CFString, _ keyUsage: CFArray?) {
        let uses = keyUsage?.compactMap { $0 as? String } ?? []
        guard name.length > 0, uses.count == keyUsage?.count ?? 0 else { return nil }
        (self.kind, self.name, self.uses) = (kind, name, uses.sorted())
    }

    func set(_ certificate: SecCertificate?) -> OSStatus {
        let status = SecItemDelete(query(uses) as CFDictionary)
        guard let certificate else { return status }
        guard status == errSecSuccess || status == errSecItemNotFound else { return status }
        var item = query(uses)
        item[kSecValueData] = NSData(der: certificate.certificate.der)
        item[kSecAttrLabel] = name
        return SecItemAdd(item as CFDictionary, nil)
    }

    var certificate: Certificate? {
        // What was said for these uses comes before what was said for all.
        for uses in uses.isEmpty ? [[]] : [uses, []] {
            var query = query(uses)
            query[kSecReturnData] = true
            var found: CFTypeRef?
            guard unsafe SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
                let data = found as? NSData, data.length <= Certificate.largest
            else { continue }
            return Certificate(der: data.der)
        }
        return nil
    }

    private func query(_ uses: [String]) -> [CFString: Any] {
        let account = ([kind.rawValue] + uses).joined(separator: " ")
        return [kSecClass: kSecClassGenericPassword, kSecAttrService: name, kSecAttrAccount: account as NSString]
    }
}
