// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// Writes the head of a message, a property list of `KeychainCoding`, and gathers the secrets that it names.
///
/// The bytes are those of `PropertyList.encoded()`, without the boxes and dictionaries on the way there. No secret is ever
/// in them: a secret is a list of its number and its size.
struct WireWriter {
    private(set) var head: [UInt8] = []
    private(set) var secrets: [SecretValue] = []
    private(set) var secretsSize = 0

    init() { head.reserveCapacity(512) }

    mutating func write(_ value: some WireElement) throws(WireError) { try value.write(to: &self) }

    /// The number of a case, and the first thing that it holds.
    mutating func write(_ number: Int64, _ value: some WireElement) throws(WireError) {
        self.number(number)
        try write(value)
    }

    mutating func null() {
        head.append(WireTag.null)
        head.append(0)
    }

    mutating func boolean(_ value: Bool) {
        head.append(WireTag.boolean)
        head.append(1)
        head.append(value ? 1 : 0)
    }

    /// The fewest bytes of two's complement, at least one.
    mutating func number(_ value: Int64) {
        let magnitude = value < 0 ? ~value : value
        let count = (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
        head.append(WireTag.number)
        head.append(UInt8(count))
        for index in 0..<count { head.append(UInt8(truncatingIfNeeded: value >> Int64(8 * (count - 1 - index)))) }
    }

    mutating func string(_ text: String) {
        header(WireTag.string, text.utf8.count)
        head.append(contentsOf: text.utf8)
    }

    mutating func data(_ bytes: [UInt8]) {
        header(WireTag.data, bytes.count)
        head.append(contentsOf: bytes)
    }

    /// A date of the years 0 to 9999; others have no form.
    mutating func date(_ date: Double) throws(WireError) {
        do throws(CodingError) { element(try PropertyList.date(date).encoded()) } catch { throw .unwritable }
    }

    /// A whole element that another coding wrote.
    mutating func element(_ bytes: [UInt8]) { head.append(contentsOf: bytes) }

    /// The elements that `body` writes, as one.
    mutating func list(_ body: (inout WireWriter) throws(WireError) -> Void) throws(WireError) {
        let start = head.count
        head.append(WireTag.list)
        head.append(0)
        try body(&self)
        let size = head.count - start - 2
        if size < 0x80 {
            head[start + 1] = UInt8(size)
        } else {
            let octets = WireWriter.octets(of: size)
            head[start + 1] = 0x80 | UInt8(octets.count)
            head.insert(contentsOf: octets, at: start + 2)
        }
    }

    mutating func array(_ values: [some WireElement]) throws(WireError) {
        try list { (writer) throws(WireError) in for value in values { try writer.write(value) } }
    }

    /// Names a secret, whose bytes follow the head in the order in which they are named.
    mutating func secret(_ secret: SecretValue) throws(WireError) {
        let index = secrets.count
        secrets.append(secret)
        secretsSize += secret.count
        try list { (writer) throws(WireError) in
            writer.number(Int64(index))
            writer.number(Int64(secret.count))
        }
    }

    private mutating func header(_ tag: UInt8, _ size: Int) {
        head.append(tag)
        if size < 0x80 {
            head.append(UInt8(size))
        } else {
            let octets = WireWriter.octets(of: size)
            head.append(0x80 | UInt8(octets.count))
            head.append(contentsOf: octets)
        }
    }

    /// A size in the fewest bytes, most significant first.
    private static func octets(of size: Int) -> [UInt8] {
        let count = (Int.bitWidth - size.leadingZeroBitCount + 7) / 8
        return (0..<count).map { UInt8(truncatingIfNeeded: size >> (8 * (count - 1 - $0))) }
    }
}

/// The first bytes of the elements of a head (`DERTag`).
enum WireTag {
    static let boolean: UInt8 = 0x01
    static let number: UInt8 = 0x02
    static let data: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let string: UInt8 = 0x0C
    static let date: UInt8 = 0x18
    static let list: UInt8 = 0x30
    static let dictionary: UInt8 = 0x31
}
