// SPDX-License-Identifier: Apache-2.0

/// One thing a scenario does, with what has to come of it.
struct VectorStep: Sendable {
    enum Action: Sendable {
        case add(VectorDictionary)
        case copy(VectorDictionary)
        case update(VectorDictionary, VectorDictionary)
        case delete(VectorDictionary)
        case key(KeyStep)
        case accessControl(AccessControlStep)
        case person(PersonStep)
        case backup(BackupStep)
        /// From here on the caller has these rights.
        case entitle(VectorEntitlements)
        /// The clock stands at a moment, or moves on by some seconds.
        case setClock(Double)
        case advanceClock(Double)
        case lock(VectorLockState)
        /// The program ends and starts again.
        case restart
    }

    let name: String
    let action: Action
    let status: Int32
    /// What C gets, where it may say something in another way: 1 for true, and text for its bytes.
    let statusInC: Int32
    let result: Expectation?
    let resultInC: Expectation?
    /// The name under which later steps find the result.
    let save: String?
    /// Whether the caller passes no place for a result.
    let discardsResult: Bool

    init(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        name = try fields.require("op").string(at: place)
        action = try VectorStep.action(name, &fields, at: place)
        let expected = try fields.take("expect")?.integer(at: place) ?? 0
        guard let status = Int32(exactly: expected) else { throw VectorError("\(place): no status") }
        self.status = status
        let inC = try fields.take("expectInC")?.integer(at: place) ?? expected
        guard let statusInC = Int32(exactly: inC) else { throw VectorError("\(place): no status") }
        self.statusInC = statusInC
        result = try fields.take("result").map { try Expectation($0, at: "\(place) result") }
        resultInC = try fields.take("resultInC").map { try Expectation($0, at: "\(place) result") } ?? result
        save = try fields.string("save")
        discardsResult = try fields.boolean("noResult")
        try fields.finish()
    }

    private static func action(_ name: String, _ fields: inout VectorFields, at place: String) throws -> Action {
        switch name {
        case "add": return .add(try VectorStep.dictionary("query", &fields, place))
        case "copy": return .copy(try VectorStep.dictionary("query", &fields, place))
        case "delete": return .delete(try VectorStep.dictionary("query", &fields, place))
        case "update":
            let query = try VectorStep.dictionary("query", &fields, place)
            return .update(query, try VectorStep.dictionary("attributes", &fields, place))
        case "entitle":
            return .entitle(try VectorEntitlements(try fields.require("entitlements"), at: place))
        case "clock":
            if let moment = fields.take("set") {
                return .setClock(try moment.seconds(at: place))
            } else {
                return .advanceClock(try fields.require("advance").seconds(at: place))
            }
        case "lock":
            let state = try fields.require("state").string(at: place)
            guard let state = VectorLockState(rawValue: state) else { throw VectorError("\(place): no state \(state)") }
            return .lock(state)
        case "restart": return .restart
        default:
            if let function = KeyStep.Function(rawValue: name) {
                return .key(try KeyStep(function, &fields, at: place))
            }
            if let function = AccessControlStep.Function(rawValue: name) {
                return .accessControl(try AccessControlStep(function, &fields, at: place))
            }
            if let step = try BackupStep(name, &fields, at: place) { return .backup(step) }
            guard let step = try PersonStep(name, &fields, at: place) else {
                throw VectorError("\(place): unknown op \(name)")
            }
            return .person(step)
        }
    }

    private static func dictionary(
        _ name: String, _ fields: inout VectorFields, _ place: String
    ) throws -> VectorDictionary {
        try VectorDictionary(try fields.require(name), at: "\(place) \(name)")
    }
}

/// How far the device is unlocked.
enum VectorLockState: String, Sendable { case unlocked, locked, beforeFirstUnlock }

/// The rights of the calling program.
struct VectorEntitlements: Sendable, Equatable {
    var keychainAccessGroups: [String]?
    var applicationIdentifier: String?
    var associatedApplicationIdentifiers: [String] = []
    var applicationGroups: [String] = []
    var honoursWildcard = false

    init(groups: [String]) { keychainAccessGroups = groups }

    init(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        keychainAccessGroups = try fields.strings("keychainAccessGroups")
        applicationIdentifier = try fields.string("applicationIdentifier")
        associatedApplicationIdentifiers = try fields.strings("associatedApplicationIdentifiers") ?? []
        applicationGroups = try fields.strings("applicationGroups") ?? []
        honoursWildcard = try fields.boolean("honoursWildcard")
        try fields.finish()
    }
}
