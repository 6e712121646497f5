// SPDX-License-Identifier: Apache-2.0

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
