// SPDX-License-Identifier: Apache-2.0

/// Writes elements of DER.
internal enum DERBuilder {
    static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        var bytes = [tag]
        let count = content.count
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            let octets = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
            bytes.append(0x80 | UInt8(octets))
            for index in (0..<octets).reversed() { bytes.append(UInt8(truncatingIfNeeded: count >> (8 * index))) }
        }
        return bytes + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(DERTag.sequence, Array(elements.joined()))
    }

    static func objectIdentifier(_ identifier: ObjectIdentifier) -> [UInt8] {
        element(DERTag.objectIdentifier, identifier.content)
    }

    static func utf8String(_ text: String) -> [UInt8] {
        element(DERTag.utf8String, Array(text.utf8))
    }

    /// A bit string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] {
        element(DERTag.bitString, [0] + bytes)
    }

    static let null: [UInt8] = [DERTag.null, 0]
}
