// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed

/// A device of a circle in memory: its keys, its keychain, and the round that it is in, one effect at a time.
final class SimulatedDevice {
    let name: String
    let device: TestCircleDevice
    let id: DeviceID
    var keychain = ModelKeychain()
    /// The keys that it kept: whole, as far as class A is open.
    private(set) var kept: [ViewKey] = []
    /// How far its clock is off.
    var clock = 0.0
    var place = [UInt8](repeating: 1, count: 16)
    private(set) var reports: [RoundReport] = []
    private(set) var snapshots = 0
    private(set) var pauses = 0
    /// Whether the circle removed it.
    var isRemoved = false
    private var lastState: (version: UInt64, state: CircleState)?
    private var random: Seed

    private var round: SyncRound?
    private var pending: SyncRound.Effect?
    /// What was asked before the round came to it.
    private var early: (request: CircleRequest, answer: Result<CircleReply, CircleServerError>)?
    private(set) var answeredEarly = 0
    private var trees: [SyncView: StateTree] = [:]
    private var read: ReadState?

    init(_ name: String, _ random: Seed) throws {
        self.name = name
        self.random = random
        // Its keys are the seed's, too, and so is the order of the devices' names. They are drawn apart from the rest.
        var drawn = Seed(~random.number)
        func key() throws -> P256.Key {
            let secret = SecretBytes(count: P256.privateKeySize) { bytes in
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: drawn.next()) }
            }
            return try P256.key(of: secret)
        }
        device = try TestCircleDevice(signing: key(), agreement: key())
        id = try device.card.id()
    }

    /// The same device on another machine.
    init(copyOf other: SimulatedDevice, place: [UInt8], _ random: Seed) {
        name = "\(other.name)'s twin"
        self.random = random
        (device, id, keychain, kept, self.place) = (other.device, other.id, other.keychain, other.kept, place)
    }

    /// Keeps keys, each in the place of one that is there.
    func keep(_ keys: [ViewKey]) {
        for key in keys {
            forget(key)
            kept.append(key)
        }
    }

    private func forget(_ key: ViewKey) {
        kept.removeAll { $0.view == key.view && $0.generation == key.generation }
    }

    /// The keys as they are there now: while locked, their first halves.
    func keyring(of circle: CircleID) throws -> ViewKeyring {
        var keys = ViewKeyring(circle: circle)
        for key in kept {
            if keychain.isLocked {
                try keys.insert(
                    ViewKey(
                        circle: circle, view: key.view, generation: key.generation, first: key.firstHalf(),
                        second: nil))
            } else {
                keys.insert(key)
            }
        }
        return keys
    }

    var state: CircleState? {
        get throws {
            guard case .state(let state?) = keychain.perform(.state()) else { return nil }
            if let lastState, lastState.version == state.version { return lastState.state }
            let read = try CircleState(decoding: state.bytes, base: state.base ?? [])
            lastState = (state.version, read)
            return read
        }
    }

    // MARK: Rounds

    var isInRound: Bool { round != nil }

    /// Whether the effect that is outstanding puts a head on the server.
    var isSendingHead: Bool {
        guard case .server(.insert(let insertion))? = pending else { return false }
        return insertion.chains.contains { $0.chain != .log }
    }

    func beginRound(_ options: SyncRound.Settings = SyncRound.Settings(), now: Double) throws {
        guard let circle = try state?.log.circle else { return }
        var options = options
        options.place = place
        (options.trees, options.read) = (trees, read)
        let made = try SyncRound(of: device, keyring(of: circle), options: options) { [unowned self] count in
            (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        round = made
        try take(.begin, now: now)
    }

    /// Performs the effect that is outstanding.
    func step(_ server: some CircleTransport, now: Double) throws {
        guard let effect = pending else { return }
        pending = nil
        switch effect {
        case .server(let request):
            // What was asked early was answered then.
            let known = early.flatMap { $0.request.isSameHeads(as: request) ? $0.answer : nil }
            if known != nil { answeredEarly += 1 }
            early = nil
            try take(.server(known ?? SimulatedDevice.ask(server, request)), now: now)
        case .soon(let request):
            early = (request, SimulatedDevice.ask(server, request))
            try take(.done, now: now)
        case .keychain(let request): try take(.keychain(.success(keychain.perform(request))), now: now)
        case .keep(let keys):
            keep(keys)
            try take(.done, now: now)
        case .forget(let keys):
            for key in keys { forget(key) }
            try take(.done, now: now)
        case .snapshot:
            snapshots += 1
            try take(.done, now: now)
        case .pause:
            pauses += 1
            try take(.done, now: now)
        case .finished(let report):
            reports.append(report)
            if case .removed = report.end { isRemoved = true }
            (trees, read) = (round?.trees ?? [:], round?.read)
            round = nil
        }
    }

    private static func ask(
        _ server: some CircleTransport, _ request: CircleRequest
    ) -> Result<CircleReply, CircleServerError> {
        do throws(CircleServerError) { return .success(try server.perform(request)) } catch { return .failure(error) }
    }

    private func take(_ event: SyncRound.Event, now: Double) throws {
        pending = try round?.step(event, at: now + clock)
    }

    /// The process ends; with what it has begun it is over.
    func crash() { (round, pending, early, trees, read) = (nil, nil, nil, [:], nil) }

    /// A whole round, with nobody else in between.
    @discardableResult
    func synchronize(
        _ server: some CircleTransport, _ options: SyncRound.Settings = SyncRound.Settings(), now: Double
    ) throws -> RoundReport {
        try beginRound(options, now: now)
        while round != nil { try step(server, now: now) }
        return reports.last ?? RoundReport()
    }
}

extension SyncRound.Settings {
    /// A round that does what it is asked for besides.
    static func task(_ task: SyncRound.Task, keeping words: Set<DeviceID> = []) -> SyncRound.Settings {
        var settings = SyncRound.Settings()
        (settings.task, settings.keptWords) = (task, words)
        return settings
    }
}
