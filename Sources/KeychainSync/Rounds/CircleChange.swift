// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// Writes entries into the log, with all that belongs to them, in one transaction.
///
/// Who comes gets shares of the keys of what it may read. Where somebody may read or write no more, there are new keys, with
/// shares for those who stay, and in every view a head that names the new log: what the others wrote before that head
/// counts, what they write behind it is junk, and nobody has to go back.
final class CircleChange {
    private let context: RoundContext
    private var actions: [LogAction]
    /// What another owner wrote and this device signs, too.
    private let proposal: [UInt8]?
    /// The log with the new entries.
    private var log: CircleLog
    private var insertion = CircleInsertion()
    private var newKeys: [ViewKey] = []

    init(
        _ context: RoundContext, _ actions: [LogAction], signing proposal: [UInt8]? = nil
    ) throws(CircleError) {
        (self.context, self.actions, self.proposal, log) = (context, actions, proposal, try context.log)
    }

    /// What makes new keys, where somebody left who has those that there are, and this device may; nil where all is well.
    static func missingKeys(_ context: RoundContext) throws(CircleError) -> CircleChange? {
        guard context.keys.isOpen, !context.report.alarms.contains(where: { $0.chain == .log || $0.chain == nil })
        else {
            return nil
        }
        let change = try CircleChange(context, [])
        return try change.viewsToRekey().isEmpty ? nil : change
    }

    func start() throws(CircleError) -> SyncRound.Effect {
        let before = log.membership
        guard before.member(context.own) != nil else { return context.finished(.impossible(.noRight)) }
        guard try !isAlarmed() else { return context.finished(.impossible(.alarmed)) }
        return try endingWords(of: before) { [self] () throws(CircleError) in try append(before) }
    }

    /// Whether there may be another log than this one: that there is more of it, nobody has a say in who is removed by this change, or
    /// nobody could remove who lies about it.
    private func isAlarmed() throws(CircleError) -> Bool {
        var all = actions
        if let proposal, let entry = try log.proposed(proposal) { all.append(entry.action) }
        func overrules(_ device: DeviceID) -> Bool {
            guard all.contains(.remove(device)) else { return false }
            context.report.overruled.insert(device)
            return true
        }
        var isAlarmed = context.report.alarms.contains { alarm in
            if case .withheld(.log, _, seenBy: let device, _) = alarm, overrules(device) { return false }
            return alarm.chain == .log || alarm.chain == nil
        }
        // To pass over an entry is a person's decision, who was asked whether something is hidden.
        if case .passOver = context.goal { return isAlarmed }
        for promise in try context.state.promises
        where promise.chain == .log && promise.number > log.tip.number && log.membership.member(promise.device) != nil {
            guard !overrules(promise.device) else { continue }
            context.raise(promise)
            isAlarmed = true
        }
        return isAlarmed
    }

    private func append(_ before: Membership) throws(CircleError) -> SyncRound.Effect {
        do throws(CircleError) {
            if let proposal, let end = try sign(proposal, before) { return end }
            for action in actions { guard try append(action) else { return tooFew } }
            // An owner outside a view ends its history all the same; one of its writers makes the key when it hears of that.
            for view in try viewsToRekey() {
                guard let key = context.keys.newest(of: view), let known = log.membership.views[view],
                    known.generation < .max
                else { continue }
                let next = try key.later(known.generation + 1, secret: secret())
                let rekey = LogAction.rekey(view, generation: next.generation, commitment: try next.commitment())
                guard try append(rekey) else { return tooFew }
                newKeys.append(next)
            }
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return context.finished(.impossible(.refused(refusal)))
        }
        try share(before)
        try welcome()
        // Whoever has new keys made after the words removed members sets the barriers, too.
        let bringsKeys = !newKeys.isEmpty && before.member(context.own)?.roles.isOwner ?? false
        guard endsRights(of: before) || bringsKeys else { return insert() }
        context.judge = log.membership
        let views = log.membership.views.keys.filter { $0 != log.membership.namesView }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return try setBarriers(views[...])
    }

    private var tooFew: SyncRound.Effect { context.finished(.impossible(.tooFewSignatures)) }

