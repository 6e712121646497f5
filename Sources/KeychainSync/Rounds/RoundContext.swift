// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What all parts of a round share: the state, the keys, the report, and how effects are asked for.
///
/// A part asks for an effect and says what goes on with its result; `resume` does that when the result is there.
final class RoundContext {
    typealias Effect = SyncRound.Effect
    typealias Then<Value> = (Value) throws(CircleError) -> Effect
    typealias Next = () throws(CircleError) -> Effect

    let device: any CircleDevice
    let own: DeviceID
    let options: SyncRound.Settings
    let randomness: (Int) throws(CircleError) -> [UInt8]
    var now = 0.0
    /// Begins again, with the state read anew.
    var begin: Next = { () throws(CircleError) in throw .malformed }

    /// The keys that the log has commitments to: with no others anything is sealed or opened.
    private(set) var keys: ViewKeyring
    /// All that the keychain keeps: also one of a view that is being made, and whatever somebody put there.
    private(set) var kept: ViewKeyring
    /// The state as the keychain has it.
    private(set) var read: ReadState?
    private(set) var version: UInt64 = 0
    var trees: [SyncView: StateTree]
    var policies: ViewPolicies?
    var report = RoundReport()
    var progress: SyncRound.Progress?
    /// The highest number that the server has in each chain.
    var newest: [CircleChain: UInt64] = [:]
    /// The chains that end where this device stopped reading, with another body than it remembers: what is there is read.
    var changedEnds: Set<CircleChain> = []
    /// The views that are as new as the server, so that something can be sent.
    var current: Set<SyncView> = []
    /// The views whose newest head here was found to be the server's, in this round.
    var met: Set<SyncView> = []
    /// Marks that were put on to look at all items, and are to be taken off again.
    var marksForNothing: ArraySlice<UInt64> = []
    /// Records that could not be opened: what is here of them is not sent.
    var waiting: [SyncView: Set<SyncRecordID>] = [:]
    /// Entries of the log that came, to be remembered as heads are: under the view of names.
    var newEntries: [SyncHead] = []
    /// The devices that came and went by them.
    var newMembers = SyncMembers()
    /// The log as it was at the last number for which owners leave a snapshot, if it was read there in this round.
    var snapshotLog: CircleLog?
    /// Whether it is to be left wherever the log is: owners have decided what is junk.
    var leavesSnapshot = false
    /// Whether this device has taken for junk what its round is to pass over.
    var hasPassedOver = false
    /// Members who came, or whose rights changed, by entries that were read in this round.
    var newcomers: Set<DeviceID> = []
    /// Whether this device has looked in this round what shares of keys each member lacks.
    var hasLookedAtAll = false
    /// The members as they will be after a change that is being made: by that its barriers' heads are judged.
    var judge: Membership?
    /// The roots over what heads list, where a head's author signed another one.
    var rightRoots: [SyncView: [UInt8]] = [:]
    /// What the round is for; the task that was asked for, until that is done.
    var goal: SyncRound.Task
    /// Whether what others have seen was read in this round.
    var hasReadSeen = false
    private var attempts = 0
    private var waitingFor = Waiting.nothing

    private enum Waiting {
        case nothing
        case server(Then<CircleReply>, taken: Next?)
        case keychain(Then<SyncReply>)
        case done(Next)
    }

    init(
        device: any CircleDevice, own: DeviceID, _ keys: ViewKeyring, options: SyncRound.Settings,
        randomness: @escaping (Int) throws(CircleError) -> [UInt8]
    ) {
        (self.device, self.own, self.options) = (device, own, options)
        (kept, self.keys) = (keys, ViewKeyring(circle: keys.circle))
        (self.randomness, trees, read, goal) = (randomness, options.trees, options.read, options.task)
    }

    func forget() { waitingFor = .nothing }

    // MARK: State

    private var present: CircleState?

    /// What is known of the circle.
    var state: CircleState {
        get throws(CircleError) {
            guard let present else { throw .malformed }
            return present
        }
    }

