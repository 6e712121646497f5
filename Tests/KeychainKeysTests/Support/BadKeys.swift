// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel

/// External bytes that are none.
enum BadKeys {
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let type: KeyType
        let part: KeyPart
        let bytes: [UInt8]
        var error = KeyError.malformed
    }

    static let all = rsaPublic + rsaPrivate + ec + raw

    private static let publicKey = DERNumbers(TestKeys.rsa1024.publicRepresentation ?? [])
    private static let privateKey = DERNumbers(KeyVectors.rsaKeys["1024"] ?? [])
    private static let otherKey = DERNumbers(KeyVectors.rsaKeys["2048"] ?? [])

    private static let rsaPublic: [Row] = {
        let good = publicKey.bytes
        let n = publicKey.contents[0]
        func row(_ name: String, _ bytes: [UInt8], _ error: KeyError = .malformed) -> Row {
            Row(description: "RSA public: \(name)", type: .rsa, part: .public, bytes: bytes, error: error)
        }
        func modulus(_ name: String, _ content: [UInt8], _ error: KeyError = .malformed) -> Row {
            row(name, publicKey.changing { $0.contents[0] = content }, error)
        }
        func exponent(_ name: String, _ content: [UInt8], _ error: KeyError = .malformed) -> Row {
            row(name, publicKey.changing { $0.contents[1] = content }, error)
        }
        return [
            row("nothing", []), row("one byte", [0x30]), row("an empty sequence", [0x30, 0]),
            row("a set", publicKey.changing { $0.sequenceTag = 0x31 }),
            row("octet strings", publicKey.changing { $0.numberTag = 0x04 }),
            row("one number", publicKey.changing { $0.contents.removeLast() }),
            row("three numbers", publicKey.changing { $0.contents.append([1]) }),
            row("a byte behind", good + [0]), row("another key behind", good + good),
            row("the last byte missing", good.dropLast()), row("half", Array(good.prefix(good.count / 2))),
            row("a length in more bytes than needed", [0x30, 0x82, 0x00] + good.dropFirst(2)),
            row("an indefinite length", [0x30, 0x80] + good.dropFirst(3) + [0, 0]),
            row("a length of nine bytes", [0x30, 0x89] + [UInt8](repeating: 0xFF, count: 9) + good),
            row("a length of the largest number", [0x30, 0x88, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + good),
            row("a length of four times 255", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + good.dropFirst(3)),
            row("a sequence longer than its numbers", [0x30, 0x81, good[2] + 1] + good.dropFirst(3)),
            row("a number longer than the sequence", replacing(good, at: 5, with: good[5] &+ 60)),
            modulus("no modulus", []), modulus("a modulus of zero", [0]),
            modulus("a negative modulus", Array(n.dropFirst())), modulus("a second zero in front", [0] + n),
            modulus("an even modulus", n.dropLast() + [n[n.count - 1] & 0xFE]),
            modulus("a small modulus", [0x0F], .unsupportedKey),
            modulus("512 bits", [0] + [UInt8](repeating: 0xFF, count: 64), .unsupportedKey),
            modulus("1023 bits", [0x7F] + [UInt8](repeating: 0xFF, count: 127), .unsupportedKey),
            modulus("8193 bits", [1] + [UInt8](repeating: 0xFF, count: 1024), .unsupportedKey),
            modulus("64 000 bits", [0] + [UInt8](repeating: 0xFF, count: 8000), .unsupportedKey),
            exponent("an exponent of zero", [0]), exponent("an exponent of one", [1]),
            exponent("an even exponent", [1, 0, 0]), exponent("a negative exponent", [0xFF]),
            exponent("an exponent of 65 bits", [1, 0, 0, 0, 0, 0, 0, 0, 1], .unsupportedKey),
            exponent("an exponent as large as the modulus", n, .unsupportedKey),
            row("a private key", privateKey.bytes),
            row("a SubjectPublicKeyInfo", DERNumbers.element(0x30, DERNumbers.element(0x30, [6, 1, 1]) + good)),
        ]
    }()

    private static let rsaPrivate: [Row] = {
        let names = ["n", "e", "d", "p", "q", "d mod p-1", "d mod q-1", "1/q mod p"]
        func row(_ name: String, _ error: KeyError = .malformed, _ change: (inout DERNumbers) -> Void) -> Row {
            Row(
                description: "RSA private: \(name)", type: .rsa, part: .private, bytes: privateKey.changing(change),
                error: error)
        }
        let versions = [[], [1], [2], [0, 0], [0xFF]].map { version in
            row("version \(version)") { $0.contents[0] = version }
        }
        let others = (2...8).map { index in
            row("another \(names[index - 1])", .mismatchedHalves) {
                // The last byte but one: it stays odd, positive, and of its size.
                let place = $0.contents[index].count - 2
                $0.contents[index][max(place, 0)] ^= 2
            }
        }
        let zeros = (1...8).map { index in row("\(names[index - 1]) is zero") { $0.contents[index] = [0] } }
        let negatives = (1...8).map { index in row("\(names[index - 1]) is negative") { $0.contents[index] = [0x80] } }
        let foreign = (4...8).map { index in
            row("\(names[index - 1]) of a larger key", .mismatchedHalves) {
                $0.contents[index] = otherKey.contents[index]
            }
        }
        return versions + others + zeros + negatives + foreign + [
            row("no version") { $0.contents.removeFirst() }, row("no coefficient") { $0.contents.removeLast() },
            row("three primes") { $0.contents += [[3], [1], [1]] },
            row("the primes exchanged alone", .mismatchedHalves) { $0.contents.swapAt(4, 5) },
            row("p is one and q the modulus", .mismatchedHalves) {
                $0.contents[4] = [1]
                $0.contents[5] = $0.contents[1]
            },
            row("d of a huge size", .unsupportedKey) { $0.contents[3] = [1] + [UInt8](repeating: 1, count: 5000) },
            Row(description: "RSA private: a public key", type: .rsa, part: .private, bytes: publicKey.bytes),
        ]
    }()

    private static let ec: [Row] = [TestKeys.p256, TestKeys.p384, TestKeys.p521].flatMap { key in
        let point = key.publicRepresentation ?? []
        let size = key.blockSize
        let pair = (try? key.representation().array) ?? []
        let odd = point[point.count - 1] & 1
        func row(_ name: String, _ part: KeyPart, _ bytes: [UInt8], _ error: KeyError = .malformed) -> Row {
            Row(description: "EC \(key.bits) \(part): \(name)", type: .ec, part: part, bytes: bytes, error: error)
        }
        let zeros = [UInt8](repeating: 0, count: size)
        let ones = [UInt8](repeating: 0xFF, count: size)
        return [
            row("nothing", .public, []), row("infinity", .public, [0]), row("04 alone", .public, [4]),
            row("compressed", .public, [2 + odd] + point[1...size]),
            row("hybrid", .public, [6 + odd] + point.dropFirst()),
            row("off the curve", .public, replacing(point, at: size, with: point[size] ^ 1)),
            row("zeros", .public, [4] + zeros + zeros), row("beyond the field", .public, [4] + ones + ones),
            row("a byte behind", .public, point + [0]), row("a byte missing", .public, point.dropLast()),
            row("a private key", .public, pair), row("nothing", .private, []), row("a public key", .private, point),
            row("the scalar alone", .private, Array(pair.suffix(size))),
            row("a scalar of zero", .private, point + zeros, .mismatchedHalves),
            row("a scalar beyond the order", .private, point + ones, .mismatchedHalves),
            row(
                "another scalar", .private, replacing(pair, at: pair.count - 1, with: pair[pair.count - 1] ^ 1),
                .mismatchedHalves),
            row("off the curve", .private, replacing(pair, at: size, with: pair[size] ^ 1)),
            row("a byte behind", .private, pair + [0]), row("a byte missing", .private, pair.dropLast()),
            row("a wrong first byte", .private, [5] + pair.dropFirst()),
        ]
    }

    private static let raw: [Row] =
        TestKeys.raw.flatMap { key in
            [0, 1, key.blockSize - 1, key.blockSize + 1, 2 * key.blockSize].flatMap { count in
                [KeyPart.public, .private].map { part in
                    Row(
                        description: "\(key.type) \(part) of \(count) bytes", type: key.type, part: part,
                        bytes: [UInt8](repeating: 1, count: count))
                }
            }
        }
        + [0, 8, 15, 17, 31, 33, 64].map { count in
            Row(
                description: "AES of \(count) bytes", type: .aes, part: .symmetric,
                bytes: [UInt8](repeating: 1, count: count))
        }

    private static func replacing(_ bytes: [UInt8], at index: Int, with byte: UInt8) -> [UInt8] {
        var copy = bytes
        copy[index] = byte
        return copy
    }
}
