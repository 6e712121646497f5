// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync

/// What a device keeps of its circle, in its two parts: read back from the keychain at the beginning of every round.
internal enum StateFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard case .array(let parts)? = try? PropertyList(decoding: bytes), parts.count == 2,
            case .data(let rest) = parts[0], case .data(let base) = parts[1],
            let state = try? CircleState(decoding: rest, base: base)
        else { return .refused }
        try promise((try? state.encoded()) == rest, "a state is written as it was read")
        try promise((try? state.encodedBase()) == base, "a base is written as it was read")
        for view in state.views.values {
            try promise(view.number <= view.last, "no head is behind the last number that was read")
            try promise(view.next > view.number, "the next head is a later one")
        }
        return .accepted
    }

    /// A state with nothing in it, and one with something of everything.
    static func states() throws -> [[UInt8]] {
        guard let one = FuzzDevice.one, let two = FuzzDevice.two, let view = FuzzDevice.view else {
            throw Seeds.Missing()
        }
        let hash = [UInt8](repeating: 9, count: Digest.sha256Size)
        let (log, _) = try CircleLog.found(
            by: one, named: [1], commitment: hash, now: 1000,
            chance: [UInt8](repeating: 1, count: Founding.chanceSize))
        let (own, other) = (try one.card.id(), try two.card.id())
        let empty = CircleState(device: own, log: log)
        var state = empty
        var known = ViewState()
        (known.number, known.hash, known.last, known.root) = (3, hash, 4, hash)
        (known.logNumber, known.generation, known.oldestTombstone, known.pulled) = (1, 2, 50, 60)
        known.expected = ViewState.HeadPlace(number: 7, hash: hash)
        state.views[view] = known
        (state.counter, state.lastSeen, state.clone, state.choice) = (5, 70, [8], hash)
        let chain = CircleChain.heads(view)
        state.alarms = [
            .wentBack(.log, mine: 3, newest: 2), .replaced(chain, 3), .forked(chain, 3, author: other),
            .forked(.log, 3, author: nil), .withheld(chain, 4, seenBy: other, at: 80), .missingHead(view, 2),
            .wrongRoot(view, 3, author: other), .missingRecord(view, head: 3), .wrongRecord(view, head: 2),
            .damagedHere(view), .unwelcomed(other), .cloned(otherPlace: [6]),
            .manyDeletions(view, head: 3, deletions: 60, of: 100),
        ]
        // What others have said is only ever read from them.
        guard case .array(var parts) = try PropertyList(decoding: state.encoded()),
            case .array(var base) = try PropertyList(decoding: state.encodedBase())
        else { throw Seeds.Missing() }
        base[3] = .array([.array([.data(other.bytes), .number(2), .number(90)])])
        parts[4] = .array([.array([.data(view.bytes), .data(other.bytes), .number(6), .data(hash), .number(90)])])
        return [
            try both(empty.encoded(), empty.encodedBase()), try both(state.encoded(), state.encodedBase()),
            try both(PropertyList.array(parts).encoded(), PropertyList.array(base).encoded()),
        ]
    }

    private static func both(_ state: [UInt8], _ base: [UInt8]) throws -> [UInt8] {
        try PropertyList.array([.data(state), .data(base)]).encoded()
    }
}
