// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension KeybagReply: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .done
        case 2: self = .standing(try fields.next())
        case 3: self = .removed(try fields.count())
        case 4: self = .recoverySeed(try fields.next())
        case 5: self = .resealed(try fields.next())
        case 6: self = .references(try fields.array(atMost: WireLimits.results))
        case 7: self = .settings(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .done: writer.number(1)
        case .standing(let standing): try writer.write(2, standing)
        case .removed(let count): try writer.write(3, Int64(count))
        case .recoverySeed(let seed): try writer.write(4, seed)
        case .resealed(let step): try writer.write(5, step)
        case .references(let references):
            writer.number(6)
            try writer.array(references)
        case .settings(let settings): try writer.write(7, settings)
        }
    }
}

extension ResealingProgress: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(examined: try fields.count(), total: try fields.count(), end: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(examined))
        writer.number(Int64(total))
        try writer.write(end)
    }
}

extension ResealingProgress.End: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .notYet: 1
        case .ofRound: 2
        case .ofAll: 3
        }
    }
}

extension WireFields {
    /// A number of things there are.
    fileprivate mutating func count() throws(WireError) -> Int { Int(try number(in: 0...Int64(Int32.max))) }
}
