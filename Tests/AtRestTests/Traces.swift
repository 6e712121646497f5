// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The forms in which a word could show in a file.
enum Traces {
    /// By name: as text, as UTF-16, as base64 wherever it begins, as hexadecimal, backwards.
    static func of(_ word: String) -> [(form: String, bytes: [UInt8])] {
        let bytes = Array(word.utf8)
        let units = Array(word.utf16)
        var forms: [(form: String, bytes: [UInt8])] = [
            ("text", bytes), ("backwards", bytes.reversed()),
            ("UTF-16", units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }),
            (
                "UTF-16 big-endian",
                units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            ),
            ("hexadecimal", hexadecimal(bytes)), ("HEXADECIMAL", hexadecimal(bytes).map { $0 > 0x60 ? $0 - 0x20 : $0 }),
        ]
        for shift in 0..<3 {
            // What comes before and after changes the letters at the edges, so those are left out.
            let encoded = Data(Array(repeating: 0, count: shift) + bytes).base64EncodedString()
            forms.append(("base64", Array(encoded.utf8.dropFirst(shift == 0 ? 0 : 4).dropLast(4))))
        }
        return forms
    }

    static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { Array(String(format: "%02x", $0).utf8) } }

    static func contains(_ haystack: [UInt8], _ needle: [UInt8]) -> Bool {
        haystack.withUnsafeBytes { haystack in
            guard let start = haystack.baseAddress, let first = needle.first else { return false }
            var offset = 0
            while haystack.count - offset >= needle.count {
                let room = haystack.count - offset - needle.count + 1
                guard let found = memchr(start + offset, Int32(first), room) else { return false }
                if memcmp(found, needle, needle.count) == 0 { return true }
                offset = UnsafeRawPointer(found) - start + 1
            }
            return false
        }
    }

    /// What `sha1sum` and its relatives say of some words, as bytes.
    static func digests(of words: [String], in folder: String) throws -> [[UInt8]] {
        var paths: [String] = []
        for (index, word) in words.enumerated() {
            paths.append(folder + "/word-\(index)")
            try Data(word.utf8).write(to: URL(fileURLWithPath: paths[index]))
        }
        defer { for path in paths { unlink(path) } }
        return try ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"].flatMap { program in
            String(decoding: try Child.run([program] + paths), as: UTF8.self).split(separator: "\n").map { line in
                let digits = Array(line.prefix { $0 != " " })
                return stride(from: 0, to: digits.count, by: 2).compactMap {
                    UInt8(String(digits[$0...($0 + 1)]), radix: 16)
                }
            }
        }
    }
}
