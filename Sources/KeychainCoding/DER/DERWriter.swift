// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Writes elements of DER, one after the other, into memory whose size was computed before.
///
/// Writing past the end is our own mistake and stops the program.
@safe
package struct DERWriter {
    // Safe: every write goes through `advance`, which stays inside the memory; the memory outlives the writer because
    // a writer exists only inside a function that was lent the memory.
    private let memory: UnsafeMutableRawBufferPointer
    internal private(set) var offset = 0

    internal init(unsafeMemory memory: UnsafeMutableRawBufferPointer) {
        unsafe self.memory = unsafe memory
    }

    /// Exactly `count` bytes, which `write` has to fill.
    package static func bytes(count: Int, _ write: (inout DERWriter) -> Void) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var writer = unsafe DERWriter(
                unsafeMemory: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
            write(&writer)
            precondition(writer.offset == count, "an element has another size than announced")
            initialized = count
        }
    }

    /// As `bytes`, of what holds a secret.
    package static func secret(count: Int, _ write: (inout DERWriter) -> Void) -> SecretBytes {
        unsafe SecretBytes(count: count) { memory in
            var writer = unsafe DERWriter(unsafeMemory: memory)
            write(&writer)
            precondition(writer.offset == count, "an element has another size than announced")
        }
    }

    @inline(__always)
    private mutating func advance(_ count: Int) -> Int {
        let start = offset
        unsafe precondition(count <= memory.count - start, "an element has another size than announced")
        offset = start + count
        return start
    }

    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        let start = advance(1)
        unsafe memory[start] = byte
    }

    @inline(__always)
    package mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
        let start = advance(bytes.count)
        guard let source = bytes.baseAddress, let target = unsafe memory.baseAddress else { return }
        unsafe (target + start).copyMemory(from: source, byteCount: bytes.count)
    }

    package mutating func bytes(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { content in unsafe self.bytes(content) }
    }

    /// The lowest `count` bytes of a number, most significant first.
    @inline(__always)
    package mutating func bigEndian(_ value: UInt64, count: Int) {
        let start = advance(count)
        for index in 0..<count {
            unsafe memory[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
        }
    }

    /// A number in decimal, with leading zeros.
    @inline(__always)
    internal mutating func decimal(_ value: Int, digits: Int) {
        var position = advance(digits) + digits
        var rest = UInt64(truncatingIfNeeded: value)
        for _ in 0..<digits {
            position -= 1
            unsafe memory[position] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
    }

    @inline(__always)
    package mutating func header(_ tag: UInt8, contentSize: Int) {
        byte(tag)
        if contentSize < 0x80 {
            byte(UInt8(truncatingIfNeeded: contentSize))
        } else {
            let count = DERSize.ofHeader(contentSize) - 2
            byte(0x80 | UInt8(truncatingIfNeeded: count))
            bigEndian(UInt64(contentSize), count: count)
        }
    }

    package mutating func integer(_ value: Int64) {
        let count = DERSize.ofInteger(value)
        header(DERTag.integer, contentSize: count)
        bigEndian(UInt64(bitPattern: value), count: count)
    }

    /// A number that is not negative: its bytes, most significant first and without leading zeros.
    package mutating func unsigned(_ digits: UnsafeRawBufferPointer) {
        let size = unsafe DERSize.ofUnsigned(digits)
        header(DERTag.integer, contentSize: size)
        if size > digits.count { byte(0) }
        unsafe bytes(digits)
    }

    internal mutating func date(_ seconds: DecimalSeconds) {
        header(DERTag.generalizedTime, contentSize: GeneralizedTime.size(seconds))
        GeneralizedTime.write(seconds, to: &self)
    }

    package mutating func string(_ string: String) {
        var string = string
        string.withUTF8 { text in
            header(DERTag.utf8String, contentSize: text.count)
            unsafe bytes(UnsafeRawBufferPointer(text))
        }
    }

    package mutating func data(_ data: [UInt8]) {
        unsafe data.withUnsafeBytes { content in unsafe self.data(content) }
    }

    package mutating func data(_ content: UnsafeRawBufferPointer) {
        header(DERTag.octetString, contentSize: content.count)
        unsafe bytes(content)
    }
}

/// Elements that are no secret, put together out of their parts.
extension DERWriter {
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        bytes(count: DERSize.ofElement(content.count)) { writer in
            writer.header(tag, contentSize: content.count)
            writer.bytes(content)
        }
    }

    package static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(DERTag.sequence, Array(elements.joined()))
    }

    package static func integer(_ value: Int64) -> [UInt8] {
        bytes(count: DERSize.ofElement(DERSize.ofInteger(value))) { $0.integer(value) }
    }

    /// A number that is not negative: its bytes, most significant first; leading zeros do not count.
    package static func unsigned(_ digits: [UInt8]) -> [UInt8] {
        let significant = digits.drop { $0 == 0 }
        // A number that began with a set bit would be negative, and one without digits is zero.
        let sign: [UInt8] = significant.first ?? 0x80 < 0x80 ? [] : [0]
        return element(DERTag.integer, sign + significant)
    }

    package static func utf8String(_ text: String) -> [UInt8] {
        bytes(count: DERSize.ofElement(text.utf8.count)) { $0.string(text) }
    }

    /// A bit string of whole bytes.
    package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(DERTag.bitString, [0] + bytes) }

    package static let null: [UInt8] = [DERTag.null, 0]
}

