// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainConnection
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestProcesses

/// A device without a keychain in files, so that what it costs is the circle alone.
///
/// Its items are made when they are asked for, and what comes is dropped; leaves and state stay.
final class PlainDevice {
    let keys: TestCircleDevice
    let id: DeviceID
    private(set) var ring: ViewKeyring
    private var trees: [SyncView: StateTree] = [:]
    private var read: ReadState?
    private var stored: SyncState
    /// As they came: which of them are the last of their names is worked out when somebody asks.
    private var leaves: [SyncView: [SyncLeaf]] = [:]
    /// So many items changed, of which those up to this mark have gone.
    var items = 0
    private var sent: UInt64 = 0

    init(_ keys: TestCircleDevice, _ state: CircleState, _ ring: ViewKeyring) throws {
        (self.keys, self.ring) = (keys, ring)
        id = try keys.card.id()
        stored = SyncState(version: 1, bytes: try state.encoded(), base: try state.encodedBase(), baseName: [])
    }

    /// One that was told of a circle by its newest entry.
    convenience init(_ keys: TestCircleDevice, joining log: CircleLog) throws {
        let state = CircleState(
            device: try keys.card.id(), log: CircleLog(circle: log.circle, expecting: log.tip))
        try self.init(keys, state, ViewKeyring(circle: log.circle))
    }

    var state: CircleState { get throws { try CircleState(decoding: stored.bytes, base: stored.base ?? []) } }

    @discardableResult
    func round(_ server: some CircleTransport, _ task: SyncRound.Task = .synchronize) throws -> RoundReport {
        var options = SyncRound.Settings()
        (options.task, options.place) = (task, [UInt8](repeating: 1, count: 16))
        (options.trees, options.read) = (trees, read)
        let round = try SyncRound(of: keys, ring, options: options, randomness: CircleRandom.bytesOrNone)
        defer { (trees, read, ring) = (round.trees, round.read, round.keys) }
        let server = EarlyQuestions(server)
        var event = SyncRound.Event.begin
        while true {
            switch try round.step(event, at: ProcessHost.systemClock()) {
            case .server(let request): event = .server(server.answer(to: request))
            case .soon(let request):
                server.ask(request)
                event = .done
            case .keychain(let request): event = .keychain(.success(perform(request)))
            case .keep, .forget, .snapshot, .pause: event = .done
            case .finished(let report):
                guard case .complete = report.end, report.alarms.isEmpty else { throw Trouble("\(report)") }
                return report
            }
        }
    }

    private func perform(_ request: SyncRequest) -> SyncReply {
        switch request {
        case .state: return .state(stored)
        case .leaves(let view, let behind, let limit):
            let all = Dictionary((leaves[view] ?? []).map { ($0.id, $0) }) { $1 }.values.sorted { $0.id < $1.id }
            return .leaves(Array(all.drop { leaf in behind.map { !($0 < leaf.id) } ?? false }.prefix(limit)))
        case .changes(let behind, let limit):
            let first = max(behind, sent) + 1
            guard first <= items else { return .changes([], someAreLocked: false) }
            return .changes(
                (first...min(UInt64(items), first + UInt64(limit) - 1)).map {
                    SyncChange(mark: $0, item: Sample.item(Int($0), 0))
                }, someAreLocked: false)
        case .apply(let batch):
            guard batch.version == stored.version else { return .outdated }
            for incoming in batch.incoming { leaves[incoming.view, default: []].append(incoming.leaf) }
            for sent in batch.sent {
                if let (view, leaf) = sent.leaf { leaves[view, default: []].append(leaf) }
                self.sent = max(self.sent, sent.mark)
            }
            stored = SyncState(
                version: stored.version + 1, bytes: batch.state ?? stored.bytes, base: batch.base ?? stored.base,
                baseName: [])
            return .applied(batch.incoming.map { _ in .added }, version: stored.version)
        case .waiting: return .waiting([])
        case .heads: return .heads([])
        case .tombstones: return .tombstones([])
        case .live: return .live(0, of: 0)
        case .voids: return .voids([])
        case .markAll: return .marked(behind: 0, upTo: 0)
        case .begin, .end: return .done
        }
    }
}

/// Founds a circle with one view.
struct Founder {
    let device: PlainDevice
    let view: SyncView

    static func roles(_ view: SyncView) -> Roles {
        Roles(isOwner: true, isSponsor: true, views: [view: .writer])
    }

    let insertion: CircleInsertion
    let circle: CircleID

    init() throws {
        let keys = try TestCircleDevice()
        let namesSecret = try CircleRandom.secret(ViewKey.size)
        let (founded, first) = try CircleLog.found(
            by: keys, named: [1], commitment: ViewKey.commitment(toFirst: namesSecret), now: ProcessHost.systemClock(),
            chance: CircleRandom.bytes(Founding.chanceSize))
        var log = founded
        guard let names = log.circle.names, let view = SyncView(try CircleRandom.bytes(SyncView.size)) else {
            throw Trouble("no view")
        }
        var ring = ViewKeyring(circle: log.circle)
        ring.insert(try ViewKey(circle: log.circle, view: names, secret: namesSecret))
        let key = try ViewKey(circle: log.circle, view: view, secret: CircleRandom.secret(ViewKey.size))
        ring.insert(key)
        var insertion = CircleInsertion()
        insertion.chains = [(.log, first)]
        let policy = ViewPolicy(name: "everything", takesTheRest: true)
        for action in [
            LogAction.view(
                view, sealedPolicy: try ring.seal(policy.encoded(), of: .policy(view)), commitment: try key.commitment()
            ), .roles(try keys.card.id(), Founder.roles(view)),
        ] {
            let body = try log.body(action, by: keys, now: ProcessHost.systemClock())
            _ = try log.take([body])
            insertion.chains.append((.log, body))
        }
        var given = GivenKeys(of: log.circle)
        for key in [names, view].compactMap({ ring.newest(of: $0) }) {
            given.give(key, to: keys.card, try keys.card.id())
        }
        insertion.shares = try given.shares(by: keys, chance: CircleRandom.number)
        (self.view, self.insertion, circle) = (view, insertion, log.circle)
        device = try PlainDevice(keys, CircleState(device: keys.card.id(), log: log), ring)
    }
}
