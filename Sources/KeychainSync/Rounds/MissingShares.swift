// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// Gives members the keys that they should have and that nobody left for them: a sponsor without keys admitted them, or the server lost
/// what there was.
///
/// Some of those who have the keys look at whoever came in this round, or since the last one that could give keys. Every six hours
/// everybody looks at some members. Who healed the server looks at all, and so does who finds that it was healed: an older dump has
/// none of the shares that came later.
final class MissingShares {
    private let context: RoundContext
    private var given: GivenKeys

    init(_ context: RoundContext) throws(CircleError) {
        (self.context, given) = (context, GivenKeys(of: try context.log.circle))
    }

    func start(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        guard try canGive else {
            try keepForLater()
            return try next()
        }
        if try wasBehind, !context.hasLookedAtAll { return try startWithAll(next) }
        var devices: Set<DeviceID> = []
        for device in try takeNewcomers() where try isNear(device) { devices.insert(device) }
        if try SeenExchange(context).isDue {
            let others = try others
            let start = try context.randomness(2).reduce(0) { $0 << 8 | Int($1) } % max(1, others.count)
            devices.formUnion((others[start...] + others[..<start]).prefix(MissingShares.most))
        }
        return try look(at: devices.sorted()[...], next)
    }

    /// Looks at all members.
    func startWithAll(_ next: @escaping RoundContext.Next) throws(CircleError) -> SyncRound.Effect {
        guard try canGive else { return try next() }
        _ = try takeNewcomers()
        context.hasLookedAtAll = true
        return try look(atAll: others[...], next)
    }

    private func look(
        atAll devices: ArraySlice<DeviceID>, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard !devices.isEmpty else { return try next() }
        return try look(at: devices.prefix(MissingShares.most)) { [self] () throws(CircleError) in
            try look(atAll: devices.dropFirst(MissingShares.most), next)
        }
    }

    /// Notes who is to be looked at by a round that gives keys, once they are open: nobody else may be there who could.
    func keepForLater() throws(CircleError) {
        var came = try context.newcomers.union(context.state.newcomers)
        if try wasBehind { came.formUnion(try others) }
        context.newcomers = []
        guard try context.state.newcomers != came else { return }
        try context.change { (state) in state.newcomers = came }
    }

    private func takeNewcomers() throws(CircleError) -> Set<DeviceID> {
        let came = try context.newcomers.union(context.state.newcomers)
        context.newcomers = []
        if try !context.state.newcomers.isEmpty { try context.change { (state) in state.newcomers = [] } }
        return came
    }

    private var canGive: Bool {
        get throws(CircleError) {
            let isMember = try context.membership.member(context.own) != nil
            return isMember && context.keys.isOpen && !context.keys.views.isEmpty
        }
    }

    /// Whether the server had less than this device when it looked last, and has it again.
    private var wasBehind: Bool {
        get throws(CircleError) {
            let before = try context.state.alarms
            return before.contains(where: \.isOfOlderServer)
                && !context.report.alarms.contains(where: \.isOfOlderServer)
        }
    }

    private var others: [DeviceID] {
        get throws(CircleError) {
            try context.membership.members.filter { $0.value.isPresent && $0.key != context.own }.keys.sorted()
        }
    }

    /// Whether this device is one of the few that look at a member first: else all of a large circle would send the same.
    private func isNear(_ device: DeviceID) throws(CircleError) -> Bool {
        let membership = try context.membership
        guard device != context.own, membership.member(device) != nil else { return false }
        func distance(_ id: DeviceID) -> [UInt8] { zip(id.bytes, device.bytes).map { $0 ^ $1 } }
        let own = distance(context.own)
        let nearer = membership.members.filter { id, member in
            member.isPresent && !member.isRecovery && id != device && !member.roles.views.isEmpty
                && distance(id).lexicographicallyPrecedes(own)
        }
        return nearer.count < MissingShares.nearest
    }

    private func look(
        at devices: ArraySlice<DeviceID>, _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        guard let device = devices.first else {
            guard !given.isEmpty else { return try next() }
            var insertion = CircleInsertion()
            insertion.shares = try context.shares(given)
            given = GivenKeys(of: try context.log.circle)
            context.report.sharesHealed += insertion.shares.count
            return context.insert(insertion, taken: next, next)
        }
        let rest = devices.dropFirst()
        guard let member = try context.membership.member(device) else { return try look(at: rest, next) }
        return context.server(.shares(device)) { [self] reply throws(CircleError) in
            guard case .shares(let bodies) = reply else { return context.unexpectedFromServer() }
            let membership = try context.membership
            var there: Set<ViewGeneration> = []
            for body in bodies where body.device == device {
                // What is in a share only its device can tell. One of a member who left may have been made to deceive after that: who is
                // given a key twice has lost nothing.
                guard let share = try? ViewShare(decoding: body, of: membership.circle),
                    !there.isSuperset(of: share.keys), let sender = membership.member(share.sender)?.card,
                    try share.isSigned(by: sender)
                else { continue }
                there.formUnion(share.keys)
            }
            for view in context.keys.views {
                guard membership.reads(member, view) else { continue }
                for generation in context.keys.generations(of: view)
                where membership.views[view]?.commitments[generation] != nil {
                    guard let key = context.keys.key(of: view, generation: generation), key.isOpen,
                        !there.contains(key.name)
                    else { continue }
                    given.give(key, to: member.card, device)
                }
            }
            return try look(at: rest, next)
        }
    }

    private static let nearest = 3
    private static let most = 32
}
