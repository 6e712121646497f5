// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A path without what tells one day's export from another's in the name of its file: a date with what digits follow it, and the
    /// number in brackets that a browser adds where it has stored a file of that name already.
    var withoutDate: String {
        let start = utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
        let name = Array(self[start...].utf8)
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let stem = FileStem.withoutDate(FileStem.withoutNumber(name[..<dot]))
        return String(self[..<start]) + String(decoding: stem + name[dot...], as: UTF8.self)
    }
}

/// The name of a file without what stands behind its last dot.
private enum FileStem {
    /// Without ` (2)` at its end.
    static func withoutNumber(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard stem.last == UInt8(ascii: ")") else { return stem }
        var rest = stem.dropLast()
        while let last = rest.last, isDigit(last) { rest.removeLast() }
        guard rest.count < stem.count - 1, rest.last == UInt8(ascii: "(") else { return stem }
        rest.removeLast()
        return trimmed(rest)
    }

    /// Without the first date, all digits behind it that only signs divide from it, and the signs before it.
    static func withoutDate(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for start in stem.indices where start == stem.startIndex || !isDigit(stem[start - 1]) {
            // Each number there, and those that follow with one sign between them.
            var (numbers, end): ([ArraySlice<UInt8>], Int) = ([], start)
            while end < stem.endIndex, isDigit(stem[end]) || !numbers.isEmpty && isSign(stem[end]) {
                let first = isDigit(stem[end]) ? end : end + 1
                let digits = stem[first...].prefix(while: isDigit)
                if digits.isEmpty { break }
                numbers.append(digits)
                end = digits.endIndex
            }
            if isDate(numbers) { return trimmed(stem[..<start]) + stem[end...] }
        }
        return stem
    }

    /// Whether they begin with 20261126, 2026 11 26 or 26 11 2026.
    private static func isDate(_ numbers: [ArraySlice<UInt8>]) -> Bool {
        guard let first = numbers.first else { return false }
        var parts = numbers.prefix(3).map { number($0.prefix(4)) }
        if first.count >= 8 {
            let digits = Array(first)
            parts = [number(digits[..<4]), number(digits[4..<6]), number(digits[6..<8])]
        } else {
            let lengths = numbers.prefix(3).map(\.count)
            guard lengths == [4, 2, 2] || lengths == [2, 2, 4] else { return false }
            if lengths[2] == 4 { parts.reverse() }
        }
        // Day and month stand in either order.
        return (1990...2099).contains(parts[0]) && parts[1] > 0 && parts[2] > 0
            && min(parts[1], parts[2]) <= 12 && max(parts[1], parts[2]) <= 31
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 & 0xF) } }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isSign(_ byte: UInt8) -> Bool { "-_.: T".utf8.contains(byte) }

    private static func trimmed(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var stem = stem
        while let last = stem.last, "-_. ".utf8.contains(last) { stem.removeLast() }
        return stem
    }
}
