// SPDX-License-Identifier: Apache-2.0

package import KeychainRequest

/// Numbers of the log from which on a right was there, and from which on no more.
package struct LogSpan: Sendable, Equatable {
    package let from: UInt64
    package internal(set) var until: UInt64?

    package func contains(_ number: UInt64) -> Bool { from <= number && until.map { number < $0 } ?? true }
}

/// A device that is in the circle, or was.
package struct Member: Sendable, Equatable {
    package let card: Card
    package internal(set) var roles: Roles
    package let admittedAt: UInt64
    /// Under the key of names.
    package let sealedName: [UInt8]
    /// The entry that removed it; nil of one that is present.
    package internal(set) var removedAt: UInt64?
    /// What it is to destroy when it hears of it.
    package internal(set) var erasure: Erasure?
    package internal(set) var owning: [LogSpan] = []
    package internal(set) var writing: [SyncView: [LogSpan]] = [:]
    /// The newest key that it could read of views that it reads no more: secrets sealed up to then are to be changed.
    package internal(set) var lastGenerations: [SyncView: UInt32] = [:]

    package var isPresent: Bool { removedAt == nil }
    /// Whether words on paper are this member: it reads every view, and may admit, remove and make new keys.
    package var isRecovery: Bool { card.kind == .words }
}

/// A view as the log knows it.
package struct CircleView: Sendable, Equatable {
    /// Under the key of names.
    package internal(set) var sealedPolicy: [UInt8]
    package internal(set) var generation: UInt32
    /// The commitment to the key of each generation.
    package internal(set) var commitments: [UInt32: [UInt8]]
}

/// Who is in a circle, and may do what: what the log says at one of its numbers.
package struct Membership: Sendable, Equatable {
    package let circle: CircleID
    package internal(set) var members: [DeviceID: Member] = [:]
    /// The hashes of all members, kept because most entries change one.
    var listing = MemberListing()
    package internal(set) var views: [SyncView: CircleView] = [:]
    /// Of each view the newest key that anybody left with, kept because every round asks; nobody has a newer one.
    var newestLeft: [SyncView: UInt32] = [:]
    package internal(set) var invites: [[UInt8]: Invite] = [:]
    package internal(set) var allowances: [[UInt8]: Allowance] = [:]
    /// So many owners have to sign what owners do.
    package internal(set) var quorum = 1
    /// Where the circle went, and the entry that says so.
    package internal(set) var moved: (number: UInt64, sealedAddress: [UInt8])?

    package init(circle: CircleID) { self.circle = circle }

    package static func == (left: Membership, right: Membership) -> Bool {
        left.circle == right.circle && left.members == right.members && left.views == right.views
            && left.invites == right.invites && left.allowances == right.allowances && left.quorum == right.quorum
            && left.moved?.number == right.moved?.number
            && left.moved?.sealedAddress == right.moved?.sealedAddress
    }
}

/// What others ask.
extension Membership {
    /// The key of names is that of a view which has the circle's own name; every member reads it.
    package var namesView: SyncView? { SyncView(circle.bytes) }

    /// Who is present.
    package func member(_ device: DeviceID) -> Member? {
        guard let member = members[device], member.isPresent else { return nil }
        return member
    }

    package var owners: [DeviceID] { members.filter { $0.value.isPresent && $0.value.roles.isOwner }.map(\.key) }

    /// Whether somebody who reads a view no more has its key of this generation.
    func someLeft(_ view: SyncView, with generation: UInt32) -> Bool {
        // Mostly that is long ago, and no member has to be looked at.
        newestLeft[view] ?? 0 >= generation && members.values.contains { $0.lastGenerations[view] == generation }
    }

    /// The card of a present device that writes a view.
    package func writer(_ device: DeviceID, of view: SyncView) -> Card? {
        guard let member = member(device), member.roles.views[view] == .writer else { return nil }
        return member.card
    }

    /// Those who have a share of a view's key: its readers and writers, and the recovery keys; of names, all.
    package func readers(of view: SyncView) -> Set<DeviceID> { Set(members.filter { reads($0.value, view) }.keys) }

    package func reads(_ member: Member, _ view: SyncView) -> Bool {
        member.isPresent && (view == namesView || member.isRecovery || member.roles.views[view] != nil)
    }

    /// The card of a device that was present at a number of the log.
    package func member(_ device: DeviceID, at number: UInt64) -> Card? {
        guard let member = members[device],
            LogSpan(from: member.admittedAt, until: member.removedAt).contains(number)
        else { return nil }
        return member.card
    }

    /// Whether a device wrote a view by right when the log was at this number.
    package func mayHaveWritten(_ device: DeviceID, _ view: SyncView, at number: UInt64) -> Bool {
        members[device]?.writing[view]?.contains { $0.contains(number) } ?? false
    }

    /// Whether a device may end a view's history for the removed, now.
    func mayEndHistories(_ device: DeviceID) -> Bool {
        member(device).map { $0.roles.isOwner || $0.isRecovery } ?? false
    }

    /// Whether a device could end a view's history for the removed: an owner does, and a recovery key, without its key.
    package func mayHaveSetBarrier(_ device: DeviceID, at number: UInt64) -> Bool {
        guard let member = members[device] else { return false }
        if member.isRecovery { return self.member(device, at: number) != nil }
        return member.owning.contains { $0.contains(number) }
    }
}
