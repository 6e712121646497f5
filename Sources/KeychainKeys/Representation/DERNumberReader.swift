// SPDX-License-Identifier: Apache-2.0

/// Reads a DER sequence of numbers out of bytes nobody vouches for; throws `malformed` for all that DER would not write.
///
/// KeychainCoding reads property lists, whose numbers have 64 bits.
// Safe: every access is checked against the count; the bytes outlive the reader because a reader exists only inside a
// function that was lent them.
@safe
internal struct DERNumberReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var end: Int

    internal init(unsafeBytes bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        end = bytes.count
    }

    internal var isAtEnd: Bool { offset == end }

    /// Goes into a sequence that takes all the rest.
    internal mutating func enterSequence() throws(KeyError) {
        let content = try element(tag: 0x30)
        guard content.upperBound == end else { throw .malformed }
        offset = content.lowerBound
    }

    /// Where the next number's bytes are, without the zero that only says it is not negative.
    internal mutating func number() throws(KeyError) -> Range<Int> {
        let content = try element(tag: 0x02)
        guard let first = content.first, unsafe bytes[first] < 0x80 else { throw .malformed }
        guard unsafe content.count > 1 && bytes[first] == 0 else { return content }
        guard unsafe bytes[first + 1] >= 0x80 else { throw .malformed }
        return first + 1..<content.upperBound
    }

    /// Reads tag and length; returns where the content is, behind which the next element begins.
    private mutating func element(tag: UInt8) throws(KeyError) -> Range<Int> {
        guard try byte() == tag else { throw .malformed }
        var length = Int(try byte())
        if length >= 0x80 {
            let octets = length & 0x7F
            // Four are more than any key has.
            guard (1...4).contains(octets) else { throw .malformed }
            length = 0
            for _ in 0..<octets { length = length << 8 | Int(try byte()) }
            guard length >= (octets == 1 ? 0x80 : 1 << (8 * (octets - 1))) else { throw .malformed }
        }
        guard length <= end - offset else { throw .malformed }
        let content = offset..<offset + length
        offset = content.upperBound
        return content
    }

    private mutating func byte() throws(KeyError) -> UInt8 {
        guard offset < end else { throw .malformed }
        defer { offset += 1 }
        return unsafe bytes[offset]
    }
}
