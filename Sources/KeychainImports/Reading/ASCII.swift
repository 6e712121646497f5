// SPDX-License-Identifier: Apache-2.0

/// Bytes that formats are made of.
internal enum ASCII {
    internal static let tab = UInt8(ascii: "\t")
    internal static let newline = UInt8(ascii: "\n")
    internal static let carriageReturn = UInt8(ascii: "\r")
    internal static let space = UInt8(ascii: " ")
    internal static let quote = UInt8(ascii: "\"")
    internal static let number = UInt8(ascii: "#")
    internal static let percent = UInt8(ascii: "%")
    internal static let ampersand = UInt8(ascii: "&")
    internal static let comma = UInt8(ascii: ",")
    internal static let slash = UInt8(ascii: "/")
    internal static let colon = UInt8(ascii: ":")
    internal static let semicolon = UInt8(ascii: ";")
    internal static let less = UInt8(ascii: "<")
    internal static let equals = UInt8(ascii: "=")
    internal static let greater = UInt8(ascii: ">")
    internal static let question = UInt8(ascii: "?")
    internal static let at = UInt8(ascii: "@")
    internal static let openBracket = UInt8(ascii: "[")
    internal static let backslash = UInt8(ascii: "\\")
    internal static let closeBracket = UInt8(ascii: "]")

    internal static func isBlank(_ byte: UInt8?) -> Bool { byte == space || byte == tab }

    internal static func isSpace(_ byte: UInt8?) -> Bool {
        isBlank(byte) || byte == newline || byte == carriageReturn
    }

    internal static func digit(_ byte: UInt8?) -> Int? {
        guard let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return Int(byte - UInt8(ascii: "0"))
    }

    internal static func hexDigit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let byte) where digit(byte) != nil: byte - UInt8(ascii: "0")
        case .some(let byte) where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte): byte - 87
        case .some(let byte) where (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte): byte - 55
        default: nil
        }
    }

    internal static func base64Digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let byte) where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte): byte - 65
        case .some(let byte) where (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte): byte - 71
        case .some(let byte) where digit(byte) != nil: byte + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
