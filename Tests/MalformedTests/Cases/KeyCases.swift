// SPDX-License-Identifier: Apache-2.0

/// What is no key by RFC 8017, SEC 1, RFC 8032 and RFC 7748 in the forms of semantics §11.1.
enum KeyCases {
    static func all() throws -> [MalformedCase] {
        let ecPublic = try FixedUse.p256.get().bytes(isPublic: true)
        return try rsaPublic(FixedUse.rsa.get().bytes(isPublic: true)) + rsaPrivate(FixedUse.rsa.get().bytes())
            + points(ecPublic) + pairs(FixedUse.p256.get().bytes()) + others(ecPublic)
    }

    private static func rsaPublic(_ good: [UInt8]) -> [MalformedCase] {
        let parts = DER.elements(DER.content(good))
        let modulus = DER.content(parts[0])
        let exponent = parts[1]
        func key(_ name: String, _ bytes: [UInt8]) -> MalformedCase { .key(name, .rsaPublic, bytes) }
        func numbers(_ name: String, _ first: [UInt8], _ second: [UInt8]) -> MalformedCase {
            key(name, DER.sequence(DER.integer(first), DER.integer(second)))
        }
        return [
            key("nothing", []), key("half of it", Array(good.prefix(good.count / 2))),
            key("a byte behind it", good + [0]),
            key("an indefinite length", [0x30, 0x80] + DER.content(good) + [0, 0]),
            key("a length in more bytes than it takes", [0x30, 0x83, 0] + good.dropFirst(2)),
            key("a length beyond the end", [0x30, 0x82, 0xFF, 0xFF] + DER.content(good)),
            key("a set", [0x31] + good.dropFirst()),
            key("octet strings", DER.sequence(DER.octetString(modulus), DER.octetString([1, 0, 1]))),
            key("one number", DER.sequence(parts[0])),
            key("three numbers", DER.sequence(parts[0], exponent, exponent)),
            numbers("a negative modulus", Array(modulus.dropFirst()), [1, 0, 1]),
            numbers("a modulus with a zero too many", [0] + modulus, [1, 0, 1]),
            numbers("an even modulus", modulus.dropLast() + [modulus[modulus.count - 1] & 0xFE], [1, 0, 1]),
            numbers("a modulus of zero", [0], [1, 0, 1]),
            numbers("a modulus of 65536 bits", [0] + [UInt8](repeating: 0xFF, count: 8192), [1, 0, 1]),
            numbers("an exponent of one", modulus, [1]), numbers("an exponent of zero", modulus, [0]),
            numbers("an even exponent", modulus, [4]), numbers("a negative exponent", modulus, [0xFD]),
        ]
    }

    private static func rsaPrivate(_ good: [UInt8]) -> [MalformedCase] {
        let numbers = DER.elements(DER.content(good))
        func key(_ name: String, _ change: (inout [[UInt8]]) -> Void) -> MalformedCase {
            var changed = numbers
            change(&changed)
            return .key(name, .rsaPrivate, DER.element(0x30, changed.flatMap(\.self)))
        }
        func flipped(_ element: [UInt8]) -> [UInt8] { element.dropLast() + [(element.last ?? 0) ^ 2] }
        return [
            .key("its public half", .rsaPrivate, DER.sequence(numbers[1], numbers[2])),
            .key("without its last byte", .rsaPrivate, good.dropLast()),
            key("version 1, for more primes") { $0[0] = DER.integer([1]) },
            key("no coefficient") { $0.removeLast() }, key("a number more") { $0.append(DER.integer([1])) },
            key("another modulus") { $0[1] = flipped($0[1]) }, key("another exponent") { $0[3] = flipped($0[3]) },
            key("another prime") { $0[4] = flipped($0[4]) }, key("a prime of zero") { $0[4] = DER.integer([0]) },
            key("a negative prime") { $0[5] = DER.integer([0x80]) },
            key("the primes exchanged") { $0.swapAt(4, 5) },
            key("another coefficient") { $0[8] = flipped($0[8]) },
            key("a private exponent of 65536 bits") { $0[3] = DER.integer([UInt8](repeating: 0x7F, count: 8192)) },
        ]
    }

    private static func points(_ good: [UInt8]) -> [MalformedCase] {
        func key(_ name: String, _ bytes: [UInt8]) -> MalformedCase { .key(name, .ecPublic, bytes) }
        let parity = good[64] & 1
        let zeros = [UInt8](repeating: 0, count: 64)
        return [
            key("nothing", []), key("the point at infinity", [0]), key("a byte missing", good.dropLast()),
            key("a byte behind it", good + [0]), key("off the curve", good.dropLast() + [good[64] ^ 1]),
            key("zeros", [4] + zeros), key("coordinates beyond the field", [4] + zeros.map { ~$0 }),
            // Only the uncompressed form is taken (semantics §11.1).
            key("compressed", [2 + parity] + good[1...32]), key("hybrid", [6 + parity] + good.dropFirst()),
            key("the size of another curve", good + [UInt8](repeating: 0, count: 32)),
        ]
    }

    private static func pairs(_ good: [UInt8]) -> [MalformedCase] {
        let point = Array(good.prefix(65))
        func key(_ name: String, _ bytes: [UInt8]) -> MalformedCase { .key(name, .ecPrivate, bytes) }
        return [
            key("a scalar of zero", point + [UInt8](repeating: 0, count: 32)),
            key("a scalar that is the order", point + P256.order),
            key("a scalar beyond the order", point + [UInt8](repeating: 0xFF, count: 32)),
            key("another scalar", good.dropLast() + [good[96] ^ 1]), key("no scalar", point),
            key("a scalar of 31 bytes", good.dropLast()), key("a scalar of 33 bytes", point + [0] + good[65...]),
            key("the point at infinity", [0] + good[65...]),
        ]
    }

    private static func others(_ point: [UInt8]) -> [MalformedCase] {
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }
        return [
            .key("31 bytes", .ed25519Public, bytes(31)), .key("33 bytes", .ed25519Public, bytes(33)),
            .key("no bytes", .ed25519Private, []), .key("64 bytes", .ed25519Private, bytes(64)),
            .key("33 bytes", .x25519Public, bytes(33)), .key("no bytes", .aes, []), .key("15 bytes", .aes, bytes(15)),
            .key("33 bytes", .aes, bytes(33)), .key("a point of a curve", .rsaPublic, point),
        ]
    }
}
