// SPDX-License-Identifier: Apache-2.0

import Security

/// What is no signature by SEC 1 and X9.62, RFC 4754, RFC 8017 and RFC 8032.
enum SignatureCases {
    static func all() throws -> [MalformedCase] {
        let p256 = try FixedUse.p256.get()
        let rsa = try FixedUse.rsa.get()
        return try sequences(p256.used("ECDSA", .ecdsaSignatureMessageX962SHA256))
            + lengths(FixedUse.p521.get().used("ECDSA P-521", .ecdsaSignatureMessageX962SHA512))
            + pairs(p256.used("RFC 4754", .ecdsaSignatureMessageRFC4754SHA256))
            + numbers(rsa.used("RSA", .rsaSignatureMessagePKCS1v15SHA256), also: .rsaSignatureMessagePSSSHA256, rsa)
            + edwards(FixedUse.ed25519.get().used("Ed25519", .edDSASignatureMessageCurve25519SHA512))
    }

    private static func sequences(_ use: FixedUse) throws -> [MalformedCase] {
        let good = try use.signature()
        let parts = DER.elements(DER.content(good))
        let (r, s) = (DER.content(parts[0]), DER.content(parts[1]))
        func made(_ name: String, _ bytes: [UInt8]) -> MalformedCase { .signature(name, use, bytes) }
        func numbers(_ name: String, _ first: [UInt8], _ second: [UInt8]) -> MalformedCase {
            made(name, DER.sequence(first, second))
        }
        let zero = DER.integer([0])
        let order = DER.number(P256.order)
        return [
            made("nothing", []), made("one byte", [0x30]), made("zeros", [UInt8](repeating: 0, count: 72)),
            made("without its last byte", good.dropLast()), made("a byte behind it", good + [0]),
            made("a byte behind the numbers", DER.sequence(parts[0], parts[1], [0])),
            made("a number behind the numbers", DER.sequence(parts[0], parts[1], zero)),
            made("one number", DER.sequence(parts[0])), numbers("r is zero", zero, parts[1]),
            numbers("s is zero", parts[0], zero), numbers("both are zero", zero, zero),
            numbers("r is the order", order, parts[1]), numbers("s is the order", parts[0], order),
            numbers("r and the order", DER.number(sum(r, P256.order)), parts[1]),
            numbers("s and the order", parts[0], DER.number(sum(s, P256.order))),
            // With its sign bit set the number of a right signature would be another, and negative.
            numbers("a negative r", DER.integer([0x80 | (r.first ?? 0)] + r.dropFirst()), parts[1]),
            numbers("r is minus one", DER.integer([0xFF]), parts[1]),
            numbers("s is minus one", parts[0], DER.integer([0xFF])),
            numbers("r with a zero too many", DER.integer([0] + r), parts[1]),
            numbers("s with a zero too many", parts[0], DER.integer([0] + s)),
            numbers("r of no bytes", DER.integer([]), parts[1]), numbers("exchanged", parts[1], parts[0]),
            numbers("r of 8000 bytes", DER.integer([UInt8](repeating: 0x7F, count: 8000)), parts[1]),
            made("a set", [0x31] + good.dropFirst()),
            numbers("octet strings", DER.octetString(r), DER.octetString(s)),
            made("a length in more bytes than it takes", [0x30, 0x81] + good.dropFirst()),
            made("a length beyond the end", [0x30, 0x7F] + good.dropFirst(2)),
            made("an indefinite length", [0x30, 0x80] + DER.content(good) + [0, 0]),
            made("another bit", good.dropLast() + [(good.last ?? 0) ^ 1]),
            made("a thousand sequences", DER.nested(1000)),
        ]
    }

    private static func lengths(_ use: FixedUse) throws -> [MalformedCase] {
        let content = DER.content(try use.signature())
        return [
            .signature("a length of three bytes", use, [0x30, 0x82, 0] + [UInt8(content.count)] + content),
            .signature("a length in one byte", use, [0x30, UInt8(content.count & 0x7F)] + content),
        ]
    }

    private static func pairs(_ use: FixedUse) throws -> [MalformedCase] {
        let good = try use.signature()
        let (r, s) = (Array(good.prefix(32)), Array(good.suffix(32)))
        let zeros = [UInt8](repeating: 0, count: 32)
        return [
            .signature("nothing", use, []), .signature("63 bytes", use, good.dropLast()),
            .signature("65 bytes", use, good + [0]), .signature("zeros", use, zeros + zeros),
            .signature("r is zero", use, zeros + s), .signature("s is zero", use, r + zeros),
            .signature("s is the order", use, r + P256.order),
            .signature("a sequence", use, DER.sequence(DER.number(r), DER.number(s))),
            .signature("another bit", use, good.dropLast() + [good[63] ^ 1]),
        ]
    }

    private static func numbers(
        _ use: FixedUse, also algorithm: SecKeyAlgorithm, _ key: FixedUse.Key
    ) throws -> [MalformedCase] {
        let good = try use.signature()
        let pss = key.used("RSA PSS", algorithm)
        return [
            .signature("nothing", use, []), .signature("255 bytes", use, good.dropLast()),
            .signature("257 bytes, a zero in front", use, [0] + good), .signature("a byte behind it", use, good + [0]),
            .signature("384 bytes", use, good + good.prefix(128)),
            .signature("zeros", use, [UInt8](repeating: 0, count: 256)),
            .signature("one", use, [UInt8](repeating: 0, count: 255) + [1]),
            .signature("beyond the modulus", use, [UInt8](repeating: 0xFF, count: 256)),
            .signature("another bit", use, good.dropLast() + [good[255] ^ 1]),
            .signature("of PKCS#1", pss, good), .signature("zeros", pss, [UInt8](repeating: 0, count: 256)),
        ]
    }

    private static func edwards(_ use: FixedUse) throws -> [MalformedCase] {
        let good = try use.signature()
        let point = Array(good.prefix(32))
        // The number is the other way round there.
        let larger = sum(good.suffix(32).reversed(), Ed25519.order)
        let padded = [UInt8](repeating: 0, count: 32 - larger.count) + larger
        return [
            .signature("nothing", use, []), .signature("63 bytes", use, good.dropLast()),
            .signature("65 bytes", use, good + [0]), .signature("zeros", use, [UInt8](repeating: 0, count: 64)),
            .signature("its number and the order", use, point + padded.reversed()),
            .signature("a number of ones", use, point + [UInt8](repeating: 0xFF, count: 32)),
            .signature("a point off the curve", use, [UInt8](repeating: 0xFF, count: 32) + good.suffix(32)),
        ]
    }
}
