// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// What an owner signs of the log at one of its entries, for those who were away too long to read it all.
///
/// It lies in a box of mail. It says nothing that the log does not: the entry names the membership by its hash.
package struct LogSnapshot: Sendable {
    package let place: LogPlace
    package let membership: Membership
    private(set) var signed: [SignedBody]

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        let body = try SignedBody(decoding: bytes)
        signed = [body]
        var parts = try CircleParts(decoding: body.content, title: LogSnapshot.title)
        place = try LogPlace(parts.parts())
        membership = try Membership(decoding: parts.data(atMost: .max))
        try parts.end()
    }

    fileprivate init(of log: CircleLog, by device: some CircleDevice) throws(CircleError) {
        (place, membership) = (log.tip, log.membership)
        let content = try CircleCoding.encode(
            .array([.string(LogSnapshot.title), try place.coded(), .data(try membership.encoded())]))
        signed = [try SignedBody(content, by: device)]
    }

    /// Takes the signatures of another one of the same entry.
    mutating func add(_ other: LogSnapshot) { if other.membership == membership { signed += other.signed } }

    /// The devices that signed it and are owners in it.
    func signers() throws(CircleError) -> Set<DeviceID> {
        var signers: Set<DeviceID> = []
        for body in signed {
            for signature in body.signatures {
                guard let member = membership.member(signature.device), member.roles.isOwner,
                    try body.isSigned(by: member.card)
                else { continue }
                signers.insert(signature.device)
            }
        }
        return signers
    }

    /// They are made when so many numbers of the log were taken, so that owners who make one make the same.
    ///
    /// Of a large circle they are large, and made more seldom: about a kilobyte for each entry.
    package static func interval(of membership: Membership) -> UInt64 {
        var interval: UInt64 = 32
        while interval < UInt64(membership.members.count) / 4 { interval *= 2 }
        return interval
    }

    private static let title = "llavero snapshot"
}

extension CircleLog {
    /// Where snapshots lie.
    package func snapshots() throws(CircleError) -> MailBox { try CircleLog.box("llavero snapshot", of: circle) }

    /// What this device is to put there now: nil unless it is an owner's, and the last number one for a snapshot, or `always`.
    ///
    /// Its number is that of the entries, in sixteenths: two owners seldom want the same, and then one of them is enough.
    package func snapshot(by device: some CircleDevice, always: Bool = false) throws(CircleError) -> MailBody? {
        let id = try device.card.id()
        guard always || last % LogSnapshot.interval(of: membership) == 0, tip != .none,
            let member = membership.member(id), member.roles.isOwner,
            let body = try LogSnapshot(of: self, by: device).signed.first?.encoded(),
            body.count <= CircleLimit.bodySize
        else { return nil }
        let slot = UInt64(id.bytes[0]) % CircleLog.slots
        return MailBody(
            box: try snapshots(), number: CircleLog.mailNumber(ofSnapshotAt: last) + slot, body: body)
    }

    /// The number behind which the snapshots of later entries lie.
    package static func mailNumber(ofSnapshotAt number: UInt64) -> UInt64 {
        let greatest = UInt64(Int64.max) - slots
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: slots)
        return isTooLarge || product > greatest ? greatest : product
    }

    private static let slots: UInt64 = 16
}
