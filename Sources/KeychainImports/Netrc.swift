// SPDX-License-Identifier: Apache-2.0

/// A .netrc file: words with the logins for machines.
internal struct Netrc {
    private var tokens: NetrcTokens
    private let file: String
    /// The machine of the current words; nil without one, or after damage.
    private var entry: Entry?

    private struct Entry {
        /// Nil for "default".
        let machine: String?
        let line: Int
        var login: ImportedBytes?
        var password: ImportedBytes?
        var isPlain = false
        var account: ImportedBytes?
    }

    /// Whether the first words fit such a file.
    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        var tokens = NetrcTokens(bytes.part(0..<4096))
        guard case .token(let first) = tokens.next(allowingComment: true), first.keyword == .machine,
            case .token = tokens.next(allowingComment: false),
            case .token(let third) = tokens.next(allowingComment: true)
        else { return false }
        return third.keyword != nil
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        // Otherwise any text would count as a damaged file.
        var first = NetrcTokens(bytes)
        if case .token(let word) = first.next(allowingComment: true), word.keyword == nil, !contains(bytes) {
            throw .notThisFormat
        }
        var netrc = Netrc(tokens: NetrcTokens(bytes), file: file)
        try netrc.read(into: &report)
    }

    private static func contains(_ bytes: ImportedBytes) -> Bool {
        bytes.all.contains { bytes.has("machine", at: $0) }
    }

    private init(tokens: NetrcTokens, file: String) {
        self.tokens = tokens
        self.file = file
    }

    private mutating func read(into report: inout ImportReport) throws(ImportError) {
        while true {
            switch tokens.next(allowingComment: true) {
            case .end: return try finish(into: &report)
            case .damaged(let line): try lose(line, &report)
            case .token(let token):
                guard let keyword = token.keyword else {
                    try lose(token.line, &report)
                    continue
                }
                try take(keyword, token.line, &report)
            }
        }
    }

    private mutating func take(
        _ keyword: NetrcKeyword, _ line: Int, _ report: inout ImportReport
    ) throws(ImportError) {
        if keyword == .default {
            try finish(into: &report)
            entry = Entry(machine: nil, line: line)
            return
        }
        if keyword == .machine || keyword == .macdef { try finish(into: &report) }
        let before = tokens
        guard case .token(let value) = tokens.next(allowingComment: false),
            // A keyword on another line is the next one: the value here is missing.
            value.line == line || value.keyword == nil
        else {
            tokens = before
            return try lose(line, &report)
        }
        switch keyword {
        case .machine:
            guard let name = value.value.text, !name.isEmpty else {
                return try report.skip(SourceLocation(file, line: line), "", .notText)
            }
            entry = Entry(machine: name, line: line)
        case .macdef:
            try report.skip(SourceLocation(file, line: line), value.value.text ?? "", .notAPassword)
            tokens.skipMacro()
        case .login, .user:
            guard entry?.login == nil else { return try lose(line, &report) }
            entry?.login = value.value
        case .password, .passwd:
            guard entry?.password == nil else { return try lose(line, &report) }
            entry?.password = value.value
            entry?.isPlain = !value.isQuoted
        case .account:
            guard entry?.account == nil else { return try lose(line, &report) }
            entry?.account = value.value
        case .default: break
        }
    }

    /// Ends the entry at an unknown word: the following words may be for another machine.
    private mutating func lose(_ line: Int, _ report: inout ImportReport) throws(ImportError) {
        let label = entry?.machine ?? ""
        let isWhole = entry?.password != nil
        if isWhole { try finish(into: &report) }
        if entry != nil || isWhole { try report.skip(SourceLocation(file, line: line), label, .damaged) }
        entry = nil
    }

    private mutating func finish(into report: inout ImportReport) throws(ImportError) {
        guard let entry else { return }
        self.entry = nil
        let place = SourceLocation(file, line: entry.line)
        guard let machine = entry.machine else { return try report.skip(place, "default", .everyServer) }
        guard let password = entry.password else { return try report.skip(place, machine, .noSecret) }
        guard let login = (entry.login ?? ImportedBytes("")).text else {
            return try report.skip(place, machine, .notText)
        }
        var item = ImportedItem(
            .internet(InternetPlace(server: machine)), account: login, label: machine, secret: password, source: place)
        if let account = entry.account {
            if let text = account.text {
                item.attributes.append(ImportedAttribute("account", text))
            } else {
                item.repairs.append(.attributesLost)
            }
        }
        // Outside of quotes some programs treat it as an escape, and some do not.
        if entry.isPlain, password.index(of: ASCII.backslash, in: password.all) != nil {
            item.repairs.append(.ambiguousBackslash)
        }
        try report.add(item)
    }
}

