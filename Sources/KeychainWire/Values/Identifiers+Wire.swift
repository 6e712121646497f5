// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension PersistentID: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let (high, low) = (try fields.number(), try fields.number())
        self.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(bitPattern: high))
        writer.number(Int64(bitPattern: low))
    }
}

/// Whoever knows it may use what was shown to the context: it is as good as what the context has.
extension AuthenticationContextID: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let (high, low) = (try fields.number(), try fields.number())
        self.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(bitPattern: high))
        writer.number(Int64(bitPattern: low))
    }
}

extension AuthenticationRequestID: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AuthenticationRequestID {
        AuthenticationRequestID(name: try fields.next())
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.write(name) }
}

extension AddToken: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let words = (try fields.number(), try fields.number(), try fields.number(), try fields.number())
        self.init(
            UInt64(bitPattern: words.0), UInt64(bitPattern: words.1), UInt64(bitPattern: words.2),
            UInt64(bitPattern: words.3))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        for word in [first, second, third, fourth] { writer.number(Int64(bitPattern: word)) }
    }
}
