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

    /// The four letters that a number stands for, as older calls have them; none where it was never given.
    static func letters(_ number: Int64) -> String? {
        guard let number = UInt32(exactly: number) else { return nil }
        if number == 0 { return "" }
        let bytes = [number >> 24, number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether the name is no other protocol's code.
    static func isUnambiguous(_ name: String) -> Bool { codes.allSatisfy { $0.code != name || $0.name == name } }
}
