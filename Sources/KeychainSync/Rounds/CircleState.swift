// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainRequest

/// What a device knows of its circle: kept sealed in the keychain, and changed in the transactions that change items.
///
/// An older one put in its place is behind, which the next round makes good; it cannot make the device believe what it
/// has seen otherwise. It is kept in two parts: the base, which is who the device is, the log with its members, and what others have
/// said last, and is large; and the rest, which is small and changes with every head. The keychain gives back only two parts that
/// were written together: members of one day with the heads of another would be no state that any device was in.
package struct CircleState: Sendable, Equatable {
    package let device: DeviceID
    package var log: CircleLog
    package var views: [SyncView: ViewState] = [:]
    /// The number of the last `seen` that this device may have signed, and when that was.
    package var counter: UInt64 = 0
    package var lastSeen: Int64 = 0
    /// What other devices have said last.
    package var others: [DeviceID: Other] = [:]
    /// What others have seen, and this device has not found to be so yet.
    package var promises: [Promise] = []
    /// The machine that speaks as this device does; empty while there is none.
    package var clone: [UInt8] = []
    /// The alarms of the last whole round.
    package var alarms: [Alarm] = []
    /// A hash over the policies by which items were last chosen: with another one all are looked at anew.
    package var choice: [UInt8] = []
    /// Who came, or may read more, while this device could open no keys: it looks then whether they have theirs.
    package var newcomers: Set<DeviceID> = []

    package init(device: DeviceID, log: CircleLog) { (self.device, self.log) = (device, log) }

    package struct Other: Sendable, Equatable {
        package let counter: UInt64
        package let time: Int64
    }
}

/// A state as it lies in a keychain, and as it was read: who finds the same bytes there again need not read them, and what did not
/// change is not written.
///
/// The base of a circle of a thousand members has a quarter of a megabyte, and takes milliseconds.
package struct ReadState: Sendable {
    package let state: CircleState
    /// What the keychain calls the base; nil of one that was written here and not read since.
    package let baseName: [UInt8]?
    private let bytes: [UInt8]
    private let base: [UInt8]

    private init(_ state: CircleState, _ bytes: [UInt8], base: [UInt8], named baseName: [UInt8]?) {
        (self.state, self.bytes, self.base, self.baseName) = (state, bytes, base, baseName)
    }

    /// Reads what is not known.
    package init(decoding stored: SyncState, knowing known: ReadState?) throws(CircleError) {
        let isKnown: Bool
        if let base = stored.base {
            isKnown = known?.base == base
        } else {
            // It was asked for by this name, and by no other.
            guard let known, known.baseName == stored.baseName else { throw .malformed }
            isKnown = true
        }
        guard isKnown, let known else {
            let base = stored.base ?? []
            let state = try CircleState(decoding: stored.bytes, base: base)
            self.init(state, stored.bytes, base: base, named: stored.baseName)
            return
        }
        let state = try known.bytes == stored.bytes ? known.state : known.state.reading(stored.bytes)
        self.init(state, stored.bytes, base: known.base, named: stored.baseName)
    }

    /// The same after a change, and its base where that is another one.
    func changed(to state: CircleState) throws(CircleError) -> (read: ReadState, bytes: [UInt8], base: [UInt8]?) {
        let bytes = try state.encoded()
        guard state.hasBase(of: self.state) else {
            let base = try state.encodedBase()
            return (ReadState(state, bytes, base: base, named: nil), bytes, base)
        }
        return (ReadState(state, bytes, base: base, named: baseName), bytes, nil)
    }
}

/// How far a device has come in a view.
package struct ViewState: Sendable, Equatable {
    /// The newest head that counts; 0 before the first.
    package var number: UInt64 = 0
    package var hash: [UInt8] = []
    /// The last number that was read: those behind the head are taken by junk.
    package var last: UInt64 = 0
    package var root: [UInt8] = []
    package var logNumber: UInt64 = 0
    package var generation: UInt32 = 0
    package var oldestTombstone: Int64 = 0
    /// When this device last had all that the server showed, by its own clock.
    package var pulled: Int64 = 0
    /// A head that this device was told of when it joined: without it, what the server shows is too old.
    package var expected: HeadPlace?

    package init() {}

    package struct HeadPlace: Sendable, Equatable {
        package let number: UInt64
        package let hash: [UInt8]

        package init(number: UInt64, hash: [UInt8]) { (self.number, self.hash) = (number, hash) }
    }

    /// The number that the next head takes.
    package var next: UInt64 { last + 1 }

    /// As it is when that head is the newest.
    mutating func advance(to head: CircleHead, hash: [UInt8], at now: Double) {
        (number, self.hash, last, root) = (head.number, hash, max(last, head.number), head.root)
        (logNumber, generation, oldestTombstone) = (head.logNumber, head.generation, head.oldestTombstone)
        pulled = Int64(clamping: now)
        if let expected, expected.number <= number { self.expected = nil }
    }
}

