// SPDX-License-Identifier: Apache-2.0

import KeychainSystem
import Testing

@Suite struct HexadecimalTests {
    @Test("every byte has two digits, small or capital, and they stand for it again")
    func everyByte() {
        let all = Array(UInt8.min...UInt8.max)
        for uppercase in [false, true] {
            let text = all.map { byte in
                let digits = String(byte, radix: 16, uppercase: uppercase)
                return byte < 16 ? "0" + digits : digits
            }.joined()
            #expect(Hexadecimal.digits(of: all, uppercase: uppercase) == text)
            #expect(Hexadecimal.bytes(of: text) == all)
            var encoded = [UInt8](repeating: 0, count: 512)
            all.withUnsafeBytes { all in
                encoded.withUnsafeMutableBytes { Hexadecimal.encode(all, into: $0, uppercase: uppercase) }
            }
            #expect(String(decoding: encoded, as: UTF8.self) == text)
            #expect(decoded(encoded) == all)
        }
    }

    @Test("a character is a digit exactly when it is one of the 22")
    func alphabet() {
        let digits = Array("0123456789abcdef".utf8)
        let capitals = Array("0123456789ABCDEF".utf8)
        for character in UInt8.min...UInt8.max {
            let value = digits.firstIndex(of: character) ?? capitals.firstIndex(of: character)
            let found = Hexadecimal.value(of: character).map { Int($0) }
            #expect(found == value)
        }
        for value in 0..<16 {
            #expect(Hexadecimal.digit(of: UInt8(value)) == digits[value])
            #expect(Hexadecimal.digit(of: UInt8(value), uppercase: true) == capitals[value])
            #expect(Hexadecimal.digit(of: UInt8(value) | 0xF0) == digits[value])
        }
    }

    @Test(
        "what is not pairs of digits stands for nothing",
        arguments: ["0", "0g", "g0", " 00", "00 ", "+1", "0x00", "００"])
    func refused(text: String) {
        #expect(Hexadecimal.bytes(of: text) == nil)
        #expect(decoded(Array(text.utf8)) == nil)
    }

    @Test("no digits are no bytes")
    func empty() {
        #expect(Hexadecimal.bytes(of: "") == [])
        #expect(decoded([]) == [])
        #expect(Hexadecimal.digits(of: []) == "")
    }

    @Test("nothing is written where there is too little room")
    func tooLittleRoom() {
        var room: [UInt8] = [7]
        let isWhole = Array("0102".utf8).withUnsafeBytes { text in
            room.withUnsafeMutableBytes { Hexadecimal.decode(text, into: $0) }
        }
        #expect(!isWhole && room == [7])
    }

    private func decoded(_ text: [UInt8]) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.count / 2)
        let isWhole = text.withUnsafeBytes { text in
            bytes.withUnsafeMutableBytes { Hexadecimal.decode(text, into: $0) }
        }
        return isWhole ? bytes : nil
    }
}
