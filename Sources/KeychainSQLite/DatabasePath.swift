// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where a database file is, in the form SQLite is to be told.
internal struct DatabasePath {
    /// Absolute, without a symbolic link except perhaps the file itself.
    let resolved: String

    /// Fails with the errno when the folder cannot be reached.
    ///
    /// SQLITE_OPEN_NOFOLLOW refuses a symbolic link anywhere in the path, also where a whole home folder is one. Only
    /// the file itself must not be one, so the folder is resolved first. An absolute path can also never be taken for
    /// a URI.
    init(_ path: String) throws(SQLiteError) {
        // A NUL would cut the path short, and an empty one means a nameless temporary database.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.refusal(EINVAL) }
        var folder = "."
        var name = path[...]
        if let slash = path.lastIndex(of: "/") {
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
            name = path[path.index(after: slash)...]
        }
        guard !name.isEmpty, name != ".", name != ".." else { throw Self.refusal(EISDIR) }
        guard let real = unsafe realpath(folder, nil) else { throw Self.refusal(errno) }
        defer { unsafe Glibc.free(real) }
        let parent = unsafe String(cString: real)
        resolved = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
        guard resolved.utf8.count <= Self.longest else { throw Self.refusal(ENAMETOOLONG) }
    }

    /// The file as one that nobody changes: no locks, no journal, no `-wal` beside it.
    var immutableURI: String {
        var uri = "file:"
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in resolved.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri.append("%")
                uri.unicodeScalars.append(Unicode.Scalar(digits[Int(byte >> 4)]))
                uri.unicodeScalars.append(Unicode.Scalar(digits[Int(byte & 15)]))
            }
        }
        return uri + "?immutable=1"
    }

    /// SQLite takes 512 bytes with the endings of its other files, and says of a longer path that it cannot open it.
    static let longest = 500

    private static func refusal(_ systemError: Int32) -> SQLiteError {
        SQLiteError(code: .cannotOpen, operation: .open, systemError: systemError)
    }
}
