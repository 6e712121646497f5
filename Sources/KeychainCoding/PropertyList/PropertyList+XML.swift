// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

extension PropertyList {
    /// The value of a property list file in XML.
    ///
    /// What people and Apple's tools write is taken: UTF-8, one plist element with one value in it, comments, CDATA. What
    /// XML has beyond that (attributes, entities of one's own, other encodings) is refused. A date or a fraction, which
    /// nothing here asks for, is read as null.
    package init(xml bytes: [UInt8]) throws(CodingError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .invalidString }
        var reader = PropertyListReader(bytes)
        try reader.skipProlog()
        guard try reader.tag() == XMLTag("plist", .opening) else { throw .unknownTag }
        self = try PropertyList.value(&reader, try reader.nextTag(), depthLeft: PropertyList.greatestDepth)
        guard try reader.nextTag() == XMLTag("plist", .closing) else { throw .trailingBytes }
        try reader.skipSpace()
        guard reader.isAtEnd else { throw .trailingBytes }
    }

    private static func value(
        _ reader: inout PropertyListReader, _ tag: XMLTag, depthLeft: Int
    ) throws(CodingError) -> PropertyList {
        guard tag.kind != .closing else { throw .wrongType }
        let isEmpty = tag.kind == .empty
        switch tag.name {
        case "dict":
            guard depthLeft > 0 else { throw .depthExceeded }
            return .dictionary(isEmpty ? [:] : try dictionary(&reader, depthLeft: depthLeft - 1))
        case "array":
            guard depthLeft > 0 else { throw .depthExceeded }
            return .array(isEmpty ? [] : try array(&reader, depthLeft: depthLeft - 1))
        case "true", "false":
            if !isEmpty, try reader.nextTag() != XMLTag(tag.name, .closing) { throw .wrongType }
            return .boolean(tag.name == "true")
        case "string": return .string(isEmpty ? "" : try reader.text(endingWith: tag.name))
        case "data":
            let text = isEmpty ? "" : try reader.text(endingWith: tag.name)
            // As Apple's reader, which does not look at bits that belong to no byte.
            guard let data = Base64.bytes(of: text, allowing: [.space, .strayBits]) else { throw .notCanonical }
            return .data(data)
        case "integer":
            let text = isEmpty ? "" : try reader.text(endingWith: tag.name)
            let digits = text.utf8.trimming(while: PropertyListReader.isSpace)
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw .numberOutOfRange }
            return .number(number)
        case "date", "real":
            _ = isEmpty ? "" : try reader.text(endingWith: tag.name)
            return .null
        default: throw .unknownTag
        }
    }

    private static func array(_ reader: inout PropertyListReader, depthLeft: Int) throws(CodingError) -> [PropertyList]
    {
        var values: [PropertyList] = []
        while true {
            let tag = try reader.nextTag()
            if tag == XMLTag("array", .closing) { return values }
            values.append(try value(&reader, tag, depthLeft: depthLeft))
        }
    }

    private static func dictionary(
        _ reader: inout PropertyListReader, depthLeft: Int
    ) throws(CodingError) -> [String: PropertyList] {
        var values: [String: PropertyList] = [:]
        while true {
            let tag = try reader.nextTag()
            if tag == XMLTag("dict", .closing) { return values }
            guard tag.name == "key", tag.kind != .closing else { throw .wrongType }
            let key = tag.kind == .empty ? "" : try reader.text(endingWith: "key")
            let value = try value(&reader, try reader.nextTag(), depthLeft: depthLeft)
            guard values.updateValue(value, forKey: key) == nil else { throw .duplicateKey }
        }
    }
}

/// Goes through the part of XML that property lists are made of.
struct PropertyListReader {
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
            if PropertyListReader.isSpace(bytes[offset]) {
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
                    for byte in try slice(to: "]]>") { try PropertyListReader.append(byte, to: &text) }
                    continue
                }
                guard try tag() == XMLTag(name, .closing) else { throw .wrongType }
                return String(decoding: PropertyListReader.withOneKindOfLineEnd(text), as: UTF8.self)
            }
            offset += 1
            if byte == UInt8(ascii: "&") {
                text += try PropertyListReader.character(named: try slice(to: ";")).utf8
            } else {
                try PropertyListReader.append(byte, to: &text)
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
        while offset < bytes.count, PropertyListReader.isSpace(bytes[offset]) { offset += 1 }
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

extension String.UTF8View {
    /// What is left without such bytes at both ends.
    fileprivate func trimming(while isUnwanted: (UInt8) -> Bool) -> SubSequence {
        let rest = drop(while: isUnwanted)
        guard let last = rest.lastIndex(where: { !isUnwanted($0) }) else { return rest.prefix(0) }
        return rest[...last]
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
