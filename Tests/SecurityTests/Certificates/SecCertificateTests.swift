// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("A certificate says what stands in it")
struct SecCertificateTests {
    private let maker: CertificateMaker
    private let certificate: SecCertificate

    init() throws {
        maker = try CertificateMaker()
        certificate = try maker.make(
            "one", subject: "/C=es/O= Llavero  Team/CN=first/CN=Ana Núñez/emailAddress=Ana@example.com",
            extensions: "basicConstraints = CA:false\nsubjectAltName = email:ana@example.org, DNS:a.example.org\n")
    }

    @Test("its bytes, its fingerprint and its serial number")
    func contents() throws {
        let der = try maker.der("one")
        #expect(SecCertificateCopyData(certificate) as Data == der)
        let printed = try maker.openssl("x509", "-in", "one.pem", "-noout", "-fingerprint", "-sha256")
        let digits = (SecCertificateCopySHA256Digest(certificate) as Data).map { String(format: "%02X", $0) }
        #expect(String(decoding: printed, as: UTF8.self).contains(digits.joined(separator: ":")))
        var error: Unmanaged<CFError>?
        #expect(SecCertificateCopySerialNumberData(certificate, &error) as Data? == Data("one".utf8))
        #expect(error == nil)
        #expect(SecCertificateCopySerialNumberData(certificate, nil) != nil)
    }

    @Test("a serial number with the highest bit keeps its zero")
    func serialNumber() throws {
        let other = try maker.make("é", extensions: "basicConstraints = CA:false\n")
        #expect(SecCertificateCopySerialNumberData(other, nil) as Data? == Data([0, 0xC3, 0xA9]))
    }

    @Test("its names")
    func names() {
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Ana Núñez, first")
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "Ana Núñez")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["ana@example.org", "Ana@example.com"])
    }

    @Test("no common name and no address where there is none")
    func nameless() throws {
        let other = try maker.make("two", subject: "/O=Nobody", extensions: "basicConstraints = CA:false\n")
        var name: CFString? = "before"
        #expect(SecCertificateCopyCommonName(other, &name) == errSecInternal)
        #expect(name == nil)
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(other, &addresses) == errSecSuccess)
        #expect(addresses?.count == 0)
        #expect(SecCertificateCopySubjectSummary(other) as String? == "Nobody")
    }

    @Test("normalized names are names in DER, the same for a certificate and what it issued")
    func normalized() throws {
        let root = try maker.make("root", subject: "/O=Some  root", extensions: CertificateMaker.authority)
        let leaf = try maker.make("leaf", issuer: "root", extensions: CertificateMaker.server)
        let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(root))
        #expect(SecCertificateCopyNormalizedIssuerSequence(leaf) == subject)
        #expect(SecCertificateCopyNormalizedIssuerSequence(root) == subject)
        #expect(SecCertificateCopyNormalizedSubjectSequence(leaf) != subject)
        let expected = [0x30, 0x14, 0x31, 0x12, 0x30, 0x10, 0x06, 0x03, 0x55, 0x04, 0x0A, 0x0C, 0x09] as [UInt8]
        #expect(subject as Data == Data(expected + Array("SOME ROOT".utf8)))
    }

    @Test("when it begins and ends")
    func dates() throws {
        let begin = try #require(SecCertificateCopyNotValidBeforeDate(certificate))
        let end = try #require(SecCertificateCopyNotValidAfterDate(certificate))
        #expect(abs(begin.timeIntervalSinceNow) < 60)
        #expect(end.timeIntervalSince(begin as Date) == 365 * 86400)
    }

    @Test("equal by content, with a type number, and itself again out of an array or a dictionary")
    func object() throws {
        let same = try #require(SecCertificateCreateWithData(kCFAllocatorDefault, maker.der("one") as NSData))
        let other = try maker.make("two", extensions: "basicConstraints = CA:false\n")
        #expect(same !== certificate && same == certificate && same != other)
        #expect(Set([same, certificate, other]).count == 2)
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
        let array = [certificate] as NSArray
        #expect(array[0] as AnyObject === certificate)
        let dictionary = [kSecValueRef: certificate] as [CFString: Any] as CFDictionary
        #expect(dictionary.object(forKey: kSecValueRef) as AnyObject === certificate)
        #expect(array.contains(same))
    }

    @Test("what is no certificate to the last byte is none")
    func malformed() throws {
        let der = try maker.der("one")
        var wrong = [
            Data(), Data([0]), Data([0x30, 0x80]), der + [0], der + der, Data(count: 2 << 20), der.dropFirst(),
        ]
        wrong.append(
            Data("-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString())\n-----END CERTIFICATE-----\n".utf8))
        for length in stride(from: 1, to: der.count, by: 7) { wrong.append(der.prefix(length)) }
        for data in wrong { #expect(SecCertificateCreateWithData(nil, Data(data) as NSData) == nil) }
    }

    @Test("the older function gives the public key in both of its forms")
    @available(*, deprecated)
    func olderKey() throws {
        let certificate = try CertificateMaker().make("key", extensions: CertificateMaker.server)
        var key: SecKey?
        #expect(SecCertificateCopyPublicKey(certificate, &key) == errSecSuccess)
        #expect(key != nil && key == SecCertificateCopyKey(certificate))
        #expect(SecCertificateCopyPublicKey(certificate) as SecKey? == key)
    }
}
