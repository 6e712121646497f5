// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthorization
package import KeychainCrypto
package import KeychainModel
package import KeychainRequest
internal import KeychainSQLite
package import KeychainStore
internal import Synchronization

/// The keychain itself, in this process: authorization, store, crypto and enclave behind four calls.
///
/// Any number of threads may call. Readers work side by side, each on a lane of its own; writers take turns.
package final class KeychainEngine: KeychainService {
    /// What an engine takes from outside.
    package struct Surroundings: Sendable {
        /// Seconds since 2001-01-01 UTC.
        package let clock: @Sendable () -> Double
        package let randomWords: Moment.RandomWords
        /// What trying a passcode is to cost from now on.
        package let passcodeCost: PasscodeCost
        /// Where passcodes are stretched and keys made, in turn with others.
        package let work: CostlyWork
        /// Who asks people what items demand.
        package let authenticators: Authenticators
        /// Who has the keychain when this engine may work on it: nobody, as in programs, or a daemon that took it over.
        package let owner: String
        /// Told how many rows an operation passed over because they could not be read.
        package let report: @Sendable (Int) -> Void
        /// Told of what went wrong beside an operation that succeeded.
        package let note: @Sendable (StaticString) -> Void

        package init(
            clock: @escaping @Sendable () -> Double, randomWords: @escaping Moment.RandomWords,
            passcodeCost: PasscodeCost, work: CostlyWork, authenticators: Authenticators, owner: String,
            report: @escaping @Sendable (Int) -> Void,
            note: @escaping @Sendable (StaticString) -> Void
        ) {
            self.note = note
            self.owner = owner
            self.passcodeCost = passcodeCost
            self.work = work
            self.authenticators = authenticators
            self.clock = clock
            self.report = report
            self.randomWords = randomWords
        }
    }

    let location: DatabaseLocation
    let home: any KeychainHome
    let surroundings: Surroundings
    let keys: ForkSafeMutex<KeyState>
    /// Whether something of a change that was cut short was seen when keys were loaded.
    let hasLeftovers = Atomic(false)
    let contexts = AuthenticationContexts()
    let readers: LanePool
    let writer: ForkSafeMutex<LanePool.Slot>

    package init(location: DatabaseLocation, home: any KeychainHome, surroundings: Surroundings) {
        self.location = location
        self.home = home
        self.surroundings = surroundings
        keys = ForkSafeMutex(KeyState())
        readers = LanePool()
        writer = ForkSafeMutex(LanePool.Slot())
    }

    package func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem? {
        let authorized = try Authorization.authorize(request, from: caller)
        let controls = [request.protection.accessControl].compactMap(\.self)
        let moment = moment(request.token)
        let item = try meetingDemands(request.authentication, of: caller, bindingTo: controls) {
            (shown) throws(KeychainError) in
            try changing(caller) { (lane) throws(StoreError) in try lane.add(authorized, shown, at: moment) }
        }
        return request.returning.isEmpty ? nil : item
    }

    package func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment()
        return try meetingDemands(request.authentication, of: caller, bindingTo: request.accessControls) {
            (shown) throws(KeychainError) in
            try changing(caller) { (lane) throws(StoreError) in try lane.add(authorized, shown, at: moment) }
        }
    }

    package func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        let authorized = try Authorization.authorize(request, from: caller)
        // Most items demand nobody, and what nobody demanded is not prepared for.
        let shown = try secrets(of: request.authentication)
        if case .done(let found) = try matching(authorized, shown, caller) { return found }
        return try meetingDemands(request.authentication, of: caller) { (shown) throws(KeychainError) in
            try matching(authorized, shown.secrets, caller)
        }
    }

    private func matching(
        _ authorized: Authorized<MatchRequest>, _ shown: FactorSecrets, _ caller: Caller
    ) throws(KeychainError) -> MetResult<[Found]> {
        let unmet = try unmetDemands(authorized.request.authentication)
        var demand: Demand?
        let found = try reading(caller) { (lane) throws(StoreError) in
            try KeychainEngine.catching(&demand) { () throws(StoreError) in
                try lane.match(authorized, shown, unmet: unmet, room: caller.room, now: surroundings.clock)
            }
        }
        return try MetResult(found, demand)
    }

    private func unmetDemands(_ terms: AuthenticationTerms) throws(KeychainError) -> UnmetDemands {
        guard terms.interaction == .skipping else { return .told }
        guard let id = terms.context else { return .passedOver(unless: []) }
        return .passedOver(unless: try contexts.read(id) { $0.given })
    }

    package func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let controls = [request.changes.accessControl].compactMap(\.self)
        let moment = moment()
        try meetingDemands(request.authentication, of: caller, bindingTo: controls) {
            (shown) throws(KeychainError) in
            try changing(caller) { (lane) throws(StoreError) in try lane.update(authorized, shown, at: moment) }
        }
        // As it was before, the item is sealed under its class alone.
        if controls.contains(where: \.isConstrained) {
            try? write { (lane) throws(StoreError) in lane.forgetEarlierRows() }
        }
    }

    package func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment()
        try meetingDemands(request.authentication, of: caller) { (shown) throws(KeychainError) in
            try changing(caller, usesReserve: true) { (lane) throws(StoreError) in
                try lane.delete(authorized, shown.secrets, at: moment)
            }
        }
    }

    /// What was shown to a request's context so far.
    private func secrets(of terms: AuthenticationTerms) throws(KeychainError) -> FactorSecrets {
        guard let id = terms.context else { return .none }
        return try contexts.read(id) { $0.secrets(enrolled: nil) }
    }

    /// A write, or what it demands.
    private func changing<Result>(
        _ caller: Caller, usesReserve: Bool = false, _ body: (StoreLane) throws(StoreError) -> Result
    ) throws(KeychainError) -> MetResult<Result> {
        var demand: Demand?
        let result = try change(caller, usesReserve: usesReserve) { (lane) throws(StoreError) in
            try KeychainEngine.catching(&demand) { () throws(StoreError) in try body(lane) }
        }
        return try MetResult(result, demand)
    }

    /// What `body` returns; nil, and the demand, when something has to be shown first.
    static func catching<Result>(
        _ demand: inout Demand?, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        do throws(StoreError) { return try body() } catch {
            guard case .demands(let demanded) = error else { throw error }
            demand = demanded
            return nil
        }
    }

    private func moment(_ token: AddToken? = nil) -> Moment {
        guard let token else {
            return Moment(now: surroundings.clock(), randomWords: surroundings.randomWords)
        }
        return Moment(
            now: surroundings.clock(), randomWords: { (token.first, token.second, token.third, token.fourth) })
    }

    /// Lets go of connections that nobody uses at the moment, and of the pages they keep; the keys stay.
    package func rest() {
        readers.retire()
        _ = writer.withLockIfFree { $0 = closed($0) }
    }

    /// Folds the write-ahead log in, and says how many bytes of the file are free for what is stored next.
    package func reclaim() throws(KeychainError) -> Int {
        try write { (lane) throws(StoreError) in
            lane.forgetEarlierRows()
            return try lane.freeBytes()
        }
    }

    /// Closes what nobody uses at the moment, without waiting for anybody.
    ///
    /// The last connection to close folds the write-ahead log in.
    package func closeIdle() {
        readers.retire()
        keys.withLock { $0.loaded = nil }
        _ = writer.withLockIfFree { $0 = closed($0) }
    }
}