/// Elements at the end of bytes that grow, where the size of all is not known before.
extension DERWriter {
    package static func appendHeader(_ tag: UInt8, contentSize: Int, to bytes: inout [UInt8]) {
        let octets = DERSize.ofHeader(contentSize) - 2
        bytes.append(tag)
        bytes.append(octets == 0 ? UInt8(contentSize) : 0x80 | UInt8(octets))
        appendBigEndian(Int64(contentSize), count: octets, to: &bytes)
    }

    package static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
        let count = DERSize.ofInteger(value)
        appendHeader(DERTag.integer, contentSize: count, to: &bytes)
        appendBigEndian(value, count: count, to: &bytes)
    }

    package static func append(_ text: String, to bytes: inout [UInt8]) {
        appendHeader(DERTag.utf8String, contentSize: text.utf8.count, to: &bytes)
        bytes += text.utf8
    }

    /// Begins an element whose size is known only at its end; returns what `end` takes.
    package static func begin(_ tag: UInt8, in bytes: inout [UInt8]) -> Int {
        appendHeader(tag, contentSize: 0, to: &bytes)
        return bytes.count
    }

    /// Ends the element whose content begins at `start`.
    package static func end(contentStart start: Int, in bytes: inout [UInt8]) {
        let size = bytes.count - start
        let octets = DERSize.ofHeader(size) - 2
        bytes[start - 1] = octets == 0 ? UInt8(size) : 0x80 | UInt8(octets)
        guard octets > 0 else { return }
        bytes.insert(
            contentsOf: (0..<octets).map { UInt8(truncatingIfNeeded: size >> (8 * (octets - 1 - $0))) }, at: start)
    }

    private static func appendBigEndian(_ value: Int64, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> Int64(8 * (count - 1 - index)))) }
    }
}

/// How many bytes the parts of an element take.
package enum DERSize {
    /// Tag and length of an element with that much content.
    @inline(__always)
    package static func ofHeader(_ contentSize: Int) -> Int {
        if contentSize < 0x80 { return 2 }
        if contentSize < 0x100 { return 3 }
        return 2 + (Int.bitWidth - contentSize.leadingZeroBitCount + 7) / 8
    }

    /// A whole element with that much content.
    @inline(__always)
    package static func ofElement(_ contentSize: Int) -> Int { ofHeader(contentSize) + contentSize }

    /// The content of an integer: the fewest bytes of two's complement, at least one.
    @inline(__always)
    package static func ofInteger(_ value: Int64) -> Int {
        let magnitude = value < 0 ? ~value : value
        return (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
    }

    /// The content of an integer that is not negative, of its bytes without leading zeros.
    package static func ofUnsigned(_ digits: UnsafeRawBufferPointer) -> Int {
        guard digits.count > 0 else { return 0 }
        let first = unsafe digits[0]
        return digits.count + (first < 0x80 ? 0 : 1)
    }
}
