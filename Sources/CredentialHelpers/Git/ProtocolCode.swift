// SPDX-License-Identifier: Apache-2.0

/// How items name protocols: by four letters for those that have a name among Apple's, else as they are.
enum ProtocolCode {
    private static let codes: [(name: String, code: String, port: Int64)] = [
        ("https", "htps", 443), ("http", "http", 80), ("ftp", "ftp ", 21), ("ftps", "ftps", 990),
        ("ssh", "ssh ", 22), ("smtp", "smtp", 25), ("imap", "imap", 143), ("imaps", "imps", 993),
        ("smb", "smb ", 445), ("ldap", "ldap", 389), ("ldaps", "ldps", 636), ("svn", "svn ", 3690),
    ]

    static func code(of name: String) -> String { codes.first { $0.name == name }?.code ?? name }

    static func usualPort(of name: String) -> Int64? { codes.first { $0.name == name }?.port }

    static func name(of code: String) -> String { codes.first { $0.code == code }?.name ?? code }

    /// Whether the name is no other protocol's code.
    static func isUnambiguous(_ name: String) -> Bool { codes.allSatisfy { $0.code != name || $0.name == name } }
}
