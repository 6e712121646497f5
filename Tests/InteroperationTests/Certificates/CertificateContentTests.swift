// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// What we read in certificates of OpenSSL's, beside what it says of them.
@Suite struct CertificateContentTests {
    @Test("the names, the number, the dates and the key are what it says")
    func contents() throws {
        let dates = ISO8601DateFormatter()
        for (row, certificate, told) in try IssuedCertificates.shared.leaves {
            let what = Comment(rawValue: row.commonName)
            var (name, addresses): (CFString?, CFArray?)
            #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess, what)
            #expect(name as String? == row.commonName, what)
            #expect(SecCertificateCopySubjectSummary(certificate) as String? == row.commonName, what)
            #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess, what)
            #expect(addresses as? [String] == [row.email], what)
            // The kind of string that was asked for is the one that is there.
            let der = SecCertificateCopyData(certificate) as Data
            #expect(der.range(of: Data([6, 3, 0x55, 4, 3, row.text.tag])) != nil, what)

            let number = try #require(SecCertificateCopySerialNumberData(certificate, nil)) as Data
            #expect(told.lines["serial"].flatMap { Int($0, radix: 16) } == number.reduce(0) { $0 << 8 | Int($1) }, what)
            let fingerprint = (SecCertificateCopySHA256Digest(certificate) as Data)
                .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: ":")
            #expect(told.lines["sha256 fingerprint"]?.lowercased() == fingerprint, what)
            let begin = told.lines["notbefore"].flatMap { dates.date(from: $0.replacing(" ", with: "T")) }
            let end = told.lines["notafter"].flatMap { dates.date(from: $0.replacing(" ", with: "T")) }
            #expect(begin != nil && begin == SecCertificateCopyNotValidBeforeDate(certificate) as Date?, what)
            #expect(end != nil && end == SecCertificateCopyNotValidAfterDate(certificate) as Date?, what)
            #expect(try SecCertificateCopyKey(certificate) == SharedKey.of(row.kind, by: .openssl).other, what)
        }
    }

    @Test("they are trusted to their authority, and not without it")
    func trust() throws {
        let issued = try IssuedCertificates.shared
        for (row, certificate, _) in issued.leaves {
            var made: SecTrust?
            #expect(SecTrustCreateWithCertificates(certificate, SecPolicyCreateBasicX509(), &made) == errSecSuccess)
            let trust = try #require(made)
            #expect(!SecTrustEvaluateWithError(trust, nil), "\(row.commonName)")
            #expect(SecTrustSetAnchorCertificates(trust, [issued.root] as NSArray) == errSecSuccess)
            #expect(SecTrustEvaluateWithError(trust, nil), "\(row.commonName)")
            #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == [certificate, issued.root])
        }
    }
}
