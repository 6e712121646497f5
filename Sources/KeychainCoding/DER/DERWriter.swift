// SPDX-License-Identifier: Apache-2.0

/// Writes elements one after the other into memory whose size was computed before.
///
/// Writing past the end is our own mistake and stops the program.
@safe
internal struct DERWriter {
    // Safe: every write goes through `advance`, which stays inside the memory; the memory outlives the writer because
    // a writer exists only inside a function that was lent the memory.
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var offset = 0

    init(unsafeMemory memory: UnsafeMutableRawBufferPointer) {
        unsafe self.memory = unsafe memory
    }

    /// Exactly `count` bytes, which `write` has to fill.
    static func bytes(count: Int, _ write: (inout DERWriter) -> Void) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var writer = unsafe DERWriter(
                unsafeMemory: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
            write(&writer)
            precondition(writer.offset == count, "an element has another size than announced")
            initialized = count
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
    mutating func byte(_ byte: UInt8) {
        let start = advance(1)
        unsafe memory[start] = byte
    }

    @inline(__always)
    mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
        let start = advance(bytes.count)
        guard let source = bytes.baseAddress, let target = unsafe memory.baseAddress else { return }
        unsafe (target + start).copyMemory(from: source, byteCount: bytes.count)
    }

    mutating func bytes(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { content in unsafe self.bytes(content) }
    }

    /// The lowest `count` bytes of a number, most significant first.
    @inline(__always)
    mutating func bigEndian(_ value: UInt64, count: Int) {
        let start = advance(count)
        for index in 0..<count {
            unsafe memory[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
        }
    }

    /// A number in decimal, with leading zeros.
    @inline(__always)
    mutating func decimal(_ value: Int, digits: Int) {
        var position = advance(digits) + digits
        var rest = UInt64(truncatingIfNeeded: value)
        for _ in 0..<digits {
            position -= 1
            unsafe memory[position] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
    }

    @inline(__always)
    mutating func header(_ tag: DERTag, contentSize: Int) {
        byte(tag.rawValue)
        if contentSize < 0x80 {
            byte(UInt8(truncatingIfNeeded: contentSize))
        } else {
            let count = DERSize.ofHeader(contentSize) - 2
            byte(0x80 | UInt8(truncatingIfNeeded: count))
            bigEndian(UInt64(contentSize), count: count)
        }
    }

    mutating func integer(_ value: Int64) {
        let count = DERSize.ofInteger(value)
        header(.integer, contentSize: count)
        bigEndian(UInt64(bitPattern: value), count: count)
    }

    mutating func date(_ seconds: DecimalSeconds) {
        header(.generalizedTime, contentSize: GeneralizedTime.size(seconds))
        GeneralizedTime.write(seconds, to: &self)
    }

    mutating func string(_ string: String) {
        var string = string
        string.withUTF8 { text in
            header(.utf8String, contentSize: text.count)
            unsafe bytes(UnsafeRawBufferPointer(text))
        }
    }

    mutating func data(_ data: [UInt8]) {
        unsafe data.withUnsafeBytes { content in unsafe self.data(content) }
    }

    mutating func data(_ content: UnsafeRawBufferPointer) {
        header(.octetString, contentSize: content.count)
        unsafe bytes(content)
    }
}

/// How many bytes the parts of an element take.
internal enum DERSize {
    /// Tag and length of an element with that much content.
    @inline(__always)
    static func ofHeader(_ contentSize: Int) -> Int {
        if contentSize < 0x80 { return 2 }
        if contentSize < 0x100 { return 3 }
        return 2 + (Int.bitWidth - contentSize.leadingZeroBitCount + 7) / 8
    }

    /// A whole element with that much content.
    @inline(__always)
    static func ofElement(_ contentSize: Int) -> Int { ofHeader(contentSize) + contentSize }

    /// The content of an integer: the fewest bytes of two's complement, at least one.
    @inline(__always)
    static func ofInteger(_ value: Int64) -> Int {
        let magnitude = value < 0 ? ~value : value
        return (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
    }
}