    var log: CircleLog { get throws(CircleError) { try state.log } }
    var membership: Membership { get throws(CircleError) { try state.log.membership } }

    func change(_ body: (inout CircleState) throws(CircleError) -> Void) throws(CircleError) {
        guard var changed = present else { throw .malformed }
        // Else the change below would copy what it is about.
        present = nil
        defer { present = changed }
        try body(&changed)
    }

    func take(_ stored: SyncState) throws(CircleError) {
        let read = try ReadState(decoding: stored, knowing: read)
        let state = read.state
        self.read = read
        guard state.device == own, state.log.circle == keys.circle else { throw .missingKey }
        (present, version) = (state, stored.version)
        (newest, changedEnds, current, met, waiting, rightRoots, policies) = ([:], [], [], [], [:], [:], nil)
        report.alarms = []
        try compareKeys()
    }

    // MARK: Keys

    /// Compares the kept keys with the log that there is now.
    func compareKeys() throws(CircleError) { keys = try kept.committed(in: membership) }

    /// Has keys kept that came or were made, each in place of one that is there.
    func keep(_ came: [ViewKey], _ next: @escaping Next) throws(CircleError) -> Effect {
        guard !came.isEmpty else { return try next() }
        for key in came { kept.replace(key) }
        try compareKeys()
        return after(.keep(came), next)
    }

    /// Has keys forgotten, before what belongs to them goes.
    func forget(_ foreign: [ViewKey], _ next: @escaping Next) throws(CircleError) -> Effect {
        guard !foreign.isEmpty else { return try next() }
        for key in foreign { kept.forget(key.view, generation: key.generation) }
        try compareKeys()
        return after(.forget(foreign), next)
    }

    // MARK: Effects

    func resume(_ event: SyncRound.Event) throws(CircleError) -> Effect {
        let waiting = waitingFor
        waitingFor = .nothing
        switch (waiting, event) {
        case (.server(let then, _), .server(.success(let reply))): return try then(reply)
        case (.server(_, let taken?), .server(.failure(.taken))): return try taken()
        case (.server, .server(.failure(let error))): return finished(.server(error))
        case (.keychain, .keychain(.success(.outdated))): return try again()
        case (.keychain(let then), .keychain(.success(let reply))): return try then(reply)
        case (.keychain, .keychain(.failure(let error))): return finished(.keychain(error.reason, error.text))
        case (.done(let next), .done): return try next()
        case (.nothing, _), (.server, _), (.keychain, _), (.done, _): throw .malformed
        }
    }

    func keychain(_ request: SyncRequest, _ then: @escaping Then<SyncReply>) -> Effect {
        waitingFor = .keychain(then)
        return .keychain(request)
    }

    func server(_ request: CircleRequest, taken: Next? = nil, _ then: @escaping Then<CircleReply>) -> Effect {
        waitingFor = .server(then, taken: taken)
        return .server(request)
    }

    func after(_ effect: Effect, _ next: @escaping Next) -> Effect {
        waitingFor = .done(next)
        return effect
    }

    /// Bodies of a chain behind a number: in order, and not more than asked for.
    func bodies(
        of chain: CircleChain, behind number: UInt64, limit: Int, _ then: @escaping Then<[ChainBody]>
    ) -> Effect {
        server(.chain(chain, behind: number, limit: limit)) { [unowned self] reply throws(CircleError) in
            guard case .bodies(let bodies) = reply, bodies.count <= limit else { return unexpectedFromServer() }
            var last = number
            for body in bodies {
                guard body.number > last else { return unexpectedFromServer() }
                last = body.number
            }
            return try then(bodies)
        }
    }

    /// Whether there are no more behind these: fewer than were asked for come also where they fill an answer.
    func isWhole(_ bodies: [ChainBody], limit: Int) -> Bool {
        bodies.count < limit && bodies.reduce(0) { $0 + $1.body.count } < CircleLimit.answerSize
    }

