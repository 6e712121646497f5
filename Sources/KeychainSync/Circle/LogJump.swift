// SPDX-License-Identifier: Apache-2.0

/// How a device that was away takes a snapshot instead of a million entries.
///
/// It checks that the snapshot's entry follows its own tip, over skips, and that so many owners as had to sign at its tip
/// signed the snapshot: owners that it knew there, or whom such owners made owners in entries that it reads. It does not check
/// the entries between: those owners vouch for them, who could have written any of them.
///
/// A device that joined was told of an entry. It takes a snapshot that this entry follows, whoever signed it.
package struct LogJump: Sendable {
    package enum Step: Sendable {
        /// Bodies of the log that are needed next.
        case needs([UInt64])
        case arrived(CircleLog)
        /// Enough owners signed a history that our tip is no part of.
        case fork
        /// There is no snapshot that can be taken: the log is to be read entry by entry.
        case refused
    }

    private let log: CircleLog
    /// An entry behind our tip that must be none of the snapshot's history.
    private let leftOut: LogPlace?
    /// The newest first.
    private var snapshots: [LogSnapshot] = []
    private var walk = LogWalk()

    package init(
        from log: CircleLog, over mail: [[UInt8]], leavingOut leftOut: LogPlace? = nil
    ) throws(CircleError) {
        (self.log, self.leftOut) = (log, leftOut)
        for body in mail.suffix(LogJump.mostSnapshots) {
            guard let snapshot = try? LogSnapshot(decoding: body), snapshot.membership.circle == log.circle,
                snapshot.place.number > log.last
            else { continue }
            // A joined device knows nobody whose later word would count.
            if let told = log.expected, snapshot.place.number > told.number { continue }
            if let known = snapshots.firstIndex(where: { $0.place == snapshot.place }) {
                snapshots[known].add(snapshot)
            } else {
                snapshots.append(snapshot)
            }
        }
        snapshots.sort { $0.place.number > $1.place.number }
    }

    /// Takes the bodies that were asked for, at first none.
    package mutating func take(_ bodies: [ChainBody]) throws(CircleError) -> Step {
        walk.take(bodies)
        while let snapshot = snapshots.first {
            do throws(Interruption) {
                if let told = log.expected { return .arrived(try landing(on: snapshot, toldOf: told)) }
                return .arrived(try landing(on: snapshot))
            } catch {
                switch error {
                case .needs(let numbers): return .needs(numbers)
                case .fork: return .fork
                case .circle(let error): throw error
                case .broken: snapshots.removeFirst()
                }
            }
        }
        return .refused
    }

    /// The log at a snapshot that the entry which we were told of follows.
    private mutating func landing(on snapshot: LogSnapshot, toldOf told: LogPlace) throws(Interruption) -> CircleLog {
        guard try walk.path(from: told, to: snapshot.place.number).last == snapshot.place else { throw .broken }
        _ = try pathLeavingOut(from: snapshot.place)
        return try landed(on: snapshot, over: [], expecting: told == snapshot.place ? nil : told)
    }

    /// The log at a snapshot that follows our tip and that owners vouch for.
    private mutating func landing(on snapshot: LogSnapshot) throws(Interruption) -> CircleLog {
        let signers = try Interruption.of { () throws(CircleError) in try snapshot.signers() }
        // Entries that made owners: read on the way, so that they are of this history.
        var stations: [UInt64] = []
        var path: [LogPlace] = []
        while true {
            path = [snapshot.place]
            for station in stations {
                guard let place = path.last else { throw .broken }
                path += try walk.path(from: place, to: station).dropFirst()
                guard path.last?.number == station else { throw .broken }
            }
            var voucher = LogVoucher(log: log.membership, snapshot: snapshot.membership, tip: log.tip.number)
            switch try voucher.judge(signers, at: snapshot.place.number + 1, on: path, &walk) {
            case .enough:
                guard let place = path.last else { throw .broken }
                path += try pathLeavingOut(from: place).dropFirst()
                guard let place = path.last else { throw .broken }
                path += try walk.path(from: place, to: log.tip.number).dropFirst()
                guard path.last == log.tip else { throw .fork }
                return try landed(on: snapshot, over: path.dropLast().reversed(), expecting: nil)
            case .tooFew: throw .broken
            case .wants(let station):
                guard stations.count < LogJump.mostStations, station > log.tip.number else { throw .broken }
                stations = (stations + [station]).sorted(by: >)
            }
        }
    }

    /// The way down from an entry to what counts at the number of the one that is to be left out, which is another.
    private mutating func pathLeavingOut(from place: LogPlace) throws(Interruption) -> [LogPlace] {
        guard let leftOut, place.number >= leftOut.number else { return [place] }
        let path = try walk.path(from: place, to: leftOut.number)
        guard path.last != leftOut else { throw .broken }
        return path
    }

    private mutating func landed(
        on snapshot: LogSnapshot, over path: [LogPlace], expecting told: LogPlace?
    ) throws(Interruption) -> CircleLog {
        let place = snapshot.place
        let entry = try walk.entry(at: place).entry
        let digest = try Interruption.of { () throws(CircleError) in try snapshot.membership.digest() }
        guard entry.state == digest, entry.circle == log.circle else { throw .broken }
        // The steps that later entries skip over: newest first, down to those that we know.
        var steps = [CircleLog.Step(number: place.number, place: place)]
        var (target, counted) = (LogEntry.skipNumber(of: place.number), entry.skip)
        while target > log.last {
            steps.append(CircleLog.Step(number: target, place: counted))
            target = LogEntry.skipNumber(of: target)
            if target > log.last { counted = try walk.path(from: counted, to: target).last ?? .none }
        }
        steps = log.steps.filter { $0.number <= target } + steps.reversed()
        return CircleLog(
            snapshot.membership, tip: place, expecting: told, steps: steps, recent: log.recent + path)
    }

    private static let mostSnapshots = 16
    private static let mostStations = 8
}

