// SPDX-License-Identifier: Apache-2.0

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
