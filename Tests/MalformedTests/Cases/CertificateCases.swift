// SPDX-License-Identifier: Apache-2.0

/// What is no certificate by RFC 5280 and X.690.
enum CertificateCases {
    static func all() throws -> [MalformedCase] {
        let template = CertificateTemplate(
            publicKey: CertificateTemplate.p256(try FixedUse.p256.get().bytes(isPublic: true)))
        return outer(template.der) + fields(template) + times(template) + names(template) + extensions(template)
            + keys(template)
    }

    private static func outer(_ good: [UInt8]) -> [MalformedCase] {
        let content = DER.content(good)
        let length = DER.length(content.count)
        func rest(after head: [UInt8]) -> [UInt8] { head + content }
        return [
            .certificate("nothing", []), .certificate("half of it", Array(good.prefix(good.count / 2))),
            .certificate("without its last byte", good.dropLast()), .certificate("a byte behind it", good + [0]),
            .certificate("twice", good + good),
            .certificate("a length in more bytes than it takes", rest(after: [0x30, 0x83, 0] + length.dropFirst())),
            .certificate("a length beyond the end", rest(after: [0x30, 0x82, 0xFF, 0xFF])),
            .certificate("a length of 4 GiB", rest(after: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
            .certificate("a length of 126 bytes", rest(after: [0x30, 0xFE] + [UInt8](repeating: 0xFF, count: 126))),
            .certificate("an indefinite length", rest(after: [0x30, 0x80]) + [0, 0]),
            .certificate("a set", [0x31] + good.dropFirst()),
            .certificate("a tag of two bytes", [0x3F, 0x10] + good.dropFirst()),
            .certificate("a thousand sequences", DER.nested(1000)),
            .certificate("a hundred thousand heads", (0..<100_000).flatMap { _ in [0x30, 0x80] as [UInt8] }),
        ]
    }

    private static func fields(_ good: CertificateTemplate) -> [MalformedCase] {
        [
            .certificate("version 4", good.with { $0.version = [3] }),
            .certificate("version 1 written out", good.with { $0.version = [0] }),
            .certificate("a negative version", good.with { $0.version = [0xFF] }),
            .certificate("a negative serial number", good.with { $0.serialNumber = DER.integer([0x80]) }),
            .certificate("a serial number with a zero too many", good.with { $0.serialNumber = DER.integer([0, 1]) }),
            .certificate("a serial number of no bytes", good.with { $0.serialNumber = DER.integer([]) }),
            .certificate("a serial number that is text", good.with { $0.serialNumber = DER.text(0x0C, "1") }),
            .certificate(
                "two opinions about the algorithm",
                good.with { $0.outerAlgorithm = DER.sequence(DER.identifier([0x2B, 0x65, 0x70])) }),
            .certificate(
                "an identifier that does not end",
                good.with { $0.algorithm = DER.sequence(DER.identifier([0x2A, 0x86])) }),
            .certificate(
                "an identifier with a zero too many",
                good.with { $0.algorithm = DER.sequence(DER.identifier([0x2A, 0x80, 0x01])) }),
            .certificate(
                "a null with content",
                good.with { $0.algorithm = DER.sequence(DER.identifier([0x2A, 0x03]), [0x05, 1, 0]) }),
            .certificate("a signature of half a byte", good.with { $0.signature = DER.bitString([0xF0], unused: 4) }),
            .certificate("nine unused bits", good.with { $0.signature = DER.bitString([1], unused: 9) }),
            .certificate("no signature", good.with { $0.signature = [] }),
        ]
    }

    private static func times(_ good: CertificateTemplate) -> [MalformedCase] {
        func time(_ name: String, _ tag: UInt8, _ text: String) -> MalformedCase {
            .certificate(name, good.with { $0.notBefore = DER.text(tag, text) })
        }
        return [
            time("a time without seconds", 0x17, "2401010000Z"),
            time("a time with an offset", 0x17, "240101000000+0100"),
            time("a time without a zone", 0x17, "240101000000"),
            time("a time with a fraction", 0x18, "20240101000000.5Z"),
            time("a time in local time", 0x18, "20240101000000"),
            time("the 30th of February", 0x17, "240230000000Z"), time("hour 24", 0x17, "240101240000Z"),
            time("a time of letters", 0x17, "abcdefghijklZ"), time("a time that is text", 0x0C, "240101000000Z"),
        ]
    }

    private static func names(_ good: CertificateTemplate) -> [MalformedCase] {
        func subject(_ name: String, _ value: [UInt8]) -> MalformedCase {
            .certificate(name, good.with { $0.subject = value })
        }
        let type = DER.identifier([0x55, 0x04, 0x03])
        return [
            subject("a text that is no UTF-8", CertificateTemplate.name(DER.element(0x0C, [0xC0, 0x80]))),
            subject("half a character", CertificateTemplate.name(DER.element(0x1E, [0, 0x41, 0]))),
            subject("an empty set in a name", DER.sequence(DER.set())),
            subject("an attribute without a value", DER.sequence(DER.set(DER.sequence(type)))),
            subject("a name that is a set", DER.set()), subject("no name", []),
        ]
    }

    private static func extensions(_ good: CertificateTemplate) -> [MalformedCase] {
        let known = good.extensions?.first ?? []
        func only(_ name: String, _ type: [UInt8], _ value: [UInt8], critical: [UInt8] = []) -> MalformedCase {
            .certificate(
                name, good.with { $0.extensions = [CertificateTemplate.extension(type, value, critical: critical)] })
        }
        let constraints: [UInt8] = [0x55, 0x1D, 0x13]
        return [
            .certificate("an extension twice", good.with { $0.extensions = [known, known] }),
            .certificate("an empty list of extensions", good.with { $0.extensions = [] }),
            .certificate("extensions in version 1", good.with { $0.version = nil }),
            .certificate("extensions in version 2", good.with { $0.version = [1] }),
            only("a truth of 1", [0x2A, 0x03], DER.null, critical: [0x01, 1, 1]),
            only("constraints that are a number", constraints, DER.integer([1])),
            only("a negative path length", constraints, DER.sequence([0x01, 1, 0xFF], DER.integer([0xFF]))),
            only("an address of five bytes", [0x55, 0x1D, 0x11], DER.sequence(DER.element(0x87, [1, 2, 3, 4, 5]))),
            only("a value with bytes behind it", constraints, DER.sequence() + [0]),
        ]
    }

    private static func keys(_ good: CertificateTemplate) -> [MalformedCase] {
        func key(_ name: String, _ info: [UInt8]) -> MalformedCase {
            .certificate(name, good.with { $0.publicKey = info })
        }
        func rsa(_ name: String, _ modulus: [UInt8], _ exponent: [UInt8], more: [UInt8] = []) -> MalformedCase {
            key(name, CertificateTemplate.rsa(modulus, exponent, more: more))
        }
        let modulus: [UInt8] = [0] + [UInt8](repeating: 0xAB, count: 256)
        let zeros = [UInt8](repeating: 0, count: 32)
        let curve = DER.sequence(DER.identifier(CertificateTemplate.ecPublicKey), DER.sequence(DER.integer([1])))
        return [
            rsa("a modulus of 65536 bits", [0] + [UInt8](repeating: 0xAB, count: 8192), [1, 0, 1]),
            rsa("an even modulus", modulus.dropLast() + [0xAA], [1, 0, 1]),
            rsa("a negative modulus", Array(modulus.dropFirst()), [1, 0, 1]),
            rsa("a modulus with a zero too many", [0] + modulus, [1, 0, 1]), rsa("an exponent of one", modulus, [1]),
            rsa("an even exponent", modulus, [4]), rsa("bytes behind the numbers", modulus, [3], more: [0]),
            key("a point off the curve", CertificateTemplate.p256([4] + zeros + [UInt8](repeating: 1, count: 32))),
            key("the point at infinity", CertificateTemplate.p256([0])),
            key("a curve in numbers", DER.sequence(curve, DER.bitString([4] + zeros + zeros))),
        ]
    }
}