// MARK: Coding

extension CircleState {
    /// Whether the two have one base; in no time where neither was changed since they were one.
    fileprivate func hasBase(of other: CircleState) -> Bool {
        device == other.device && log == other.log && others == other.others
    }

    /// What most rounds change.
    package func encoded() throws(CircleError) -> [UInt8] {
        var codedViews: [PropertyList] = []
        for (view, state) in views.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            codedViews.append(try .array([.data(view.bytes)] + state.coded()))
        }
        var codedPromises: [PropertyList] = []
        for promise in promises {
            codedPromises.append(
                .array([
                    promise.chain.coded(), .data(promise.device.bytes), try .count(promise.number),
                    .data(promise.hash), .number(promise.time),
                ]))
        }
        var codedAlarms: [PropertyList] = []
        for alarm in alarms { codedAlarms.append(try alarm.coded()) }
        var parts: [PropertyList] = [
            .string(CircleState.title), .array(codedViews), try .count(counter), .number(lastSeen),
            .array(codedPromises), .data(clone), .array(codedAlarms), .data(choice),
        ]
        if !newcomers.isEmpty { parts.append(.array(newcomers.sorted().map { .array([.data($0.bytes)]) })) }
        return try CircleCoding.encode(.array(parts))
    }

    package func encodedBase() throws(CircleError) -> [UInt8] {
        var codedOthers: [PropertyList] = []
        for (device, other) in others.sorted(by: { $0.key < $1.key }) {
            codedOthers.append(.array([.data(device.bytes), try .count(other.counter), .number(other.time)]))
        }
        return try CircleCoding.encode(
            .array([
                .string(CircleState.baseTitle), .data(device.bytes), .data(try log.encoded()), .array(codedOthers),
            ]))
    }

    /// What makes a keychain one of the circle, with this as its first state.
    package func beginning() throws(CircleError) -> SyncRequest {
        .begin(state: try encoded(), base: try encodedBase())
    }

    package init(decoding bytes: [UInt8], base: [UInt8]) throws(CircleError) {
        var parts = try CircleParts(decoding: base, title: CircleState.baseTitle)
        self.init(device: try parts.device(), log: try CircleLog(decoding: parts.data(atMost: .max)))
        let readOthers = try parts.list(atMost: .max) { (parts) throws(CircleError) in
            (device: try parts.device(), other: Other(counter: try parts.number(), time: try parts.integer()))
        }
        try parts.end()
        guard CircleCoding.isAscending(readOthers.map(\.device.bytes)) else { throw .malformed }
        for (device, other) in readOthers { others[device] = other }
        self = try reading(bytes)
    }

    /// The state that these bytes are with this base.
    fileprivate func reading(_ bytes: [UInt8]) throws(CircleError) -> CircleState {
        var read = CircleState(device: device, log: log)
        read.others = others
        var parts = try CircleParts(decoding: bytes, title: CircleState.title)
        let readViews = try parts.list(atMost: .max) { (parts) throws(CircleError) in
            (view: try parts.view(), state: try ViewState(&parts))
        }
        read.counter = try parts.number()
        read.lastSeen = try parts.integer()
        read.promises = try parts.list(atMost: .max) { (parts) throws(CircleError) in
            Promise(
                chain: try CircleChain(&parts), device: try parts.device(), number: try parts.number(),
                hash: try parts.hash(), time: try parts.integer())
        }
        read.clone = try parts.data(atMost: SeenNote.placeSize)
        read.alarms = try parts.list(atMost: .max) { (parts) throws(CircleError) in try Alarm(&parts) }
        read.choice = try parts.data(atMost: Digest.sha256Size)
        if !parts.isAtEnd {
            let came = try parts.list(atMost: .max) { (parts) throws(CircleError) in try parts.device() }
            guard !came.isEmpty, CircleCoding.isAscending(came.map(\.bytes)) else { throw .malformed }
            read.newcomers = Set(came)
        }
        try parts.end()
        guard CircleCoding.isAscending(readViews.map(\.view.bytes)) else { throw .malformed }
        for (view, state) in readViews { read.views[view] = state }
        return read
    }

    private static let title = "llavero circle state"
    private static let baseTitle = "llavero circle base"
}

extension ViewState {
    fileprivate func coded() throws(CircleError) -> [PropertyList] {
        [
            try .count(number), .data(hash), try .count(last), .data(root), try .count(logNumber),
            .number(Int64(generation)), .number(oldestTombstone), .number(pulled), try .count(expected?.number ?? 0),
            .data(expected?.hash ?? []),
        ]
    }

