// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether two strings are the same bytes; Swift's own equality also holds for two spellings of one character.
    package func hasSameBytes(as other: String) -> Bool {
        let mine = utf8.span
        let theirs = other.utf8.span
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }

    package func contains(byte: UInt8) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] == byte { return true }
        return false
    }

    package var isASCII: Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] >= 0x80 { return false }
        return true
    }

    /// Up to eight bytes as one number; 0 for longer strings, and for those that begin with NUL.
    ///
    /// No two others have the same.
    package var packed: UInt64 {
        let bytes = utf8.span
        guard 1...8 ~= bytes.count, bytes[0] != 0 else { return 0 }
        var packed: UInt64 = 0
        for index in bytes.indices { packed = packed << 8 | UInt64(bytes[index]) }
        return packed
    }
}