/// A word of a .netrc file.
internal struct NetrcToken {
    /// Its value, without quotes.
    internal let value: ImportedBytes
    internal let isQuoted: Bool
    /// Counted from one.
    internal let line: Int

    internal var keyword: NetrcKeyword? { isQuoted ? nil : value.text.flatMap(NetrcKeyword.init) }
}

internal enum NetrcKeyword: String {
    case machine, `default`, login, user, password, passwd, account, macdef
}

/// Reads the words of a .netrc file.
internal struct NetrcTokens {
    private let bytes: ImportedBytes
    private var position = 0
    private var line = 1

    internal enum Word {
        case token(NetrcToken)
        /// The line, counted from one, of a quote without an end on its line; the rest of the line is skipped.
        case damaged(Int)
        case end
    }

    internal init(_ bytes: ImportedBytes) { self.bytes = bytes }

    /// The next word; at the place of a keyword, a number sign begins a comment.
    internal mutating func next(allowingComment: Bool) -> Word {
        while let byte = bytes[position] {
            if ASCII.isSpace(byte) {
                if byte == ASCII.newline { line += 1 }
                position += 1
            } else if byte == ASCII.number, allowingComment {
                endLine()
            } else {
                return byte == ASCII.quote ? quoted() : plain()
            }
        }
        return .end
    }

    private mutating func plain() -> Word {
        let start = position
        while let byte = bytes[position], !ASCII.isSpace(byte) { position += 1 }
        return .token(NetrcToken(value: bytes.part(start..<position), isQuoted: false, line: line))
    }

    private mutating func quoted() -> Word {
        var end = position + 1
        while let byte = bytes[end], byte != ASCII.quote, byte != ASCII.newline {
            end += byte == ASCII.backslash && bytes[end + 1] != ASCII.newline ? 2 : 1
        }
        guard bytes[end] == ASCII.quote else {
            endLine()
            return .damaged(line)
        }
        let inside = position + 1..<end
        let value = ImportedBytes(capacity: inside.count) { output in
            var index = inside.lowerBound
            while index < inside.upperBound, let byte = bytes[index] {
                index += 1
                if byte == ASCII.backslash, index < inside.upperBound, let letter = bytes[index] {
                    output.append(NetrcTokens.escapes[letter] ?? letter)
                    index += 1
                } else {
                    output.append(byte)
                }
            }
            return true
        }
        position = end + 1
        // Text directly after a closing quote is malformed.
        guard let value, bytes[position] == nil || ASCII.isSpace(bytes[position]) else {
            endLine()
            return .damaged(line)
        }
        return .token(NetrcToken(value: value, isQuoted: true, line: line))
    }

    /// Skips the rest of the line.
    private mutating func endLine() {
        position = bytes.index(of: ASCII.newline, in: position..<bytes.count) ?? bytes.count
    }

    /// Skips a macro: all lines up to an empty one, or to one that cannot be part of a macro.
    internal mutating func skipMacro() {
        endLine()
        while bytes[position] == ASCII.newline {
            let end = bytes.index(of: ASCII.newline, in: position + 1..<bytes.count) ?? bytes.count
            let text = bytes.trimmed(position + 1..<end)
            if text.isEmpty || bytes.has("machine ", at: text.lowerBound) || bytes.has("default ", at: text.lowerBound)
            {
                return
            }
            position = end
            line += 1
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): ASCII.newline, UInt8(ascii: "r"): ASCII.carriageReturn, UInt8(ascii: "t"): ASCII.tab,
    ]
}
