// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import KeychainModel
import KeychainOneTimeCodes
import Testing

@Suite("seeds of one-time codes, a URL a line") struct OneTimeCodeURLTests {
    static let head = "otpauth-migration://offline?data="
    /// The first and the third part of an export of three, by hand: three seeds, of which one is of MD5; one seed.
    static let parts = [
        "Cj4KFDEyMzQ1Njc4OTAxMjM0NTY3ODkwEhdFeGFtcGxlOmFkYUBleGFtcGxlLm9yZxoHRXhhbXBsZSABKAEwAgoyChQxMjM0NTY3ODkwMTIzNDU2Nzg5MBIDYm9iGgVDYWbDqSADKAIwATgHQgZ1bmlxdWUKJgoUMTIzNDU2Nzg5MDEyMzQ1Njc4OTASA21kNRoDT2xkIAQoATACEAEYAyAAKPv%2F%2F%2F%2F%2F%2F%2F%2F%2F%2FwE%3D",
        "CiMKFDEyMzQ1Njc4OTAxMjM0NTY3ODkwEgNldmUaACABKAEwAhABGAMgAij7%2F%2F%2F%2F%2F%2F%2F%2F%2F%2F8B",
    ].map { head + $0 }
    private static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    private func seen(_ report: ImportReport) -> [[String]] {
        report.items.map { [$0.label, $0.account] + $0.furtherSecrets.map(\.value.string) }
    }

    @Test("Google Authenticator's export: each seed, what cannot be one, and the part that is not there")
    func migration() throws {
        let text = Self.parts[0] + "\n\n  " + Self.parts[1] + " \r\n"
        let file = ImportFile(name: "codes.txt", content: ImportedBytes(Array(text.utf8)))
        #expect(file.detectedFormat == .oneTimeCodes)
        let report = try file.read(as: .oneTimeCodes)
        #expect(
            seen(report) == [
                [
                    "Example", "ada@example.org",
                    "otpauth://totp/Example:ada@example.org?secret=\(Self.seed)&issuer=Example",
                ],
                [
                    "Café", "bob",
                    "otpauth://hotp/Caf%C3%A9:bob?secret=\(Self.seed)&issuer=Caf%C3%A9&algorithm=SHA512&digits=8&counter=7",
                ],
                ["eve", "eve", "otpauth://totp/eve?secret=\(Self.seed)"],
            ])
        #expect(report.skipped == [.noSeed(.unknownAlgorithm), .partMissing])
        #expect(report.findings.map(\.label) == ["Old", "part 2 of 3"])
        #expect(report.items.allSatisfy { !$0.hasPassword && $0.secret.count == 0 })
    }

    @Test("what otpa 0.0.2 of PyPI makes of two URLs is these two") func otpa() throws {
        let report = try read(
            Self.head
                + "Cj4KFDEyMzQ1Njc4OTAxMjM0NTY3ODkwEhdFeGFtcGxlOmFkYUBleGFtcGxlLm9yZxoHRXhhbXBsZSABKAEwAgoqCgoxMjM0NTY3ODkwEgtDb3VudGVyOmJvYhoHQ291bnRlciACKAIwATgHEAEYAQ%3D%3D",
            as: .oneTimeCodes)
        let plain = try read(
            "otpauth://totp/Example:ada@example.org?secret=\(Self.seed)&issuer=Example\notpauth://hotp/Counter:bob?secret=GEZDGNBVGY3TQOJQ&issuer=Counter&counter=7&digits=8&algorithm=SHA256\n",
            as: .oneTimeCodes)
        #expect(seen(report) == seen(plain) && report.items.count == 2 && report.findings.isEmpty)
    }

    @Test(
        "a URL that is cut, or says a thing twice or in another type, is refused whole",
        arguments: [
            "", "AA", "%", "CgA", "Cg%3D%3D", "CgEA", "GAEYAQ%3D%3D", "GgEB", "GIAA", "IAE%3D", "CgQKAAoA",
            "/////////////////////w==",
        ])
    func damaged(data: String) throws {
        let report = try read(Self.parts[1] + "\n" + Self.head + data, as: .oneTimeCodes)
        #expect(report.items.count == 1)
        #expect(
            report.skipped.contains(.noSeed(.malformed)) || report.skipped.contains(.noSeed(.noSecret)),
            "\(report.skipped)")
    }

    @Test("every byte cut off its end is noticed, or loses no seed without a word") func cut() throws {
        let whole = Self.parts[1]
        // Where a field ends, what is left is an export without it.
        let seeds = seen(try read(whole, as: .oneTimeCodes))
        for count in Self.head.utf8.count..<whole.utf8.count {
            let report = try read(String(whole.prefix(count)), as: .oneTimeCodes)
            #expect(!report.findings.isEmpty || seen(report) == seeds)
        }
    }

    @Test("what is no URL of a seed is named, by its line") func others() throws {
        let report = try read("otpauth://totp/x?secret=\(Self.seed)\nsomething\n\(Self.seed)\n", as: .oneTimeCodes)
        #expect(report.items.count == 1)
        #expect(report.findings.map { "\($0.location)" } == ["test, line 2", "test, line 3"])
    }
}
