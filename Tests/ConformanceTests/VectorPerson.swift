// SPDX-License-Identifier: Apache-2.0

import Security

/// Somebody who can be asked while a row runs; without one, nobody is there.
struct VectorPerson: Sendable {
    private let answers: [ScriptedPerson.Answer]
    private let fingers: [ScriptedPerson.Finger]
    private let enrolled: String?

    init(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        var answers = try (fields.take("answers")?.elements(at: place) ?? []).map { json in
            try VectorPerson.answer(json, at: place)
        }
        if let always = try fields.string("always") {
            answers += Array(repeating: .types(always), count: VectorPerson.always)
        }
        self.answers = answers
        fingers = try (try fields.strings("fingers") ?? []).map { name in
            guard let finger = VectorPerson.fingers[name] else { throw VectorError("\(place): no finger \(name)") }
            return finger
        }
        enrolled = try fields.string("enrolled")
        try fields.finish()
    }

    /// The person, who has not been asked anything yet.
    var scripted: ScriptedPerson { ScriptedPerson(answers: answers, fingers: fingers, enrolled: enrolled) }

    private static func answer(_ json: JSONValue, at place: String) throws -> ScriptedPerson.Answer {
        if case .string(let text) = json { return .types(text) }
        var fields = try VectorFields(json, at: place)
        let refuses = try fields.boolean("refuses")
        let isAway = try fields.boolean("isAway")
        try fields.finish()
        guard refuses != isAway else { throw VectorError("\(place): an answer is text, refuses or isAway") }
        return refuses ? .refuses : .isAway
    }

    private static let fingers: [String: ScriptedPerson.Finger] = [
        "enrolled": .enrolled, "unknown": .unknown, "refuses": .refuses,
    ]

    /// More often than anybody is asked.
    private static let always = 100
}
