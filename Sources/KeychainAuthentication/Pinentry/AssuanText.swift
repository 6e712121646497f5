// SPDX-License-Identifier: Apache-2.0

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
                line.append(AssuanText.digits[Int(byte >> 4)])
                line.append(AssuanText.digits[Int(byte & 15)])
            default: line.append(byte)
            }
        }
        while line.count > AssuanText.longest { AssuanText.removeLastCharacter(&line) }
        bytes = line + [UInt8(ascii: "\n")]
    }

    /// Words on a button, where a single underscore would mark the letter that presses it.
    init(_ command: String, button: String) {
        self.init(command, String(button.shown(bytes: 40).flatMap { $0 == "_" ? "__" : String($0) }))
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

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let longest = 980
}
