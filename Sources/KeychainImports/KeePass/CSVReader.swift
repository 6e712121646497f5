// SPDX-License-Identifier: Apache-2.0

/// The records of a table with commas, strictly: a record that breaks a rule is none.
internal struct CSVReader {
    internal let bytes: ImportedBytes
    internal private(set) var position: Int
    /// Of `position`, counted from one.
    internal private(set) var line = 1
    /// Whether a backslash takes the meaning of the quote after it, and not a second quote.
    internal var hasBackslashes = false
    /// Whether every field has quotes.
    internal private(set) var isQuoted = false

    internal init(_ bytes: ImportedBytes) {
        self.bytes = bytes
        position = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
        isQuoted = bytes[position] == ASCII.quote
    }

    internal var isAtEnd: Bool { position >= bytes.count }

    /// The next record, which must have so many fields unless that is nil.
    ///
    /// When it is damaged, nil, and `position` stays.
    internal mutating func record(columns: Int?) -> [ImportedBytes]? {
        var index = position
        var fields: [ImportedBytes] = []
        let limit = min(bytes.count, position + ImportLimits.longestRecord)
        while fields.count < columns ?? 64 {
            guard let (field, next) = isQuoted ? quoted(index, limit) : field(index, limit) else { return nil }
            fields.append(field)
            index = next
            if bytes[index] == ASCII.comma {
                index += 1
                continue
            }
            if bytes[index] == ASCII.carriageReturn { index += 1 }
            guard index >= bytes.count || bytes[index] == ASCII.newline, fields.count == columns ?? fields.count
            else { return nil }
            advance(to: min(bytes.count, index + 1))
            return fields
        }
        return nil
    }

    /// Goes to the next line.
    internal mutating func skipLine() {
        advance(to: bytes.index(of: ASCII.newline, in: position..<bytes.count).map { $0 + 1 } ?? bytes.count)
    }

    /// Whether the line here has nothing in it.
    internal var isAtBlankLine: Bool {
        bytes[position] == ASCII.newline || bytes[position] == ASCII.carriageReturn
    }

    /// Whether the line here, which is no record, looks like the beginning of one, and not like the rest of one before.
    internal func beginsLikeRecord(columns: Int) -> Bool {
        if bytes[position] == ASCII.quote { return !isAtClosingQuote }
        let end = bytes.index(of: ASCII.newline, in: position..<bytes.count) ?? bytes.count
        let commas = (position..<end).count(where: { bytes[$0] == ASCII.comma })
        // Where all fields have quotes, this one has lost its first: it is none unless it has all its columns.
        return commas >= (isQuoted ? max(1, columns - 1) : 1)
    }

    /// Whether the quote here ends a field of several lines.
    private var isAtClosingQuote: Bool {
        guard let next = bytes[position + 1] else { return true }
        if next == ASCII.comma { return !isQuoted || bytes[position + 2] == ASCII.quote }
        return next == ASCII.newline || next == ASCII.carriageReturn
    }

    private mutating func advance(to index: Int) {
        for passed in position..<index where bytes[passed] == ASCII.newline { line += 1 }
        position = index
    }

    private func field(_ start: Int, _ limit: Int) -> (ImportedBytes, Int)? {
        if bytes[start] == ASCII.quote { return quoted(start, limit) }
        var end = start
        while end < limit, let byte = bytes[end], byte != ASCII.comma, byte != ASCII.newline,
            !(byte == ASCII.carriageReturn && bytes[end + 1] == ASCII.newline)
        {
            if byte == ASCII.quote { return nil }
            end += 1
        }
        return (bytes.part(start..<end), end)
    }

    private func quoted(_ start: Int, _ limit: Int) -> (ImportedBytes, Int)? {
        guard bytes[start] == ASCII.quote else { return nil }
        var end = start + 1
        while end < limit {
            if hasBackslashes, bytes[end] == ASCII.backslash {
                end += 2
            } else if bytes[end] == ASCII.quote {
                guard !hasBackslashes, bytes[end + 1] == ASCII.quote else { break }
                end += 2
            } else {
                end += 1
            }
        }
        guard end < limit, bytes[end] == ASCII.quote else { return nil }
        let value = ImportedBytes(capacity: end - start) { output in
            var index = start + 1
            while index < end, let byte = bytes[index] {
                // The first of two, whichever it is, says that the second is meant.
                let isFirst = hasBackslashes ? byte == ASCII.backslash : byte == ASCII.quote
                if isFirst { index += 1 }
                if let meant = bytes[index], index < end { output.append(meant) }
                index += 1
            }
            return true
        }
        return value.map { ($0, end + 1) }
    }
}
