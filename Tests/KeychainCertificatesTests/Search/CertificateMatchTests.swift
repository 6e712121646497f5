// SPDX-License-Identifier: Apache-2.0

import KeychainCertificates
import KeychainModel
import TestCertificates
import Testing

@Suite("A search finds certificates")
struct CertificateMatchTests {
    @Test("by their subject")
    func subject() throws {
        let certificate = try Workshop().make("leaf", subject: "/C=DE/O=Café Müller GmbH/CN=Jane Doe")
        func finds(_ text: String, _ position: TextMatching.Position, _ ignored: TextMatching.Ignored = []) -> Bool {
            certificate.subjectMatches(TextPattern(text, at: position, matching: TextMatching(ignoring: ignored)))
        }
        #expect(finds("ne Do", .anywhere))
        #expect(finds("Müller", .anywhere))
        #expect(!finds("muller", .anywhere))
        #expect(finds("muller", .anywhere, [.letterCase, .diacritics]))
        #expect(finds("Jane", .start))
        #expect(finds("Doe", .end))
        #expect(finds("Jane Doe", .whole))
        #expect(!finds("Jane", .whole))
        #expect(finds("ｊａｎｅ", .start, [.letterCase, .width]))
        #expect(!finds("nothing like it", .anywhere))
    }

    @Test("by an e-mail address, or for want of any (D2)")
    func email() throws {
        let workshop = try Workshop()
        let mail = try workshop.make("mail", extensions: "subjectAltName = email:Jane@Example.com")
        #expect(mail.hasEmailAddressOrNone("jane@example.com"))
        #expect(!mail.hasEmailAddressOrNone("jane@example.org"))
        #expect(try workshop.make("none").hasEmailAddressOrNone("jane@example.com"))
    }

    @Test("by when they are valid, both ends included")
    func validity() throws {
        let certificate = try Workshop().make("leaf", days: 1)
        #expect(certificate.isValid(on: certificate.notBefore))
        #expect(certificate.isValid(on: certificate.notAfter))
        #expect(!certificate.isValid(on: certificate.notBefore - 1))
        #expect(!certificate.isValid(on: certificate.notAfter + 1))
    }

    @Test("by an issuer above, however far, but no further than ten")
    func issuers() throws {
        let workshop = try Workshop()
        var certificates = [try workshop.makeRoot("n0")]
        for index in 1...12 {
            certificates.append(
                try workshop.make("n\(index)", issuer: "n\(index - 1)", extensions: Workshop.authority))
        }
        let bySubject = Dictionary(grouping: certificates) { $0.subject.normalizedContent }
        func isFound(_ leaf: Int, under issuer: Int) -> Bool {
            certificates[leaf].isIssued(underAnyOf: [certificates[issuer].subject.normalizedContent]) {
                bySubject[$0] ?? []
            }
        }
        #expect(isFound(1, under: 0))
        #expect(isFound(2, under: 0))
        #expect(isFound(10, under: 0))
        #expect(isFound(12, under: 2))
        #expect(!isFound(12, under: 0))
        #expect(!isFound(2, under: 3))
        #expect(isFound(0, under: 0))
        let alone = certificates[2].isIssued(underAnyOf: [certificates[0].subject.normalizedContent]) { _ in [] }
        #expect(!alone)
    }

    @Test("and ends where issuers name each other in a circle")
    func circle() throws {
        let workshop = try Workshop()
        try workshop.makeRoot("a")
        try workshop.makeRoot("b")
        let first = try workshop.make("x", subject: "/CN=a", issuer: "b", extensions: Workshop.authority)
        let second = try workshop.make("y", subject: "/CN=b", issuer: "a", extensions: Workshop.authority)
        var count = 0
        let isFound = first.isIssued(underAnyOf: [[1]]) { name in
            count += 1
            return [first, second].filter { $0.subject.normalizedContent == name }
        }
        #expect(!isFound)
        #expect(count == 2)
    }
}
