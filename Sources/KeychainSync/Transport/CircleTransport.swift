// SPDX-License-Identifier: Apache-2.0

package import KeychainRequest

/// The way to the server of a circle: five tables that members read and insert into, and nothing else.
///
/// Nothing that comes back is trusted; whoever asks verifies it.
package protocol CircleTransport: Sendable {
    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply
}

/// What every way to a server keeps to, so that no answer fills the memory and no role can plant what does.
package enum CircleLimit {
    /// Bytes of any body: a record's 1 MiB and what seals it, and twice that for what is signed.
    package static let bodySize = 2 << 20
    /// Bytes of one answer, which ends with the body that passes them; what follows is asked for again, behind it.
    package static let answerSize = 64 << 20
    /// Rows of one answer.
    package static let rows = 10_000
    /// Bytes of one answer with the records of whole heads: what a device opens while the next ones are on their way.
    package static let headsSize = 4 << 20
    /// Messages that are read of a box at once, and their bytes; what is larger than `messageSize` is none.
    package static let mail = 1024
    package static let mailSize = 8 << 20
    package static let messageSize = 1 << 16
}

/// Why a server gave nothing.
package enum CircleServerError: Error, Sendable, Equatable {
    /// What was to be inserted is taken, or another came first: pull, and try again.
    case taken
    /// It cannot be reached, or went away; whether an insertion happened is not known.
    case unreachable(String)
    /// It refuses: who we say we are, what we want, or its proof of who it is.
    case refused(String)
    /// It does not take the role's password.
    case wrongPassword(String)
    /// This machine lacks what it takes to speak to one.
    case unprepared(String)
    /// It answered something else than was asked for.
    case broken(String)
}

/// A chain of signed bodies: a circle's log, or the heads of one of its views.
package enum CircleChain: Hashable, Sendable {
    case log
    case heads(SyncView)
}

package enum CircleRequest: Sendable {
    /// Where each chain ends.
    case newest([CircleChain])
    /// Bodies behind a number, in order; fewer than `limit` when they are large, but never none where there are some.
    case chain(CircleChain, behind: UInt64, limit: Int)
    /// Single bodies: those of them that are there, in order.
    case bodies(CircleChain, [UInt64])
    /// Records by the heads that list them: those of them that are there, each once, in the order in which they were asked for.
    /// When they are large it is a part of them, but never none: whoever asks for the rest until an answer is empty knows which
    /// are missing.
    case records(SyncView, [SyncRecordPlace])
    /// All records that lie under some heads, of the first one those behind a name, in the order of the heads and of their names:
    /// also those that no head lists, for whoever may insert can put some there. Under one head no more are looked at than one can
    /// list. When they are large it is a part of them, which ends with the one that passes `CircleLimit.headsSize`.
    case headRecords(SyncView, [SyncHeadPlace], behind: SyncRecordID?)
    /// The shares that there are for a device, the newest of each role first. A role that plants shares does not push out those of
    /// others.
    case shares(DeviceID)
    /// What some devices last said they had seen: the `limit` newest of each that each role put there, the newest of each role first. What
    /// is larger than `CircleLimit.messageSize` is none, and what is said of other devices is not looked at: so a role that plants any
    /// number pushes out none of the others'.
    case seen(of: [DeviceID], limit: Int)
    /// What lies in a box behind a number, in order; as for chains.
    case mail(MailBox, behind: UInt64, limit: Int)
    /// The newest messages of a box, of each role that wrote there at most so many, in the order in which they came: so nobody
    /// pushes out what others wrote. `CircleLimit.mail` and `mailSize` of them in all, the newest of each role first.
    case newestMail(MailBox, each: Int)
    /// All of it in one transaction, or none.
    case insert(CircleInsertion)
}

extension CircleRequest {
    /// Whether both ask for the records of the same heads: what a round asks for early.
    package func isSameHeads(as other: CircleRequest) -> Bool {
        guard case .headRecords(let view, let heads, let id) = self,
            case .headRecords(let otherView, let otherHeads, let otherID) = other
        else { return false }
        return view == otherView && heads == otherHeads && id == otherID
    }
}

package enum CircleReply: Sendable {
    case newest([ChainEnd])
    case bodies([ChainBody])
    case records([RecordBody])
    case shares([ShareBody])
    case seen([SeenBody])
    case mail([MailBody])
    case done
}

/// The newest body of a chain: its number, and the SHA-256 of it as it lies there; 0 and nothing where there is none.
package struct ChainEnd: Sendable, Equatable {
    package static let none = ChainEnd(number: 0, digest: [])

    package let number: UInt64
    package let digest: [UInt8]

    package init(number: UInt64, digest: [UInt8]) { (self.number, self.digest) = (number, digest) }

    package init(of head: SyncHead) throws(CircleError) {
        (number, digest) = (head.number, try CircleCoding.digest(of: head.body))
    }
}

/// A body of a chain; `who` is the server's word for the role that put it there.
package struct ChainBody: Sendable, Equatable {
    package let number: UInt64
    package let body: [UInt8]
    package let who: String

    package init(number: UInt64, body: [UInt8], who: String = "") {
        (self.number, self.body, self.who) = (number, body, who)
    }
}

/// Where a record lies: under its head's number, that head's chance number, and its own name.
package struct SyncRecordPlace: Hashable, Sendable {
    package let head: UInt64
    package let chance: Int64
    package let id: SyncRecordID

    package init(head: UInt64, chance: Int64, id: SyncRecordID) {
        (self.head, self.chance, self.id) = (head, chance, id)
    }
}

/// Where the records of a head lie.
package struct SyncHeadPlace: Hashable, Sendable {
    package let number: UInt64
    package let chance: Int64

    package init(number: UInt64, chance: Int64) { (self.number, self.chance) = (number, chance) }
}

package struct RecordBody: Sendable, Equatable {
    package let place: SyncRecordPlace
    package let body: [UInt8]

    package init(place: SyncRecordPlace, body: [UInt8]) { (self.place, self.body) = (place, body) }
}

/// Keys of views, sealed to one device, under a random number: nobody can take it beforehand.
package struct ShareBody: Sendable, Equatable {
    package let device: DeviceID
    package let chance: Int64
    package let body: [UInt8]

    package init(device: DeviceID, chance: Int64, body: [UInt8]) {
        (self.device, self.chance, self.body) = (device, chance, body)
    }
}

/// What a device signed of what it has seen, the counter first.
package struct SeenBody: Sendable, Equatable {
    package let device: DeviceID
    package let counter: UInt64
    package let body: [UInt8]

    package init(device: DeviceID, counter: UInt64, body: [UInt8]) {
        (self.device, self.counter, self.body) = (device, counter, body)
    }
}

/// A box of messages, of 16 bytes: those who join, proposals, receipts.
package struct MailBox: Hashable, Sendable {
    package static let size = 16
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == MailBox.size else { return nil }
        self.bytes = bytes
    }
}

package struct MailBody: Sendable, Equatable {
    package let box: MailBox
    package let number: UInt64
    package let body: [UInt8]
    /// The server's word for the role that put it there; empty where nobody asked.
    package let who: String

    package init(box: MailBox, number: UInt64, body: [UInt8], who: String = "") {
        (self.box, self.number, self.body, self.who) = (box, number, body, who)
    }
}

/// What one transaction inserts, in this order.
package struct CircleInsertion: Sendable {
    package var chains: [(chain: CircleChain, body: ChainBody)] = []
    package var records: [(view: SyncView, record: RecordBody)] = []
    package var shares: [ShareBody] = []
    package var seen: [SeenBody] = []
    package var mail: [MailBody] = []

    package init() {}
}
