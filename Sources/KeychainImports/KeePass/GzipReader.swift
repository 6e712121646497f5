// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Decompresses gzip (RFC 1951 and 1952), which KeePass uses for attachments and databases, and what is deflated in a ZIP.
internal struct GzipReader {
    private let bytes: ImportedBytes
    private var position: Int
    /// The start of the checksum and the size.
    private let end: Int
    private var held: UInt32 = 0
    private var heldBits = 0

    /// The decompressed bytes; nil if they are damaged, not exactly of the declared size, or larger than `limit`.
    internal static func read(_ bytes: ImportedBytes, limit: Int) -> ImportedBytes? {
        guard let start = contentStart(bytes), start + 8 <= bytes.count else { return nil }
        let size = littleEndian(bytes, bytes.count - 4)
        // Deflate compresses to a thousandth at best: a larger declared size is false and must not allocate memory.
        guard size <= limit, size / 1100 <= bytes.count else { return nil }
        var reader = GzipReader(bytes: bytes, position: start, end: bytes.count - 8)
        let content = ImportedBytes(capacity: size) { output in reader.inflate(&output) && output.count == size }
        guard let content, CRC32.of(content) == UInt32(littleEndian(bytes, bytes.count - 8)) else { return nil }
        return content
    }

    /// A part that is deflated, without a header of its own; nil if it is damaged, or is not exactly of this size and sum.
    internal static func inflated(
        _ bytes: ImportedBytes, _ range: Range<Int>, size: Int, sum: UInt32
    ) -> ImportedBytes? {
        guard size / 1100 <= range.count else { return nil }
        var reader = GzipReader(bytes: bytes, position: range.lowerBound, end: range.upperBound)
        let content = ImportedBytes(capacity: size) { output in reader.inflate(&output) && output.count == size }
        guard let content, CRC32.of(content) == sum else { return nil }
        return content
    }

    internal static func sum(of bytes: ImportedBytes) -> UInt32 { CRC32.of(bytes) }

    /// The declared size; nil if it is not gzip.
    internal static func size(_ bytes: ImportedBytes) -> Int? {
        contentStart(bytes) == nil ? nil : littleEndian(bytes, bytes.count - 4)
    }

    private init(bytes: ImportedBytes, position: Int, end: Int) {
        (self.bytes, self.position, self.end) = (bytes, position, end)
    }

