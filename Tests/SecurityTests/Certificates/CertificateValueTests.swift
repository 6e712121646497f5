// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A certificate says what stands in it")
struct CertificateValueTests {
    private let chain: MadeChain

    init() throws {
        chain = try MadeChain()
    }

    @Test("by its identifiers")
    func values() throws {
        let keys = [kSecOIDX509V1SubjectName, kSecOIDSubjectAltName, kSecOIDX509V1ValidityNotAfter, kSecOIDKeyUsage]
        let values = try #require(SecCertificateCopyValues(chain.leaf, keys as CFArray, nil))
        #expect(values.count == 3)
        let name = try #require(values[kSecOIDX509V1SubjectName] as? NSDictionary)
        #expect(name[kSecPropertyKeyType] as? NSString == kSecPropertyTypeSection)
        let part = try #require((name[kSecPropertyKeyValue] as? [NSDictionary])?.first)
        #expect(part[kSecPropertyKeyLabel] as? NSString == kSecOIDCommonName)
        #expect(part[kSecPropertyKeyValue] as? String == "leaf")
        let names = (values[kSecOIDSubjectAltName] as? NSDictionary)?[kSecPropertyKeyValue] as? [NSDictionary]
        #expect(
            names?.map { $0[kSecPropertyKeyValue] as? String } == [
                "No", "www.example.com", "*.example.org", "192.0.2.7",
            ])
        let end = (values[kSecOIDX509V1ValidityNotAfter] as? NSDictionary)?[kSecPropertyKeyValue] as? Double
        #expect(end == SecCertificateCopyNotValidAfterDate(chain.leaf)?.timeIntervalSinceReferenceDate)

        let all = try #require(SecCertificateCopyValues(chain.root, nil, nil))
        for key in [
            kSecOIDX509V1Version, kSecOIDX509V1SerialNumber, kSecOIDX509V1IssuerName, kSecOIDX509V1Signature,
            kSecOIDX509V1SubjectPublicKey, kSecOIDBasicConstraints, kSecOIDKeyUsage, kSecOIDSubjectKeyIdentifier,
        ] { #expect(all[key] is NSDictionary, "\(key)") }
        var error: Unmanaged<CFError>?
        #expect(SecCertificateCopyValues(chain.root, [1] as CFArray, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecParam))
        #expect(SecCertificateCopyShortDescription(nil, chain.root, nil) as String? == "root")
        #expect(SecCertificateCopyLongDescription(nil, chain.root, nil) as String? == "root")
    }

    @Test("and which one is preferred is remembered")
    func preferred() throws {
        let keychain = try IsolatedKeychain()
        try keychain.use {
            let name: CFString = "ada@example.org"
            #expect(SecCertificateCopyPreferred(name, nil) == nil)
            #expect(SecCertificateSetPreferred(chain.leaf, name, nil) == errSecSuccess)
            #expect(SecCertificateSetPreferred(chain.root, name, [kSecAttrCanSign] as NSArray) == errSecSuccess)
            #expect(SecCertificateCopyPreferred(name, nil) == chain.leaf)
            #expect(SecCertificateCopyPreferred(name, [kSecAttrCanSign] as NSArray) == chain.root)
            #expect(SecCertificateCopyPreferred(name, [kSecAttrCanEncrypt] as NSArray) == chain.leaf)
            #expect(SecCertificateSetPreferred(chain.middle, name, nil) == errSecSuccess)
            #expect(SecCertificateCopyPreferred(name, nil) == chain.middle)
            #expect(SecCertificateSetPreferred(nil, name, nil) == errSecSuccess)
            #expect(SecCertificateCopyPreferred(name, nil) == nil)
            #expect(SecCertificateSetPreferred(nil, "", nil) == errSecParam)

            let parameters: NSDictionary = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as NSDictionary,
            ]
            let key = try #require(SecKeyCreateRandomKey(parameters, nil))
            let certificate = try chain.maker.certify(key, "person", issuer: "middle")
            #expect(SecCertificateAddToKeychain(certificate, nil) == errSecSuccess)
            let identity: SecIdentity = try #require(SecIdentityCreate(nil, certificate, key))
            #expect(SecIdentityCopyPreferred(name, nil, nil) == nil)
            #expect(SecIdentitySetPreferred(identity, name, nil) == errSecSuccess)
            #expect(SecIdentityCopyPreferred(name, nil, nil) == identity)
            #expect(SecItemDelete([kSecClass: kSecClassKey] as NSDictionary) == errSecSuccess)
            #expect(SecIdentityCopyPreferred(name, nil, nil) == nil)
        }
    }
}

extension CertificateMaker {
    /// The certificate of a key that is in a keychain.
    fileprivate func certify(_ key: SecKey, _ name: String, issuer: String) throws -> SecCertificate {
        let request = Llavero.CertificateRequest(subject: [.commonName(name)])
        let csr = try request.pem(signedBy: key)
        return try certify(request: csr, name, issuer: issuer)
    }
}
