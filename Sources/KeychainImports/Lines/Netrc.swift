// SPDX-License-Identifier: Apache-2.0

/// A .netrc file: words that say to which machine one logs in how.
internal struct Netrc {
    private var tokens: NetrcTokens
    private let file: String
    /// The machine that the words are about; nil when none, or when they say nothing any more.
    private var entry: Entry?

    private struct Entry {
        /// Nil where the file says "default".
        let machine: String?
        let line: Int
        var login: ImportedBytes?
        var password: ImportedBytes?
        var isPlain = false
        var account: ImportedBytes?
    }

    /// Whether the first words are those of such a file.
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
        // Any text would do otherwise, as a file of nothing but damage.
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
            // A keyword in another line is the next one: what was to stand here is missing.
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

    /// Ends the entry at what says nothing: what follows may be another machine's.
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
        // Outside of quotes some programs take it for an escape, and some do not.
        if entry.isPlain, password.index(of: ASCII.backslash, in: password.all) != nil {
            item.repairs.append(.ambiguousBackslash)
        }
        try report.add(item)
    }
}
