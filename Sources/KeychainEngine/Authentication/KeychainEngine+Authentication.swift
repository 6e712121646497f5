// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// Meeting what items demand: with what a context has, or by asking.
extension KeychainEngine {
    /// Runs an operation, and again with more shown, until nothing is demanded that was not shown.
    ///
    /// Nobody is asked inside the operation: its lane is given back, its transaction undone, and no lock is held.
    func meetingDemands<Result>(
        _ terms: AuthenticationTerms, of caller: Caller, bindingTo controls: [AccessControl] = [],
        _ body: (ShownFactors) throws(KeychainError) -> MetResult<Result>
    ) throws(KeychainError) -> Result {
        let id = terms.context ?? .random()
        if terms.context == nil { contexts.begin(id) }
        defer { if terms.context == nil { contexts.end(id) } }
        let cancellation = try contexts.enter(id, terms.request)
        defer { contexts.leave(id, cancellation) }
        var asking = Asking(terms, id, caller, cancellation)
        let rules = controls.compactMap(\.rules)
        if rules.contains(where: { $0.needsBinding || !$0.fingerSets.isEmpty }) {
            try look(&asking)
            let current = asking.currentFingers
            guard rules.allSatisfy({ $0.canBeMet(with: current) }) else {
                throw KeychainError(
                    .authenticationFailed, "the access control is for other fingers than those that are enrolled",
                    subject: "accc")
            }
        }
        for round in 0...KeychainEngine.mostRounds {
            let currentFingers = asking.currentFingers
            let shown = ShownFactors(
                secrets: try contexts.read(id) { $0.secrets(enrolled: currentFingers) },
                currentFingers: currentFingers, areFingersKnown: asking.areFingersKnown,
                passwordCost: surroundings.passcodeCost)
            switch try body(shown) {
            case .done(let result): return result
            case .demands(let demand):
                if demand.isPasswordWrong { try forgetTypedPassword(asking) }
                if round < KeychainEngine.mostRounds { try meet(demand, &asking) }
            }
        }
        throw KeychainError(.authenticationFailed, "whatever was shown, it was never enough", subject: "accc")
    }

    /// Apple's limit.
    private static let mostRounds = 20

    /// Looks which fingers are enrolled now.
    func look(_ asking: inout Asking) throws(KeychainError) {
        asking.currentFingers = try enrolledFingers()
        asking.areFingersKnown = true
    }

    private func meet(_ demand: Demand, _ asking: inout Asking) throws(KeychainError) {
        if demand.isOfEnrolledFingers { return try look(&asking) }
        if let cost = demand.password {
            try meetPassword(cost, demand, &asking)
            return
        }
        try meetWays(demand.ways, &asking)
    }
}

/// How an operation that may demand something ended.
enum MetResult<Success> {
    case done(Success)
    case demands(Demand)
}

extension MetResult {
    /// One of the two is there.
    init(_ success: Success?, _ demand: Demand?) throws(KeychainError) {
        if let success {
            self = .done(success)
        } else if let demand {
            self = .demands(demand)
        } else {
            throw KeychainError(.internalError, "an operation ended without a result")
        }
    }
}
