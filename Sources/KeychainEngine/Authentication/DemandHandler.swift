// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

/// Meets what items demand: with what a context has, or by asking a person.
///
/// The engine owns it. It has the contexts, asks by means of `Authenticators`, and opens the keybag through `KeybagStorage`
/// when a passcode was shown.
package final class DemandHandler: Sendable {
    let contexts = AuthenticationContexts()
    let authenticators: Authenticators
    let connections: StoreConnections
    let storage: KeybagStorage
    /// Where passwords are stretched, in turn with others.
    let work: CostlyWork
    /// What stretching a new application password costs.
    private let passwordCost: PasscodeCost

    init(
        _ surroundings: KeychainEngine.Surroundings, _ connections: StoreConnections, _ storage: KeybagStorage
    ) {
        authenticators = surroundings.authenticators
        work = surroundings.work
        passwordCost = surroundings.passcodeCost
        self.connections = connections
        self.storage = storage
    }

    // MARK: Without asking

    /// What was shown to a request's context so far.
    func secrets(shownUnder terms: AuthenticationTerms) throws(KeychainError) -> FactorSecrets {
        guard let id = terms.context else { return .none }
        return try contexts.read(id) { $0.secrets(enrolled: nil) }
    }

    /// What becomes of items that demand what was not shown.
    func unmetDemands(under terms: AuthenticationTerms) throws(KeychainError) -> UnmetDemands {
        guard terms.interaction == .skipping else { return .told }
        guard let id = terms.context else { return .passedOver(unless: []) }
        return .passedOver(unless: try contexts.read(id) { $0.given })
    }

    // MARK: Meeting demands

    /// Runs an operation, and again with more shown, until nothing is demanded that was not shown.
    ///
    /// A person is asked between two runs: the connection is given back, the transaction undone, and no lock is held. Where the
    /// program has no context, none is begun before something is demanded, because most items demand nothing.
    func meeting<Result>(
        _ terms: AuthenticationTerms, of caller: Caller, bindingTo controls: [AccessControl] = [],
        _ body: (ShownFactors) throws(KeychainError) -> DemandOutcome<Result>
    ) throws(KeychainError) -> Result {
        let rules = controls.compactMap(\.rules)
        var demand: Demand?
        if terms.context == nil, rules.isEmpty {
            let shown = ShownFactors(
                secrets: .none, currentFingers: nil, areFingersKnown: false, passwordCost: passwordCost)
            switch try body(shown) {
            case .done(let result): return result
            case .demands(let first): demand = first
            }
        }
        let id = terms.context ?? .random()
        if terms.context == nil { contexts.begin(id) }
        defer { if terms.context == nil { contexts.end(id) } }
        let cancellation = try contexts.enter(id, terms.request)
        defer { contexts.leave(id, cancellation) }
        var asking = Asking(terms, id, caller, cancellation)
        if rules.contains(where: { $0.needsBinding || !$0.fingerSets.isEmpty }) {
            try look(&asking)
            let current = asking.currentFingers
            guard rules.allSatisfy({ $0.canBeMet(with: current) }) else {
                throw KeychainError(
                    .authenticationFailed, "the access control is bound to other fingers than the enrolled ones",
                    subject: "accc")
            }
        }
        if let demand { try meet(demand, &asking) }
        for round in (demand == nil ? 0 : 1)...DemandHandler.mostRounds {
            let currentFingers = asking.currentFingers
            let shown = ShownFactors(
                secrets: try contexts.read(id) { $0.secrets(enrolled: currentFingers) },
                currentFingers: currentFingers, areFingersKnown: asking.areFingersKnown, passwordCost: passwordCost)
            switch try body(shown) {
            case .done(let result): return result
            case .demands(let demand):
                if demand.isPasswordWrong { try forgetTypedPassword(asking) }
                if round < DemandHandler.mostRounds { try meet(demand, &asking) }
            }
        }
        throw KeychainError(
            .authenticationFailed, "authentication failed: the item required more after every attempt", subject: "accc")
    }

    /// Apple's limit.
    private static let mostRounds = 20

    private func meet(_ demand: Demand, _ asking: inout Asking) throws(KeychainError) {
        if demand.isOfEnrolledFingers { return try look(&asking) }
        let watch = asking.work.connection.map { HangUpWatch(of: $0, tripping: asking.cancellation) }
        defer { watch?.stop() }
        if let cost = demand.password { return try meetPassword(cost, demand, &asking) }
        try meetWays(demand.ways, &asking)
    }

    /// Looks which fingers are enrolled now.
    func look(_ asking: inout Asking) throws(KeychainError) {
        asking.currentFingers = try authenticators.enrolledFingers()
        asking.areFingersKnown = true
    }
}

