// SPDX-License-Identifier: Apache-2.0

/// A URL with a host, split into parts.
internal struct ImportedURL {
    internal let scheme: String
    internal let user: Range<Int>?
    internal let password: Range<Int>?
    internal let host: String
    internal let port: UInt16?
    /// Beginning with a slash, or empty; without the query.
    internal let path: String
    /// Beginning with a question mark, as it is written; or empty.
    private let query: String

    /// Nil if the bytes are not a URL with a host.
    internal init?(_ bytes: ImportedBytes, _ range: Range<Int>) {
        guard let colon = bytes.index(of: ASCII.colon, in: range), bytes.has("://", at: colon),
            colon + 3 <= range.upperBound, let scheme = bytes.text(range.lowerBound..<colon), !scheme.isEmpty,
            scheme.utf8.allSatisfy(ImportedURL.isOfScheme)
        else { return nil }
        let rest = colon + 3..<range.upperBound
        let marks = [ASCII.slash, ASCII.question, ASCII.number]
        let end = rest.first { index in bytes[index].map(marks.contains) ?? false } ?? rest.upperBound
        var place = rest.lowerBound..<end
        var user: Range<Int>?
        var password: Range<Int>?
        // The last one: some programs do not encode it in user names.
        if let at = place.last(where: { bytes[$0] == ASCII.at }) {
            let names = place.lowerBound..<at
            if let between = bytes.index(of: ASCII.colon, in: names) {
                user = names.lowerBound..<between
                password = between + 1..<names.upperBound
            } else {
                user = names
            }
            place = at + 1..<place.upperBound
        }
        self.user = user
        self.password = password
        guard let (host, port) = ImportedURL.host(bytes, place) else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host
        self.port = port
        let pathEnd = (end..<rest.upperBound).first { bytes[$0] == ASCII.question || bytes[$0] == ASCII.number }
        let queryStart = pathEnd ?? rest.upperBound
        guard let path = bytes.decodingPercent(end..<queryStart)?.text else { return nil }
        self.path = path
        let queryEnd = (queryStart..<rest.upperBound).first { bytes[$0] == ASCII.number } ?? rest.upperBound
        query = bytes.text(queryStart..<queryEnd) ?? ""
    }

    private static func host(_ bytes: ImportedBytes, _ place: Range<Int>) -> (String, UInt16?)? {
        var name = place
        var port: UInt16?
        // An IPv6 address has colons itself, between brackets.
        let bracket = place.last { bytes[$0] == ASCII.closeBracket } ?? place.lowerBound
        if let colon = bytes.index(of: ASCII.colon, in: bracket..<max(bracket, place.upperBound)) {
            name = place.lowerBound..<colon
            if colon + 1 < place.upperBound {
                guard let number = bytes.number(colon + 1..<place.upperBound), let exact = UInt16(exactly: number)
                else { return nil }
                port = exact
            }
        }
        guard let host = bytes.decodingPercent(name)?.text, !host.isEmpty else { return nil }
        return (host, port)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The place it names.
    internal var place: InternetPlace { place(path) }

    /// The same with the query, as `llavero add --url` has it.
    internal var wholePlace: InternetPlace { place(path + query) }

    private func place(_ path: String) -> InternetPlace {
        InternetPlace(server: host, protocolCode: URLScheme.code(of: scheme), port: port, path: path)
    }
}

/// URL schemes and the four-letter codes of their protocols.
internal enum ImportedProtocol {
    internal static func code(ofScheme scheme: String) -> String? { codes[scheme.lowercased()] }

    /// Whether the text is one of the codes; other stores write zeros, or codes of their own.
    internal static func isCode(_ letters: String) -> Bool { known.contains(letters) }

    private static let codes = [
        "ftp": "ftp ", "http": "http", "irc": "irc ", "nntp": "nntp", "pop3": "pop3", "pop": "pop3", "smtp": "smtp",
        "socks": "sox ", "imap": "imap", "ldap": "ldap", "afp": "afp ", "telnet": "teln", "ssh": "ssh ", "sftp": "ssh ",
        "ftps": "ftps", "https": "htps", "smb": "smb ", "rtsp": "rtsp", "daap": "daap", "eppc": "eppc", "ipp": "ipp ",
        "nntps": "ntps", "ldaps": "ldps", "telnets": "tels", "imaps": "imps", "ircs": "ircs", "pop3s": "pops",
    ]
    private static let known = Set(codes.values).union(["ftpa", "atlk", "htpx", "htsx", "ftpx", "rtsx"])
}
