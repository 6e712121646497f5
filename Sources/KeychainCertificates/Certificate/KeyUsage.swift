// SPDX-License-Identifier: Apache-2.0

/// What a certificate's key may be used for (RFC 5280 §4.2.1.3).
package struct KeyUsage: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The usages in an extension's value; nil when it is none such.
    internal init?(_ bytes: ArraySlice<UInt8>) {
        guard let value = DERValue(bytes, tag: DERTag.bitString), value.isStrictPrimitive, value.content.count <= 3
        else { return nil }
        var rawValue: UInt16 = 0
        for (index, byte) in value.content.dropFirst().enumerated() {
            for bit in 0..<8 where byte & (0x80 >> bit) != 0 { rawValue |= 1 << (8 * index + bit) }
        }
        self.rawValue = rawValue
    }

    /// The content of the bit string that says this.
    internal var bits: [UInt8] {
        var bytes: [UInt8] = [0, 0]
        for bit in 0..<16 where rawValue & 1 << bit != 0 { bytes[bit / 8] |= 0x80 >> (bit % 8) }
        // A list of named bits ends with its last one.
        while bytes.last == 0 { bytes.removeLast() }
        return [UInt8(bytes.last?.trailingZeroBitCount ?? 0)] + bytes
    }

    package static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    package static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    package static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    package static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    package static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    package static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    package static let crlSigning = KeyUsage(rawValue: 1 << 6)
    package static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    package static let decipherOnly = KeyUsage(rawValue: 1 << 8)
}
