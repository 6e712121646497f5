// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A file of variables as `docker`, `op` and many frameworks know it: `NAME=value`, a line each.
///
/// - Empty lines and lines that begin with `#` say nothing; `export ` may stand in front of a name.
/// - A value without quotes ends with the line, or before a `#` behind a space; spaces around it are dropped.
/// - In single quotes every character stands for itself. In double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are what they are in
///   a shell, and no other backslash is allowed. A value in quotes may go over several lines; behind it only a remark may come.
/// - Nothing is expanded: `$` and backquotes stand for themselves.
package struct EnvironmentFile: Sendable {
    package struct Entry: Sendable {
        package let name: String
        package let value: SecretValue
        package let line: Int
    }

    package let entries: [Entry]

    /// A line that is none of these.
    package struct Fault: Error, Sendable, Equatable {
        package let line: Int
        package let reason: String
    }

    package init(_ text: SecretValue) throws(Fault) {
        entries = try unsafe text.withUnsafeBytes { (bytes) throws(Fault) in
            var reader = unsafe Reader(bytes)
            return try reader.entries()
        }
    }

    /// Whether a shell could have a variable of this name.
    package static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
        }
    }
}

extension EnvironmentFile {
    @safe
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var place = 0
        private var line = 1

        init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

        mutating func entries() throws(Fault) -> [Entry] {
            var entries: [Entry] = []
            var lines: [String: Int] = [:]
            // What some editors of Windows put at the beginning.
            if byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { place = 3 }
            while byte(at: place) != nil {
                skipSpaces()
                if isAtEndOfLine || byte(at: place) == UInt8(ascii: "#") {
                    skipLine()
                    continue
                }
                let first = line
                let name = try name()
                if let other = lines.updateValue(first, forKey: name) {
                    throw Fault(line: first, reason: "\(name) has a value in line \(other) already")
                }
                entries.append(Entry(name: name, value: try value(), line: first))
            }
            return entries
        }

        private func byte(at index: Int) -> UInt8? { unsafe index < bytes.count ? bytes[index] : nil }

        private var isAtEndOfLine: Bool {
            switch byte(at: place) {
            case nil, UInt8(ascii: "\n"): true
            case UInt8(ascii: "\r"): byte(at: place + 1) == UInt8(ascii: "\n") || byte(at: place + 1) == nil
            default: false
            }
        }

        private func isBlank(at index: Int) -> Bool {
            guard let byte = byte(at: index) else { return false }
            return byte == 0x20 || byte == 0x09
        }

        private mutating func skipSpaces() {
            while let byte = byte(at: place), byte == 0x20 || byte == 0x09 { place += 1 }
        }

        /// Goes behind the line's end.
        private mutating func skipLine() {
            while let byte = byte(at: place) {
                place += 1
                guard byte != UInt8(ascii: "\n") else {
                    line += 1
                    return
                }
            }
        }

        private mutating func name() throws(Fault) -> String {
            var word = word()
            if word == "export", let byte = byte(at: place), byte == 0x20 || byte == 0x09 {
                skipSpaces()
                word = self.word()
            }
            guard EnvironmentFile.isName(word) else {
                throw Fault(line: line, reason: "it is no NAME=value; a name has letters, digits and underscores")
            }
            skipSpaces()
            guard byte(at: place) == UInt8(ascii: "=") else {
                throw Fault(line: line, reason: "there is no = behind \(word)")
            }
            place += 1
            return word
        }

        private mutating func word() -> String {
            var word = ""
            while let byte = byte(at: place), byte != UInt8(ascii: "="), (0x21..<0x7F).contains(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte))
                place += 1
            }
            return word
        }

        private mutating func value() throws(Fault) -> SecretValue {
            skipSpaces()
            let value: SecretValue
            switch byte(at: place) {
            case UInt8(ascii: "'"): value = try singleQuoted()
            case UInt8(ascii: "\""): value = try doubleQuoted()
            default: return try unquoted()
            }
            let end = place
            skipSpaces()
            guard isAtEndOfLine || byte(at: place) == UInt8(ascii: "#") && place > end else {
                throw Fault(line: line, reason: "something stands behind the closing quote")
            }
            skipLine()
            return value
        }

        private mutating func unquoted() throws(Fault) -> SecretValue {
            let start = place
            var end = place
            while !isAtEndOfLine, let byte = byte(at: place) {
                // A remark has a space before it.
                if byte == UInt8(ascii: "#"), isBlank(at: place - 1) { break }
                place += 1
                if !isBlank(at: place - 1) { end = place }
            }
            let value = part(start..<end)
            try refuseNUL(in: value)
            skipLine()
            return value
        }

        private mutating func singleQuoted() throws(Fault) -> SecretValue {
            let (first, start) = (line, place + 1)
            place = start
            while let byte = byte(at: place), byte != UInt8(ascii: "'") {
                if byte == UInt8(ascii: "\n") { line += 1 }
                place += 1
            }
            guard byte(at: place) != nil else { throw Fault(line: first, reason: "the closing quote is missing") }
            let value = part(start..<place)
            try refuseNUL(in: value)
            place += 1
            return value
        }

        private mutating func doubleQuoted() throws(Fault) -> SecretValue {
            let (first, start) = (line, place + 1)
            place = start
            // It is never longer than what is written.
            var end = start
            while let byte = byte(at: end), byte != UInt8(ascii: "\"") {
                end += byte == UInt8(ascii: "\\") ? 2 : 1
            }
            guard byte(at: end) != nil else { throw Fault(line: first, reason: "the closing quote is missing") }
            var count = 0
            let filled = try unsafe SecretValue(count: end - start) { (output) throws(Fault) in
                while place < end, let byte = byte(at: place) {
                    place += 1
                    var plain = byte
                    if byte == UInt8(ascii: "\n") { line += 1 }
                    if byte == UInt8(ascii: "\\") {
                        plain = try escaped()
                        place += 1
                    }
                    unsafe output[count] = plain
                    count += 1
                }
            }
            place = end + 1
            let value = unsafe filled.withUnsafeBytes { bytes in
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            try refuseNUL(in: value)
            return value
        }

        private func escaped() throws(Fault) -> UInt8 {
            switch byte(at: place) {
            case UInt8(ascii: "n"): return UInt8(ascii: "\n")
            case UInt8(ascii: "r"): return UInt8(ascii: "\r")
            case UInt8(ascii: "t"): return UInt8(ascii: "\t")
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): return byte(at: place) ?? 0
            default:
                throw Fault(
                    line: line, reason: #"in double quotes a backslash stands before n, r, t, ", \ or $ alone"#)
            }
        }

        private func part(_ range: Range<Int>) -> SecretValue {
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }

        private func refuseNUL(in value: SecretValue) throws(Fault) {
            if unsafe value.withUnsafeBytes({ unsafe $0.contains(0) }) {
                throw Fault(line: line, reason: "a variable cannot have a NUL byte")
            }
        }
    }
}