    fileprivate init(_ parts: inout CircleParts) throws(CircleError) {
        number = try parts.number()
        hash = try parts.data(atMost: Digest.sha256Size)
        last = try parts.number()
        root = try parts.data(atMost: Digest.sha256Size)
        logNumber = try parts.number()
        guard let generation = UInt32(exactly: try parts.integer()) else { throw .malformed }
        self.generation = generation
        oldestTombstone = try parts.integer()
        pulled = try parts.integer()
        let place = HeadPlace(number: try parts.number(), hash: try parts.data(atMost: Digest.sha256Size))
        guard number <= last, place.number > 0 || place.hash.isEmpty else { throw .malformed }
        expected = place.number == 0 ? nil : place
    }
}

extension CircleChain {
    fileprivate func coded() -> PropertyList {
        switch self {
        case .log: .data([])
        case .heads(let view): .data(view.bytes)
        }
    }

    fileprivate init(_ parts: inout CircleParts) throws(CircleError) {
        let bytes = try parts.data(atMost: SyncView.size)
        if bytes.isEmpty {
            self = .log
        } else if let view = SyncView(bytes) {
            self = .heads(view)
        } else {
            throw .malformed
        }
    }
}

extension Alarm {
    fileprivate func coded() throws(CircleError) -> PropertyList {
        switch self {
        case .wentBack(let chain, let mine, let newest):
            .array([.string("went back"), chain.coded(), try .count(mine), try .count(newest)])
        case .replaced(let chain, let number): .array([.string("replaced"), chain.coded(), try .count(number)])
        case .forked(let chain, let number, let author):
            .array([.string("forked"), chain.coded(), try .count(number), .data(author?.bytes ?? [])])
        case .withheld(let chain, let number, let device, let time):
            .array([.string("withheld"), chain.coded(), try .count(number), .data(device.bytes), .number(time)])
        case .missingHead(let view, let number):
            .array([.string("missing head"), .data(view.bytes), try .count(number)])
        case .wrongRoot(let view, let number, let author):
            .array([.string("wrong root"), .data(view.bytes), try .count(number), .data(author.bytes)])
        case .missingRecord(let view, let head):
            .array([.string("missing record"), .data(view.bytes), try .count(head)])
        case .wrongRecord(let view, let head):
            .array([.string("wrong record"), .data(view.bytes), try .count(head)])
        case .damagedHere(let view): .array([.string("damaged here"), .data(view.bytes)])
        case .unwelcomed(let device): .array([.string("unwelcomed"), .data(device.bytes)])
        case .cloned(let place): .array([.string("cloned"), .data(place)])
        case .manyDeletions(let view, let head, let deletions, let count):
            .array([
                .string("many deletions"), .data(view.bytes), try .count(head), .number(Int64(deletions)),
                .number(Int64(count)),
            ])
        }
    }

    fileprivate init(_ parts: inout CircleParts) throws(CircleError) {
        switch try parts.string() {
        case "went back":
            self = .wentBack(try CircleChain(&parts), mine: try parts.number(), newest: try parts.number())
        case "replaced": self = .replaced(try CircleChain(&parts), try parts.number())
        case "forked":
            let (chain, number) = (try CircleChain(&parts), try parts.number())
            let bytes = try parts.data(atMost: DeviceID.size)
            let author = DeviceID(bytes)
            guard author != nil || bytes.isEmpty else { throw .malformed }
            self = .forked(chain, number, author: author)
        case "withheld":
            self = .withheld(
                try CircleChain(&parts), try parts.number(), seenBy: try parts.device(), at: try parts.integer())
        case "missing head": self = .missingHead(try parts.view(), try parts.number())
        case "wrong root": self = .wrongRoot(try parts.view(), try parts.number(), author: try parts.device())
        case "missing record": self = .missingRecord(try parts.view(), head: try parts.number())
        case "wrong record": self = .wrongRecord(try parts.view(), head: try parts.number())
        case "damaged here": self = .damagedHere(try parts.view())
        case "unwelcomed": self = .unwelcomed(try parts.device())
        case "cloned": self = .cloned(otherPlace: try parts.data(atMost: SeenNote.placeSize))
        case "many deletions":
            let (view, head) = (try parts.view(), try parts.number())
            guard let deletions = Int(exactly: try parts.integer()), let count = Int(exactly: try parts.integer())
            else {
                throw .malformed
            }
            self = .manyDeletions(view, head: head, deletions: deletions, of: count)
        default: throw .malformed
        }
    }
}
