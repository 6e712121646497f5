// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainOneTimeCodes
import TestSeed
import Testing

@Suite("one-time codes") struct OneTimeCodeTests {
    private static func text(_ value: SecretValue) -> String {
        unsafe value.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func code(_ text: String) throws -> OneTimeCode {
        try OneTimeCode(SecretValue(copying: Array(text.utf8)))
    }

    private static func seed(_ count: Int) -> String {
        let bytes = Array(String(repeating: "1234567890", count: 7).utf8.prefix(count))
        return text(unsafe bytes.withUnsafeBytes { unsafe Base32.encode($0) })
    }

    /// RFC 6238, appendix B.
    @Test(
        "the codes of RFC 6238",
        arguments: [
            (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
            (1_111_111_111, "14050471", "67062674", "99943326"), (1_234_567_890, "89005924", "91819424", "93441116"),
            (2_000_000_000, "69279037", "90698825", "38618901"), (20_000_000_000, "65353130", "77737706", "47863826"),
        ] as [(UInt64, String, String, String)])
    func timed(time: UInt64, sha1: String, sha256: String, sha512: String) throws {
        for (hash, count, wanted) in [("SHA1", 20, sha1), ("SHA256", 32, sha256), ("SHA512", 64, sha512)] {
            let url = "otpauth://totp/test?secret=\(Self.seed(count))&algorithm=\(hash)&digits=8"
            #expect(Self.text(try Self.code(url).code(at: time)) == wanted)
        }
    }

    /// RFC 4226, appendix D.
    @Test("the codes of RFC 4226") func counted() throws {
        let wanted = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        let code = try Self.code("otpauth://hotp/test?secret=\(Self.seed(20))&counter=0")
        for (number, digits) in wanted.enumerated() { #expect(Self.text(try code.code(of: UInt64(number))) == digits) }
        #expect(code.isCounted && code.secondsLeft(at: 5) == nil)
        // As pass-otp 1.2 leaves it, with the next number behind the one before.
        let left = try Self.code("otpauth://hotp/test?secret=\(Self.seed(20))&counter=3counter=4")
        #expect(left.kind == .counted(from: 4))
    }

    @Test("Steam's codes are five of its letters") func steam() throws {
        // The seed of SteamGuard's open implementations, as KeePassXC and others test with it.
        for url in [
            "steam://63BEDWCQZKTQWPESARIERL5DTTQFCJTK",
            "otpauth://totp/Steam:ada?secret=63BEDWCQZKTQWPESARIERL5DTTQFCJTK&encoder=steam",
        ] {
            #expect(Self.text(try Self.code(url).code(at: 1_511_200_518)) == "FR8RV")
        }
    }

    @Test("a code says how long it is good") func secondsLeft() throws {
        let code = try Self.code("otpauth://totp/a?secret=MFRGG&period=60")
        #expect(code.secondsLeft(at: 0) == 60)
        #expect(code.secondsLeft(at: 119) == 1)
        #expect(try Self.text(code.code(at: 60)) == Self.text(code.code(at: 119)))
    }

    @Test("base32 is read as people type it") func typed() throws {
        let codes = try ["JBSWY3DPEHPK3PXP", "jbsw y3dp ehpk 3pxp", " JBSW-Y3DP-EHPK-3PXP\n"].map {
            try Self.text(Self.code($0).code(at: 1))
        }
        #expect(Set(codes).count == 1)
    }

    /// RFC 4648, §10.
    @Test(
        "base32 of RFC 4648",
        arguments: [
            ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(plain: String, wanted: String) throws {
        let bytes = Array(plain.utf8)
        #expect(Self.text(unsafe bytes.withUnsafeBytes { unsafe Base32.encode($0) }) == wanted)
        for text in [wanted, wanted.lowercased(), wanted + "==="] {
            #expect(Self.decoded(text) == bytes)
        }
    }

    @Test(
        "what is no seed is refused",
        arguments: [
            ("", .notASeed), ("hello world!", .notASeed), ("A", .notASeed), ("otpauth://totp/a", .noSecret),
            ("otpauth://totp/a?secret=", .noSecret), ("otpauth://totp/a?secret=0189", .notBase32),
            ("otpauth://totp/a?secret=MFRGG&secret=MFRGG", .malformed),
            ("otpauth://totp/a?secret=MFRGG&digits=6&digits=6", .malformed),
            ("otpauth://totp/a%zz?secret=MFRGG", .malformed), ("otpauth://totp/a%00?secret=MFRGG", .malformed),
            ("otpauth://yotp/a?secret=MFRGG", .unknownKind),
            ("otpauth://hotp/a?secret=MFRGG&counter=0&encoder=steam", .unknownKind),
            ("otpauth://totp/a?secret=MFRGG&algorithm=MD5", .unknownAlgorithm),
            ("otpauth://totp/a?secret=MFRGG&digits=5", .digits),
            ("otpauth://totp/a?secret=MFRGG&digits=9", .digits), ("otpauth://totp/a?secret=MFRGG&digits=+6", .digits),
            ("otpauth://totp/a?secret=MFRGG&period=0", .period),
            ("otpauth://totp/a?secret=MFRGG&period=86401", .period),
            ("otpauth://hotp/a?secret=MFRGG&counter=3counter=", .counter),
            ("otpauth://hotp/a?secret=MFRGG", .counter), ("otpauth://hotp/a?secret=MFRGG&counter=-1", .counter),
            ("steam://1", .notBase32), (String(repeating: "A", count: 8200), .tooLong),
        ] as [(String, OneTimeCodeError)])
    func refused(text: String, wanted: OneTimeCodeError) {
        #expect(throws: wanted) { try Self.code(text) }
    }

    @Test(
        "names of issuer and account",
        arguments: [
            ("totp/Example:ada?secret=MFRGG", "Example", "ada"),
            ("totp/Example%3A%20ada?secret=MFRGG&issuer=Other", "Other", "ada"),
            ("TOTP/ada?issuer=A%3AB&secret=MFRGG", "A:B", "ada"), ("totp/?secret=MFRGG", "", ""),
            ("totp?secret=MFRGG", "", ""),
            ("totp/a:b?secret=MFRGG&issuer=&image=x#y", "", "a:b"),
        ])
    func names(url: String, issuer: String, account: String) throws {
        let code = try Self.code("OTPAUTH://" + url)
        #expect(code.issuer == issuer)
        #expect(code.account == account)
    }

    @Test("what is written is read as the same") func roundTrip() throws {
        var seed = Seed(for: "one-time codes")
        for _ in 0..<500 {
            let letters = ["a", ":", " ", "%", "&", "ñ", "/", "?", "#", "=", "Z"]
            func name() -> String { (0..<seed.next() % 4).map { _ in seed.pick(letters) }.joined() }
            let bytes = (0...seed.next() % 40).map { _ in UInt8(truncatingIfNeeded: seed.next()) }
            let secret = Self.text(unsafe bytes.withUnsafeBytes { unsafe Base32.encode($0) })
            let isCounted = seed.oneIn(2)
            var url =
                "otpauth://\(isCounted ? "hotp" : "totp")/x?secret=\(secret)&algorithm=\(seed.pick(["SHA1", "SHA256", "SHA512"]))"
            url += isCounted ? "&counter=\(seed.next())" : "&period=\(1 + seed.next() % 90)"
            url += "&digits=\(6 + seed.next() % 3)"
            let label = Self.quoted(name() + ":" + name())
            let code = try Self.code(url.replacing("/x?", with: "/\(label)?"))
            let again = try OneTimeCode(code.url())
            #expect(again.kind == code.kind && again.hash == code.hash && again.digits == code.digits)
            #expect(again.issuer == code.issuer && again.account == code.account)
            let isSameKey = again.key.isEqualInConstantTime(to: code.key)
            #expect(isSameKey)
            #expect(Self.text(again.url()) == Self.text(code.url()))
        }
    }

    private static func decoded(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        return unsafe letters.withUnsafeBytes { letters in
            guard let bytes = unsafe Base32.decode(letters) else { return nil }
            return unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        }
    }

    private static func quoted(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
