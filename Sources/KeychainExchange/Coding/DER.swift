// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel

/// Reads elements of DER, one after the other, in untrusted bytes; what it gives are places in them.
///
/// Nothing is copied, so the bytes may be a key's. Tags of one byte and lengths as short as they can be, no others.
// Safe: every access is checked against the end; the bytes outlive the reader because a reader exists only inside a
// function that was lent them.
@safe
struct DERReader {
    struct Element {
        let tag: UInt8
        let content: Range<Int>
        /// Tag, length and content.
        let whole: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private let end: Int

    init(unsafeBytes bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        position = 0
        end = bytes.count
    }

    private init(unsafeBytes bytes: UnsafeRawBufferPointer, _ content: Range<Int>) {
        unsafe self.bytes = unsafe bytes
        position = content.lowerBound
        end = content.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// A reader of what is inside an element.
    func inside(_ element: Element) -> DERReader { unsafe DERReader(unsafeBytes: bytes, element.content) }

    /// A copy of the bytes in a place, which are no secret.
    func unsecretBytes(_ place: Range<Int>) -> [UInt8] { unsafe Array(bytes[place]) }

    /// The next element; nil at the end, and when there is none.
    mutating func next() -> Element? {
        let start = position
        guard end - start >= 2, unsafe bytes[start] & 0x1F != 0x1F else { return nil }
        var contentStart = start + 2
        var length = unsafe Int(bytes[start + 1])
        if length >= 0x80 {
            let octets = length & 0x7F
            guard (1...4).contains(octets), octets <= end - contentStart, unsafe bytes[contentStart] != 0
            else { return nil }
            length = 0
            for index in contentStart..<contentStart + octets { length = unsafe length << 8 | Int(bytes[index]) }
            guard length >= 0x80 else { return nil }
            contentStart += octets
        }
        guard length <= end - contentStart else { return nil }
        position = contentStart + length
        return unsafe Element(
            tag: bytes[start], content: contentStart..<contentStart + length, whole: start..<contentStart + length)
    }

    /// The next element when it has that tag; otherwise nothing is read.
    mutating func next(_ tag: UInt8) -> Element? {
        guard position < end, unsafe bytes[position] == tag else { return nil }
        return next()
    }

    /// What is inside the next element when it has that tag.
    mutating func enter(_ tag: UInt8) -> DERReader? { next(tag).map { inside($0) } }

    /// The tags of the elements up to the end; nil when something else is among them, or there are more than `most`.
    func tags(atMost most: Int) -> [UInt8]? {
        var reader = self
        var tags: [UInt8] = []
        while !reader.isAtEnd {
            guard tags.count < most, let element = reader.next() else { return nil }
            tags.append(element.tag)
        }
        return tags
    }
}

/// Writes elements of DER.
enum DERWriter {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { head(tag, content.count) + content }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(DERTag.sequence, Array(elements.joined())) }

    static func objectIdentifier(_ identifier: ObjectIdentifier) -> [UInt8] {
        element(DERTag.objectIdentifier, identifier.content)
    }

    /// A bit string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(DERTag.bitString, [0] + bytes) }

    /// Tag and length of an element with that much content.
    static func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [tag, UInt8(count)] }
        let octets = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
        return [tag, 0x80 | UInt8(octets)]
            + (0..<octets).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }

    static let null: [UInt8] = [DERTag.null, 0]
}

extension SecretBytes {
    /// A secret with other bytes before and behind it.
    init(_ before: [UInt8], _ secret: UnsafeRawBufferPointer, _ behind: [UInt8]) {
        unsafe self.init(count: before.count + secret.count + behind.count) { output in
            let middle = unsafe UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(before.count))
            unsafe output.copyBytes(from: before)
            unsafe middle.copyMemory(from: secret)
            unsafe UnsafeMutableRawBufferPointer(rebasing: middle.dropFirst(secret.count)).copyBytes(from: behind)
        }
    }
}

/// First bytes of elements.
enum DERTag {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31

    /// The tag [number] of the context, with other elements inside.
    static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
}