/// Why a jump does not arrive yet, or not at all.
enum Interruption: Error {
    case needs([UInt64])
    case fork
    /// Bodies that do not fit together, or signatures of too few.
    case broken
    case circle(CircleError)

    static func of<Result>(_ body: () throws(CircleError) -> Result) throws(Interruption) -> Result {
        do throws(CircleError) { return try body() } catch { throw .circle(error) }
    }
}

/// Whether owners that we knew stand behind a snapshot, themselves or by whom they made owners.
struct LogVoucher {
    enum Judgement {
        case enough
        case tooFew
        /// It hangs on the entry of this number, which is not on the path.
        case wants(UInt64)
    }

    let log: Membership
    let snapshot: Membership
    let tip: UInt64
    /// What was found already: nothing of a snapshot is genuine before it is judged, so each entry is looked at once, and of
    /// them so many in all.
    private var found: [Start: Judgement] = [:]

    private struct Start: Hashable {
        let signer: DeviceID
        let number: UInt64
    }

    init(log: Membership, snapshot: Membership, tip: UInt64) {
        (self.log, self.snapshot, self.tip) = (log, snapshot, tip)
    }

    /// Judges those who signed something just before a number.
    mutating func judge(
        _ signers: Set<DeviceID>, at number: UInt64, on path: [LogPlace], _ walk: inout LogWalk
    ) throws(Interruption) -> Judgement {
        var count = 0
        var wanted: UInt64?
        for signer in signers.sorted() {
            switch try judge(signer, at: number, on: path, &walk) {
            case .enough: count += 1
            case .tooFew: continue
            case .wants(let station): wanted = wanted ?? station
            }
        }
        if count >= log.quorum { return .enough }
        return wanted.map { .wants($0) } ?? .tooFew
    }

    private mutating func judge(
        _ signer: DeviceID, at number: UInt64, on path: [LogPlace], _ walk: inout LogWalk
    ) throws(Interruption) -> Judgement {
        if log.member(signer)?.roles.isOwner ?? false { return .enough }
        let spans = snapshot.members[signer]?.owning ?? []
        guard let start = spans.last(where: { $0.contains(number - 1) })?.from, start > tip else { return .tooFew }
        let key = Start(signer: signer, number: start)
        if let known = found[key] { return known }
        guard found.count < LogVoucher.mostFound else { return .tooFew }
        let judgement = try judge(signer, madeAt: start, on: path, &walk)
        found[key] = judgement
        return judgement
    }

