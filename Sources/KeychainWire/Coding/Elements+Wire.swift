// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

extension Bool: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Bool { try fields.boolean() }
    func write(to writer: inout WireWriter) throws(WireError) { writer.boolean(self) }
}

extension Int64: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Int64 { try fields.number() }
    func write(to writer: inout WireWriter) throws(WireError) { writer.number(self) }
}

extension UInt32: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> UInt32 {
        guard let number = UInt32(exactly: try fields.number()) else { throw .outOfRange }
        return number
    }

    func write(to writer: inout WireWriter) throws(WireError) { writer.number(Int64(self)) }
}

extension String: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> String { try fields.string() }
    func write(to writer: inout WireWriter) throws(WireError) { writer.string(self) }
}

/// A date: finite, of the years 0 to 9999.
///
/// Whoever turns one into whole seconds may rely on that.
extension Double: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Double { try fields.date() }
    func write(to writer: inout WireWriter) throws(WireError) { try writer.date(self) }
}

extension Array: WireElement where Element == UInt8 {
    static func read(from fields: inout WireFields) throws(WireError) -> [UInt8] { try fields.data() }
    func write(to writer: inout WireWriter) throws(WireError) { writer.data(self) }
}

extension SecretValue: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Self {
        guard let secret = try fields.secret() as? Self else { throw .wrongSecret }
        return secret
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.secret(self) }
}
