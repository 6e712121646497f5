// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// All four forms, those too that nobody here hands out: a program may have kept one.
extension PersistentReference: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try fields.next(), try fields.next())
        case 2: self = .identity(try fields.next())
        case 3: self = .rowNumber(try fields.next())
        case 4: self = .token
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let itemClass, let id):
            writer.number(1)
            try writer.write(itemClass)
            try writer.write(id)
        case .identity(let id):
            writer.number(2)
            try writer.write(id)
        case .rowNumber(let queried):
            writer.number(3)
            try writer.write(queried)
        case .token: writer.number(4)
        }
    }
}