    private mutating func judge(
        _ signer: DeviceID, madeAt start: UInt64, on path: [LogPlace], _ walk: inout LogWalk
    ) throws(Interruption) -> Judgement {
        guard let place = path.last(where: { $0.number == start }) else { return .wants(start) }
        let (entry, signed) = try walk.entry(at: place)
        guard try makes(entry.action, anOwnerOf: signer) else { return .tooFew }
        // Words admit alone, if we know them.
        let words = log.member(entry.author).flatMap { $0.isRecovery ? $0.card : nil }
        if let words, try Interruption.of({ () throws(CircleError) in try signed.isSigned(by: words) }) {
            return .enough
        }
        return try judge(owners(who: signed, at: start), at: start, on: path, &walk)
    }

    private func makes(_ action: LogAction, anOwnerOf device: DeviceID) throws(Interruption) -> Bool {
        switch action {
        case .admit(let card, .word(let roles, _)):
            let id = try Interruption.of { () throws(CircleError) in try card.id() }
            return roles.isOwner && id == device
        case .roles(let other, let roles): return roles.isOwner && other == device
        default: return false
        }
    }

    private func owners(who signed: SignedBody, at number: UInt64) throws(Interruption) -> Set<DeviceID> {
        try Interruption.of { () throws(CircleError) in
            var owners: Set<DeviceID> = []
            for signature in signed.signatures {
                guard let member = snapshot.members[signature.device],
                    member.owning.contains(where: { $0.contains(number - 1) }), try signed.isSigned(by: member.card)
                else { continue }
                owners.insert(signature.device)
            }
            return owners
        }
    }

    private static let mostFound = 64
}

/// Bodies of the log that were read out of their order, and the ways between them that their hashes prove.
struct LogWalk {
    /// No entry with its signatures is larger.
    private static let largest = LogEntry.largestContent + 4096

    private var bodies: [UInt64: [UInt8]] = [:]
    private var asked: Set<UInt64> = []
    /// As many as were asked for; the server did not have the others.
    private var absent: Set<UInt64> = []

    mutating func take(_ given: [ChainBody]) {
        for body in given where asked.contains(body.number) && body.body.count <= LogWalk.largest {
            bodies[body.number] = body.body
        }
        absent = asked.subtracting(bodies.keys)
    }

    /// The entry there, as its hash says it is.
    mutating func entry(at place: LogPlace) throws(Interruption) -> (entry: LogEntry, signed: SignedBody) {
        guard place.number > 0 else { throw .broken }
        guard let body = bodies[place.number] else {
            try ask(from: place.number, to: place.number - 1)
            throw .broken
        }
        guard let signed = try? SignedBody(decoding: body),
            let hash = try? CircleCoding.digest(of: signed.content), hash == place.hash,
            let entry = try? LogEntry(decoding: signed.content), entry.number == place.number
        else { throw .broken }
        return (entry, signed)
    }

    /// The way down from an entry to the last one that counts at or before a number, with both ends.
    mutating func path(from place: LogPlace, to number: UInt64) throws(Interruption) -> [LogPlace] {
        var path = [place]
        var place = place
        while place.number > number {
            if bodies[place.number] == nil { try ask(from: place.number, to: number) }
            let entry = try entry(at: place).entry
            place = entry.skip.number >= number ? entry.skip : entry.previous
            path.append(place)
        }
        return path
    }

    /// Asks for all bodies of a way, as far as it can be foreseen: junk leads elsewhere.
    private mutating func ask(from start: UInt64, to end: UInt64) throws(Interruption) {
        guard !absent.contains(start) else { throw .broken }
        var numbers: [UInt64] = []
        var number = start
        while number > end {
            if bodies[number] == nil, !absent.contains(number) { numbers.append(number) }
            let skip = LogEntry.skipNumber(of: number)
            number = skip >= end ? skip : number - 1
        }
        guard asked.count + numbers.count <= LogWalk.mostBodies else { throw .broken }
        asked.formUnion(numbers)
        throw .needs(numbers)
    }

    private static let mostBodies = 2048
}
