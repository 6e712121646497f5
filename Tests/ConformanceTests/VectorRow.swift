// SPDX-License-Identifier: Apache-2.0

import Testing

/// One scenario: a caller, what it does, and what Apple's keychain (or, where it says "ours", this one) answers.
struct VectorRow: Sendable {
    let id: String
    let scenario: String
    /// Where the expectation is ours instead of Apple's: a line of decisions.md, or the scope of an issue.
    let ours: String?
    /// Where Apple's source or header says so, for who wants to read it there.
    let source: String?
    let entitlements: VectorEntitlements
    /// Who can be asked; nil when nobody is there.
    let person: VectorPerson?
    let steps: [VectorStep]

    init(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        let id = try fields.require("id").string(at: place)
        let place = "\(place) \(id)"
        scenario = try fields.require("scenario").string(at: place)
        ours = try fields.string("ours")
        source = try fields.string("source")
        let groups = try fields.strings("groups")
        if let rights = fields.take("entitlements") {
            guard groups == nil else { throw VectorError("\(place): groups and entitlements") }
            entitlements = try VectorEntitlements(rights, at: place)
        } else {
            entitlements = VectorEntitlements(groups: groups ?? ["G1", "G2"])
        }
        person = try fields.take("person").map { try VectorPerson($0, at: "\(place) person") }
        let steps = try fields.require("steps").elements(at: place)
        guard !steps.isEmpty else { throw VectorError("\(place): no steps") }
        self.steps = try steps.enumerated().map { try VectorStep($1, at: "\(place) step \($0 + 1)") }
        self.id = id
        try fields.finish()
    }
}

extension VectorRow: CustomTestStringConvertible {
    var testDescription: String { "\(id): \(scenario)" }
}

/// A scenario that waits for a later issue, and why.
struct LaterRow: Sendable {
    let id: String
    let reason: String

    init(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        id = try fields.require("id").string(at: place)
        reason = try fields.require("reason").string(at: place)
        try fields.finish()
    }
}
