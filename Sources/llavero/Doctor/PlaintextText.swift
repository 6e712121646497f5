// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainModel

/// The text of a file that may have passwords: only names are copied from it.
struct PlaintextText: ByteSource {
    fileprivate let bytes: SecretValue

    init(_ bytes: SecretValue) { self.bytes = bytes }

    subscript(index: Int) -> UInt8? {
        (0..<bytes.count).contains(index) ? unsafe bytes.bytes.load(fromByteOffset: index, as: UInt8.self) : nil
    }

    /// The lines without line ends.
    var lines: [PlaintextSpan] {
        var lines: [PlaintextSpan] = []
        var start = 0
        for index in 0...bytes.count where index == bytes.count || self[index] == 0x0A {
            var end = index
            if end > start, self[end - 1] == 0x0D { end -= 1 }
            lines.append(PlaintextSpan(text: self, line: lines.count + 1, range: start..<end))
            start = index + 1
        }
        return lines
    }

    /// The number of the line that has the byte.
    func line(of index: Int) -> Int {
        var line = 1
        for place in 0..<min(index, bytes.count) where self[place] == 0x0A { line += 1 }
        return line
    }

    func span(_ range: Range<Int>) -> PlaintextSpan {
        PlaintextSpan(text: self, line: line(of: range.lowerBound), range: range)
    }
}

/// The places of such a file where a word may begin, in the order of what stands there: any number of secrets is found in it
/// without reading it again for each, and without a copy of it.
struct PlaintextPlaces {
    private let text: PlaintextText
    private let places: [Int32]

    init(_ text: PlaintextText) {
        let starts = (0..<text.bytes.count).filter { !PlaintextPlaces.isWord(text[$0 - 1]) }.map(Int32.init)
        places = starts.sorted {
            unsafe text.compare(Int($0), text.bytes.bytes + Int($1), text.bytes.count - Int($1)) < 0
        }
        self.text = text
    }

    /// The lines in which the needle stands by itself, with no letter or digit beside it.
    func lines(of needle: SecretValue) -> [Int] {
        func isBefore(_ place: Int32) -> Bool { unsafe text.compare(Int(place), needle.bytes, needle.count) < 0 }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(places[middle]) { low = middle + 1 } else { high = middle }
        }
        var lines: Set<Int> = []
        for place in places[low...].lazy.map({ Int($0) }) {
            guard unsafe text.compare(place, needle.bytes, min(needle.count, PlaintextText.mostCompared)) == 0 else {
                break
            }
            guard text.has(needle, at: place), !PlaintextPlaces.isWord(text[place + needle.count]) else { continue }
            lines.insert(text.line(of: place))
        }
        return lines.sorted()
    }

    private static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
    }
}

extension PlaintextText {
    /// How the bytes from a place on are ordered beside others, by the first of them.
    fileprivate func compare(_ place: Int, _ other: UnsafeRawPointer, _ count: Int) -> Int32 {
        let (left, right) = (
            min(bytes.count - place, PlaintextText.mostCompared), min(count, PlaintextText.mostCompared)
        )
        let order = unsafe memcmp(bytes.bytes + place, other, min(left, right))
        // What ends here is before what goes on, but not before a needle that is its beginning.
        return order != 0 || left >= right ? order : -1
    }

    fileprivate func has(_ needle: SecretValue, at place: Int) -> Bool {
        guard place + needle.count <= bytes.count else { return false }
        return unsafe memcmp(bytes.bytes + place, needle.bytes, needle.count) == 0
    }

    /// Enough to tell most words from each other.
    fileprivate static let mostCompared = 32
}

/// A part of a line of such a file.
struct PlaintextSpan {
    fileprivate let text: PlaintextText
    let line: Int
    fileprivate let range: Range<Int>

    var isEmpty: Bool { range.isEmpty }
    var first: UInt8? { isEmpty ? nil : text[range.lowerBound] }
    var last: UInt8? { isEmpty ? nil : text[range.upperBound - 1] }

    /// Without spaces and tabs around it.
    var trimmed: PlaintextSpan {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, PlaintextSpan.isSpace(text[start]) { start += 1 }
        while end > start, PlaintextSpan.isSpace(text[end - 1]) { end -= 1 }
        return part(start..<end)
    }

    /// How many spaces and tabs stand in front.
    var indentation: Int { range.prefix { PlaintextSpan.isSpace(text[$0]) }.count }

    /// The parts before and after the first of these bytes; nil without one.
    func split(at bytes: UInt8...) -> (before: PlaintextSpan, behind: PlaintextSpan)? {
        guard let place = range.first(where: { text[$0].map(bytes.contains) ?? false }) else { return nil }
        return (part(range.lowerBound..<place), part(place + 1..<range.upperBound))
    }

    /// The parts before and after the last of them.
    func splitLast(at byte: UInt8) -> (before: PlaintextSpan, behind: PlaintextSpan)? {
        guard let place = range.last(where: { text[$0] == byte }) else { return nil }
        return (part(range.lowerBound..<place), part(place + 1..<range.upperBound))
    }

