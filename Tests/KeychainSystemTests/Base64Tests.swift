// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSystem
import TestSeed
import Testing

@Suite struct Base64Tests {
    @Test(
        "the examples of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, text: String) {
        #expect(Base64.text(of: Array(plain.utf8)) == text)
        #expect(Base64.bytes(of: text) == Array(plain.utf8))
        #expect(Base64.text(of: Array(plain.utf8), isPadded: false) == text.filter { $0 != "=" })
    }

    @Test("random bytes are written as Foundation writes them, and read again")
    func random() {
        var seed = Seed(for: "Base64Tests.random")
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: seed.next()) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.text(of: bytes) == text)
            #expect(encoded(bytes) == Array(text.utf8))
            #expect(Base64.bytes(of: text) == bytes)
        }
    }

    @Test("lines have 64 characters, and each ends", arguments: [0, 1, 47, 48, 49, 96, 97, 200])
    func lines(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var text = [UInt8](repeating: 0, count: Base64.encodedCountInLines(count))
        bytes.withUnsafeBytes { bytes in text.withUnsafeMutableBytes { Base64.encodeInLines(bytes, into: $0) } }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.dropLast().joined() == Base64.text(of: bytes))
        #expect(lines.dropLast(2).allSatisfy { $0.utf8.count == 64 })
        #expect(lines.allSatisfy { $0.utf8.count <= 64 })
        #expect(Base64.bytes(of: String(decoding: text, as: UTF8.self), allowing: .space) == bytes)
    }

    @Test("each of the 64 characters has its value, and no other character has one")
    func alphabet() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for character in UInt8.min...UInt8.max {
            // The first byte of three is the first character and a third of the second.
            let text = [character] + Array("AAA".utf8)
            let expected = alphabet.firstIndex(of: character).map { [UInt8($0 << 2), 0, 0] }
            #expect(decoded(text) == expected)
        }
        for value in 0..<64 { #expect(encoded([UInt8(value << 2), 0, 0])[0] == alphabet[value]) }
    }

    @Test(
        "a text is refused that is not the one way to write its bytes",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "Zm8", "Zm9vY", "=", "==", "====", "A===", "=AAA", "AA=A", "Zg==Zg==", "Zm9v=",
            "Zm-v", "Zm_v", "Zm9\u{0}", "Zmé=",
            // Bits behind the last byte.
            "Zh==", "Zm9=", "//==", "AAB=",
        ])
    func refused(text: String) {
        #expect(Base64.bytes(of: text) == nil)
        #expect(Base64.bytes(of: text, allowing: .space) == nil)
    }

    @Test("space is passed over where it is allowed, and refused elsewhere")
    func space() {
        let text = " Zm\t9v\r\nYg =\u{B}= \u{C}\n"
        #expect(Base64.bytes(of: text) == nil)
        #expect(Base64.bytes(of: text, allowing: .space) == Array("foob".utf8))
        #expect(Base64.bytes(of: " \n", allowing: .space) == [])
    }

    @Test("bits behind the last byte are dropped where they are allowed")
    func strayBits() {
        #expect(Base64.bytes(of: "Zh==", allowing: .strayBits) == Array("f".utf8))
        #expect(Base64.bytes(of: "Zm9=", allowing: .strayBits) == Array("fo".utf8))
        #expect(Base64.bytes(of: "Zg=", allowing: .strayBits) == nil)
        #expect(Base64.bytes(of: "Zh= =", allowing: .strayBits) == nil)
        #expect(Base64.bytes(of: "Zh= =", allowing: [.space, .strayBits]) == Array("f".utf8))
    }

    private func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: Base64.encodedCount(bytes.count))
        bytes.withUnsafeBytes { bytes in text.withUnsafeMutableBytes { Base64.encode(bytes, into: $0) } }
        return text
    }

    private func decoded(_ text: [UInt8]) -> [UInt8]? {
        text.withUnsafeBytes { text -> [UInt8]? in
            guard let count = Base64.decodedCount(text) else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            bytes.withUnsafeMutableBytes { Base64.decode(text, into: $0) }
            return bytes
        }
    }
}
