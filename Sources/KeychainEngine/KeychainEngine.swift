// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
package import KeychainCrypto
package import KeychainModel
package import KeychainRequest
package import KeychainStore

/// The keychain itself, in this process: authorization, store, crypto and enclave behind one function for each request.
///
/// A call is authorized, borrows a connection, runs, has met what items demand of a person, if they do, and gives the
/// connection back. Any number of threads may call. Readers work side by side, each on a connection of its own; writers take
/// turns.
///
/// The engine owns its parts. Each of them knows only parts that stand above it in the list, so an engine that is let go
/// leaves nothing behind.
package final class KeychainEngine: Sendable {
    /// What an engine takes from outside.
    package struct Surroundings: Sendable {
        /// Seconds since 2001-01-01 UTC.
        package let clock: @Sendable () -> Double
        package let randomWords: WriteContext.RandomWords
        /// What trying a passcode is to cost from now on.
        package let passcodeCost: PasscodeCost
        /// Where passcodes are stretched and keys made, in turn with others.
        package let work: CostlyWork
        /// Who asks people what items demand.
        package let authenticators: Authenticators
        /// Who has the keychain when this engine may work on it: a daemon that took it over, or, by the empty name, programs.
        package let owner: String
        /// Told how many rows an operation passed over because they could not be read.
        package let report: @Sendable (Int) -> Void
        /// Told, once for each file, that a part of the database is damaged.
        package let damage: @Sendable () -> Void
        /// Told of what went wrong beside an operation that succeeded.
        package let note: @Sendable (StaticString) -> Void

        package init(
            clock: @escaping @Sendable () -> Double, randomWords: @escaping WriteContext.RandomWords,
            passcodeCost: PasscodeCost, work: CostlyWork, authenticators: Authenticators, owner: String,
            report: @escaping @Sendable (Int) -> Void, damage: @escaping @Sendable () -> Void = {},
            note: @escaping @Sendable (StaticString) -> Void
        ) {
            self.note = note
            self.owner = owner
            self.passcodeCost = passcodeCost
            self.work = work
            self.authenticators = authenticators
            self.clock = clock
            self.report = report
            self.damage = damage
            self.randomWords = randomWords
        }
    }

    let home: any KeychainHome
    let surroundings: Surroundings
    let custody: KeyCustody
    let connections: StoreConnections
    /// Looks by itself whether the database is damaged.
    package let examination: QuickExamination
    private let cleaner: KeybagCleaner
    private let storage: KeybagStorage
    let changes: KeybagChanges
    let moves: KeybagMoves
    /// Meets what items demand, also for programs that have it done before any item is asked for.
    package let demands: DemandHandler

    package init(location: DatabaseLocation, home: any KeychainHome, surroundings: Surroundings) {
        self.home = home
        self.surroundings = surroundings
        custody = KeyCustody(home, owner: surroundings.owner)
        connections = StoreConnections(
            location, home, custody, report: surroundings.report, damage: surroundings.damage)
        examination = QuickExamination(connections)
        cleaner = KeybagCleaner(home, custody, connections, note: surroundings.note)
        storage = KeybagStorage(home, surroundings, custody, connections, cleaner)
        changes = KeybagChanges(
            home: home, surroundings: surroundings, custody: custody, connections: connections, cleaner: cleaner,
            storage: storage)
        moves = KeybagMoves(
            home: home, surroundings: surroundings, custody: custody, connections: connections, cleaner: cleaner,
            storage: storage)
        demands = DemandHandler(surroundings, connections, storage)
    }

    // MARK: Finding

    package func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        let authorized = try Authorization.authorize(request, from: caller)
        let terms = request.authentication
        // First without any preparation for a person, because most items demand none.
        if caller.observer == nil, terms.context == nil, terms.interaction != .skipping {
            if let found = try findPlain(authorized, caller) { return found }
        } else {
            let shown = try demands.secrets(shownUnder: terms)
            if case .done(let found) = try find(authorized, shown, caller) { return found }
        }
        return try demands.meeting(terms, of: caller) { (shown) throws(KeychainError) in
            try find(authorized, shown.secrets, caller)
        }
    }

    /// The usual find: nothing was shown, the caller has no observer, and the items demand no person; nil when one does.
    private func findPlain(
        _ authorized: Authorized<MatchRequest>, _ caller: Caller
    ) throws(KeychainError) -> [Found]? {
        // Alone, so that the block does not hold the whole caller.
        let budget = caller.budget
        return try read { (connection) throws(StoreError) in
            do throws(StoreError) {
                return try connection.match(
                    authorized, .none, unmet: .told, budget: budget, now: surroundings.clock)
            } catch {
                guard case .demands = error else { throw error }
                return nil
            }
        }
    }

    /// Any find, with what was shown so far.
    private func find(
        _ authorized: Authorized<MatchRequest>, _ shown: FactorSecrets, _ caller: Caller
    ) throws(KeychainError) -> DemandOutcome<[Found]> {
        let unmet = try demands.unmetDemands(under: authorized.request.authentication)
        return try reading(for: caller) { (connection) throws(StoreError) in
            try connection.match(authorized, shown, unmet: unmet, budget: caller.budget, now: surroundings.clock)
        }
    }

    // MARK: Changing

    package func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem? {
        let authorized = try Authorization.authorize(request, from: caller)
        let controls = [request.protection.accessControl].compactMap(\.self)
        let moment = moment(request.token)
        let item = try demands.meeting(request.authentication, of: caller, bindingTo: controls) {
            (shown) throws(KeychainError) in
            try changing(for: caller) { (connection) throws(StoreError) in
                try connection.add(authorized, shown, at: moment)
            }
        }
        return request.returning.isEmpty ? nil : item
    }

    package func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment()
        return try demands.meeting(request.authentication, of: caller, bindingTo: request.accessControls) {
            (shown) throws(KeychainError) in
            try changing(for: caller) { (connection) throws(StoreError) in
                try connection.add(authorized, shown, at: moment)
            }
        }
    }

    package func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        var one = UpdateAllRequest([request])
        one.authentication = request.authentication
        try update(one, from: caller)
    }

    package func update(_ request: UpdateAllRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let controls = request.updates.compactMap(\.changes.accessControl)
        let moment = moment()
        try demands.meeting(request.authentication, of: caller, bindingTo: controls) {
            (shown) throws(KeychainError) in
            try changing(for: caller) { (connection) throws(StoreError) in
                try connection.update(authorized, shown, at: moment)
            }
        }
        // As it was before, the item is sealed under its class alone.
        if controls.contains(where: \.isConstrained) {
            try? write { (connection) throws(StoreError) in connection.forgetEarlierRows() }
        }
    }

    package func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment()
        try demands.meeting(request.authentication, of: caller) { (shown) throws(KeychainError) in
            try changing(for: caller, usesReserve: true) { (connection) throws(StoreError) in
                try connection.delete(authorized, shown.secrets, at: moment)
            }
        }
    }

    func moment(_ token: AddToken? = nil) -> WriteContext {
        guard let token else {
            return WriteContext(now: surroundings.clock(), randomWords: surroundings.randomWords)
        }
        return WriteContext(
            now: surroundings.clock(), randomWords: { (token.first, token.second, token.third, token.fourth) })
    }

    // MARK: Running an operation for a caller

    /// A read for a caller, or what it demands; the caller's observer is told what was done.
    func reading<Result>(
        for caller: Caller, in view: ViewID? = nil, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(KeychainError) -> DemandOutcome<Result> {
        try observed(by: caller) { (events) throws(KeychainError) in
            try read(in: view) { (connection) throws(StoreError) in try connection.run(body, noting: &events) }
        }
    }

    /// A write for a caller, or what it demands; the caller's observer is told what was done.
    func changing<Result>(
        for caller: Caller, usesReserve: Bool = false, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(KeychainError) -> DemandOutcome<Result> {
        try observed(by: caller) { (events) throws(KeychainError) in
            try write(usesReserve: usesReserve) { (connection) throws(StoreError) in
                let outcome = try connection.run(body, noting: &events)
                // A few items of earlier generations are sealed again along with it. The reserve is for operations that free space.
                if usesReserve { connection.giveBackRoom() } else { connection.resealAfterWrite() }
                return outcome
            }
        }
    }

    /// Tells the caller's observer what `body` did, once it is done and no connection is borrowed any more.
    private func observed<Result>(
        by caller: Caller, _ body: (inout [ItemEvent]?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var events: [ItemEvent]? = caller.observer == nil ? nil : []
        let result = try body(&events)
        if let observer = caller.observer, let events, !events.isEmpty { observer.saw(events) }
        return result
    }

    /// A read, and then the cleaning of leftovers, if loading the keys has found any.
    func read<Result>(
        in view: ViewID? = nil, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        if let view { return try connections.read(in: view, body) }
        defer { if custody.hasLeftovers { cleaner.cleanLeftovers() } }
        return try connections.read(body)
    }

    /// A write, and then the cleaning of leftovers, if loading the keys has found any.
    ///
    /// When the keybag has lost the key of a class, the class gets a new one, and the operation its second try.
    func write<Result>(
        usesReserve: Bool = false, _ body: (StoreConnection) throws(StoreError) -> Result
    ) throws(KeychainError) -> Result {
        defer { if custody.hasLeftovers { cleaner.cleanLeftovers() } }
        return try connections.write(
            usesReserve: usesReserve,
            renewingClassKeys: { () throws(KeychainError) in
                try changes.startGeneration(.unlocked, .own, keepsOld: true)
            }, body)
    }

    // MARK: Upkeep

    /// Examines a part of the database, in its own words; nothing is changed.
    package func check(
        from start: CheckPosition?, copyOfKeybag: [UInt8]?
    ) throws(KeychainError) -> CheckedRows {
        try read { (connection) throws(StoreError) in
            try connection.check(from: start, atMost: KeychainEngine.rowsOfOneCheck, copyOfKeybag: copyOfKeybag)
        }
    }

    /// The access groups that there are items in.
    package func groupsInUse() throws(KeychainError) -> Set<String> {
        try read { (connection) throws(StoreError) in try connection.groups() }
    }

    /// Folds the write-ahead log in, and says how many bytes of the file are free for what is stored next.
    package func reclaim() throws(KeychainError) -> Int {
        try write { (connection) throws(StoreError) in
            connection.forgetEarlierRows()
            return try connection.freeBytes()
        }
    }

    /// Lets go of idle connections, and of the pages they keep; the keys stay.
    package func rest() { connections.rest() }

    /// Lets go of idle connections and of the keys that were loaded, without waiting.
    package func closeIdle() {
        connections.rest()
        custody.forgetLoaded()
    }

    /// Some tenths of a second.
    private static let rowsOfOneCheck = 5000
}

extension StoreConnection {
    /// Runs an operation, or says what it demands; notes what was done with which items, where a list is given for that.
    fileprivate func run<Result>(
        _ body: (StoreConnection) throws(StoreError) -> Result, noting events: inout [ItemEvent]?
    ) throws(StoreError) -> DemandOutcome<Result> {
        let isNoting = events != nil
        if isNoting { self.events = [] }
        defer { if isNoting { self.events = nil } }
        let outcome = try DemandOutcome { () throws(StoreError) in try body(self) }
        if isNoting { events = self.events }
        return outcome
    }
}
