// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A QR code (ISO/IEC 18004) of the words of a recovery key: version 6, level M, 41 modules a side.
///
/// One size will do: the words are at most 125 letters and spaces, and it holds 154. Whatever the words can be read from is in
/// memory that is wiped.
struct QRSymbol: ~Copyable {
    static let side = 41
    /// A byte for each module, row by row; 1 is dark.
    private let modules: SecretBytes

    /// nil for a text that is too long, or has anything but letters, digits and spaces; letters become capitals.
    init?(_ text: borrowing SecretBytes) {
        guard let codewords = QRCodewords.all(of: text) else { return nil }
        modules = unsafe SecretBytes(count: QRSymbol.side * QRSymbol.side) { memory in
            let grid = unsafe QRGrid(memory)
            unsafe codewords.withUnsafeBytes { codewords in
                let penalties = (0..<8).map { mask in
                    unsafe grid.draw(codewords, mask)
                    return grid.penalty
                }
                let best = penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0
                unsafe grid.draw(codewords, best)
            }
        }
    }

    /// Gives its lines, of half blocks: a character for each two modules that stand one above the other.
    ///
    /// With the four modules of light around it that readers need.
    func forEachLine<Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe modules.withUnsafeBytes { (modules) throws(Failure) in
            func isDark(_ x: Int, _ y: Int) -> Bool {
                guard 0..<QRSymbol.side ~= x, 0..<QRSymbol.side ~= y else { return false }
                return unsafe modules[y * QRSymbol.side + x] == 1
            }
            let places = -QRSymbol.margin..<(QRSymbol.side + QRSymbol.margin)
            for y in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
                var count = 0
                let line = unsafe SecretBytes(count: 3 * places.count) { line in
                    for x in places {
                        let block = QRSymbol.block(isDark(x, y), isDark(x, y + 1))
                        for byte in block {
                            unsafe line[count] = byte
                            count += 1
                        }
                    }
                }
                try unsafe line.withUnsafeBytes { (line) throws(Failure) in
                    try unsafe body(UnsafeRawBufferPointer(rebasing: line[..<count]))
                }
            }
        }
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> [UInt8] {
        switch (upper, lower) {
        case (false, false): [0x20]
        case (true, false): [0xE2, 0x96, 0x80]
        case (false, true): [0xE2, 0x96, 0x84]
        case (true, true): [0xE2, 0x96, 0x88]
        }
    }

    private static let margin = 4
}

/// What a symbol of version 6, level M holds: 108 bytes of data in four blocks, each with 16 bytes that correct its errors.
private enum QRCodewords {
    static func all(of text: borrowing SecretBytes) -> SecretBytes? {
        guard let data = data(of: text) else { return nil }
        return unsafe data.withUnsafeBytes { data in
            unsafe SecretBytes(count: dataSize + blocks * correctionSize) { output in
                for block in 0..<blocks {
                    for index in 0..<blockSize {
                        unsafe output[index * blocks + block] = data[block * blockSize + index]
                    }
                    for index in 0..<correctionSize { unsafe output[dataSize + index * blocks + block] = 0 }
                    // The remainder of the block's polynomial, in its place in the output.
                    for index in 0..<blockSize {
                        let factor = unsafe data[block * blockSize + index] ^ output[dataSize + block]
                        for power in 0..<correctionSize {
                            let place = dataSize + power * blocks + block
                            let next = unsafe power + 1 < correctionSize ? output[place + blocks] : 0
                            unsafe output[place] = next ^ product(generator[power], factor)
                        }
                    }
                }
            }
        }
    }

    /// The text in the mode for capitals, then the end's mark, and filling.
    private static func data(of text: borrowing SecretBytes) -> SecretBytes? {
        guard text.count <= mostCharacters else { return nil }
        return unsafe text.withUnsafeBytes { text in
            guard unsafe text.allSatisfy({ value(of: $0) != nil }) else { return nil }
            return unsafe SecretBytes(count: dataSize) { output in
                for index in 0..<dataSize { unsafe output[index] = 0 }
                var place = 0
                func append(_ value: Int, _ count: Int) {
                    for bit in (0..<count).reversed() {
                        if value >> bit & 1 == 1 { unsafe output[place / 8] |= 0x80 >> UInt8(place % 8) }
                        place += 1
                    }
                }
                append(0b0010, 4)
                append(text.count, 9)
                for index in stride(from: 0, to: text.count, by: 2) {
                    let first = unsafe value(of: text[index]) ?? 0
                    if index + 1 < text.count {
                        append(unsafe first * 45 + (value(of: text[index + 1]) ?? 0), 11)
                    } else {
                        append(first, 6)
                    }
                }
                place += min(4, 8 * dataSize - place)
                let end = (place + 7) / 8
                for index in end..<dataSize { unsafe output[index] = (index - end) % 2 == 0 ? 0xEC : 0x11 }
            }
        }
    }