    /// The part between enclosing bytes; nil without them.
    func inside(_ open: UInt8, _ close: UInt8) -> PlaintextSpan? {
        guard range.count >= 2, first == open, last == close else { return nil }
        return part(range.lowerBound + 1..<range.upperBound - 1)
    }

    /// Without quotes, if it has any.
    var unquoted: PlaintextSpan { inside(0x22, 0x22) ?? inside(0x27, 0x27) ?? self }

    /// Words between spaces and tabs.
    var words: [PlaintextSpan] {
        var words: [PlaintextSpan] = []
        var start: Int?
        for index in range.lowerBound...range.upperBound {
            let isOver = index == range.upperBound || PlaintextSpan.isSpace(text[index])
            if !isOver, start == nil { start = index }
            if isOver, let first = start {
                words.append(part(first..<index))
                start = nil
            }
        }
        return words
    }

    /// Whether it begins with the text, ignoring case.
    func begins(with start: String) -> Bool {
        guard start.utf8.count <= range.count else { return false }
        return zip(start.utf8, range).allSatisfy { PlaintextSpan.lowered(text[$1]) == PlaintextSpan.lowered($0) }
    }

    /// Whether it equals the text, ignoring case.
    func isWord(_ word: String) -> Bool { word.utf8.count == range.count && begins(with: word) }

    func contains(_ word: String) -> Bool {
        range.contains { part($0..<range.upperBound).begins(with: word) }
    }

    /// A name as text, if it has only letters, digits and the few marks that host names and the like have; never a secret.
    var name: String? {
        guard !isEmpty, range.count <= 200 else { return nil }
        var name = ""
        for index in range {
            guard let byte = text[index] else { return nil }
            let letter = Unicode.Scalar(byte)
            guard letter.isASCII, letter.properties.isAlphabetic || "0123456789.:/_-@[]".unicodeScalars.contains(letter)
            else { return nil }
            name.unicodeScalars.append(letter)
        }
        return name
    }

    /// Its URLs that name a user, or have a password.
    func urls(with variables: PlaintextVariables) -> [PlaintextURL] {
        var urls: [PlaintextURL] = []
        for index in range where part(index..<range.upperBound).begins(with: "://") {
            let start = index + 3
            let end = (start..<range.upperBound).first { place in
                text[place].map { "/?#\"' \t,".utf8.contains($0) } ?? true
            }
            let authority = part(min(start, range.upperBound)..<(end ?? range.upperBound))
            guard let (login, host) = authority.splitLast(at: 0x40) else { continue }
            let parts = login.split(at: 0x3A)
            let user = parts?.before ?? login
            // In other URLs a long user name is not a token.
            let isOfWeb = ["http", "https"].contains { scheme in
                let first = index - scheme.utf8.count
                return first >= range.lowerBound && part(first..<index).isWord(scheme)
            }
            urls.append(
                PlaintextURL(
                    host: (host.split(at: 0x3A)?.before ?? host).name, hasUser: !user.isEmpty,
                    hasPassword: parts?.behind.isLiteral(with: variables) ?? false,
                    isOfToken: isOfWeb && user.isToken && user.isLiteral(with: variables)))
        }
        return urls
    }

    /// The hosts of its URLs that have a password or a token; nil for a host that is not such a name.
    func hostsOfURLsWithSecrets(with variables: PlaintextVariables) -> [String?] {
        urls(with: variables).filter(\.hasSecret).map(\.host)
    }

    /// Whether it is a literal value, not a reference to a variable.
    func isLiteral(with variables: PlaintextVariables) -> Bool {
        switch variables {
        case .never: !isEmpty
        case .braces: !isEmpty && !(begins(with: "${") && contains("}"))
        case .percent: !isEmpty && !(begins(with: "%(") && contains(")s"))
        }
    }

    /// Whether headers of this name usually have a secret.
    var namesSecretHeader: Bool {
        ["token", "auth", "key", "secret", "password", "cookie"].contains { contains($0) }
    }

    /// Whether a user name is a token: unusually long, or with a known server's prefix.
    ///
    /// E-mail addresses may be as long.
    private var isToken: Bool {
        let isKnown = ["ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "pypi-", "npm_"].contains {
            begins(with: $0)
        }
        return isKnown || range.count >= 20 && !contains("%40")
    }

    private func part(_ range: Range<Int>) -> PlaintextSpan { PlaintextSpan(text: text, line: line, range: range) }

    private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func lowered(_ byte: UInt8?) -> UInt8? {
        byte.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    }
}

/// A URL in such a file, of which only the host name is kept.
struct PlaintextURL {
    let host: String?
    let hasUser: Bool
    let hasPassword: Bool
    /// Its user is a token, which works like a password.
    let isOfToken: Bool

    var hasSecret: Bool { hasPassword || isOfToken }
}

/// How a program refers to a variable.
enum PlaintextVariables {
    /// No references: a dollar sign is an ordinary character.
    case never
    /// `${NAME}`, as npm and pip.
    case braces
    /// `%(NAME)s`, as Python's configparser.
    case percent
}
