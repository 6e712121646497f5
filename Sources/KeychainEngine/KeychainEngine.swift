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
        /// Told how many rows an operation passed over because they could not be read.
        package let report: @Sendable (Int) -> Void
        /// Told of what went wrong beside an operation that succeeded.
        package let note: @Sendable (StaticString) -> Void

        package init(
            clock: @escaping @Sendable () -> Double, randomWords: @escaping Moment.RandomWords,
            passcodeCost: PasscodeCost, report: @escaping @Sendable (Int) -> Void,
            note: @escaping @Sendable (StaticString) -> Void
        ) {
            self.note = note
            self.passcodeCost = passcodeCost
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
        let moment = moment
        let item = try change { (lane) throws(StoreError) in try lane.add(authorized, at: moment) }
        return request.returning.isEmpty ? nil : item
    }

    package func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment
        return try change { (lane) throws(StoreError) in try lane.add(authorized, at: moment) }
    }

    package func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        let authorized = try Authorization.authorize(request, from: caller)
        return try read { (lane) throws(StoreError) in try lane.match(authorized, now: surroundings.clock) }
    }

    package func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment
        try change { (lane) throws(StoreError) in try lane.update(authorized, at: moment) }
    }

    package func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment
        try change { (lane) throws(StoreError) in try lane.delete(authorized, at: moment) }
    }

    /// A write of the program's, which gives a few older items of a past generation a lift on its way.
    private func change<Result>(_ body: (StoreLane) throws(StoreError) -> Result) throws(KeychainError) -> Result {
        try write { (lane) throws(StoreError) in
            let result = try body(lane)
            lane.resealAfterWrite()
            return result
        }
    }

    private var moment: Moment { Moment(now: surroundings.clock(), randomWords: surroundings.randomWords) }

    /// Closes what nobody uses at the moment, without waiting for anybody.
    ///
    /// The last connection to close folds the write-ahead log in.
    package func closeIdle() {
        readers.retire()
        keys.withLock { $0.loaded = nil }
        _ = writer.withLockIfFree { $0 = closed($0) }
    }
}
