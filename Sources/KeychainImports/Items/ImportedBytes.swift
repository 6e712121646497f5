// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel
internal import KeychainSystem

/// Bytes of another store, a whole file or one secret from it: wiped when they are released.
///
/// Read by index; an index out of bounds gives nil.
package final class ImportedBytes: ByteSource, Sendable {
    package let bytes: SecretBytes
    package var count: Int { bytes.count }

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// The bytes that `write` emits, at most `capacity`; nil if it returns false or emits more.
    internal init?(capacity: Int, writing write: (inout SecretWriter) -> Bool) {
        var used: Int?
        let room = unsafe SecretBytes(count: capacity) { buffer in
            var output = unsafe SecretWriter(buffer)
            used = write(&output) && !output.isFull ? output.count : nil
        }
        guard let used else { return nil }
        bytes = unsafe room.withUnsafeBytes { room in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: room[..<used]))
        }
    }

    package convenience init(_ value: SecretValue) {
        self.init(unsafe value.withUnsafeBytes { unsafe SecretBytes(copying: $0) })
    }

    internal convenience init(_ text: String) {
        self.init(unsafe SecretBytes(count: text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) })
    }

    internal var all: Range<Int> { 0..<count }

    package subscript(index: Int) -> UInt8? {
        unsafe bytes.withUnsafeBytes { bytes in
            index >= 0 && index < bytes.count ? unsafe bytes[index] : nil
        }
    }

    /// A copy of a part, clipped to the bounds.
    internal func part(_ range: Range<Int>) -> ImportedBytes {
        ImportedBytes(
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe SecretBytes(
                    copying: UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)]))
            })
    }

    internal func index(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            for index in range.clamped(to: 0..<bytes.count) where unsafe bytes[index] == byte { return index }
            return nil
        }
    }

    /// Whether all of it is text, secret or not.
    internal var isUTF8: Bool { unsafe bytes.withUnsafeBytes { unsafe $0.isUTF8 } }

    internal func has(_ text: String, at start: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            guard start >= 0, start <= bytes.count, text.utf8.count <= bytes.count - start else { return false }
            var index = start
            for byte in text.utf8 {
                guard unsafe bytes[index] == byte else { return false }
                index += 1
            }
            return true
        }
    }

    /// The text of a part that is not secret; nil if it is not UTF-8, has a NUL, or is longer than the limit for names.
    internal func text(_ range: Range<Int>) -> String? {
        guard range.count <= ImportLimits.longestText else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
            guard unsafe !part.contains(0) else { return nil }
            return unsafe String(validating: part, as: UTF8.self)
        }
    }

    /// All of it as text, for values that are not secret.
    internal var text: String? { text(all) }
}

