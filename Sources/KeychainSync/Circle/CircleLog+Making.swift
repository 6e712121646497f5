// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto

/// Making entries. What is made is not taken: it counts when the server has it, and is then read as all others are.
extension CircleLog {
    /// A new circle: its first body, and the log behind it.
    package static func found(
        by device: some CircleDevice, named sealedName: [UInt8], commitment: [UInt8], now: Double,
        chance: [UInt8]
    ) throws(CircleError) -> (log: CircleLog, body: ChainBody) {
        let founding = Founding(
            card: device.card, chance: chance, commitment: commitment, sealedName: sealedName)
        var log = CircleLog(circle: try founding.circle())
        let body = try log.body(.found(founding), by: device, now: now)
        guard case .accepted? = try log.take([body]).last else { throw .malformed }
        return (log, body)
    }

    /// The next entry, signed by one device; `refused` when it would be junk, but for signatures that are still to come.
    package func body(_ action: LogAction, by device: some CircleDevice, now: Double) throws(CircleError) -> ChainBody {
        let entry = try entry(action, by: device.card.id(), now: now)
        return ChainBody(
            number: entry.number, body: try SignedBody(try entry.encoded(), by: device).encoded())
    }

    /// The next entry as its author signs it.
    package func entry(_ action: LogAction, by author: DeviceID, now: Double) throws(CircleError) -> LogEntry {
        guard let time = Int64(exactly: now.rounded(.down)) else { throw .malformed }
        func entry(leadingTo state: [UInt8]) -> LogEntry {
            LogEntry(
                circle: circle, number: next, previous: tip, skip: skip(of: next), time: time, author: author,
                action: action, state: state)
        }
        // The signatures of all owners at once: whether they come is known when they came.
        if case .found = action {
        } else {
            guard membership.allows(action, by: author, signedBy: Set(membership.owners + [author])) else {
                throw .refused(.noRight)
            }
        }
        var changed = membership
        try changed.apply(entry(leadingTo: []))
        return entry(leadingTo: try changed.digest())
    }

    /// A body that wants more signatures, with this device's; nil when it is no proposal for the next number.
    package func signed(_ proposal: [UInt8], by device: some CircleDevice) throws(CircleError) -> ChainBody? {
        guard let entry = try proposed(proposal) else { return nil }
        var signed = try SignedBody(decoding: proposal)
        try signed.sign(by: device)
        return ChainBody(number: entry.number, body: try signed.encoded())
    }

    /// What is proposed: an entry that would be the next one, had it all its signatures; nil of anything else.
    ///
    /// A person has to see it before a device signs.
    package func proposed(_ proposal: [UInt8]) throws(CircleError) -> LogEntry? {
        guard let signed = try? SignedBody(decoding: proposal),
            let read = try? LogEntry(decoding: signed.content), try signers(of: signed).contains(read.author)
        else { return nil }
        do throws(CircleError) {
            return try entry(read.action, by: read.author, now: Double(read.time)) == read ? read : nil
        } catch {
            // Anybody may leave a proposal; one that no entry can be made of is none.
            switch error {
            case .refused, .malformed: return nil
            default: throw error
            }
        }
    }

    /// Whether a proposal has the signatures that it wants: it can be inserted.
    package func isComplete(_ proposal: [UInt8]) throws(CircleError) -> Bool {
        guard let entry = try proposed(proposal) else { return false }
        return membership.allows(
            entry.action, by: entry.author, signedBy: try signers(of: SignedBody(decoding: proposal)))
    }

    /// The owners who have signed a proposal.
    package func owners(whoSigned proposal: [UInt8]) throws(CircleError) -> Set<DeviceID> {
        guard let signed = try? SignedBody(decoding: proposal) else { return [] }
        return try signers(of: signed).filter { membership.member($0)?.roles.isOwner ?? false }
    }

    /// Where proposals lie.
    package func proposals() throws(CircleError) -> MailBox { try CircleLog.box("llavero proposals", of: circle) }

    static func box(_ title: String, of circle: CircleID) throws(CircleError) -> MailBox {
        let hash = try CircleCoding.digest(of: Array(title.utf8) + circle.bytes)
        guard let box = MailBox(Array(hash.prefix(MailBox.size))) else { throw .malformed }
        return box
    }
}
