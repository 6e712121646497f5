// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// Checked here: no bit is set that means nothing.
extension ReturnTypes: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> ReturnTypes {
        ReturnTypes(rawValue: UInt8(try fields.number(in: 0...31)))
    }

    func write(to writer: inout WireWriter) throws(WireError) { writer.number(Int64(rawValue)) }
}

/// Checked here: one and none are not spelled as a number, and no number is negative, which `prefix` would stop at.
extension MatchLimit: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .nothing
        case 2: self = .single
        case 3: self = .atMost(Int(try fields.number(in: 2...Int64.max)))
        case 4: self = .all
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .nothing: writer.number(1)
        case .single: writer.number(2)
        case .atMost(let count):
            writer.number(3)
            writer.number(Int64(count))
        case .all: writer.number(4)
        }
    }
}

extension TombstonePolicy: WireNumbered {
    static let numbered: [TombstonePolicy] = [.whenSynchronizable, .always, .never]

    var wireNumber: Int64 {
        switch self {
        case .whenSynchronizable: 1
        case .always: 2
        case .never: 3
        }
    }
}
