// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A call of a function that makes an access control, changes it or looks into it, as a row writes it.
struct AccessControlStep: Sendable {
    enum Function: String, Sendable {
        case makeAccessControl, setProtection, addConstraint, setBound
        case constraint, protection, requiresPassword, isBound
        case encodeAccessControl, decodeAccessControl
    }

    let function: Function
    private let operands: [String: VectorValue]
    private let flags: [String]

    init(_ function: Function, _ fields: inout VectorFields, at place: String) throws {
        self.function = function
        operands = try Dictionary(
            uniqueKeysWithValues: function.operands.map { name in
                (name, try VectorValue(try fields.require(name), at: "\(place) \(name)"))
            })
        flags = function == .makeAccessControl ? try fields.strings("flags") ?? [] : []
    }

    /// The call with the objects that its values stand for.
    func call(_ objects: ScenarioObjects) throws -> AccessControlCall {
        AccessControlCall(function: function, objects: try operands.mapValues { try objects.object($0) }, flags: flags)
    }
}

extension AccessControlStep.Function {
    fileprivate var operands: [String] {
        switch self {
        case .makeAccessControl: ["protection"]
        case .setProtection: ["accessControl", "protection"]
        case .addConstraint: ["accessControl", "operation", "constraint"]
        case .setBound: ["accessControl", "bound"]
        case .constraint: ["accessControl", "operation"]
        case .protection, .requiresPassword, .isBound, .encodeAccessControl: ["accessControl"]
        case .decodeAccessControl: ["data"]
        }
    }
}

/// One such call, ready to be made.
struct AccessControlCall {
    let function: AccessControlStep.Function
    fileprivate let objects: [String: AnyObject]
    let flags: [String]

    func object<Object>(_ name: String, as type: Object.Type = Object.self) throws -> Object {
        guard let object = objects[name] as? Object else { throw VectorError("\(function): \(name) is no \(type)") }
        return object
    }
}