    private static func littleEndian(_ bytes: ImportedBytes, _ place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1] ?? 0) << ($1 * 8) }
    }

    /// Where the header ends.
    private static func contentStart(_ bytes: ImportedBytes) -> Int? {
        guard bytes.count >= 18, bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8, let flags = bytes[3],
            flags & 0xE0 == 0
        else { return nil }
        var place = 10
        if flags & 4 != 0 { place += 2 + (Int(bytes[place] ?? 0) | Int(bytes[place + 1] ?? 0) << 8) }
        // A name, and a comment.
        for flag in [UInt8(8), 16] where flags & flag != 0 {
            guard place < bytes.count, let end = bytes.index(of: 0, in: place..<bytes.count) else { return nil }
            place = end + 1
        }
        return flags & 2 != 0 ? place + 2 : place
    }

    private mutating func bits(_ count: Int) -> Int? {
        while heldBits < count {
            guard position < end, let byte = bytes[position] else { return nil }
            held |= UInt32(byte) << UInt32(heldBits)
            heldBits += 8
            position += 1
        }
        defer {
            held >>= UInt32(count)
            heldBits -= count
        }
        return Int(held & (1 << UInt32(count) - 1))
    }

    private mutating func inflate(_ output: inout SecretWriter) -> Bool {
        while true {
            guard let isLast = bits(1), let kind = bits(2) else { return false }
            let isRead: Bool
            switch kind {
            case 0: isRead = stored(&output)
            case 1: isRead = compressed(GzipReader.fixedLiterals, GzipReader.fixedDistances, &output)
            case 2:
                guard let (literals, distances) = codes() else { return false }
                isRead = compressed(literals, distances, &output)
            default: isRead = false
            }
            guard isRead, !output.isFull else { return false }
            if isLast == 1 { return position == end }
        }
    }

    private mutating func stored(_ output: inout SecretWriter) -> Bool {
        (held, heldBits) = (0, 0)
        guard let count = bits(16), let inverse = bits(16), count == inverse ^ 0xFFFF, count <= end - position
        else { return false }
        output.append(bytes, position..<position + count)
        position += count
        return true
    }

    private mutating func compressed(_ literals: Code, _ distances: Code, _ output: inout SecretWriter) -> Bool {
        while true {
            guard let symbol = symbol(literals), !output.isFull else { return false }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            guard symbol < 286, let extra = bits(GzipReader.lengthBits[symbol - 257]),
                let distanceSymbol = self.symbol(distances), distanceSymbol < 30,
                let further = bits(GzipReader.distanceBits[distanceSymbol]),
                output.repeat(
                    GzipReader.lengths[symbol - 257] + extra,
                    from: GzipReader.distances[distanceSymbol] + further)
            else { return false }
        }
    }

    /// The codes in the header of a block.
    private mutating func codes() -> (Code, Code)? {
        guard let literals = bits(5), let distances = bits(5), let lengths = bits(4), literals <= 29 else { return nil }
        var sizes = [Int](repeating: 0, count: 19)
        for index in 0..<lengths + 4 {
            guard let size = bits(3) else { return nil }
            sizes[GzipReader.order[index]] = size
        }
        guard let code = Code(sizes) else { return nil }
        let count = literals + 257 + distances + 1
        var all: [Int] = []
        while all.count < count {
            guard let symbol = symbol(code) else { return nil }
            switch symbol {
            case 16:
                guard let last = all.last, let times = bits(2) else { return nil }
                all += Array(repeating: last, count: times + 3)
            case 17:
                guard let times = bits(3) else { return nil }
                all += Array(repeating: 0, count: times + 3)
            case 18:
                guard let times = bits(7) else { return nil }
                all += Array(repeating: 0, count: times + 11)
            default: all.append(symbol)
            }
        }
        guard all.count == count, all[256] > 0, let first = Code(Array(all[..<(literals + 257)])),
            let second = Code(Array(all[(literals + 257)...]))
        else { return nil }
        return (first, second)
    }

    private mutating func symbol(_ code: Code) -> Int? {
        var (value, first, index) = (0, 0, 0)
        for length in 1..<16 {
            guard let bit = bits(1) else { return nil }
            value |= bit
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        return nil
    }

    /// A prefix code: the number of symbols of each length, and the symbols in order.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        /// Nil if there are more codes of a length than possible.
        init?(_ sizes: [Int]) {
            for size in sizes { counts[size] += 1 }
            counts[0] = 0
            var left = 1
            for length in 1..<16 {
                left = left << 1 - counts[length]
                guard left >= 0 else { return nil }
            }
            for length in 1..<16 where counts[length] > 0 {
                for (symbol, size) in sizes.enumerated() where size == length { symbols.append(symbol) }
            }
        }

        static func fixed(_ sizes: [Int]) -> Code { Code(sizes) ?? Code() }

        private init() {}
    }

    private static let fixedLiterals = Code.fixed(
        Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8))
    private static let fixedDistances = Code.fixed(Array(repeating: 5, count: 30))
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
}

/// The checksum of gzip.
private enum CRC32 {
    static func of(_ bytes: ImportedBytes) -> UInt32 {
        unsafe bytes.bytes.withUnsafeBytes { bytes in
            var value = UInt32.max
            for index in 0..<bytes.count {
                value = value >> 8 ^ table[Int((value ^ UInt32(unsafe bytes[index])) & 0xFF)]
            }
            return ~value
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
}
