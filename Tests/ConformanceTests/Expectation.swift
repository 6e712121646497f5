// SPDX-License-Identifier: Apache-2.0

/// What a result, or a part of one, has to be.
indirect enum Expectation: Sendable {
    enum Kind: String, Sendable {
        case string, data, number, date, dictionary, array, accessControl
        case certificate, key, identity, passwordReference
    }

    /// No result.
    case null
    case equals(VectorValue)
    case differs(from: VectorValue)
    case laterThan(VectorValue)
    case kind(Kind)
    /// Data of a length that begins with some text; what follows may have to be as in another.
    case bytes(count: Int64, prefix: String, rest: VectorValue?)
    /// A dictionary with at least these members, without those, or with these keys exactly.
    case dictionary([String: Expectation], absent: [String], keys: [String]?)
    case array([Expectation], anyOrder: Bool)
    case count(Int64)
    case atMost(Int64)

    /// Scalars and objects with a `$` key are values to be equal; other objects are read here.
    init(_ json: JSONValue, at place: String) throws {
        guard case .object(let object) = json, !object.keys.contains(where: { $0.hasPrefix("$") }) else {
            if case .string("null") = json {
                self = .null
            } else {
                self = .equals(try VectorValue(json, at: place))
            }
            return
        }
        var fields = try VectorFields(json, at: place)
        if let members = fields.take("dictionary") {
            self = try Expectation.dictionary(members, &fields, at: place)
        } else if let elements = fields.take("array") {
            let anyOrder = try fields.boolean("anyOrder")
            self = .array(
                try elements.elements(at: place).map { try Expectation($0, at: place) }, anyOrder: anyOrder)
        } else if let count = fields.take("count") {
            self = .count(try count.integer(at: place))
        } else if let count = fields.take("atMost") {
            self = .atMost(try count.integer(at: place))
        } else if let length = fields.take("length") {
            self = .bytes(
                count: try length.integer(at: place), prefix: try fields.string("prefix") ?? "",
                rest: try fields.take("rest").map { try VectorValue($0, at: place) })
        } else {
            self = try Expectation.comparison(&fields, at: place)
        }
        try fields.finish()
    }

    private static func comparison(_ fields: inout VectorFields, at place: String) throws -> Expectation {
        if let value = fields.take("equals") ?? fields.take("data") {
            return .equals(try VectorValue(value, at: place))
        }
        if let value = fields.take("differs") { return .differs(from: try VectorValue(value, at: place)) }
        if let value = fields.take("laterThan") { return .laterThan(try VectorValue(value, at: place)) }
        guard let name = try fields.string("kind"), let kind = Kind(rawValue: name) else {
            throw VectorError("\(place): no known assertion")
        }
        return .kind(kind)
    }

    private static func dictionary(
        _ json: JSONValue, _ fields: inout VectorFields, at place: String
    ) throws -> Expectation {
        guard case .object(let object) = json else { throw VectorError("\(place): dictionary is no object") }
        let members = try Dictionary(
            uniqueKeysWithValues: object.map { ($0, try Expectation($1, at: "\(place) \($0)")) })
        return .dictionary(members, absent: try fields.strings("absent") ?? [], keys: try fields.strings("keys"))
    }
}
