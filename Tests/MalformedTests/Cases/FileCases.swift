// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// What is no file of PKCS#12 by RFC 7292.
///
/// `small.p12` was made with `openssl pkcs12 -export -iter 1 -passout pass:p`; the contents of the other fixtures were
/// written byte by byte, and then sealed under the same password with `PKCS12_set_mac`.
enum FileCases {
    static func good() throws -> [UInt8] { try fixture("small.p12") }

    private static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Fixtures").appendingPathComponent(name)))
    }

    static func all() throws -> [MalformedCase] {
        let good = try good()
        let parts = DER.elements(DER.content(good))
        return try outer(good) + inner(parts[1], parts[2]) + seals(parts[1], parts[2]) + sealed()
    }

    private static func outer(_ good: [UInt8]) -> [MalformedCase] {
        let content = DER.content(good)
        return [
            .file("nothing", []), .file("one byte", [0x30]), .file("text", Array("-----BEGIN PKCS12-----".utf8)),
            .file("half of it", Array(good.prefix(good.count / 2))), .file("without its last byte", good.dropLast()),
            .file("a byte behind it", good + [0]), .file("a set", [0x31] + good.dropFirst()),
            .file("a length beyond the end", [0x30, 0x82, 0xFF, 0xFF] + content),
            .file("a length of 4 GiB", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + content),
            .file("an indefinite length that does not end", [0x30, 0x80] + content),
            .file("a thousand sequences", DER.nested(1000)),
            .file("fifty thousand sequences without a length", (0..<100_000).map { $0 % 2 == 0 ? 0x30 : 0x80 }),
        ]
    }

    private static func inner(_ safe: [UInt8], _ seal: [UInt8]) -> [MalformedCase] {
        let version = DER.integer([3])
        let identifier = DER.elements(DER.content(safe))[0]
        func content(_ name: String, _ value: [UInt8], _ status: OSStatus = errSecDecode) -> MalformedCase {
            .file(name, DER.sequence(version, DER.sequence(identifier, DER.element(0xA0, value)), seal), status)
        }
        let unknown = DER.identifier([0x2A, 0x03, 0x04])
        return [
            .file("a negative version", DER.sequence(DER.integer([0xFD]), safe, seal)),
            .file("version 4", DER.sequence(DER.integer([4]), safe, seal)),
            .file("no version", DER.sequence(safe, seal)),
            .file("no content", DER.sequence(version, DER.sequence(identifier), seal)),
            .file(
                "content of an unknown kind",
                DER.sequence(version, DER.sequence(unknown, DER.element(0xA0, DER.octetString([]))), seal)),
            content("content that is a number", DER.integer([1])),
            content("no safes", DER.octetString([]), errSecDecode),
            content("safes in a thousand sequences", DER.octetString(DER.nested(1000)), errSecDecode),
        ]
    }

    /// Whose seal is right, so that what is inside is read.
    private static func sealed() throws -> [MalformedCase] {
        [
            .file("bags a thousand deep", try fixture("nested.p12")),
            .file("2147483647 rounds for a safe", try fixture("rounds.p12")),
            .file("a terabyte for a safe", try fixture("scrypt.p12")),
        ]
    }

    /// The MAC: what it is of, its salt, its rounds.
    private static func seals(_ safe: [UInt8], _ seal: [UInt8]) -> [MalformedCase] {
        let version = DER.integer([3])
        let parts = DER.elements(DER.content(seal))
        let (digest, salt) = (parts[0], parts[1])
        func sealed(_ name: String, _ elements: [[UInt8]], _ status: OSStatus) -> MalformedCase {
            .file(name, DER.sequence(version, safe, DER.element(0x30, elements.flatMap(\.self))), status)
        }
        func rounds(_ name: String, _ content: [UInt8], _ status: OSStatus) -> MalformedCase {
            sealed(name, [digest, salt, DER.integer(content)], status)
        }
        let changed: [UInt8] = digest.dropLast() + [(digest.last ?? 0) ^ 1]
        return [
            .file("another passphrase", DER.sequence(version, safe, seal), errSecAuthFailed, passphrase: "q"),
            .file("no passphrase", DER.sequence(version, safe, seal), errSecAuthFailed, passphrase: ""),
            .file("nothing that protects it", DER.sequence(version, safe), errSecAuthFailed),
            sealed("one bit of the seal", [changed, salt], errSecAuthFailed),
            sealed("a seal without a salt", [digest], errSecDecode),
            rounds("other rounds", [2], errSecAuthFailed),
            rounds("2147483647 rounds", [0x7F, 0xFF, 0xFF, 0xFF], errSecDecode),
            rounds("rounds of a hundred bytes", [UInt8](repeating: 0x7F, count: 100), errSecDecode),
            rounds("minus one round", [0xFF], errSecDecode), rounds("no round", [0], errSecDecode),
        ]
    }
}
