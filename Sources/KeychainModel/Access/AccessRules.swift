// SPDX-License-Identifier: Apache-2.0

/// Who must be asked for which operation.
package struct AccessRules: Sendable, Hashable {
    package private(set) var constraints: [ProtectedOperation: AccessConstraint]
    /// Whether a password of the item's own is needed besides, for whatever is constrained and for the secret always.
    package var requiresPassword: Bool
    /// Whether the biometric constraints are marked as bound to a set of fingers.
    package var isMarkedBound = false

    package init(_ constraints: [ProtectedOperation: AccessConstraint], requiresPassword: Bool = false) {
        self.constraints = constraints
        self.requiresPassword = requiresPassword
    }

    /// A rule for an operation; what nothing is said about follows the rule for the others, or is not allowed.
    package func constraint(on operation: ProtectedOperation) -> AccessConstraint {
        constraints[operation] ?? constraints[.others] ?? .forbidden
    }

    package mutating func set(_ constraint: AccessConstraint, on operation: ProtectedOperation) {
        constraints[operation] = constraint
    }

    /// Whether it is one for keys that an enclave has: it has rules for what only a private key does, and none for reading.
    package var isForEnclave: Bool {
        constraints[.sign] != nil && constraints[.decrypt] == nil && constraints[.others] == nil
    }

    /// Whether some operation on the secret needs a person or a password.
    package var isDemanding: Bool {
        requiresPassword || AccessRules.ofSecret.contains { constraint(on: $0).isDemanding }
    }

    /// The operations that need the secret.
    package static let ofSecret: [ProtectedOperation] = [.decrypt, .sign, .computeKey, .decapsulate]

    /// Whether nothing is left open: the set of fingers is fixed, or there is no such constraint.
    package var isBound: Bool { isMarkedBound || isTrivial || isFixed }

    private var isTrivial: Bool { !requiresPassword && constraints.values.allSatisfy { $0 == .allowed } }

    private var isFixed: Bool {
        let factors = constraints.values.flatMap(\.factors)
        return factors.contains { if case .biometrySet = $0 { true } else { false } }
            && !factors.contains(.biometrySet(nil))
    }

    /// The same rules with the set of fingers that is enrolled now, where they speak of a current one.
    package func bound(to set: [UInt8]) -> AccessRules {
        var rules = self
        rules.constraints = constraints.mapValues { $0.bound(to: set) }
        return rules
    }

    /// Whether a rule speaks of the set of fingers that is current when the item is stored.
    package var needsBinding: Bool { constraints.values.contains { $0.factors.contains(.biometrySet(nil)) } }

    /// The sets of fingers that rules name.
    package var fingerSets: Set<[UInt8]> {
        Set(
            constraints.values.flatMap(\.factors).compactMap { factor in
                if case .biometrySet(let set?) = factor { set } else { nil }
            })
    }

    /// Whether some way to the secret needs no other set of fingers than the one that is enrolled now; else it could never
    /// open it again.
    package func canBeMet(with enrolled: [UInt8]?) -> Bool {
        let ways = waysToSecret
        return ways.isEmpty || ways.contains { !$0.isForOtherFingers(than: enrolled) }
    }

    /// The ways to the secret: it is sealed under each of them, and nothing else opens it.
    ///
    /// Empty when there is none. Which operation is then done with it is the engine's word.
    package var waysToSecret: [Set<AccessFactor>] {
        AccessConstraint.least(AccessRules.ofSecret.flatMap { constraint(on: $0).ways ?? [] })
    }

    /// Whether they name more kinds of factors than are reasonable, so that the ways to meet them could not be counted.
    package var isTooWide: Bool {
        // Presence is two: a finger, and the passcode.
        let factors = Set(
            constraints.values.flatMap(\.factors).flatMap { $0 == .presence ? [.biometryAny, .passcode] : [$0] })
        return factors.count > AccessRules.mostFactors
    }

    /// With six there are at most twenty ways none of which is more than another.
    private static let mostFactors = 6
}

/// What must be met before an operation.
package indirect enum AccessConstraint: Sendable, Hashable {
    case allowed
    case forbidden
    case factor(AccessFactor)
    case atLeast(Int, of: [AccessConstraint])

    /// Whether a person has to do something first.
    package var isDemanding: Bool {
        guard let ways else { return false }
        return !ways.contains([])
    }

    /// The factors it speaks of.
    package var factors: [AccessFactor] {
        switch self {
        case .allowed, .forbidden: []
        case .factor(let factor): [factor]
        case .atLeast(_, let parts): parts.flatMap(\.factors)
        }
    }

    /// The sets of factors each of which is enough, and none of which is more than another; nil when nothing is.
    package var ways: [Set<AccessFactor>]? {
        switch self {
        case .allowed: return [[]]
        case .forbidden: return nil
        // A finger or the passcode shows that an authorized person is present.
        case .factor(.presence): return [[.biometryAny], [.passcode]]
        case .factor(let factor): return [[factor]]
        case .atLeast(let count, let parts):
            let ways = AccessConstraint.choices(count, of: parts.map { $0.ways ?? [] })
            return ways.isEmpty ? nil : ways
        }
    }

    /// Every way to meet `count` of several demands.
    private static func choices(_ count: Int, of demands: [[Set<AccessFactor>]]) -> [Set<AccessFactor>] {
        // By how many are met: the ways to meet so many of the demands that were looked at so far.
        var ways: [[Set<AccessFactor>]] = [[[]]] + Array(repeating: [], count: max(count, 0))
        for demand in demands {
            for met in stride(from: count, to: 0, by: -1) {
                let more = demand.flatMap { way in ways[met - 1].map { way.union($0) } }
                ways[met] = least(ways[met] + more)
            }
        }
        return ways[max(count, 0)]
    }

    /// The ways without those that ask for more than another of them.
    static func least(_ ways: [Set<AccessFactor>]) -> [Set<AccessFactor>] {
        var least: [Set<AccessFactor>] = []
        for way in ways where !least.contains(where: { $0.isSubset(of: way) }) {
            least.removeAll { $0.isSuperset(of: way) }
            least.append(way)
        }
        return least
    }

    func bound(to set: [UInt8]) -> AccessConstraint {
        switch self {
        case .allowed, .forbidden: self
        case .factor(.biometrySet(nil)): .factor(.biometrySet(set))
        case .factor: self
        case .atLeast(let count, let parts): .atLeast(count, of: parts.map { $0.bound(to: set) })
        }
    }
}

/// One thing that a person shows.
package enum AccessFactor: Sendable, Hashable {
    /// That they belong to the device, by finger or passcode.
    case presence
    case passcode
    /// Any enrolled finger.
    case biometryAny
    /// A finger of the set with that digest; nil for the one that is enrolled when the item is stored.
    case biometrySet([UInt8]?)
    /// A watch, which is not supported here.
    case companion
}

extension Set where Element == AccessFactor {
    /// Whether a way needs a finger of a set that is not the one that is enrolled.
    package func isForOtherFingers(than enrolled: [UInt8]?) -> Bool {
        contains { factor in
            if case .biometrySet(let set?) = factor { set != enrolled } else { false }
        }
    }
}
