// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem

/// One line that a pinentry says, which is believed to be nothing but bytes.
enum AssuanLine: Equatable {
    case ok
    /// It refuses, for a reason that has a number.
    case error(code: UInt32)
    /// A part of the answer, which has been added to the rest.
    case data
    /// A part of the answer for which there was no room.
    case excess
    /// The person typed it twice, and the same.
    case repeated
    /// A comment, or some status.
    case other
    case malformed

    /// Reads a line without its end; what is in it of the answer goes straight to `answer`.
    init(_ line: UnsafeRawBufferPointer, answer: inout SecretBuffer) {
        if unsafe AssuanLine.starts(line, with: "D ") {
            let data = unsafe UnsafeRawBufferPointer(rebasing: line[2...])
            self = unsafe AssuanLine.decode(data, into: &answer)
        } else if unsafe !line.allSatisfy({ $0 >= 0x20 || $0 == 9 }) {
            self = .malformed
        } else if unsafe AssuanLine.word(line, is: "OK") {
            self = .ok
        } else if unsafe AssuanLine.starts(line, with: "ERR ") {
            self = unsafe AssuanLine.code(line.dropFirst(4)).map { .error(code: $0) } ?? .malformed
        } else if unsafe AssuanLine.word(line, is: "S PIN_REPEATED") {
            self = .repeated
        } else if unsafe AssuanLine.starts(line, with: "S ") || AssuanLine.starts(line, with: "#") {
            self = .other
        } else {
            self = .malformed
        }
    }

    /// Takes the escapes out of a part of the answer.
    private static func decode(_ data: UnsafeRawBufferPointer, into answer: inout SecretBuffer) -> AssuanLine {
        var index = 0
        while index < data.count {
            var byte = unsafe data[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 2 <= data.count, let high = unsafe digit(data[index]),
                    let low = unsafe digit(data[index + 1])
                else { return .malformed }
                byte = high << 4 | low
                index += 2
            } else if byte == 0 || byte == UInt8(ascii: "\r") {
                return .malformed
            }
            guard answer.append(byte) else { return .excess }
        }
        return .data
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The number that the text begins with, and that stands alone.
    private static func code(_ text: Slice<UnsafeRawBufferPointer>) -> UInt32? {
        let digits = unsafe text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let after = unsafe text.dropFirst(digits.count).first
        guard unsafe (1...10).contains(digits.count), after == nil || after == UInt8(ascii: " ") else { return nil }
        var code: UInt64 = 0
        for index in unsafe digits.indices { code = unsafe code * 10 + UInt64(digits[index] - UInt8(ascii: "0")) }
        return UInt32(exactly: code)
    }

    private static func starts(_ line: UnsafeRawBufferPointer, with text: StaticString) -> Bool {
        unsafe line.count >= text.utf8CodeUnitCount
            && zip(line, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)).allSatisfy(==)
    }

    private static func word(_ line: UnsafeRawBufferPointer, is text: StaticString) -> Bool {
        unsafe starts(line, with: text)
            && (line.count == text.utf8CodeUnitCount || line[text.utf8CodeUnitCount] == UInt8(ascii: " "))
    }
}

/// A line for a pinentry, which takes no more than a thousand bytes.
struct AssuanText {
    let bytes: [UInt8]

    /// A command, and text for a person.
    init(_ command: String, _ text: String = "", lines: Int = 1) {
        var line = Array(command.utf8)
        if !text.isEmpty { line.append(UInt8(ascii: " ")) }
        // Escaped, a byte can become three.
        for byte in text.shown(bytes: 900, lines: lines).utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\n"):
                line.append(UInt8(ascii: "%"))
                line.append(Hexadecimal.digit(of: byte >> 4, uppercase: true))
                line.append(Hexadecimal.digit(of: byte, uppercase: true))
            default: line.append(byte)
            }
        }
        while line.count > AssuanText.longest { AssuanText.removeLastCharacter(&line) }
        bytes = line + [UInt8(ascii: "\n")]
    }

    /// Words on a button, where a single underscore would mark the letter that presses it.
    init(_ command: String, button: String) {
        self.init(command, button.shown(bytes: 40).marking("_", with: "_"))
    }

    /// An option; nil when there is no value, or one that no option has.
    init?(option: String, _ value: String?) {
        guard let value, value.utf8.count < 500, value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        bytes = Array("OPTION \(option)=\(value)\n".utf8)
    }

    /// Takes the last character away, and not a part of it or of its escape.
    private static func removeLastCharacter(_ line: inout [UInt8]) {
        if line.count >= 3, line[line.count - 3] == UInt8(ascii: "%") { return line.removeLast(3) }
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
    }

    private static let longest = 980
}
