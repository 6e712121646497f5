// SPDX-License-Identifier: Apache-2.0

/// A dictionary of a step: plain members, or one saved earlier with members added and taken away.
///
/// `$entries` holds pairs whose keys are typed values too; `$many` adds numbered keys, all with the value true.
struct VectorDictionary: Sendable {
    struct Entry: Sendable {
        let key: VectorValue
        let value: VectorValue
    }

    private(set) var base: String?
    private(set) var without: [String] = []
    private(set) var entries: [Entry] = []

    init(_ json: JSONValue, at place: String) throws {
        guard case .object(let object) = json else { throw VectorError("\(place): not an object") }
        guard object["$ref"] == nil else {
            try derive(json, at: place)
            return
        }
        for (name, value) in object {
            switch name {
            case "$entries": try addEntries(value, at: place)
            case "$many": try addMany(value, at: place)
            default:
                guard !name.hasPrefix("$") else { throw VectorError("\(place): unknown \(name)") }
                let value = try VectorValue(value, at: "\(place) \(name)")
                entries.append(Entry(key: .string(name), value: value))
            }
        }
    }

    private mutating func derive(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        if let members = fields.take("$with") {
            let added = try VectorDictionary(members, at: place)
            guard added.base == nil else { throw VectorError("\(place): $with holds a $ref") }
            entries = added.entries
        }
        without = try fields.strings("$without") ?? []
        base = try fields.string("$ref")
        try fields.finish()
    }

    private mutating func addEntries(_ json: JSONValue, at place: String) throws {
        for pair in try json.elements(at: place) {
            let pair = try pair.elements(at: place)
            guard pair.count == 2 else { throw VectorError("\(place): $entries holds pairs") }
            let key = try VectorValue(pair[0], at: place)
            entries.append(Entry(key: key, value: try VectorValue(pair[1], at: place)))
        }
    }

    private mutating func addMany(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        let prefix = try fields.require("prefix").string(at: place)
        let count = try fields.require("count").integer(at: place)
        try fields.finish()
        for index in 0..<count {
            entries.append(Entry(key: .string("\(prefix)\(index)"), value: .boolean(true)))
        }
    }
}
