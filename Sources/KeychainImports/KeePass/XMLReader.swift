// SPDX-License-Identifier: Apache-2.0

/// Elements and texts of an XML file without declarations of its own: no entity is defined, nothing is fetched.
internal struct XMLReader {
    internal let bytes: ImportedBytes
    internal private(set) var position = 0
    /// Where the ends of comments and the like were found last; the end of the file when there is none any more.
    private var marks: [String: Int] = [:]

    internal enum Event {
        /// An element begins; `attributes` lie between its name and its end.
        case open(name: String, attributes: Range<Int>, isEmpty: Bool)
        case close(name: String)
        /// With references in it, unless it is verbatim.
        case text(Range<Int>, isVerbatim: Bool)
        case end
        /// What stands at `position` is none of these.
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

    /// Goes on behind a place that is damaged.
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

    /// Where the tag's ">" is, outside of the quotes of attributes.
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

    /// Where a mark is next; looked for once, however often it is missed.
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