    /// False where other owners have to sign it, too.
    private func append(_ action: LogAction) throws(CircleError) -> Bool {
        let body = try log.body(action, by: context.device, now: context.now)
        guard case .accepted? = try log.take([body]).last else {
            // It is for this number: where something goes before it, there is none yet.
            if insertion.chains.isEmpty { context.report.proposal = body.body }
            return false
        }
        insertion.chains.append((.log, body))
        return true
    }

    /// Puts this device's signature under a proposal; how the round ends where that does not make it an entry.
    private func sign(_ proposal: [UInt8], _ before: Membership) throws(CircleError) -> SyncRound.Effect? {
        guard before.member(context.own)?.roles.isOwner ?? false else {
            return context.finished(.impossible(.noRight))
        }
        guard let body = try log.signed(proposal, by: context.device) else {
            return context.finished(.impossible(.noProposal))
        }
        context.report.proposal = body.body
        guard try log.isComplete(body.body), case .accepted? = try log.take([body]).last else { return tooFew }
        // Who comes into a view and gets no key would wait for it in vain.
        let keys = try context.kept.committed(in: log.membership)
        for (view, known) in log.membership.views {
            let isForNew = !log.membership.readers(of: view).isSubset(of: readers(of: view, in: before))
            let key = keys.newest(of: view)
            guard !isForNew || key.map({ $0.isOpen && $0.generation == known.generation }) ?? false else {
                return context.finished(.impossible(.lacksKeys))
            }
        }
        context.report.proposal = nil
        insertion.chains.append((.log, body))
        return nil
    }

    // MARK: Keys

    /// The views whose newest key somebody has who may not read them any more, as far as this device may change that.
    ///
    /// It need not have that key itself: who left may have made it, and given it to nobody.
    private func viewsToRekey() throws(CircleError) -> [SyncView] {
        let membership = log.membership
        guard let roles = membership.member(context.own) else { return [] }
        return membership.views.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.filter { view in
            let generation = membership.views[view]?.generation
            let mayRekey =
                roles.isRecovery
                || (view == membership.namesView ? roles.roles.isOwner : roles.roles.views[view] == .writer)
            return mayRekey && context.keys.newest(of: view)?.isOpen ?? false
                && generation.map { membership.someLeft(view, with: $0) } ?? false
        }
    }

    private func secret() throws(CircleError) -> SecretBytes {
        var bytes = try context.randomness(ViewKey.size)
        defer {
            unsafe bytes.withUnsafeMutableBytes { memory in
                if let start = memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
            }
        }
        return unsafe SecretBytes(count: bytes.count) { unsafe $0.copyBytes(from: bytes) }
    }

    /// New keys for all who read their views, and all keys that there are for who reads a view only now.
    private func share(_ before: Membership) throws(CircleError) {
        let after = log.membership
        var given = GivenKeys(of: after.circle)
        // Also the key of a view that begins with this change.
        let keys = try context.kept.committed(in: after)
        for view in after.views.keys {
            let old = readers(of: view, in: before)
            let known = keys.generations(of: view).compactMap { keys.key(of: view, generation: $0) }
                .filter(\.isOpen)
            let new = newKeys.filter { $0.view == view }
            for (device, member) in after.members where after.reads(member, view) {
                for key in old.contains(device) ? new : known + new { given.give(key, to: member.card, device) }
            }
        }
        insertion.shares = try context.shares(given)
    }

    /// Who has its keys: of a view that was not there yet, nobody, whatever words will read.
    private func readers(of view: SyncView, in membership: Membership) -> Set<DeviceID> {
        membership.views[view] == nil ? [] : membership.readers(of: view)
    }

    /// Whoever is admitted without having been told anything by a person finds the newest heads here.
    private func welcome() throws(CircleError) {
        for action in actions {
            guard case .admit(let card, let ground) = action else { continue }
            if case .word = ground { continue }
            let id = try card.id()
            guard let number = log.membership.members[id]?.admittedAt, let hash = log.hash(at: number) else { continue }
            let welcome = Welcome(
                circle: log.circle, device: id, admission: LogPlace(number: number, hash: hash),
                heads: try context.heads)
            insertion.mail.append(
                MailBody(
                    box: try Welcome.box(of: log.circle, for: id),
                    number: try context.randomness(7).reduce(1) { $0 << 8 | UInt64($1) },
                    body: try welcome.signed(by: context.device)))
        }
    }

    // MARK: Words