    /// The number of a character in that mode.
    private static func value(of character: UInt8) -> Int? {
        switch character {
        case 0x30...0x39: Int(character) - 0x30
        case 0x41...0x5A: Int(character) - 0x41 + 10
        case 0x61...0x7A: Int(character) - 0x61 + 10
        case 0x20: 36
        default: nil
        }
    }

    /// In the field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) &* 0x1D
            product ^= (second >> UInt8(bit) & 1) &* first
        }
        return product
    }

    /// The product of x − 2ⁿ for n from 0 to 15, without its first coefficient.
    private static let generator: [UInt8] = {
        var coefficients = [UInt8](repeating: 0, count: correctionSize - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<correctionSize {
            for index in coefficients.indices {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < coefficients.count { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }()

    private static let (blocks, blockSize, correctionSize) = (4, 27, 16)
    private static let dataSize = blocks * blockSize
    private static let mostCharacters = 154
}

/// The modules while they are drawn.
// Safe: the memory is lent for as long as this is used, and no place outside it is asked for.
@safe
private struct QRGrid {
    private let modules: UnsafeMutableRawBufferPointer

    init(_ modules: UnsafeMutableRawBufferPointer) { unsafe self.modules = modules }

    private subscript(_ x: Int, _ y: Int) -> Bool {
        get { unsafe modules[y * QRSymbol.side + x] == 1 }
        nonmutating set { unsafe modules[y * QRSymbol.side + x] = newValue ? 1 : 0 }
    }

    /// Draws all of it: what every symbol has, the codewords under a mask, and which mask that is.
    func draw(_ codewords: UnsafeRawBufferPointer, _ mask: Int) {
        for y in 0..<QRSymbol.side { for x in 0..<QRSymbol.side { self[x, y] = QRGrid.pattern(x, y) ?? false } }
        var bit = 0
        // Upwards and downwards in columns of two, from the right; the column of marks counts for none.
        for pair in 0..<(QRSymbol.side / 2) {
            let right = QRSymbol.side - 1 - 2 * pair
            let column = right > 6 ? right : right - 1
            for step in 0..<QRSymbol.side {
                let y = pair % 2 == 0 ? QRSymbol.side - 1 - step : step
                for x in [column, column - 1] where QRGrid.pattern(x, y) == nil {
                    // A few modules behind the last codeword are left over.
                    let isSet = unsafe bit / 8 < codewords.count && codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    self[x, y] = isSet != QRGrid.isInverted(x, y, by: mask)
                    bit += 1
                }
            }
        }
        drawFormat(mask)
    }

    /// What a module is in every symbol; nil of one that holds data.
    ///
    /// The format's modules are drawn later.
    private static func pattern(_ x: Int, _ y: Int) -> Bool? {
        let far = QRSymbol.side - 4
        for (centerX, centerY) in [(3, 3), (far, 3), (3, far)] {
            let distance = max(abs(x - centerX), abs(y - centerY))
            if distance <= 4 { return distance != 2 && distance != 4 }
        }
        let distance = max(abs(x - (far - 3)), abs(y - (far - 3)))
        if distance <= 2 { return distance != 1 }
        if x == 6 || y == 6 { return (x + y) % 2 == 0 }
        let isFormat = x == 8 && (y < 9 || y > far - 5) || y == 8 && (x < 9 || x > far - 5)
        return isFormat ? false : nil
    }

    private static func isInverted(_ x: Int, _ y: Int, by mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// Level M, whose number is 0, and the mask, with their correction, twice.
    private func drawFormat(_ mask: Int) {
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        let last = QRSymbol.side - 1
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            switch index {
            case 0..<6: self[8, index] = isDark
            case 6..<8: self[8, index + 1] = isDark
            case 8: self[7, 8] = isDark
            default: self[14 - index, 8] = isDark
            }
            if index < 8 { self[last - index, 8] = isDark } else { self[8, last - 14 + index] = isDark }
        }
        self[8, last - 7] = true
    }

    /// How hard it is to read, by the standard's four rules.
    var penalty: Int {
        let side = QRSymbol.side
        var (penalty, dark) = (0, 0)
        for line in 0..<side {
            for isRow in [true, false] {
                func module(_ index: Int) -> Bool { isRow ? self[index, line] : self[line, index] }
                var (length, window) = (0, 0)
                for index in 0..<side {
                    length = index > 0 && module(index) == module(index - 1) ? length + 1 : 1
                    if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
                    window = (window << 1 | (module(index) ? 1 : 0)) & 0x7FF
                    // What could be taken for the middle of a corner's mark.
                    if index >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { penalty += 40 }
                }
            }
            for x in 0..<side {
                if self[x, line] { dark += 1 }
                guard x > 0, line > 0 else { continue }
                let isSame =
                    self[x, line] == self[x - 1, line] && self[x, line] == self[x, line - 1]
                    && self[x, line] == self[x - 1, line - 1]
                if isSame { penalty += 3 }
            }
        }
        return penalty + abs(dark * 20 - side * side * 10) / (side * side) * 10
    }
}
