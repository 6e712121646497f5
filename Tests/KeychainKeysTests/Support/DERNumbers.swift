// SPDX-License-Identifier: Apache-2.0

/// RSA's external bytes taken apart and put together, rightly or wrongly.
struct DERNumbers {
    /// The content of each INTEGER.
    var contents: [[UInt8]]
    var sequenceTag: UInt8 = 0x30
    var numberTag: UInt8 = 0x02

    init(_ bytes: [UInt8]) {
        contents = []
        var at = Self.content(bytes, 0).lowerBound
        while at < bytes.count {
            let content = Self.content(bytes, at)
            contents.append(Array(bytes[content]))
            at = content.upperBound
        }
    }

    var bytes: [UInt8] {
        Self.element(sequenceTag, contents.flatMap { Self.element(numberTag, $0) })
    }

    func changing(_ change: (inout DERNumbers) -> Void) -> [UInt8] {
        var copy = self
        change(&copy)
        return copy.bytes
    }

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
        return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
    }

    private static func content(_ bytes: [UInt8], _ start: Int) -> Range<Int> {
        let first = Int(bytes[start + 1])
        guard first >= 0x80 else { return start + 2..<start + 2 + first }
        let end = start + 2 + first - 0x80
        let count = bytes[start + 2..<end].reduce(0) { $0 << 8 | Int($1) }
        return end..<end + count
    }
}