    /// Removes, with an owner, the words that it made a member, which it may know; where nobody can tell who made them one, those as well.
    private func endingWords(
        of before: Membership, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        var removed: Set<DeviceID> = []
        for case .remove(let device) in actions { removed.insert(device) }
        // Who owns it no more would come back as an owner by them.
        for case .roles(let device, let roles) in actions
        where !roles.isOwner && before.member(device)?.roles.isOwner ?? false {
            removed.insert(device)
        }
        let words = before.members.filter {
            $0.value.isPresent && $0.value.isRecovery && !removed.contains($0.key)
                && !context.options.keptWords.contains($0.key)
        }
        // Where several sign, each entry is a proposal of its own.
        guard !words.isEmpty, before.quorum == 1, before.member(context.own)?.roles.isOwner ?? false,
            removed.contains(where: { !(before.members[$0]?.owning ?? []).isEmpty })
        else { return try next() }
        return context.server(.bodies(.log, words.values.map(\.admittedAt).sorted())) {
            [self] reply throws(CircleError) in
            guard case .bodies(let bodies) = reply else { return context.unexpectedFromServer() }
            for (id, member) in words.sorted(by: { $0.key < $1.key }) {
                let body = bodies.first { $0.number == member.admittedAt }
                let entry = try body.flatMap { (body) throws(CircleError) in try log.signedEntry(body) }
                if case .recover(member.card, _)? = entry?.action, let author = entry?.author, !removed.contains(author)
                {
                    continue
                }
                actions.insert(.remove(id), at: 0)
                context.report.endedWords.append(id)
            }
            return try next()
        }
    }

    // MARK: Barriers

    private func endsRights(of before: Membership) -> Bool {
        before.members.contains { device, member in
            guard let after = log.membership.members[device], member.isPresent else { return false }
            return !after.isPresent || member.roles.isOwner && !after.roles.isOwner
                || member.roles.views.contains { view, access in
                    after.roles.views[view] == nil || access == .writer && after.roles.views[view] == .reader
                }
        }
    }

    private func setBarriers(_ views: ArraySlice<SyncView>) throws(CircleError) -> SyncRound.Effect {
        guard let view = views.first else { return insert() }
        let known = try context.state.views[view] ?? ViewState()
        if context.current.contains(view) {
            try setBarrier(view, behind: known)
            return try setBarriers(views.dropFirst())
        }
        // A view that this device does not read, or that has an alarm: its heads alone, as they are without who leaves.
        return try HeadReader.newest(context, view, behind: known) { [self] newest throws(CircleError) in
            // In the place of heads that are only not there now it would be another history.
            guard newest.number > 0 || known.number == 0 && known.expected == nil else {
                return context.finished(.impossible(.alarmed))
            }
            try setBarrier(view, behind: newest)
            return try setBarriers(views.dropFirst())
        }
    }

    private func setBarrier(_ view: SyncView, behind known: ViewState) throws(CircleError) {
        let chance = try context.randomness(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        // Also where nobody has written yet: who leaves could else be the first, at any time.
        var empty = try StateTree()
        let root = try known.number == 0 ? empty.root() : context.rightRoots[view] ?? known.root
        let barrier = CircleHead(
            circle: log.circle, view: view, number: known.next, previous: known.hash, logNumber: log.tip.number,
            logHash: log.tip.hash, generation: log.membership.views[view]?.generation ?? 0, chance: chance, entries: [],
            root: root, oldestTombstone: known.oldestTombstone,
            time: Int64(clamping: context.now), author: context.own)
        insertion.chains.append(
            (.heads(view), ChainBody(number: barrier.number, body: try barrier.signed(by: context.device))))
    }

    /// What was inserted is read back as everybody reads it.
    private func insert() -> SyncRound.Effect {
        guard !insertion.chains.isEmpty else { return context.finished(.impossible(.doneAlready)) }
        let taken: RoundContext.Next = { [context] () throws(CircleError) in
            context.judge = nil
            return try context.again(afterPause: true)
        }
        return context.insert(insertion, taken: taken) { [context, newKeys] () throws(CircleError) in
            context.judge = nil
            // Now that they are the circle's, and not before: a locked device cannot tell its own key from the one that another device
            // made for the same generation. The server has this device's share as well, and may never show it.
            return try context.keep(newKeys) { () throws(CircleError) in try context.synchronizeNow() }
        }
    }
}
