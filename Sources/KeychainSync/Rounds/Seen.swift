// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainRequest

/// What a device says that it has seen: a server that hides something from others cannot hide this as well for ever
/// without its silence being noticed.
package struct SeenNote: Sendable, Equatable {
    package let circle: CircleID
    package let device: DeviceID
    /// Two machines with one device's keys come to use one number.
    package let counter: UInt64
    /// Seconds since 2001, by its own clock.
    package let time: Int64
    /// The machine, by a hash that says nothing else.
    package let place: [UInt8]
    package let log: LogPlace
    package let heads: [SyncView: ViewState.HeadPlace]

    package init(
        circle: CircleID, device: DeviceID, counter: UInt64, time: Int64, place: [UInt8], log: LogPlace,
        heads: [SyncView: ViewState.HeadPlace]
    ) {
        (self.circle, self.device, self.counter, self.time) = (circle, device, counter, time)
        (self.place, self.log, self.heads) = (place, log, heads)
    }

    package func signed(by device: some CircleDevice) throws(CircleError) -> [UInt8] {
        var codedHeads: [PropertyList] = []
        for (view, head) in heads.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            codedHeads.append(.array([.data(view.bytes), try .count(head.number), .data(head.hash)]))
        }
        let content = try CircleCoding.encode(
            .array([
                .string(SeenNote.title), .data(circle.bytes), .data(self.device.bytes), .count(counter), .number(time),
                .data(place), log.coded(), .array(codedHeads),
            ]))
        return try SignedBody(content, by: device).encoded()
    }

    /// Reads a note at its place in the table; `card` is that of its device.
    package init(decoding row: SeenBody, of circle: CircleID, by card: Card) throws(CircleError) {
        let signed = try SignedBody(decoding: row.body)
        var parts = try CircleParts(decoding: signed.content, title: SeenNote.title)
        self.circle = try parts.circle()
        device = try parts.device()
        counter = try parts.number()
        time = try parts.integer()
        place = try parts.data(atMost: SeenNote.placeSize)
        log = try LogPlace(parts.parts())
        let read = try parts.list(atMost: Roles.mostViews) { (parts) throws(CircleError) in
            (view: try parts.view(), place: ViewState.HeadPlace(number: try parts.number(), hash: try parts.hash()))
        }
        try parts.end()
        guard self.circle == circle, device == row.device, counter == row.counter, try card.id() == device,
            CircleCoding.isAscending(read.map(\.view.bytes)), try signed.isSigned(by: card)
        else { throw .malformed }
        heads = Dictionary(uniqueKeysWithValues: read.map { ($0.view, $0.place) })
    }

    package static let placeSize = 16
    private static let title = "llavero seen"
}

/// What another device has seen of a chain, until this device has seen it too.
package struct Promise: Sendable, Equatable {
    package let chain: CircleChain
    package let device: DeviceID
    package let number: UInt64
    package let hash: [UInt8]
    package let time: Int64
}

/// Reads what others say that they have seen, and says what this device has: every six hours.
final class SeenExchange {
    private let context: RoundContext

    init(_ context: RoundContext) { self.context = context }

    var isDue: Bool {
        get throws(CircleError) {
            let now = Int64(clamping: context.now)
            let last = try context.state.lastSeen
            return now >= last + SeenExchange.interval || now < last - SeenExchange.interval
        }
    }

    // MARK: Reading

    /// Before anything is sent: onto a history that hides something nothing is put.
    func read(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        guard try isDue else { return try compare(next) }
        return try hear { [self] () throws(CircleError) in try compare(next) }
    }

    /// Notes what others have seen by now, once in a round, and compares nothing yet.
    func hear(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        guard !context.hasReadSeen else { return try next() }
        let present = try context.membership.members.filter(\.value.isPresent).keys.sorted()
        return context.server(.seen(of: present, limit: SeenExchange.newest)) { [self] reply throws(CircleError) in
            guard case .seen(let rows) = reply else { return context.unexpectedFromServer() }
            let membership = try context.membership
            var newest: [DeviceID: SeenNote] = [:]
            var own: [SeenNote] = []
            for row in rows {
                // What is none, or of somebody who left, says nothing.
                guard let card = membership.member(row.device)?.card,
                    let note = try? SeenNote(decoding: row, of: membership.circle, by: card)
                else { continue }
                if note.device == context.own {
                    own.append(note)
                } else if note.counter > newest[note.device]?.counter ?? 0 {
                    newest[note.device] = note
                }
            }
            try compare(own: own)
            var isAhead = false
            for note in newest.values where try take(note) { isAhead = true }
            context.hasReadSeen = true
            // It may have been written after this device read the chains: then they show it now.
            guard isAhead else { return try next() }
            return try context.keepState { [context] () throws(CircleError) in try context.again() }
        }
    }

    /// Notes what another has seen; whether it is more than this device has.
    private func take(_ note: SeenNote) throws(CircleError) -> Bool {
        let state = try context.state
        // Once is enough: what it promises stays until it was compared, or a person has decided.
        guard note.counter > state.others[note.device]?.counter ?? 0 else { return false }
        var promises: [Promise] = []
        func add(_ chain: CircleChain, _ number: UInt64, _ hash: [UInt8]) {
            guard number > 0 else { return }
            promises.append(
                Promise(chain: chain, device: note.device, number: number, hash: hash, time: note.time))
        }
        add(.log, note.log.number, note.log.hash)
        let readable = Set(context.readableViews)
        for (view, head) in note.heads where readable.contains(view) { add(.heads(view), head.number, head.hash) }
        promises.sort { $0.number < $1.number }
        try context.change { (state) in
            state.others[note.device] = CircleState.Other(counter: note.counter, time: note.time)
            state.promises.removeAll { $0.device == note.device }
            state.promises += promises
        }
        return promises.contains { promise in promise.number > state.reach(of: promise.chain) }
    }

