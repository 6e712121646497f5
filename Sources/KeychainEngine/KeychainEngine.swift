// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthorization
package import KeychainEnclave
package import KeychainModel
package import KeychainRequest
internal import KeychainSQLite
package import KeychainStore

/// The keychain itself, in this process: authorization, store, crypto and enclave behind four calls.
///
/// Any number of threads may call. Readers work side by side, each on a lane of its own; writers take turns.
package final class KeychainEngine: KeychainService {
    /// What an engine takes from outside.
    package struct Surroundings: Sendable {
        /// Seconds since 2001-01-01 UTC.
        package let clock: @Sendable () -> Double
        package let randomWords: Moment.RandomWords
        /// Told how many rows an operation passed over because they could not be read.
        package let report: @Sendable (Int) -> Void

        package init(
            clock: @escaping @Sendable () -> Double, randomWords: @escaping Moment.RandomWords,
            report: @escaping @Sendable (Int) -> Void
        ) {
            self.clock = clock
            self.report = report
            self.randomWords = randomWords
        }
    }

    let location: DatabaseLocation
    let enclave: any Enclave
    let surroundings: Surroundings
    let keys: ForkSafeMutex<KeyState>
    let readers: LanePool
    let writer: ForkSafeMutex<LanePool.Slot>

    package init(location: DatabaseLocation, enclave: any Enclave, surroundings: Surroundings) {
        self.location = location
        self.enclave = enclave
        self.surroundings = surroundings
        keys = ForkSafeMutex(KeyState())
        readers = LanePool()
        writer = ForkSafeMutex(LanePool.Slot())
    }

    package func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem? {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment
        let item = try write { (lane) throws(StoreError) in try lane.add(authorized, at: moment) }
        return request.returning.isEmpty ? nil : item
    }

    package func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [FoundItem] {
        let authorized = try Authorization.authorize(request, from: caller)
        return try read { (lane) throws(StoreError) in try lane.match(authorized, now: surroundings.clock) }
    }

    package func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment
        try write { (lane) throws(StoreError) in try lane.update(authorized, at: moment) }
    }

    package func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        let authorized = try Authorization.authorize(request, from: caller)
        let moment = moment
        try write { (lane) throws(StoreError) in try lane.delete(authorized, at: moment) }
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
