// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Access controls as bytes: in items, and as programs keep them (semantics §7.3).
///
/// ```
/// { prot: "ak" | …, ops: { decrypt: constraint, … }, password: true, bound: true }
/// constraint = true | false | { policy: "DeviceOwnerAuthentication" } | { factor: "passcode", set: data }
///            | { least: 1, of: [constraint] }
/// ```
package enum AccessControlCoding {
    package static func list(_ control: AccessControl) -> PropertyList {
        var fields: [String: PropertyList] = ["prot": .string(control.protection.name)]
        if let rules = control.rules {
            let named = rules.constraints.map { ($0.key.rawValue, list($0.value)) }
            fields["ops"] = .dictionary(Dictionary(uniqueKeysWithValues: named))
            if rules.requiresPassword { fields["password"] = .boolean(true) }
            if rules.isMarkedBound { fields["bound"] = .boolean(true) }
        }
        return .dictionary(fields)
    }

    /// Reads strictly: nothing unknown, nothing missing, no more demands than are reasonable.
    package static func control(_ list: PropertyList) throws(CodingError) -> AccessControl {
        guard case .dictionary(var fields) = list, case .string(let name)? = fields.removeValue(forKey: "prot"),
            let protection = Accessibility(name: name)
        else { throw .wrongType }
        guard let operations = fields.removeValue(forKey: "ops") else {
            guard fields.isEmpty else { throw .wrongType }
            return AccessControl(protection: protection)
        }
        guard case .dictionary(let named) = operations else { throw .wrongType }
        var constraints: [ProtectedOperation: AccessConstraint] = [:]
        for (name, value) in named {
            guard let operation = ProtectedOperation(rawValue: name) else { throw .wrongType }
            constraints[operation] = try constraint(value, depth: 0)
        }
        var rules = AccessRules(constraints)
        rules.requiresPassword = try flag(fields.removeValue(forKey: "password"))
        rules.isMarkedBound = try flag(fields.removeValue(forKey: "bound"))
        guard fields.isEmpty, !rules.isTooWide else { throw .wrongType }
        return AccessControl(protection: protection, rules: rules)
    }

    package static func encode(_ control: AccessControl) throws(CodingError) -> [UInt8] {
        try list(control).encoded()
    }

    package static func decode(_ bytes: [UInt8]) throws(CodingError) -> AccessControl {
        try control(PropertyList(decoding: bytes))
    }

    private static func flag(_ value: PropertyList?) throws(CodingError) -> Bool {
        switch value {
        case nil: return false
        case .boolean(true)?: return true
        default: throw .wrongType
        }
    }

    package static func list(_ constraint: AccessConstraint) -> PropertyList {
        switch constraint {
        case .allowed: return .boolean(true)
        case .forbidden: return .boolean(false)
        case .factor(.presence): return .dictionary(["policy": .string(presencePolicy)])
        case .factor(let factor):
            var fields: [String: PropertyList] = ["factor": .string(factor.name)]
            if case .biometrySet(let set?) = factor { fields["set"] = .data(set) }
            return .dictionary(fields)
        case .atLeast(let count, let parts):
            return .dictionary(["least": .number(Int64(count)), "of": .array(parts.map { list($0) })])
        }
    }

    package static func constraint(_ list: PropertyList, depth: Int = 0) throws(CodingError) -> AccessConstraint {
        switch list {
        case .boolean(let isAllowed): return isAllowed ? .allowed : .forbidden
        case .dictionary(["policy": .string(presencePolicy)]): return .factor(.presence)
        case .dictionary(var fields):
            if case .string(let name)? = fields.removeValue(forKey: "factor") {
                var set: [UInt8]?
                if let value = fields.removeValue(forKey: "set") {
                    guard case .data(let bytes) = value, bytes.count == 32 else { throw .wrongType }
                    set = bytes
                }
                guard fields.isEmpty, let factor = AccessFactor(name: name, set: set) else { throw .wrongType }
                return .factor(factor)
            }
            guard depth < deepest, case .number(let count)? = fields.removeValue(forKey: "least"),
                case .array(let parts)? = fields.removeValue(forKey: "of"), fields.isEmpty,
                (1...mostParts).contains(parts.count), (1...Int64(parts.count)).contains(count)
            else { throw .wrongType }
            var read: [AccessConstraint] = []
            for part in parts { read.append(try constraint(part, depth: depth + 1)) }
            return .atLeast(Int(count), of: read)
        default: throw .wrongType
        }
    }

    /// What Apple calls the requirement that an authorized person is present.
    private static let presencePolicy = "DeviceOwnerAuthentication"
    private static let deepest = 2
    private static let mostParts = 6
}

extension AccessFactor {
    fileprivate var name: String {
        switch self {
        // Written as a policy.
        case .presence: ""
        case .passcode: "passcode"
        case .biometryAny: "biometry"
        case .biometrySet: "biometrySet"
        case .companion: "companion"
        }
    }

    fileprivate init?(name: String, set: [UInt8]?) {
        switch name {
        case "passcode": self = .passcode
        case "biometry": self = .biometryAny
        case "biometrySet":
            self = .biometrySet(set)
            return
        case "companion": self = .companion
        default: return nil
        }
        if set != nil { return nil }
    }
}
