// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainKeys
package import KeychainModel
package import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into an array.
// Sendable: it never changes.
/// A certificate together with the private key of its public one.
public final class SecIdentity: NSObject, @unchecked Sendable {
    let certificate: SecCertificate
    let privateKey: SecKey

    /// For halves that are known to belong together.
    init(_ certificate: SecCertificate, _ privateKey: SecKey) {
        self.certificate = certificate
        self.privateKey = privateKey
        super.init()
    }

    /// Two identities are equal when their certificates and their keys are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecIdentity else { return false }
        return certificate.isEqual(other.certificate) && privateKey.isEqual(other.privateKey)
    }

    /// A hash of the certificate, which says what the key is.
    public override var hash: Int { certificate.hash }

    /// What a log or a debugger shows: whose identity it is.
    public override var description: String {
        "<SecIdentity: \(certificate.certificate.subjectSummary ?? "no name")>"
    }
}

/// The identity of a certificate and a private key; nil when the key is not the certificate's.
///
/// - Parameters:
///   - allocator: Not used; pass nil.
///   - certificate: The certificate.
///   - privateKey: The private half of the certificate's key, wherever it is kept.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.key.part == .private,
        privateKey.key.publicRepresentation == certificate.certificate.publicKey.externalBytes
    else { return nil }
    return SecIdentity(certificate, privateKey)
}

/// Finds the private key of a certificate, and sets the identity of both; ``errSecItemNotFound`` when there is none.
///
/// - Parameters:
///   - keychainOrArray: The keychain of the key, or an array of them; nil for the search list.
///   - certificateRef: The certificate, which need not be in a keychain.
///   - identityRef: Set to the identity.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    Call.status("SecIdentityCreateWithCertificate") { () throws(KeychainError) in
        var query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
        ]
        guard case .data(let label)? = certificateRef.content(for: .finding).attributes[.publicKeyHash] else {
            throw KeychainError(.parameter, "the certificate has no key that could be looked for")
        }
        query[kSecAttrApplicationLabel] = NSData(copying: Array(label))
        var refusal = KeychainError(.itemNotFound, "the private key of the certificate is not there")
        for host in try SecKeychain.hosts(of: keychainOrArray) {
            do throws(KeychainError) {
                let call = MatchCall(try MatchRequest.parse(query as NSDictionary), in: host)
                var result: CFTypeRef?
                unsafe call.give(try call.answer(), to: &result)
                if let key = result as? SecKey, let identity = SecIdentityCreate(nil, certificateRef, key) {
                    unsafe identityRef.pointee = identity
                    return
                }
            } catch { if refusal.reason == .itemNotFound { refusal = error } }
        }
        throw refusal
    }
}

/// Gives the certificate of an identity; always ``errSecSuccess``.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Gives the private key of an identity; always ``errSecSuccess``.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    unsafe privateKeyRef.pointee = identityRef.privateKey
    return errSecSuccess
}

/// The type number of identities.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeID }

extension SecIdentity: CFTypeIdentified {
    static var typeID: CFTypeID { 103 }
}

extension SecIdentity: ItemReferring {
    package func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral {
        let ofCertificate = certificate.content(for: purpose)
        switch purpose {
        case .adding: return .identity(certificate: ofCertificate, key: try privateKey.contentToAdd())
        case .finding, .choosing:
            // That it is the key of this certificate says which it is; the item may say less of it than it could.
            var attributes = AttributeList()
            attributes[.applicationLabel] = ofCertificate.attributes[.publicKeyHash]
            return .identity(
                certificate: ofCertificate, key: ItemContent(itemClass: .key, attributes: attributes, secret: nil))
        }
    }
}
