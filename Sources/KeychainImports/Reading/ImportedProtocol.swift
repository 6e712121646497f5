// SPDX-License-Identifier: Apache-2.0

/// The names of protocols as URLs have them, and the four letters that the keychain has for them.
internal enum ImportedProtocol {
    internal static func code(ofScheme scheme: String) -> String? { codes[scheme.lowercased()] }

    /// Whether four letters are one of those; other stores write zeros, or their own.
    internal static func isCode(_ letters: String) -> Bool { known.contains(letters) }

    private static let codes = [
        "ftp": "ftp ", "http": "http", "irc": "irc ", "nntp": "nntp", "pop3": "pop3", "pop": "pop3", "smtp": "smtp",
        "socks": "sox ", "imap": "imap", "ldap": "ldap", "afp": "afp ", "telnet": "teln", "ssh": "ssh ", "sftp": "ssh ",
        "ftps": "ftps", "https": "htps", "smb": "smb ", "rtsp": "rtsp", "daap": "daap", "eppc": "eppc", "ipp": "ipp ",
        "nntps": "ntps", "ldaps": "ldps", "telnets": "tels", "imaps": "imps", "ircs": "ircs", "pop3s": "pops",
    ]
    private static let known = Set(codes.values).union(["ftpa", "atlk", "htpx", "htsx", "ftpx", "rtsx"])
}
