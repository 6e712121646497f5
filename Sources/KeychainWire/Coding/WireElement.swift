// SPDX-License-Identifier: Apache-2.0

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
