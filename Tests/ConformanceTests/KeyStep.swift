// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A call of a function that makes or uses a key, or takes a reference apart, as a row writes it.
struct KeyStep: Sendable {
    enum Function: String, Sendable {
        case makeKey, makePair, readKey, deriveKey
        case exportKey, describeKey, publicKey, certificateKey, makeIdentity, identityParts
        case sign, verify, encrypt, decrypt, exchange
    }

    let function: Function
    private let operands: [String: VectorValue]
    private let parameters: VectorDictionary?
    private let algorithm: String?

    init(_ function: Function, _ fields: inout VectorFields, at place: String) throws {
        self.function = function
        operands = try Dictionary(
            uniqueKeysWithValues: function.operands.map { name in
                (name, try VectorValue(try fields.require(name), at: "\(place) \(name)"))
            })
        parameters =
            function.takesAttributes
            ? try VectorDictionary(try fields.require("attributes"), at: "\(place) attributes") : nil
        algorithm = function.takesAlgorithm ? try fields.require("algorithm").string(at: place) : nil
    }

    /// The call with the objects that its values stand for.
    func call(_ objects: ScenarioObjects) throws -> KeyCall {
        KeyCall(
            function: function, objects: try operands.mapValues { try objects.object($0) },
            parameters: try parameters.map { try objects.dictionary($0) } ?? NSDictionary(), algorithm: algorithm ?? "")
    }
}

extension KeyStep.Function {
    fileprivate var operands: [String] {
        switch self {
        case .makeKey, .makePair: []
        case .readKey: ["data"]
        case .deriveKey: ["password"]
        case .exportKey, .describeKey, .publicKey: ["key"]
        case .certificateKey: ["certificate"]
        case .makeIdentity: ["certificate", "key"]
        case .identityParts: ["identity"]
        case .sign, .encrypt, .decrypt: ["key", "data"]
        case .verify: ["key", "data", "signature"]
        case .exchange: ["key", "peer"]
        }
    }

    fileprivate var takesAttributes: Bool { [.makeKey, .makePair, .readKey, .deriveKey, .exchange].contains(self) }

    fileprivate var takesAlgorithm: Bool { [.sign, .verify, .encrypt, .decrypt, .exchange].contains(self) }
}

/// One such call, ready to be made.
struct KeyCall {
    let function: KeyStep.Function
    fileprivate let objects: [String: AnyObject]
    let parameters: NSDictionary
    let algorithm: String

    func object<Object>(_ name: String, as type: Object.Type = Object.self) throws -> Object {
        guard let object = objects[name] as? Object else { throw VectorError("\(function): \(name) is no \(type)") }
        return object
    }
}