    func insert(_ insertion: CircleInsertion, taken: @escaping Next, _ next: @escaping Next) -> Effect {
        server(.insert(insertion), taken: taken) { [unowned self] reply throws(CircleError) in
            guard case .done = reply else { return unexpectedFromServer() }
            return try next()
        }
    }

    /// Begins again after others came first: at once for another process of ours, after a pause for other devices.
    func again(afterPause: Bool = false) throws(CircleError) -> Effect {
        attempts += 1
        guard attempts <= RoundContext.mostAttempts else { return finished(.busy) }
        guard afterPause else { return try begin() }
        let longest = 60 << min(attempts - 1, 5)
        let chance = try randomness(2).reduce(0) { $0 << 8 | Int($1) }
        return after(.pause(milliseconds: 1 + chance % longest), begin)
    }

    func unexpectedFromServer() -> Effect { finished(.server(.broken("an answer to another question"))) }

    func unexpectedFromKeychain() -> Effect {
        finished(.keychain(.internalError, "the keychain answered another question"))
    }

    func finished(_ end: RoundReport.End) -> Effect {
        report.end = end
        return .finished(report)
    }

    /// The shares of keys that this device gives.
    func shares(_ given: GivenKeys) throws(CircleError) -> [ShareBody] {
        try given.shares(by: device) { [randomness] () throws(CircleError) in
            try randomness(8).reduce(0) { $0 << 8 | Int64($1) }
        }
    }

    // MARK: Writing

    func apply(_ batch: SyncBatch, _ next: @escaping Next) throws(CircleError) -> Effect {
        try apply(batch, nil, next)
    }

    /// Writes items and state in one transaction; `change` makes the state what it is then.
    func apply(
        _ batch: SyncBatch, _ change: ((inout CircleState) throws(CircleError) -> Void)?,
        _ next: @escaping Next
    ) throws(CircleError) -> Effect {
        try apply(batch, change, outcomes: { (_) throws(CircleError) in try next() })
    }

    func apply(
        _ batch: SyncBatch, _ change: ((inout CircleState) throws(CircleError) -> Void)?,
        outcomes then: @escaping Then<[SyncOutcome]>
    ) throws(CircleError) -> Effect {
        var batch = batch
        var changed: ReadState?
        if let change {
            try self.change(change)
            guard let read else { throw .malformed }
            let (next, bytes, base) = try read.changed(to: state)
            (changed, batch.state, batch.base) = (next, bytes, base)
        }
        let incoming = batch.incoming.count
        return keychain(.apply(batch)) { [unowned self] reply throws(CircleError) in
            guard case .applied(let outcomes, let version) = reply, outcomes.count == incoming else {
                return unexpectedFromKeychain()
            }
            for outcome in outcomes { report.received.count(outcome) }
            // Where something was locked, it was not written.
            if let changed, version != self.version { read = changed }
            self.version = version
            return try then(outcomes)
        }
    }

    var batch: SyncBatch { SyncBatch(version: version) }

    /// Writes the state if it is another than the keychain has.
    func keepState(_ next: @escaping Next) throws(CircleError) -> Effect {
        guard present != read?.state else { return try next() }
        var batch = batch
        if let names = try membership.namesView { batch.heads = newEntries.map { (names, $0) } }
        batch.members = newMembers
        (newEntries, newMembers) = ([], SyncMembers())
        return try apply(batch, { (_) throws(CircleError) in }, next)
    }

    func raise(_ alarm: Alarm) {
        if !report.alarms.contains(alarm) { report.alarms.append(alarm) }
        if case .heads(let view)? = alarm.chain { current.remove(view) }
    }

    /// Whether an alarm keeps this device from writing into a view.
    func isHalted(_ view: SyncView) -> Bool {
        report.alarms.contains { alarm in
            switch alarm.chain {
            case .heads(let alarmed)?: alarmed == view
            case .log?, nil: true
            }
        }
    }

    private static let mostAttempts = 12
}
