// SPDX-License-Identifier: Apache-2.0

/// Reads elements and texts of an XML file without a DTD: no entities are defined, nothing is fetched.
internal struct XMLReader {
    internal let bytes: ImportedBytes
    internal private(set) var position = 0
    /// The last found ends of comments and the like; the end of the file if there is no further one.
    private var marks: [String: Int] = [:]

    internal enum Event {
        /// An element begins; `attributes` is the range between its name and its end.
        case open(name: String, attributes: Range<Int>, isEmpty: Bool)
        case close(name: String)
        /// With character references, unless it is verbatim.
        case text(Range<Int>, isVerbatim: Bool)
        case end
        /// The bytes at `position` are malformed.
        case damaged
    }

    internal init(_ bytes: ImportedBytes) {
        self.bytes = bytes
        position = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
    }

    internal mutating func next() -> Event {
        while position < bytes.count {
            guard bytes[position] == ASCII.less else {
                let end = bytes.index(of: ASCII.less, in: position..<bytes.count) ?? bytes.count
                defer { position = end }
                return .text(position..<end, isVerbatim: false)
            }
            if bytes.has("<?", at: position) {
                guard let end = find("?>", from: position + 2) else { return .damaged }
                position = end + 2
            } else if bytes.has("<!--", at: position) {
                guard let end = find("-->", from: position + 4) else { return .damaged }
                position = end + 3
            } else if bytes.has("<![CDATA[", at: position) {
                guard let end = find("]]>", from: position + 9) else { return .damaged }
                defer { position = end + 3 }
                return .text(position + 9..<end, isVerbatim: true)
            } else {
                return tag()
            }
        }
        return .end
    }

    /// Continues after a damaged place.
    internal mutating func jump(to index: Int) { position = max(position, index) }

    private mutating func tag() -> Event {
        let isClose = bytes[position + 1] == ASCII.slash
        let start = position + (isClose ? 2 : 1)
        var end = start
        while let byte = bytes[end], end - start < 128, XMLReader.isOfName(byte) { end += 1 }
        guard end > start, let name = bytes.text(start..<end), let close = endOfTag(end) else { return .damaged }
        let isEmpty = bytes[close - 1] == ASCII.slash
        if isClose {
            guard bytes.trimmed(end..<close).isEmpty else { return .damaged }
            position = close + 1
            return .close(name: name)
        }
        guard isEmpty || close == end || ASCII.isSpace(bytes[end]) else { return .damaged }
        position = close + 1
        return .open(name: name, attributes: end..<(isEmpty ? close - 1 : close), isEmpty: isEmpty)
    }

    /// The position of the tag's ">", outside of quoted attributes.
    private func endOfTag(_ start: Int) -> Int? {
        var quote: UInt8?
        var index = start
        while index - start < 65536, let byte = bytes[index] {
            if byte == ASCII.less { return nil }
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == ASCII.quote || byte == UInt8(ascii: "'") {
                quote = byte
            } else if quote == nil, byte == ASCII.greater {
                return index
            }
            index += 1
        }
        return nil
    }

    /// The next position of a mark; searched only once, even if it is missing.
    private mutating func find(_ mark: String, from start: Int) -> Int? {
        if let known = marks[mark], known >= start { return known < bytes.count ? known : nil }
        let found = (min(start, bytes.count)..<bytes.count).first { bytes.has(mark, at: $0) }
        marks[mark] = found ?? bytes.count
        return found
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: byte >= 0x80
        }
    }
}

/// The text of an element, as the parts that the reader found.
internal struct XMLText {
    private var parts: [(range: Range<Int>, isVerbatim: Bool)] = []

    internal mutating func append(_ range: Range<Int>, isVerbatim: Bool) {
        guard !range.isEmpty else { return }
        parts.append((range, isVerbatim))
    }

    /// The text with its references resolved; nil if one of them is invalid.
    internal func decoded(_ bytes: ImportedBytes) -> ImportedBytes? {
        ImportedBytes(capacity: parts.reduce(0) { $0 + $1.range.count }) { output in
            for part in parts {
                guard XMLText.decode(bytes, part.range, part.isVerbatim, &output) else { return false }
            }
            return true
        }
    }

    private static func decode(
        _ bytes: ImportedBytes, _ range: Range<Int>, _ isVerbatim: Bool, _ output: inout SecretWriter
    ) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, let byte = bytes[index] {
            if byte == ASCII.ampersand, !isVerbatim {
                guard let end = bytes.index(of: ASCII.semicolon, in: index..<min(index + 12, range.upperBound)),
                    reference(bytes, index + 1..<end, &output)
                else { return false }
                index = end + 1
                continue
            }
            // XML normalizes line ends to one newline.
            let isReturn = byte == ASCII.carriageReturn
            if !isReturn || bytes[index + 1] != ASCII.newline { output.append(isReturn ? ASCII.newline : byte) }
            index += 1
        }
        return true
    }

    /// Writes the character that a reference names.
    private static func reference(_ bytes: ImportedBytes, _ range: Range<Int>, _ output: inout SecretWriter) -> Bool {
        for (name, byte) in names where name.utf8.count == range.count && bytes.has(name, at: range.lowerBound) {
            output.append(byte)
            return true
        }
        guard bytes[range.lowerBound] == ASCII.number, range.count > 1 else { return false }
        let isHexadecimal = bytes[range.lowerBound + 1] == UInt8(ascii: "x")
        let digits = range.lowerBound + (isHexadecimal ? 2 : 1)..<range.upperBound
        guard (1...7).contains(digits.count) else { return false }
        var value: UInt32 = 0
        for index in digits {
            guard let digit = ASCII.hexDigit(bytes[index]), isHexadecimal || digit < 10 else { return false }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
        }
        guard value > 0, let scalar = Unicode.Scalar(value) else { return false }
        for byte in UTF8.encode(scalar) ?? .init() { output.append(byte) }
        return true
    }

    private static let names: [(String, UInt8)] = [
        ("lt", ASCII.less), ("gt", ASCII.greater), ("amp", ASCII.ampersand), ("quot", ASCII.quote),
        ("apos", UInt8(ascii: "'")),
    ]
}

/// The places where entries and groups of an export begin or end: reading continues there after damage.
internal struct XMLBeginnings {
    private let positions: [Int]

    internal init(_ bytes: ImportedBytes) {
        var found: [Int] = []
        // Since the last mark other than an entry: whether they are in a history is known at its end.
        var entries: [Int] = []
        var index = 0
        while let tag = bytes.index(of: ASCII.less, in: index..<bytes.count) {
            index = tag + 1
            if bytes.has("<Entry>", at: tag) {
                entries.append(tag)
            } else if bytes.has("</History>", at: tag) {
                entries = []
            } else if bytes.has("<History>", at: tag) {
                found += entries
                entries = []
            } else if bytes.has("<Group>", at: tag) || bytes.has("</Group>", at: tag) {
                found += entries + [tag]
                entries = []
            }
        }
        positions = found + entries
    }

    /// The first one after a place.
    internal func first(after place: Int) -> Int? {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] > place { high = middle } else { low = middle + 1 }
        }
        return low < positions.count ? positions[low] : nil
    }
}
