// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Something between two lines of dashes (RFC 7468).
package final class PEMBlock: Sendable {
    /// What the lines say it is ("CERTIFICATE").
    package let label: String
    /// What is between them, decoded.
    package let content: SecretBytes
    /// How it was encrypted before PKCS#8 said how: the value of the line "DEK-Info", when there is one.
    internal let oldEncryption: String?

    internal init(label: String, content: consuming SecretBytes, oldEncryption: String?) {
        self.label = label
        self.content = content
        self.oldEncryption = oldEncryption
    }
}

/// Bytes as text that survives e-mail.
package enum PEM {
    /// The blocks in a text, at least one; what stands around them is no part of them.
    ///
    /// Throws `undecodable` when a block has no end, another end than its beginning, or is not base64.
    package static func blocks(in text: UnsafeRawBufferPointer) throws(ExchangeError) -> [PEMBlock] {
        guard text.count <= largest else { throw .undecodable }
        var blocks: [PEMBlock] = []
        var lines = unsafe PEMLines(text)
        while let line = lines.next() {
            guard let label = unsafe PEMLines.label(of: text[line], after: "-----BEGIN ") else { continue }
            guard blocks.count < most else { throw .undecodable }
            blocks.append(try block(label, &lines))
        }
        guard !blocks.isEmpty else { throw .undecodable }
        return blocks
    }

    private static func block(_ label: String, _ lines: inout PEMLines) throws(ExchangeError) -> PEMBlock {
        let text = unsafe lines.text
        var body: Range<Int>?
        var headers: [String] = []
        var isInHeaders = true
        while let line = lines.next() {
            if let end = unsafe PEMLines.label(of: text[line], after: "-----END ") {
                guard end == label else { throw .undecodable }
                return try unsafe decoded(label, UnsafeRawBufferPointer(rebasing: text[body ?? 0..<0]), headers)
            }
            if isInHeaders, unsafe text[line].contains(colon) {
                guard line.count <= longestHeader, headers.count < 8 else { throw .undecodable }
                headers.append(unsafe String(decoding: text[line], as: UTF8.self))
                continue
            }
            isInHeaders = false
            body = (body?.lowerBound ?? line.lowerBound)..<line.upperBound
        }
        throw .undecodable
    }

    private static func decoded(
        _ label: String, _ body: UnsafeRawBufferPointer, _ headers: [String]
    ) throws(ExchangeError) -> PEMBlock {
        guard let count = unsafe Base64.decodedCount(body), count > 0 else { throw .undecodable }
        let content = unsafe SecretBytes(count: count) { unsafe Base64.decode(body, into: $0) }
        let isEncrypted = headers.contains { $0.hasPrefix("Proc-Type:") && $0.hasSuffix("ENCRYPTED") }
        let info = headers.first { $0.hasPrefix(oldHeader) }.map { String($0.dropFirst(oldHeader.count)) }
        guard isEncrypted == (info != nil) else { throw .undecodable }
        return PEMBlock(label: label, content: content, oldEncryption: info)
    }

    /// The bytes of a block with that label, which may be a secret's.
    package static func text(_ label: StaticString, of content: UnsafeRawBufferPointer) -> SecretBytes {
        let head = Array("-----BEGIN \(label)-----\n".utf8)
        let tail = Array("-----END \(label)-----\n".utf8)
        let count = Base64.encodedCount(content.count)
        return unsafe SecretBytes(count: head.count + count + tail.count) { output in
            unsafe output.copyBytes(from: head)
            let body = unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count..<head.count + count])
            unsafe Base64.encode(content, into: body)
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[(head.count + count)...]).copyBytes(from: tail)
        }
    }

    /// The text of a block with that label, of what is no secret.
    package static func publicText(_ label: StaticString, of content: [UInt8]) -> String {
        unsafe content.withUnsafeBytes { bytes in
            let text = unsafe text(label, of: bytes)
            return unsafe text.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    private static let oldHeader = "DEK-Info: "
    private static let colon: UInt8 = 0x3A
    private static let longestHeader = 1024
    private static let largest = 64 << 20
    private static let most = 10_000
}

/// The lines of a text that may hold a secret, as places in it; nothing is copied.
// Safe: every place handed out lies in the text, which outlives this: it is used inside a function that was lent it.
@safe
internal struct PEMLines {
    internal let text: UnsafeRawBufferPointer
    private var position = 0

    internal init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
    }

    /// The next line, without its end and the spaces before that; nil when there is none.
    internal mutating func next() -> Range<Int>? {
        guard unsafe position < text.count else { return nil }
        let start = position
        var end = start
        while unsafe end < text.count && !Self.isLineEnd(text[end]) { end += 1 }
        position = end + 1
        while end > start, unsafe Base64.isSpace(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// What a line of dashes says after those words; nil when it is none such.
    internal static func label(of line: Slice<UnsafeRawBufferPointer>, after words: StaticString) -> String? {
        let head = Array("\(words)".utf8)
        guard unsafe line.count > head.count + dashes.count && line.count <= longest && line.starts(with: head),
            unsafe line.suffix(dashes.count).elementsEqual(dashes)
        else { return nil }
        let label = unsafe line.dropFirst(head.count).dropLast(dashes.count)
        guard unsafe label.allSatisfy({ (0x20...0x7E).contains($0) && $0 != dashes[0] }) else { return nil }
        return unsafe String(decoding: label, as: UTF8.self)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static let dashes = Array("-----".utf8)
    private static let longest = 128
}

/// Base64 between memory and memory, so that a key can be written in it without a copy anywhere else.
internal enum Base64 {
    /// How many bytes `text` stands for; nil when it is no base64, or not the one way to write them.
    ///
    /// Spaces and line ends do not count.
    internal static func decodedCount(_ text: UnsafeRawBufferPointer) -> Int? {
        var digits = 0
        var padding = 0
        var last: UInt8 = 0
        for index in text.indices {
            let byte = unsafe text[index]
            if isSpace(byte) { continue }
            if byte == equals {
                padding += 1
            } else {
                guard padding == 0, let digit = value(byte) else { return nil }
                digits += 1
                last = digit
            }
        }
        switch (digits % 4, padding) {
        case (0, 0): return digits / 4 * 3
        // The bits that stand for nothing are zero.
        case (2, 2): return last & 0x0F == 0 ? digits / 4 * 3 + 1 : nil
        case (3, 1): return last & 0x03 == 0 ? digits / 4 * 3 + 2 : nil
        default: return nil
        }
    }

    /// Writes what `text` stands for; `output` has room for `decodedCount` bytes.
    internal static func decode(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var bits: UInt32 = 0
        var count = 0
        var position = 0
        for index in text.indices {
            guard let digit = unsafe value(text[index]) else { continue }
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8, position < output.count else { continue }
            count -= 8
            unsafe output[position] = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            position += 1
        }
    }

    /// How many bytes `count` bytes take, in lines of 64 that each end.
    internal static func encodedCount(_ count: Int) -> Int {
        let digits = (count + 2) / 3 * 4
        return digits + (digits + lineLength - 1) / lineLength
    }

    /// Writes `bytes` in lines of 64; `output` has room for `encodedCount` bytes.
    internal static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        var position = 0
        var column = 0
        func put(_ byte: UInt8) {
            unsafe output[position] = byte
            position += 1
        }
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = unsafe group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for digit in 0..<4 {
                put(digit <= count ? self.digit(UInt8(group >> (18 - 6 * UInt32(digit)) & 0x3F)) : equals)
            }
            column += 4
            if column == lineLength {
                put(lineFeed)
                column = 0
            }
        }
        if column > 0 { put(lineFeed) }
    }

    // Comparisons instead of a table, whose place in the cache would tell about a key.
    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: value + 0x41
        case 26..<52: value - 26 + 0x61
        case 52..<62: value - 52 + 0x30
        case 62: 0x2B
        default: 0x2F
        }
    }

    internal static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static let equals: UInt8 = 0x3D
    private static let lineFeed: UInt8 = 0x0A
    private static let lineLength = 64
}
