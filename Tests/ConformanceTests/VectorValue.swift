// SPDX-License-Identifier: Apache-2.0

/// A typed value of a vector: what JSON cannot say is written as an object with one `$` key.
indirect enum VectorValue: Sendable {
    case string(String)
    case boolean(Bool)
    case number(Int64)
    case double(Double)
    case unsigned(UInt64)
    case data([UInt8])
    case repeated(byte: UInt8, count: Int)
    /// Seconds since 2001.
    case date(Double)
    case uuid(String)
    case null
    case array([VectorValue])
    case dictionary(VectorDictionary)
    /// What an earlier step saved, or one member of it.
    case saved(String, member: String?)
    /// An object that no keychain knows.
    case unrelatedObject
    case accessControl(VectorAccessControl)
    /// A certificate, key or identity of the fixtures, or one thing its file says about it.
    case fixture(VectorFixture, member: String?)
    case policy(VectorPolicy)

    init(_ json: JSONValue, at place: String) throws {
        switch json {
        case .string(let text): self = .string(text)
        case .boolean(let value): self = .boolean(value)
        case .integer(let number): self = .number(number)
        case .fraction(let number): self = .double(number)
        case .null, .array: throw VectorError("\(place): write $null or $array")
        case .object: self = try VectorValue.marked(VectorFields(json, at: place), at: place)
        }
    }

    private static func marked(_ given: VectorFields, at place: String) throws -> VectorValue {
        var fields = given
        let value = try simple(&fields, at: place) ?? compound(&fields, at: place)
        guard let value else { throw VectorError("\(place): no known $ key") }
        try fields.finish()
        return value
    }

    private static func simple(_ fields: inout VectorFields, at place: String) throws -> VectorValue? {
        if let text = try fields.string("$data") { return .data(try bytes(text, at: place)) }
        if let text = try fields.string("$utf8") { return .data(Array(text.utf8)) }
        if let json = fields.take("$date") { return .date(try json.seconds(at: place)) }
        if let json = fields.take("$double") { return .double(try json.seconds(at: place)) }
        if let text = try fields.string("$uuid") { return .uuid(text) }
        if let text = try fields.string("$unsigned") {
            guard let number = UInt64(text) else { throw VectorError("\(place): $unsigned is no number") }
            return .unsigned(number)
        }
        if try fields.boolean("$null") { return .null }
        if try fields.boolean("$object") { return .unrelatedObject }
        if let name = try fields.string("$ref") { return .saved(name, member: try fields.string("member")) }
        return nil
    }

    private static func compound(_ fields: inout VectorFields, at place: String) throws -> VectorValue? {
        if let json = fields.take("$array") {
            return .array(try json.elements(at: place).map { try VectorValue($0, at: place) })
        }
        if let json = fields.take("$dictionary") { return .dictionary(try VectorDictionary(json, at: place)) }
        if let json = fields.take("$repeat") {
            var inner = try VectorFields(json, at: place)
            let byte = try inner.require("byte").integer(at: place)
            let count = try inner.require("count").integer(at: place)
            try inner.finish()
            guard let byte = UInt8(exactly: byte), count >= 0 else { throw VectorError("\(place): bad $repeat") }
            return .repeated(byte: byte, count: Int(count))
        }
        if let json = fields.take("$accessControl") {
            return .accessControl(try VectorAccessControl(json, at: place))
        }
        if let fixture = try VectorFixture(&fields) { return .fixture(fixture, member: try fields.string("member")) }
        if let policy = try VectorPolicy(&fields, at: place) { return .policy(policy) }
        return nil
    }

    static func bytes(_ hexadecimal: String, at place: String) throws -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { throw VectorError("\(place): odd number of hex digits") }
        return try stride(from: 0, to: digits.count, by: 2).map { index in
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { throw VectorError("\(place): bad hex digits") }
            return byte
        }
    }
}
