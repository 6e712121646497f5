// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// The name of whom a certificate is for, or of who issued it.
///
/// Equal to a name of the same bytes; use `normalizedContent` to compare as people would.
package struct DistinguishedName: Sendable {
    /// One attribute of it, such as the common name.
    package struct Component: Hashable, Sendable {
        package let type: ObjectIdentifier
        /// nil when it is no string, or one that cannot be read.
        package let text: String?
    }

    /// The whole SEQUENCE.
    package let der: [UInt8]
    /// What a search compares and a keychain stores as issuer and subject: see `normalized(_:)`.
    package let normalizedContent: [UInt8]
    /// From the least specific to the most specific, as they stand in it.
    package let attributes: [Component]

    /// The name whose SEQUENCE is all of `der`; nil when it is malformed.
    package init?(der: [UInt8]) {
        guard der.count <= Self.largest, let name = DERValue(der[...], tag: DERTag.sequence), name.isStrict
        else { return nil }
        self.init(name)
    }

    /// The name whose SEQUENCE has that content, as normalized names are kept; nil when it is malformed.
    package init?(content: [UInt8]) {
        self.init(der: DERWriter.element(DERTag.sequence, content))
    }

    internal init?(_ name: DERValue) {
        guard let sets = name.elements else { return nil }
        var attributes: [Component] = []
        var normalized: [UInt8] = []
        for set in sets {
            guard set.tag == DERTag.set, let pairs = set.elements, !pairs.isEmpty else { return nil }
            var content: [UInt8] = []
            for pair in pairs {
                guard pair.tag == DERTag.sequence, let parts = pair.elements, parts.count == 2,
                    let type = ObjectIdentifier(parts[0]), let value = Self.normalized(parts[1])
                else { return nil }
                attributes.append(Component(type: type, text: parts[1].text))
                content += DERWriter.sequence(Array(parts[0].encoding), value)
            }
            normalized += DERWriter.element(DERTag.set, content)
        }
        der = Array(name.encoding)
        normalizedContent = normalized
        self.attributes = attributes
    }

    /// The texts of the attributes of one type, in their order.
    package func texts(of type: ObjectIdentifier) -> [String] {
        attributes.compactMap { $0.type == type ? $0.text : nil }
    }

    private static let largest = 1 << 16
}

extension DistinguishedName: Hashable {
    package static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
        left.der == right.der
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(der)
    }
}

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
            return DERWriter.element(value.tag, units.map { UInt8(truncatingIfNeeded: $0) })
        case DERTag.bmpString:
            guard value.content.count % 2 == 0 else { return nil }
            let content = Array(value.content)
            let units = stride(from: 0, to: content.count, by: 2).map { index in
                UInt16(content[index]) << 8 | UInt16(content[index + 1])
            }
            let bytes = normalized(units).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            return DERWriter.element(value.tag, bytes)
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

extension DistinguishedName {
    /// The part of a name that tells people whose it is, chosen as Apple chooses.
    ///
    /// The common name; without one the organizational unit, then the organization, then any other text. Several of one
    /// kind are joined by commas, the last one first. A description follows a common name in brackets, and stands for
    /// a name that has nothing else.
    internal var summary: String? {
        var best = Kind.none
        var summary = ""
        var description = ""
        for attribute in attributes {
            guard let text = attribute.text, !text.isEmpty else { continue }
            if attribute.type == .nameDescription {
                description = description.isEmpty ? text : text + ", " + description
                continue
            }
            let kind = Kind(attribute.type)
            guard kind >= best else { continue }
            summary = kind == best && !summary.isEmpty ? text + ", " + summary : text
            best = kind
        }
        if !description.isEmpty {
            if best == .commonName { return "\(summary) (\(description))" }
            if best == .none { return description }
        }
        return best == .none ? nil : summary
    }

    private enum Kind: Int, Comparable {
        case none
        case other
        case organization
        case organizationalUnit
        case commonName

        init(_ type: ObjectIdentifier) {
            switch type {
            case .commonName: self = .commonName
            case .organizationalUnit: self = .organizationalUnit
            case .organization: self = .organization
            default: self = .other
            }
        }

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }
}
