// SPDX-License-Identifier: Apache-2.0

// The normalized form of a name is the content of its SEQUENCE (without tag and length), written anew after this was
// done to every attribute's value that is a PrintableString, UTF8String, T61String, IA5String, VisibleString or
// BMPString:
// 1. white space (space, tab, line feed, vertical tab, form feed, carriage return) is removed at both ends;
// 2. every run of it inside becomes one space;
// 3. the letters a–z become A–Z; no others: case beyond ASCII depends on the version of Unicode, and this form is
//    stored and is part of a certificate's unique key.
// Tags, types, the order of the attributes and every other kind of value stay. Two spellings of one text in two kinds of
// string therefore stay different, as with Apple.
extension DistinguishedName {
    /// The value's normalized encoding; nil when a BMPString has half a character.
    internal static func normalized(_ value: DERValue) -> [UInt8]? {
        switch value.tag {
        case DERTag.printableString, DERTag.utf8String, DERTag.t61String, DERTag.ia5String, DERTag.visibleString:
            let units = normalized(value.content.map { UInt16($0) })
            return DERBuilder.element(value.tag, units.map { UInt8(truncatingIfNeeded: $0) })
        case DERTag.bmpString:
            guard value.content.count % 2 == 0 else { return nil }
            let content = Array(value.content)
            let units = stride(from: 0, to: content.count, by: 2).map { index in
                UInt16(content[index]) << 8 | UInt16(content[index + 1])
            }
            let bytes = normalized(units).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            return DERBuilder.element(value.tag, bytes)
        default:
            return Array(value.encoding)
        }
    }

    private static func normalized(_ units: [UInt16]) -> [UInt16] {
        var result: [UInt16] = []
        var isAfterSpace = false
        for unit in units {
            if unit == space || (0x09...0x0D).contains(unit) {
                isAfterSpace = true
                continue
            }
            if isAfterSpace, !result.isEmpty { result.append(space) }
            isAfterSpace = false
            result.append((0x61...0x7A).contains(unit) ? unit - 0x20 : unit)
        }
        return result
    }

    private static let space: UInt16 = 0x20
}
