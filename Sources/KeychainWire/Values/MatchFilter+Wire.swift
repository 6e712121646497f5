// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension MatchFilter: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .hostOrSubdomain(try fields.string(atMost: WireLimits.pattern))
        case 2: self = .keyValid(on: try fields.next())
        case 3: self = .text(try MatchFilter.attribute(&fields), try fields.next())
        case 4: self = .certificate(try fields.next())
        default: throw .unknownNumber
        }
    }

    private static func attribute(_ fields: inout WireFields) throws(WireError) -> Attribute {
        let number = try fields.number()
        guard let raw = UInt32(exactly: number), let attribute = Attribute(rawValue: raw) else {
            throw .unknownNumber
        }
        return attribute
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .hostOrSubdomain(let host):
            writer.number(1)
            writer.string(host)
        case .keyValid(let date):
            writer.number(2)
            try writer.write(date)
        case .text(let attribute, let pattern):
            writer.number(3)
            writer.number(Int64(attribute.rawValue))
            try writer.write(pattern)
        case .certificate(let filter):
            writer.number(4)
            try writer.write(filter)
        }
    }

    /// Throws `.contradiction` for a condition that the parser makes for no item of the class.
    func check(for queriedClass: QueriedClass) throws(WireError) {
        let fits =
            switch self {
            case .hostOrSubdomain: queriedClass == .stored(.internetPassword)
            case .keyValid: queriedClass == .stored(.key)
            case .text(let attribute, let pattern):
                attribute.isKnown(to: queriedClass) && attribute.kind == .blob && pattern.position == .whole
                    && !pattern.matching.ignored.isEmpty
            case .certificate: queriedClass == .stored(.certificate) || queriedClass == .identity
            }
        guard fits else { throw .contradiction }
    }
}
