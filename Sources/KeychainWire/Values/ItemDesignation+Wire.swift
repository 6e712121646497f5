// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here: what a certificate or a key says of itself is about its own class, and is something.
///
/// The engine adds these attributes to the query's: none at all would name every item of the class.
extension ItemDesignation: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .persistent(try fields.next())
        case 2:
            let itemClass: ItemClass = try fields.next()
            self = .content(itemClass, try ItemDesignation.attributes(of: itemClass, &fields))
        case 3:
            self = .identity(
                certificate: try ItemDesignation.attributes(of: .certificate, &fields),
                key: try ItemDesignation.attributes(of: .key, &fields))
        default: throw .unknownNumber
        }
    }

    private static func attributes(
        of itemClass: ItemClass, _ fields: inout WireFields
    ) throws(WireError) -> AttributeList {
        let attributes: AttributeList = try fields.next()
        guard !attributes.isEmpty else { throw .contradiction }
        try attributes.check(for: .stored(itemClass))
        return attributes
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .persistent(let reference):
            writer.number(1)
            try writer.write(reference)
        case .content(let itemClass, let attributes):
            writer.number(2)
            try writer.write(itemClass)
            try writer.write(attributes)
        case .identity(let certificate, let key):
            writer.number(3)
            try writer.write(certificate)
            try writer.write(key)
        }
    }
}
