// SPDX-License-Identifier: Apache-2.0

/// The name between angle brackets.
struct XMLTag: Equatable {
    enum Kind { case opening, closing, empty }

    let name: String
    let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// Goes through the part of XML that property lists are made of.
struct XMLReader {
    private let bytes: [UInt8]
    private var offset = 0

    /// `bytes` are UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Passes over a mark of the byte order, what the file says of its XML, and the name of its document type.
    mutating func skipProlog() throws(CodingError) {
        _ = take("\u{FEFF}")
        if take("<?xml") {
            let declaration = try slice(to: "?>")
            // Read as UTF-8 all the same, another encoding would be another text.
            if let start = declaration.range(ofBytes: "encoding=")?.upperBound {
                let value = declaration[start...].dropFirst().prefix(5).map { $0 | 0x20 }
                let end = declaration[start...].dropFirst(6).first
                guard value == Array("utf-8".utf8), end == UInt8(ascii: "\"") || end == UInt8(ascii: "'") else {
                    throw .invalidString
                }
            }
        }
        try skipSpace()
        if take("<!DOCTYPE") {
            // Between brackets there would be definitions.
            guard try !slice(to: ">").contains(UInt8(ascii: "[")) else { throw .notCanonical }
            try skipSpace()
        }
    }

    /// Passes over white space and comments.
    mutating func skipSpace() throws(CodingError) {
        while offset < bytes.count {
            if XMLReader.isSpace(bytes[offset]) {
                offset += 1
            } else if take("<!--") {
                _ = try slice(to: "-->")
            } else {
                return
            }
        }
    }

    mutating func nextTag() throws(CodingError) -> XMLTag {
        try skipSpace()
        return try tag()
    }

    /// A tag without attributes; that of the list itself may say its version.
    mutating func tag() throws(CodingError) -> XMLTag {
        guard take("<") else { throw offset < bytes.count ? .wrongType : .truncated }
        let isClosing = take("/")
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[offset]) { offset += 1 }
        let name = String(decoding: bytes[start..<offset], as: UTF8.self)
        skipBlanks()
        if name == "plist", !isClosing, take("version=\"1.0\"") { skipBlanks() }
        let isEmpty = !isClosing && take("/")
        guard !name.isEmpty, take(">") else { throw .unknownTag }
        return XMLTag(name, isClosing ? .closing : isEmpty ? .empty : .opening)
    }

    /// The text up to the tag that closes an element, which is passed over.
    mutating func text(endingWith name: String) throws(CodingError) -> String {
        var text: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "<") {
                if take("<![CDATA[") {
                    for byte in try slice(to: "]]>") { try XMLReader.append(byte, to: &text) }
                    continue
                }
                guard try tag() == XMLTag(name, .closing) else { throw .wrongType }
                return String(decoding: XMLReader.withOneKindOfLineEnd(text), as: UTF8.self)
            }
            offset += 1
            if byte == UInt8(ascii: "&") {
                text += try XMLReader.character(named: try slice(to: ";")).utf8
            } else {
                try XMLReader.append(byte, to: &text)
            }
        }
        throw .truncated
    }

    private static func append(_ byte: UInt8, to text: inout [UInt8]) throws(CodingError) {
        guard byte >= 0x20 || isSpace(byte) else { throw .invalidString }
        text.append(byte)
    }

    private static func withOneKindOfLineEnd(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x0D) else { return text }
        var result: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if byte == 0x0A, index > 0, text[index - 1] == 0x0D { continue }
            result.append(byte == 0x0D ? 0x0A : byte)
        }
        return result
    }

    /// What stands for a character between an ampersand and a semicolon.
    private static func character(named name: ArraySlice<UInt8>) throws(CodingError) -> String {
        switch String(decoding: name, as: UTF8.self) {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        case let number:
            let isHexadecimal = number.hasPrefix("#x")
            let digits = number.dropFirst(isHexadecimal ? 2 : 1)
            guard number.hasPrefix("#"), digits.allSatisfy(\.isHexDigit), digits.utf8.count <= 8,
                let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value),
                value >= 0x20 || value == 0x0A || value == 0x09
            else { throw .invalidString }
            return String(Character(scalar))
        }
    }

    private mutating func skipBlanks() {
        while offset < bytes.count, XMLReader.isSpace(bytes[offset]) { offset += 1 }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let wanted = text.description.utf8
        guard bytes[offset...].starts(with: wanted) else { return false }
        offset += wanted.count
        return true
    }

    /// What stands before `end`, which is passed over too.
    private mutating func slice(to end: StaticString) throws(CodingError) -> ArraySlice<UInt8> {
        guard let found = bytes[offset...].range(ofBytes: end.description) else { throw .truncated }
        defer { offset = found.upperBound }
        return bytes[offset..<found.lowerBound]
    }
}

extension ArraySlice<UInt8> {
    fileprivate func range(ofBytes text: String) -> Range<Int>? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return nil }
        for start in startIndex...(endIndex - wanted.count) where self[start] == first {
            if self[start..<start + wanted.count].elementsEqual(wanted) { return start..<start + wanted.count }
        }
        return nil
    }
}
