// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
internal import KeychainSystem

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
        guard let count = unsafe Base64.decodedCount(body, allowing: .space), count > 0 else { throw .undecodable }
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
        let count = Base64.encodedCountInLines(content.count)
        return unsafe SecretBytes(count: head.count + count + tail.count) { output in
            unsafe output.copyBytes(from: head)
            let body = unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count..<head.count + count])
            unsafe Base64.encodeInLines(content, into: body)
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

    /// What a line of dashes says after those words; nil when it is malformed.
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