    /// Whether somebody else speaks as this device.
    private func compare(own notes: [SeenNote]) throws(CircleError) {
        let state = try context.state
        let ahead = notes.filter { $0.counter > state.counter }
        let stranger = ahead.first { $0.place != context.options.place }
        if !ahead.isEmpty, stranger == nil { context.report.wasPutBack = true }
        try context.change { (state) in
            state.clone = stranger?.place ?? []
            state.counter = max(state.counter, ahead.map(\.counter).max() ?? 0)
        }
    }

    /// Compares with this device's chains what others said of theirs, as long as that is not done.
    private func compare(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        let state = try context.state
        if !state.clone.isEmpty { context.raise(.cloned(otherPlace: state.clone)) }
        let membership = state.log.membership
        let promises = state.promises.filter { membership.member($0.device) != nil }
        return try compare(promises[...], kept: [], next)
    }

    private func compare(
        _ promises: ArraySlice<Promise>, kept: [Promise], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let promise = promises.first else {
            try context.change { (state) in state.promises = kept }
            return try next()
        }
        let rest = promises.dropFirst()
        let goOn: ([UInt8]?) throws(CircleError) -> SyncRound.Effect = { [self] hash throws(CircleError) in
            // What is not remembered is too old to be compared.
            if let hash, hash != promise.hash {
                context.raise(.forked(promise.chain, promise.number, author: promise.device))
                return try compare(rest, kept: kept + [promise], next)
            }
            return try compare(rest, kept: kept, next)
        }
        let state = try context.state
        guard promise.number <= state.reach(of: promise.chain) else {
            context.raise(promise)
            return try compare(rest, kept: kept + [promise], next)
        }
        switch promise.chain {
        case .log: return try goOn(state.log.hash(at: promise.number))
        case .heads(let view):
            let known = state.views[view] ?? ViewState()
            if known.number == promise.number { return try goOn(known.hash) }
            return context.keychain(.heads(of: view, before: promise.number + 1, limit: 1)) {
                [self] reply throws(CircleError) in
                guard case .heads(let heads) = reply else { return context.unexpectedFromKeychain() }
                guard let head = heads.first, head.number == promise.number else { return try goOn(nil) }
                return try goOn(CircleCoding.digest(of: SignedBody(decoding: head.body).content))
            }
        }
    }

    // MARK: Writing

    func write(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        guard try isDue, try context.membership.member(context.own) != nil else { return try next() }
        return try meet(context.readableViews[...]) { [self] () throws(CircleError) in try sign(next) }
    }

    /// What is said to have been seen is there: compared once in six hours, also where nothing is new.
    private func meet(
        _ views: ArraySlice<SyncView>, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let view = views.first else { return try next() }
        return try context.meet(view) { [self] () throws(CircleError) in try meet(views.dropFirst(), next) }
    }

    private func sign(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        // First the number is used up here: after a crash it is never signed twice.
        let use: (inout CircleState) throws(CircleError) -> Void = { [context] state throws(CircleError) in
            state.counter += 1
            state.lastSeen = Int64(clamping: context.now)
        }
        return try context.apply(context.batch, use) { [self] () throws(CircleError) in
            let state = try context.state
            var heads: [SyncView: ViewState.HeadPlace] = [:]
            for view in context.readableViews {
                guard let known = state.views[view], known.number > 0 else { continue }
                heads[view] = ViewState.HeadPlace(number: known.number, hash: known.hash)
            }
            let note = SeenNote(
                circle: state.log.circle, device: context.own, counter: state.counter,
                time: Int64(clamping: context.now), place: context.options.place, log: state.log.tip, heads: heads)
            var insertion = CircleInsertion()
            insertion.seen = [
                SeenBody(device: context.own, counter: note.counter, body: try note.signed(by: context.device))
            ]
            return context.insert(
                insertion,
                taken: { [self] () throws(CircleError) in
                    // Another machine speaks as this device: its note is read now.
                    try context.change { (state) in state.lastSeen = 0 }
                    context.hasReadSeen = false
                    return try context.again(afterPause: true)
                }, next)
        }
    }

    private static let interval: Int64 = 6 * 3600
    private static let newest = 2
}

extension RoundContext {
    /// Says that a member has seen more, but where this device refuses what the server shows: then it knows why it has less.
    ///
    /// What one member says silences no other, who may be the one that does not lie.
    func raise(_ promise: Promise) {
        let told = report.alarms.filter { $0.chain == promise.chain }
        guard told.allSatisfy(\.isOfMoreSeen), told.count < RoundContext.mostTold else { return }
        raise(.withheld(promise.chain, promise.number, seenBy: promise.device, at: promise.time))
    }

    /// So many members are named for one chain.
    private static let mostTold = 8
}

extension CircleState {
    /// The highest number of a chain that this device has read.
    func reach(of chain: CircleChain) -> UInt64 {
        switch chain {
        case .log: log.tip.number
        case .heads(let view): views[view]?.number ?? 0
        }
    }

    /// The view under which the keychain remembers the bodies of a chain.
    package func memory(of chain: CircleChain) -> SyncView? {
        switch chain {
        case .log: log.membership.namesView
        case .heads(let view): view
        }
    }
}
