// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What is one element of a message's head.
protocol WireElement {
    /// Reads strictly: what comes back is written as the same bytes.
    static func read(from fields: inout WireFields) throws(WireError) -> Self
    func write(to writer: inout WireWriter) throws(WireError)
}

/// What is a list of parts in a fixed order, in a message's head.
///
/// A part that is not there is a null; none is left out and none comes behind.
protocol WireStructure: WireElement {
    init(parts fields: inout WireFields) throws(WireError)
    func writeParts(to writer: inout WireWriter) throws(WireError)
}

extension WireStructure {
    static func read(from fields: inout WireFields) throws(WireError) -> Self {
        try fields.list { (fields) throws(WireError) in try Self(parts: &fields) }
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        try writer.list { (writer) throws(WireError) in try writeParts(to: &writer) }
    }
}

/// What is one of a few, and a number in a message's head.
///
/// Numbers are written out and never used again for something else: the order of cases means nothing.
protocol WireNumbered: WireElement {
    static var numbered: [Self] { get }
    var wireNumber: Int64 { get }
}

extension WireNumbered {
    static func read(from fields: inout WireFields) throws(WireError) -> Self {
        let number = try fields.number()
        for value in numbered where value.wireNumber == number { return value }
        throw .unknownNumber
    }

    func write(to writer: inout WireWriter) throws(WireError) { writer.number(wireNumber) }
}

extension WireNumbered where Self: CaseIterable {
    static var numbered: AllCases { allCases }
}

extension Optional: WireElement where Wrapped: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Self {
        try fields.isNull() ? nil : try Wrapped.read(from: &fields)
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case nil: writer.null()
        case let value?: try value.write(to: &writer)
        }
    }
}

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
/// Conversion to whole seconds relies on that.
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
