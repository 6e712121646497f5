// SPDX-License-Identifier: Apache-2.0

/// The schemes of URLs, and what stands for them in an internet password: Apple's four-letter code, or the scheme itself where it
/// has none.
package enum URLScheme {
    /// What is stored of a scheme; nil of a text that is none.
    package static func code(of scheme: String) -> String? { codes[scheme] ?? (isScheme(scheme) ? scheme : nil) }

    /// The scheme that was stored.
    package static func scheme(of code: String) -> String? {
        codes.first { $0.value == code }?.key ?? (isScheme(code) ? code : nil)
    }

    /// Whether it can be stored as written: a scheme by RFC 3986 that is not the four-letter code of another one.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 32 else { return false }
        let isPlain = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
        }
        return isPlain && !codes.values.contains(text)
    }

    private static let codes = [
        "http": "http", "https": "htps", "ftp": "ftp ", "ftps": "ftps", "ssh": "ssh ", "smb": "smb ",
        "imap": "imap", "imaps": "imps", "smtp": "smtp", "pop3": "pop3", "pop3s": "pops", "ldap": "ldap",
        "ldaps": "ldps", "afp": "afp ", "telnet": "teln", "nntp": "nntp", "irc": "irc ", "socks": "sox ",
        "rtsp": "rtsp", "svn": "svn ", "cvs": "cvsp",
    ]
}
