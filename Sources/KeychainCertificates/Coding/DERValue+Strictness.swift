// SPDX-License-Identifier: Apache-2.0

extension DERValue {
    /// Whether this and everything inside is written as DER demands.
    ///
    /// What OpenSSL would read is more: other lengths, numbers with leading zeros, any byte for true. The order in a SET
    /// is not looked at: there are certificates with names that have it otherwise, and everybody takes them.
    var isStrict: Bool { isStrict(depth: 0) }

    private func isStrict(depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        let isUniversal = tag < 0x40
        guard tag & 0x20 != 0 else { return !isUniversal || isStrictPrimitive }
        guard !isUniversal || tag == DERTag.sequence || tag == DERTag.set else { return false }
        var cursor = DERCursor(content)
        while !cursor.isAtEnd {
            guard let element = cursor.next(), element.isStrict(depth: depth + 1) else { return false }
        }
        return true
    }

    /// Whether a primitive element's content is one its tag can have.
    var isStrictPrimitive: Bool {
        let first = content.first
        switch tag {
        case DERTag.boolean: return content.count == 1 && (first == 0 || first == 0xFF)
        case DERTag.integer:
            guard let first else { return false }
            guard let second = content.dropFirst().first else { return true }
            // The first byte must say more than the sign of the second.
            return !(first == 0 && second < 0x80) && !(first == 0xFF && second >= 0x80)
        case DERTag.bitString:
            guard let unused = first, let last = content.last else { return false }
            if content.count == 1 { return unused == 0 }
            return unused < 8 && last & (1 << unused - 1) == 0
        case DERTag.null: return content.isEmpty
        case DERTag.objectIdentifier: return ObjectIdentifier.isWellFormed(content)
        // SEQUENCE and SET are always constructed; 0 ends a length that DER does not have.
        case 0x00, 0x10, 0x11: return false
        default: return true
        }
    }

    private static let deepest = 32
}
