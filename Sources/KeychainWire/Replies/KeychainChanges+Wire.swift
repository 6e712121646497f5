// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension KeychainChanges: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let deeds: [ItemDeed] = try fields.array(atMost: WireLimits.results)
        guard deeds.allSatisfy(\.isChange) else { throw .contradiction }
        self.init(deeds, isIncomplete: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        guard deeds.allSatisfy(\.isChange) else { throw .unwritable }
        try writer.array(deeds)
        try writer.write(isIncomplete)
    }
}

extension ItemDeed: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let kind: Kind = try fields.next()
        let itemClass: ItemClass = try fields.next()
        self.init(kind, itemClass, group: try fields.next(), try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(kind)
        try writer.write(itemClass)
        try writer.write(group)
        try writer.write(id)
    }
}

extension ItemDeed.Kind: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .found: 1
        case .added: 2
        case .updated: 3
        case .deleted: 4
        case .used: 5
        }
    }
}
