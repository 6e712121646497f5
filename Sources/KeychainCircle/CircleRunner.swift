// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest
package import KeychainSync

/// Performs what the machine of a circle asks for: on the keychain through a session, and on the server.
package struct CircleRunner: Sendable {
    /// What a round needs of its surroundings.
    package struct Surroundings: Sendable {
        /// Seconds since 2001.
        package let now: @Sendable () -> Double
        /// Waits so many milliseconds; false when the round is to end instead.
        package let pause: @Sendable (Int) -> Bool
        /// Keeps a copy of the keychain, before many items go; throws where there can be none.
        package let snapshot: @Sendable () throws(KeychainError) -> Void

        package init(
            now: @escaping @Sendable () -> Double, pause: @escaping @Sendable (Int) -> Bool,
            snapshot: @escaping @Sendable () throws(KeychainError) -> Void
        ) {
            (self.now, self.pause, self.snapshot) = (now, pause, snapshot)
        }
    }

    private let session: any KeychainSession
    private let server: any CircleTransport
    private let surroundings: Surroundings

    package init(
        _ session: any KeychainSession, _ server: any CircleTransport, _ surroundings: Surroundings
    ) {
        (self.session, self.server, self.surroundings) = (session, server, surroundings)
    }

    /// Runs one round to its end; nil when it was told to end before.
    package func run(
        _ circle: LocalCircle, _ options: SyncRound.Settings, progress: (SyncRound.Progress) -> Void = { _ in }
    ) throws(CircleFailure) -> RoundReport? {
        var memory = Memory()
        return try run(circle, options, keeping: &memory, progress: progress)
    }

    /// What one round leaves to the next of the same process.
    package struct Memory: Sendable {
        package fileprivate(set) var trees: [SyncView: StateTree] = [:]
        package fileprivate(set) var read: ReadState?

        package init() {}
    }

    /// The same with what the round before has left, which is what this one leaves afterwards: a round in which nothing happened
    /// reads no leaf then, and the state of no member.
    package func run(
        _ circle: LocalCircle, _ options: SyncRound.Settings, keeping memory: inout Memory,
        progress: (SyncRound.Progress) -> Void = { _ in }
    ) throws(CircleFailure) -> RoundReport? {
        var options = options
        (options.trees, options.read) = (memory.trees, circle.read)
        options.arrivedAt = try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleMove.arrival(of: circle, in: session)
        }
        let round = try CircleFailure.ofCircle { () throws(CircleError) in
            try SyncRound(of: circle.device, circle.kept, options: options, randomness: CircleRandom.bytesOrNone)
        }
        // Where the round ends halfway, its trees may be ahead of what the keychain has; each is compared with that before its use.
        defer { (memory.trees, memory.read) = (round.trees, round.read) }
        let server = EarlyQuestions(server)
        var event = SyncRound.Event.begin
        while true {
            let now = surroundings.now()
            let effect = try CircleFailure.ofCircle { () throws(CircleError) in try round.step(event, at: now) }
            if let far = round.progress { progress(far) }
            switch effect {
            case .server(let request): event = .server(server.answer(to: request))
            case .soon(let request):
                server.ask(request)
                event = .done
            case .keychain(let request): event = .keychain(answer(to: request))
            case .keep(let keys):
                let kept = CircleKeys(of: circle.state.log.circle, in: session)
                for key in keys {
                    try CircleFailure.ofKeychain { () throws(KeychainError) in try kept.keep(key) }
                }
                event = .done
            case .forget(let keys):
                let kept = CircleKeys(of: circle.state.log.circle, in: session)
                for key in keys {
                    try CircleFailure.ofKeychain { () throws(KeychainError) in try kept.forget(key) }
                }
                event = .done
            case .snapshot:
                try CircleFailure.ofKeychain(surroundings.snapshot)
                event = .done
            case .pause(let milliseconds):
                guard surroundings.pause(milliseconds) else { return nil }
                event = .done
            case .finished(let report): return report
            }
        }
    }

    private func answer(to request: SyncRequest) -> Result<SyncReply, KeychainError> {
        do throws(KeychainError) {
            guard case .sync(let reply) = try session.perform(.sync(request)) else {
                return .failure(KeychainError(.internalError, "the keychain answered another question"))
            }
            return .success(reply)
        } catch { return .failure(error) }
    }
}

/// Why something about a circle could not be done, for a person.
package enum CircleFailure: Error, Sendable {
    case keychain(KeychainError)
    case circle(CircleError)
    case server(CircleServerError)

    static func ofKeychain<Value>(_ body: () throws(KeychainError) -> Value) throws(CircleFailure) -> Value {
        do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
    }

    static func ofCircle<Value: ~Copyable>(_ body: () throws(CircleError) -> Value) throws(CircleFailure) -> Value {
        do throws(CircleError) { return try body() } catch { throw .circle(error) }
    }

    static func ofJoining<Value: ~Copyable>(_ body: () throws(JoiningError) -> Value) throws(CircleFailure) -> Value {
        do throws(JoiningError) { return try body() } catch {
            guard case .circle(let error) = error else { throw .circle(.malformed) }
            throw .circle(error)
        }
    }

    static func ofServer<Value>(_ body: () throws(CircleServerError) -> Value) throws(CircleFailure) -> Value {
        do throws(CircleServerError) { return try body() } catch { throw .server(error) }
    }
}

/// Chance for circles, from where keys come, too.
package enum CircleRandom {
    package static func bytes(_ count: Int) throws(CircleError) -> [UInt8] {
        let secret = try secret(count)
        return unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
    }

    package static func number() throws(CircleError) -> Int64 {
        try bytes(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    /// None where the system gives none: whatever is to be made of them then is refused for its size.
    package static func bytesOrNone(_ count: Int) -> [UInt8] { (try? bytes(count)) ?? [] }

    package static func secret(_ count: Int) throws(CircleError) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe SecretBytes(count: count) { (output) throws(CryptoError) in
                try unsafe fillRandom(output)
            }
        } catch { throw .crypto(error) }
    }
}
