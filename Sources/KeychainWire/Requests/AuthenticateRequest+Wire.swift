// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension AuthenticateRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) { self.init(try fields.next(), try fields.next()) }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(wish)
        try writer.write(terms)
    }
}

extension AuthenticateRequest.Wish: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .biometry
        case 2: self = .presence
        case 3: self = .accessControl(try fields.next(), try fields.next(), isForNew: try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .biometry: writer.number(1)
        case .presence: writer.number(2)
        case .accessControl(let control, let operation, let isForNew):
            writer.number(3)
            try writer.write(control)
            try writer.write(operation)
            try writer.write(isForNew)
        }
    }
}
