// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What becomes of each item that another store has.
///
/// Every item of a source of entries becomes one here, or is named: where all that makes an item unique to the keychain is
/// taken, it gets a mark (`NameMark`). An item that came before is known again by its name, note and attributes, so that the same
/// file once more adds nothing.
struct ImportIntake {
    private(set) var outcome: ImportOutcome
    private let keychain: ToolKeychain
    private let isDry: Bool
    private let distinction: Arrival.Distinction
    /// The items of each identity, those that have just come among them.
    private var peers: [[UInt8]: Peers] = [:]

    private struct Peers {
        /// By what tells them apart; without those that an item of the source has taken for itself already.
        var free: [[UInt8]: [Arrival.Peer]] = [:]
        var hints: Set<String> = []

        mutating func add(_ peer: Arrival.Peer) {
            hints.insert(peer.hint)
            free[peer.mark, default: []].append(peer)
        }
    }

    init(_ keychain: ToolKeychain, of format: ImportFormat, isDry: Bool) {
        self.keychain = keychain
        self.isDry = isDry
        outcome = ImportOutcome(format, isDry: isDry)
        distinction =
            switch format {
            case .llavero: .export
            case .gnomeKeyring, .pass, .keepassCSV, .keepassXML: .entry
            case .netrc, .gitCredentials, .macKeychain: .place
            }
    }

    /// The password, and what its source keeps as secret beside it: notes, seeds of one-time codes.
    mutating func take(_ item: ImportedItem) {
        for arrival in Arrival.all(of: item) { keep(arrival) }
    }

    /// An item of an export of our own, of any kind.
    mutating func take(_ item: ExportedItem) { keep(Arrival(item)) }

    mutating func note(_ finding: ImportFinding) { outcome.note(finding) }

    private mutating func keep(_ arrival: Arrival) {
        do throws(CommandError) {
            let identity = arrival.identity
            if peers[identity] == nil {
                var found = Peers()
                for peer in try arrival.peers(in: keychain, distinction) { found.add(peer) }
                peers[identity] = found
            }
            if let comparison = known(arrival, identity) { return outcome.stays(arrival, comparison) }
            var arrival = arrival
            let isTaken = peers[identity]?.hints.contains(arrival.hint) ?? false
            if isTaken, distinction != .place, arrival.isNamed { arrival = arrival.marked }
            let remark = isDry ? "" : try arrival.add(to: keychain)
            if distinction == .place {
                peers[identity]?.add(arrival.peer(distinction))
            } else {
                peers[identity]?.hints.insert(arrival.hint)
            }
            outcome.kept(arrival, remark)
        } catch { outcome.leftOut(arrival, error.description) }
    }

    /// How its password compares with that of the item that it is here; nil when it is not.
    private mutating func known(_ arrival: Arrival, _ identity: [UInt8]) -> Arrival.Comparison? {
        let mark = arrival.mark(distinction)
        guard let candidates = peers[identity]?.free[mark], !candidates.isEmpty else { return nil }
        var best: (comparison: Arrival.Comparison, index: Int) = (.other, 0)
        for (index, candidate) in candidates.enumerated() {
            let comparison = arrival.compare(with: candidate, in: keychain)
            if comparison == .same {
                best = (.same, index)
                break
            }
            if comparison == .unknown, best.comparison == .other { best = (.unknown, index) }
        }
        // Two entries that are alike in all are two items.
        if distinction != .place { peers[identity]?.free[mark]?.remove(at: best.index) }
        return best.comparison
    }
}