extension ImportedBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ImportedBytes(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension ImportedBytes {
    /// Decodes pairs of hexadecimal digits; nil if a part has anything else.
    internal func decodingHexadecimal(_ range: Range<Int>) -> ImportedBytes? {
        unsafe withPart(range) { digits in
            var isWhole = false
            let decoded = unsafe SecretBytes(count: digits.count / 2) { output in
                isWhole = unsafe Hexadecimal.decode(digits, into: output)
            }
            guard isWhole else { return nil }
            return ImportedBytes(decoded)
        }
    }

    /// Percent-decodes a part of a URL; nil if a percent sign is not followed by two digits.
    internal func decodingPercent(_ range: Range<Int>) -> ImportedBytes? {
        ImportedBytes(capacity: range.count) { output in
            var index = range.lowerBound
            while index < range.upperBound, let byte = self[index] {
                guard byte == ASCII.percent else {
                    output.append(byte)
                    index += 1
                    continue
                }
                guard index + 2 < range.upperBound, let high = ASCII.hexDigit(self[index + 1]),
                    let low = ASCII.hexDigit(self[index + 2])
                else { return false }
                output.append(high << 4 | low)
                index += 3
            }
            return true
        }
    }

    /// Decodes base64 without white space; nil if it is not canonical and padded.
    internal func decodingBase64(_ range: Range<Int>) -> ImportedBytes? {
        unsafe withPart(range) { text in
            guard let count = unsafe Base64.decodedCount(text) else { return nil }
            return ImportedBytes(unsafe SecretBytes(count: count) { unsafe Base64.decode(text, into: $0) })
        }
    }

    /// The same of all, with white space anywhere.
    internal func decodingBase64OfLines() -> ImportedBytes? {
        let places = all.filter { !ASCII.isSpace(self[$0]) }
        let text = ImportedBytes(
            unsafe SecretBytes(count: places.count) { bytes in
                for (index, place) in places.enumerated() { unsafe bytes[index] = self[place] ?? 0 }
            })
        return text.decodingBase64(text.all)
    }

    /// Lends a part to `body`; nil when it is out of bounds.
    private func withPart(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> ImportedBytes?) -> ImportedBytes? {
        unsafe bytes.withUnsafeBytes { bytes in
            guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
            return unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// A decimal number without sign; nil if the part is anything else.
    internal func number(_ range: Range<Int>) -> Int? {
        guard (1...15).contains(range.count) else { return nil }
        var value = 0
        for index in range {
            guard let digit = ASCII.digit(self[index]) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// A part without leading and trailing blanks.
    internal func trimmed(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while !range.isEmpty, ASCII.isSpace(self[range.lowerBound]) { range = range.lowerBound + 1..<range.upperBound }
        while !range.isEmpty, ASCII.isSpace(self[range.upperBound - 1]) {
            range = range.lowerBound..<range.upperBound - 1
        }
        return range
    }
}

/// Writes a secret byte by byte into memory that is wiped.
// Safe: never written past its end, and valid only during the call that owns the memory.
@safe
internal struct SecretWriter {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// Whether more was written than fits.
    private(set) var isFull = false

    internal init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

    internal mutating func append(_ byte: UInt8) {
        guard unsafe count < memory.count else {
            isFull = true
            return
        }
        unsafe memory[count] = byte
        count += 1
    }

    internal mutating func append(_ source: ImportedBytes, _ range: Range<Int>) {
        for index in range { if let byte = source[index] { append(byte) } }
    }

    /// Repeats the byte written so many bytes ago; false if that is before the beginning.
    internal mutating func `repeat`(_ length: Int, from distance: Int) -> Bool {
        guard distance > 0, distance <= count else { return false }
        for _ in 0..<length {
            guard !isFull else { return false }
            append(unsafe memory[count - distance])
        }
        return true
    }
}

@available(*, unavailable)
extension SecretWriter: Sendable {}

extension Substring {
    /// Without blanks around it.
    internal var trimming: String {
        var text = self
        while let first = text.utf8.first, ASCII.isSpace(first) {
            text = text[text.utf8.index(after: text.startIndex)...]
        }
        while let last = text.utf8.last, ASCII.isSpace(last) { text = text[..<text.utf8.index(before: text.endIndex)] }
        return String(text)
    }
}

/// The lines of a file, without their newlines.
internal struct SourceLines {
    internal let bytes: ImportedBytes
    private let ends: [Int]

    internal init(_ bytes: ImportedBytes) throws(ImportError) {
        self.bytes = bytes
        var ends: [Int] = []
        var start = 0
        while let end = bytes.index(of: ASCII.newline, in: start..<bytes.count) {
            guard ends.count < ImportLimits.mostLines else { throw .tooLarge }
            ends.append(end)
            start = end + 1
        }
        if start < bytes.count { ends.append(bytes.count) }
        self.ends = ends
    }

    internal var count: Int { ends.count }

    /// The line without its newline; empty past the last.
    internal subscript(index: Int) -> Range<Int> {
        guard index >= 0, index < ends.count else { return bytes.count..<bytes.count }
        return (index == 0 ? 0 : ends[index - 1] + 1)..<ends[index]
    }

    /// The line without a carriage return at its end either.
    internal func withoutReturn(_ index: Int) -> Range<Int> {
        let line = self[index]
        guard !line.isEmpty, bytes[line.upperBound - 1] == ASCII.carriageReturn else { return line }
        return line.lowerBound..<line.upperBound - 1
    }

    internal func isBlank(_ index: Int) -> Bool { bytes.trimmed(self[index]).isEmpty }

    internal func has(_ text: String, at index: Int) -> Bool {
        let line = self[index]
        return text.utf8.count <= line.count && bytes.has(text, at: line.lowerBound)
    }
}

/// ASCII bytes that the formats use.
internal enum ASCII {
    internal static let tab = UInt8(ascii: "\t")
    internal static let newline = UInt8(ascii: "\n")
    internal static let carriageReturn = UInt8(ascii: "\r")
    internal static let space = UInt8(ascii: " ")
    internal static let quote = UInt8(ascii: "\"")
    internal static let number = UInt8(ascii: "#")
    internal static let percent = UInt8(ascii: "%")
    internal static let ampersand = UInt8(ascii: "&")
    internal static let comma = UInt8(ascii: ",")
    internal static let slash = UInt8(ascii: "/")
    internal static let colon = UInt8(ascii: ":")
    internal static let semicolon = UInt8(ascii: ";")
    internal static let less = UInt8(ascii: "<")
    internal static let equals = UInt8(ascii: "=")
    internal static let greater = UInt8(ascii: ">")
    internal static let question = UInt8(ascii: "?")
    internal static let at = UInt8(ascii: "@")
    internal static let openBracket = UInt8(ascii: "[")
    internal static let backslash = UInt8(ascii: "\\")
    internal static let closeBracket = UInt8(ascii: "]")
    internal static let underscore = UInt8(ascii: "_")

    internal static func isBlank(_ byte: UInt8?) -> Bool { byte == space || byte == tab }

    internal static func isSpace(_ byte: UInt8?) -> Bool {
        isBlank(byte) || byte == newline || byte == carriageReturn
    }

    internal static func digit(_ byte: UInt8?) -> Int? {
        guard let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return Int(byte - UInt8(ascii: "0"))
    }

    internal static func hexDigit(_ byte: UInt8?) -> UInt8? { byte.flatMap { Hexadecimal.value(of: $0) } }
}
