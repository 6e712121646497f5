// SPDX-License-Identifier: Apache-2.0

/// What must be met before an operation.
package indirect enum AccessConstraint: Sendable, Hashable {
    case allowed
    case forbidden
    case factor(AccessFactor)
    case atLeast(Int, of: [AccessConstraint])

    /// Whether somebody has to do something first.
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
        // A finger or the passcode shows that somebody is there who belongs here.
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
    /// A watch, of which there is none here.
    case companion
}
