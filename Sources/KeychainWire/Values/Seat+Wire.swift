// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// What the program says of it; who asks, the daemon knows.
extension Seat: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Seat {
        guard let seat = Seat(try fields.array(atMost: Seat.names.count)) else { throw .contradiction }
        return seat
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.array(variables) }
}

extension Seat.Variable: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(name: try fields.next(), value: try fields.string(atMost: Seat.longestValue))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(name)
        try writer.write(value)
    }
}
