// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// An access control as bytes, which programs keep and hand back.
internal enum AccessControlFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let control = try? AccessControlCoding.decode(bytes) else { return .refused }
        try promise((try? AccessControlCoding.encode(control)) == bytes, "an access control is written as it was read")
        guard let rules = control.rules else { return .accepted }
        try promise(!rules.isTooWide, "no access control has more ways than can be counted")
        let ways = rules.waysToSecret
        try promise(ways.count <= 32, "there are no more ways than a seal has room for")
        for way in ways {
            try promise(ways.allSatisfy { $0 == way || !$0.isSubset(of: way) }, "no way asks for more than another")
        }
        for itemClass in ItemClass.allCases {
            guard let needed = control.constraintOnChange(of: itemClass).ways else { continue }
            for operation in AccessRules.ofSecret {
                guard let single = control.constraint(on: operation).ways else { continue }
                try promise(
                    needed.allSatisfy { way in single.contains { $0.isSubset(of: way) } },
                    "who may change an item may do with its secret whatever anybody may")
            }
        }
        return .accepted
    }
}
