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

    mutating func null() { DERWriter.appendHeader(DERTag.null, contentSize: 0, to: &head) }

    mutating func boolean(_ value: Bool) {
        DERWriter.appendHeader(DERTag.boolean, contentSize: 1, to: &head)
        head.append(value ? 1 : 0)
    }

    mutating func number(_ value: Int64) { DERWriter.appendInteger(value, to: &head) }

    mutating func string(_ text: String) {
        DERWriter.appendHeader(DERTag.utf8String, contentSize: text.utf8.count, to: &head)
        head.append(contentsOf: text.utf8)
    }

    mutating func data(_ bytes: [UInt8]) {
        DERWriter.appendHeader(DERTag.octetString, contentSize: bytes.count, to: &head)
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
        let start = DERWriter.begin(DERTag.sequence, in: &head)
        try body(&self)
        DERWriter.end(contentStart: start, in: &head)
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
}