/// How an operation that may demand something ended.
enum DemandOutcome<Success> {
    case done(Success)
    case demands(Demand)

    /// What `body` returns, or what it demands that was not shown.
    init(_ body: () throws(StoreError) -> Success) throws(StoreError) {
        do throws(StoreError) { self = .done(try body()) } catch {
            guard case .demands(let demand) = error else { throw error }
            self = .demands(demand)
        }
    }

    /// The result of an operation that has nothing to do with items under rules.
    func withoutDemand() throws(KeychainError) -> Success {
        guard case .done(let success) = self else {
            throw KeychainError(
                .interactionNotAllowed, "the item requires authentication, which this operation does not ask for")
        }
        return success
    }
}

/// For programs that have something shown before any item is asked for.
extension DemandHandler {
    package func means() throws(KeychainError) -> AuthenticationMeans {
        let fingers = try authenticators.enrolledFingers()
        return AuthenticationMeans(
            isPasscodeSet: try connections.keybag().keys.header.passcode != nil, fingers: fingers,
            hasReader: fingers != nil || authenticators.hasReader)
    }

    /// Has a person show what is wished for, unless the context has it.
    package func authenticate(_ request: AuthenticateRequest, from caller: Caller) throws(KeychainError) {
        let needsPassword: Bool
        var isNew = false
        let ways: [Set<AccessFactor>]
        switch request.wish {
        case .biometry: (ways, needsPassword) = ([[.biometryAny]], false)
        case .presence: (ways, needsPassword) = ([[.biometryAny], [.passcode]], false)
        case .accessControl(var control, let operation, let isForNew):
            isNew = isForNew
            if var rules = control.rules, rules.needsBinding, let fingers = try authenticators.enrolledFingers() {
                rules = rules.bound(to: fingers)
                control.operations = .rules(rules)
            }
            guard let allowed = control.constraint(on: operation).ways else {
                throw KeychainError(
                    .authenticationFailed, "the item's access control does not allow this operation", subject: "accc")
            }
            (ways, needsPassword) = (allowed, control.rules?.requiresPassword ?? false)
        }
        try meeting(request.terms, of: caller) { (shown) throws(KeychainError) -> DemandOutcome<Void> in
            if needsPassword, shown.secrets.password == nil {
                return .demands(isNew ? .newPassword(passwordCost) : .somePassword(passwordCost))
            }
            let shown = shown.secrets.valid(in: try connections.keybag().keys)
            guard ways.contains(where: shown.meets) else { return .demands(Demand(ways: ways)) }
            return .done(())
        }
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try contexts.read(context) { _ in }
        contexts.change(context) { context in
            switch (kind, credential) {
            case (.applicationPassword, .applicationPassword(let password)?):
                context.password = password
                context.isPasswordTyped = false
                context.passwordFactors = []
            case (.applicationPassword, _):
                context.password = nil
                context.passwordFactors = []
            case (.passcode, .passcode(let passcode)?):
                context.givenPasscode = passcode
                context.isGivenPasscodeWrong = false
            case (.passcode, _):
                context.givenPasscode = nil
                context.isGivenPasscodeWrong = false
                context.passcode = []
            }
        }
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        let isSet = try? contexts.read(context) { context in
            switch kind {
            case .applicationPassword: context.password != nil
            case .passcode: context.givenPasscode != nil || !context.passcode.isEmpty
            }
        }
        return isSet ?? false
    }

    // These forward: this is the one way to the contexts for programs.
    package func begin(_ context: AuthenticationContextID) { contexts.begin(context) }
    package func expect(_ request: AuthenticationRequestID) { contexts.expect(request) }
    package func takeBack(_ request: AuthenticationRequestID) { contexts.takeBack(request) }
    package func forget(_ request: AuthenticationRequestID) { contexts.forget(request) }
    package func invalidate(_ context: AuthenticationContextID) { contexts.end(context) }
}
