// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Certificates of OpenSSL's in a keychain, found by what is in them and by nothing else.
@Suite struct CertificateSearchTests {
    private static func found(
        _ query: [CFString: Any], _ itemClass: CFString = kSecClassCertificate
    ) -> [CFTypeRef] {
        let all: [CFString: Any] = [kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query.merging(all) { $1 } as CFDictionary, &result)
        #expect(status == errSecSuccess || status == errSecItemNotFound)
        return (result as? [CFTypeRef]) ?? []
    }

    private static func certificates(_ query: [CFString: Any]) -> Set<SecCertificate> {
        Set(found(query).compactMap { $0 as? SecCertificate })
    }

    private static func attributes(_ certificate: SecCertificate) throws -> [CFString: Any] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassCertificate, kSecValueRef: certificate, kSecReturnAttributes: true,
        ]
        var result: CFTypeRef?
        try #require(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        return try #require(result as? [CFString: Any])
    }

    @Test("each by its own names, attributes and reference")
    func oneByOne() throws {
        let issued = try IssuedCertificates.shared
        try issued.keychain().use {
            for (row, certificate, _) in issued.leaves {
                let attributes = try Self.attributes(certificate)
                #expect(attributes[kSecAttrLabel] as? String == row.commonName)
                #expect(attributes[kSecAttrCertificateType] as? Int == row.version)
                #expect(attributes[kSecAttrCertificateEncoding] as? Int == 3)
                // The identifier `hash` is SHA-1 of the key, and so is ours.
                let identifier = attributes[kSecAttrSubjectKeyID] as? Data
                #expect(row.version == 1 ? identifier == nil : identifier == attributes[kSecAttrPublicKeyHash] as? Data)
                let serial = try #require(attributes[kSecAttrSerialNumber])
                let queries: [[CFString: Any]] = [
                    [kSecAttrLabel: row.commonName], [kSecAttrSubject: try #require(attributes[kSecAttrSubject])],
                    [kSecAttrIssuer: try #require(attributes[kSecAttrIssuer]), kSecAttrSerialNumber: serial],
                    [kSecMatchSubjectWholeString: row.commonName], [kSecMatchSubjectEndsWith: " \(row.number)"],
                    [
                        kSecMatchSubjectStartsWith: row.commonName.uppercased(), kSecMatchCaseInsensitive: true,
                        kSecMatchSubjectEndsWith: " \(row.number)",
                    ],
                    [kSecValueRef: certificate], [kSecMatchItemList: [certificate]],
                ]
                for query in queries { #expect(Self.certificates(query) == [certificate], "\(query.keys)") }
                // Whoever has no address at all passes (decision D2).
                let withAddress = Self.certificates([kSecMatchEmailAddressIfPresent: row.email.uppercased()])
                #expect(withAddress == [certificate, issued.root])
            }
        }
    }

    @Test("all that have something in common")
    func together() throws {
        let issued = try IssuedCertificates.shared
        try issued.keychain().use {
            func expect(_ query: [CFString: Any], _ rows: (CertificateRow) -> Bool, root: Bool = false) {
                let expected = issued.leaves.filter { rows($0.row) }.map(\.certificate) + (root ? [issued.root] : [])
                #expect(Self.certificates(query) == Set(expected), "\(query)")
            }
            let first = try Self.attributes(issued.leaves[0].certificate)
            let issuer = try #require(first[kSecAttrIssuer])
            let rootSubject = try #require(SecCertificateCopyNormalizedSubjectSequence(issued.root))
            expect([kSecAttrIssuer: issuer], { _ in true }, root: true)
            expect([kSecMatchIssuers: [rootSubject]], { _ in true }, root: true)
            for version in [1, 3] {
                let isRoots = version == 3
                expect([kSecAttrCertificateType: version], { $0.version == version }, root: isRoots)
                let hash = try #require(first[kSecAttrPublicKeyHash])
                expect([kSecAttrCertificateType: version, kSecAttrPublicKeyHash: hash]) {
                    $0.version == version && $0.kind == issued.leaves[0].row.kind
                }
            }
            for text in CertificateRow.Text.allCases {
                expect([kSecMatchSubjectContains: text.person]) { $0.text == text }
            }
            // Letters with marks and without, in whatever kind of string: the printable and the teletex name.
            let loose: [CFString: Any] = [
                kSecMatchSubjectStartsWith: "JURGEN angstrom", kSecMatchCaseInsensitive: true,
                kSecMatchDiacriticInsensitive: true,
            ]
            expect(loose) { $0.text == .printable || $0.text == .teletex }
            expect([kSecMatchSubjectStartsWith: "Jurgen"]) { $0.text == .printable }
            expect([kSecMatchSubjectContains: "ωMEGA", kSecMatchCaseInsensitive: true]) { $0.text == .wide }
            expect([kSecMatchSubjectContains: "nobody"]) { _ in false }
            expect([kSecMatchEmailAddressIfPresent: "nobody@example.com"], { _ in false }, root: true)
            expect([kSecMatchValidOnDate: Date()], { _ in true }, root: true)
            expect([kSecMatchValidOnDate: Date(timeIntervalSinceNow: 40 * 86_400)]) { _ in false }
        }
    }

    @Test("with the keys beside them they are identities, which are found the same way")
    func identities() throws {
        let issued = try IssuedCertificates.shared
        try issued.keychain().use {
            for kind in Set(CertificateRow.all.map(\.kind)) {
                let key = try SharedKey.of(kind, by: .openssl).key
                let add: [CFString: Any] = [kSecValueRef: key, kSecAttrIsExtractable: false]
                #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
            }
            #expect(Self.found([:], kSecClassIdentity).count == issued.leaves.count)
            for (row, certificate, _) in issued.leaves {
                let found = Self.found([kSecAttrLabel: row.commonName], kSecClassIdentity)
                let identity = try #require(found.first as? SecIdentity)
                #expect(found.count == 1)
                var (own, key): (SecCertificate?, SecKey?)
                #expect(SecIdentityCopyCertificate(identity, &own) == errSecSuccess)
                #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
                #expect(own == certificate)
                #expect(try key == SharedKey.of(row.kind, by: .openssl).key)
            }
            let addressed = Self.found([kSecMatchEmailAddressIfPresent: issued.leaves[3].row.email], kSecClassIdentity)
            #expect(addressed.count == 1)
        }
    }
}
