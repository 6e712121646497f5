// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here: the halves of an identity are a certificate and a key.
extension Found: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try fields.next())
        case 2:
            let (certificate, key): (FoundItem, FoundItem) = (try fields.next(), try fields.next())
            guard certificate.itemClass == .certificate, key.itemClass == .key else { throw .contradiction }
            self = .identity(certificate: certificate, key: key)
        case 3: self = .damaged(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let item):
            writer.number(1)
            try writer.write(item)
        case .identity(let certificate, let key):
            writer.number(2)
            try writer.write(certificate)
            try writer.write(key)
        case .damaged(let item):
            writer.number(3)
            try writer.write(item)
        }
    }
}

/// Checked here: what is left of an item is of its class, and without a secret.
extension DamagedItem: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(itemClass: try fields.next(), persistentID: try fields.next(), rest: try fields.next())
        guard rest.map({ $0.itemClass == itemClass && $0.secret == nil && $0.keptKey == nil }) ?? true else {
            throw .contradiction
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        try writer.write(persistentID)
        try writer.write(rest)
    }
}
