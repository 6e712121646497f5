// SPDX-License-Identifier: Apache-2.0

/// The name of whom a certificate is for, or of who issued it.
///
/// Equal to a name of the same bytes; use `normalizedContent` to compare as people would.
package struct DistinguishedName: Sendable {
    /// One attribute of it, such as the common name.
    package struct Attribute: Hashable, Sendable {
        package let type: ObjectIdentifier
        /// nil when it is no string, or one that cannot be read.
        package let text: String?
    }

    /// The whole SEQUENCE.
    package let der: [UInt8]
    /// What a search compares and a keychain stores as issuer and subject: see `DistinguishedName+Normalization`.
    package let normalizedContent: [UInt8]
    /// From the least specific to the most specific, as they stand in it.
    package let attributes: [Attribute]

    /// The name whose SEQUENCE is all of `der`; nil when it is none.
    package init?(der: [UInt8]) {
        guard der.count <= Self.largest, let name = DERValue(der[...], tag: DERTag.sequence), name.isStrict
        else { return nil }
        self.init(name)
    }

    /// The name whose SEQUENCE has that content, as normalized names are kept; nil when it is none.
    package init?(content: [UInt8]) {
        self.init(der: DERBuilder.element(DERTag.sequence, content))
    }

    internal init?(_ name: DERValue) {
        guard let sets = name.elements else { return nil }
        var attributes: [Attribute] = []
        var normalized: [UInt8] = []
        for set in sets {
            guard set.tag == DERTag.set, let pairs = set.elements, !pairs.isEmpty else { return nil }
            var content: [UInt8] = []
            for pair in pairs {
                guard pair.tag == DERTag.sequence, let parts = pair.elements, parts.count == 2,
                    let type = ObjectIdentifier(parts[0]), let value = Self.normalized(parts[1])
                else { return nil }
                attributes.append(Attribute(type: type, text: parts[1].text))
                content += DERBuilder.sequence(Array(parts[0].encoding), value)
            }
            normalized += DERBuilder.element(DERTag.set, content)
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
