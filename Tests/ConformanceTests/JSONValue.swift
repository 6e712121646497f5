// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON text as it stands, with booleans kept apart from numbers.
enum JSONValue: Sendable, Decodable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case fraction(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let object = try? container.decode([String: JSONValue].self) {
            self = .object(object)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let fraction = try? container.decode(Double.self) {
            self = .fraction(fraction)
        } else {
            self = .null
        }
    }
}

/// What is wrong with a vector file, and where.
struct VectorError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The fields of one JSON object; each has to be taken, so a misspelt field fails instead of being skipped.
struct VectorFields {
    private var remaining: [String: JSONValue]
    private let place: String

    init(_ json: JSONValue, at place: String) throws {
        guard case .object(let object) = json else { throw VectorError("\(place): not an object") }
        remaining = object
        self.place = place
    }

    mutating func take(_ name: String) -> JSONValue? { remaining.removeValue(forKey: name) }

    mutating func require(_ name: String) throws -> JSONValue {
        guard let value = take(name) else { throw VectorError("\(place): \(name) is missing") }
        return value
    }

    mutating func string(_ name: String) throws -> String? {
        try take(name).map { try $0.string(at: "\(place) \(name)") }
    }

    mutating func boolean(_ name: String) throws -> Bool {
        guard let json = take(name) else { return false }
        guard case .boolean(let value) = json else { throw VectorError("\(place): \(name) is no boolean") }
        return value
    }

    mutating func strings(_ name: String) throws -> [String]? {
        try take(name).map { json in
            guard case .array(let elements) = json else { throw VectorError("\(place): \(name) is no array") }
            return try elements.map { try $0.string(at: "\(place) \(name)") }
        }
    }

    /// Fails when a field is left that nobody asked for.
    func finish() throws {
        guard remaining.isEmpty else {
            throw VectorError("\(place): unknown \(remaining.keys.sorted().joined(separator: ", "))")
        }
    }
}

extension JSONValue {
    func string(at place: String) throws -> String {
        guard case .string(let text) = self else { throw VectorError("\(place): not a string") }
        return text
    }

    func integer(at place: String) throws -> Int64 {
        guard case .integer(let number) = self else { throw VectorError("\(place): not a whole number") }
        return number
    }

    func seconds(at place: String) throws -> Double {
        switch self {
        case .integer(let number): return Double(number)
        case .fraction(let number): return number
        default: throw VectorError("\(place): not a number")
        }
    }

    func elements(at place: String) throws -> [JSONValue] {
        guard case .array(let elements) = self else { throw VectorError("\(place): not an array") }
        return elements
    }
}
