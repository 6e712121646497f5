// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here: there is something to add, what was just stored is not asked for as damaged, and the halves of an identity are a certificate and a key.
extension AddAllRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(entries: try fields.array(atMost: WireLimits.entries), returning: try fields.next())
        guard !entries.isEmpty, !returning.contains(.damaged) else { throw .contradiction }
        authentication = try fields.next()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.array(entries)
        try writer.write(returning)
        try writer.write(authentication)
    }
}

extension AddAllRequest.Entry: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try AddedItem.read(from: &fields).request)
        case 2:
            let certificate = try AddedItem.read(from: &fields).request
            let key = try AddedItem.read(from: &fields).request
            guard certificate.itemClass == .certificate, key.itemClass == .key else { throw .contradiction }
            self = .identity(certificate: certificate, key: key)
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let item):
            writer.number(1)
            try writer.write(AddedItem(item))
        case .identity(let certificate, let key):
            writer.number(2)
            try writer.write(AddedItem(certificate))
            try writer.write(AddedItem(key))
        }
    }
}
