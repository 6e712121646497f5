// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// What a round did, and what it found.
package struct RoundReport: Sendable, Equatable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        /// It ran through; alarms may have kept it from parts.
        case complete
        /// The keychain is in no circle.
        case notInCircle
        /// Too many other devices came first, or another process of this device did; the next round goes on.
        case busy
        /// The keychain did not do as asked.
        case keychain(KeychainError.Reason, String)
        /// The server did not do as asked.
        case server(CircleServerError)
        /// The circle removed this device: its keys to the circle are of no more use, and what
        /// it should destroy.
        case removed(Erasure?)
        /// A later version wrote this entry of the log: this program cannot follow.
        case laterVersion(UInt64)
        /// The circle lives elsewhere now; only members can read where.
        case moved(sealedAddress: [UInt8])
        /// What was asked for cannot be done.
        case impossible(Impossible)
    }

    /// Why a repair or a change of the circle was not begun.
    package enum Impossible: Sendable, Equatable {
        /// A class of keys is locked that it takes.
        case locked
        /// Nobody can read the policy of this view, so nobody knows which items are its.
        case unreadablePolicy(SyncView)
        /// Another device has seen more, and should do it: `circle heal` there.
        case anotherKnowsMore(DeviceID)
        /// The server's newest is nothing that this device remembers, so nothing can be put behind it: `circle follow`.
        case notAnAncestor(CircleChain)
        /// The server lost entries of the log that this device never read, for it took a snapshot of them.
        case notRemembered
        /// The server lost records that this device cannot read either, or never took: how many.
        case recordsUnknown(Int)
        /// What the server has is no whole history of a circle either: this number follows nothing.
        case noHistory(UInt64)
        /// In the server's history this device is no member.
        case notMember
        /// The log says so already.
        case doneAlready
        /// This device may not.
        case noRight
        /// The log refuses it; another device did it first, perhaps.
        case refused(LogRefusal)
        /// More owners have to sign it: the report's proposal is what they sign.
        case tooFewSignatures
        /// Enough owners signed, and this device lacks keys that come with it: another one that signed has to write it.
        case lacksKeys
        /// What was to be signed is no proposal any more: its number was taken, or it never was one.
        case noProposal
        /// An alarm stands in the way.
        case alarmed
    }

    package var end = End.complete
    package var received = Counts()
    /// Records that went out, voids among them.
    package var sent = 0
    package var voided = 0
    /// What the server had lost and has again, by `heal`.
    package var putBack = PutBack()
    /// Records that wait for a class of keys, or for a generation.
    package var waiting = 0
    /// Those among them of views with a generation that this device was not given yet, while nothing is locked.
    package var waitingForKeys = 0
    /// Items that changed and did not go: their view is not this device's to write, its key is not there, or an
    /// earlier record of theirs waits.
    package var keptBack = 0
    /// Whether some changed items are locked now.
    package var someAreLocked = false
    package var newHeads = 0
    package var newEntries = 0
    /// What lies in chains and is none of the circle's.
    package var junk = JunkRows()
    /// Records that members wrote and nobody can read, or that are not theirs to write.
    package var unreadable = UnreadableRecords()
    /// The views whose policy in the log nobody can read: until an owner sets another one nothing is sent, and nothing is opened.
    package var unreadablePolicies: [SyncView] = []
    package var alarms: [Alarm] = []
    /// What was asked for of a device that left: the items whose secrets it could read.
    package var toRotate: [ToRotate] = []
    /// Devices that were to be removed and said that there is more of the log than the server shows.
    package var overruled: Set<DeviceID> = []
    /// Words that were removed together with the owner who had made them a member.
    package var endedWords: [DeviceID] = []
    /// How many shares of keys were posted that members lacked.
    package var sharesHealed = 0
    /// What taking the server's log would cost, where that was asked for.
    package var otherLog: OtherLog?
    /// What more owners have to sign, with the signatures that it has.
    package var proposal: [UInt8]?
    /// Devices whose heads are dated later than this device's clock says it is, and by how many seconds.
    package var clocksAhead: [DeviceID: Int64] = [:]
    /// Whether this device's state was older than what it had said before: its folder was put back.
    package var wasPutBack = false
    /// The next round should come after so many seconds.
    package var next: Int?

    package init() {}

    package struct Counts: Sendable, Equatable {
        package var added = 0
        package var changed = 0
        package var removed = 0
        package var same = 0
        package var kept = 0
        package var noted = 0
        package var refused = 0

        mutating func count(_ outcome: SyncOutcome) {
            switch outcome {
            case .added: added += 1
            case .changed: changed += 1
            case .removed: removed += 1
            case .same: same += 1
            case .kept: kept += 1
            case .noted, .locked: noted += 1
            case .refused: refused += 1
            }
        }
    }

    package struct PutBack: Sendable, Equatable {
        /// Numbers of the log; where junk had been, junk.
        package var entries = 0
        /// Those that were lost, and those that lost records came back under.
        package var heads = 0
        package var records = 0
        /// Those among the records that say nothing, for this device could not read what was lost.
        package var blanks = 0

        package init() {}
    }

    /// A number of a chain's that was used for nothing; `who` is the server's word for the role that used it.
    package struct Junk: Sendable, Equatable {
        package let chain: CircleChain
        package let number: UInt64
        package let who: String
    }

    /// All of these, and the first few of them: whoever may insert can put any number there.
    package struct JunkRows: Sendable, Equatable {
        package private(set) var count = 0
        package private(set) var first: [Junk] = []

        package var isEmpty: Bool { count == 0 }

        mutating func append(_ junk: Junk) {
            count += 1
            if first.count < JunkRows.most { first.append(junk) }
        }

        private static let most = 64
    }

    /// An item whose secret is to be changed; its attributes say which it is.
    package struct ToRotate: Sendable, Equatable {
        package let view: SyncView
        package let attributes: AttributeList
    }

    /// Each once, as far as they are kept: a member can write any number of them.
    package struct UnreadableRecords: Sendable, Equatable {
        package private(set) var records: Set<Unreadable> = []
        /// Whether there were more than are kept.
        package private(set) var areMore = false

        package var isEmpty: Bool { records.isEmpty }

        mutating func insert(_ record: Unreadable) {
            if records.count < UnreadableRecords.most || records.contains(record) {
                records.insert(record)
            } else {
                areMore = true
            }
        }

        private static let most = 1000
    }

    package struct Unreadable: Sendable, Hashable {
        package let view: SyncView
        package let id: SyncRecordID
        package let head: UInt64
    }
}

/// Something that an honest server and honest members never show.
///
/// What this device has stays, and is read; nothing of
/// the alarm's chain is taken or sent until the alarm has its answer.
package enum Alarm: Sendable, Hashable {
    /// The server's newest is older than what this device has.
    case wentBack(CircleChain, mine: UInt64, newest: UInt64)
    /// At a number that this device knows stands something else.
    case replaced(CircleChain, UInt64)
    /// A member signed what does not follow what this device has: there are two histories.
    case forked(CircleChain, UInt64, author: DeviceID?)
    /// A device has said that it saw a higher number than the server shows; `at` is its time.
    case withheld(CircleChain, UInt64, seenBy: DeviceID, at: Int64)
    /// A head is not there, and one behind it is.
    case missingHead(SyncView, UInt64)
    /// The records that the heads list are not those that the newest head's author had.
    case wrongRoot(SyncView, UInt64, author: DeviceID)
    /// A record that a head lists is not there, or is another one.
    case missingRecord(SyncView, head: UInt64)
    case wrongRecord(SyncView, head: UInt64)
    /// The leaves in this keychain's file are not those that its sealed state speaks of.
    case damagedHere(SyncView)
    /// The member that admitted this device by a token or its TPM left word of the newest heads, and the server does not show it.
    case unwelcomed(DeviceID)
    /// Two machines run with this device's keys.
    case cloned(otherPlace: [UInt8])
    /// What came would delete so many of so many items.
    case manyDeletions(SyncView, head: UInt64, deletions: Int, of: Int)

    /// What a person can do about it.
    package var remedy: String {
        switch self {
        case .wentBack:
            "If the database was put back or lost, run `llavero circle heal` on the device that changed something last."
                + " If nobody knows why it is older, somebody may be hiding changes: ask who runs the server."
        case .replaced, .forked:
            "Two histories of this circle exist: the server was put back while devices went on, or somebody shows them"
                + " different things. Run `llavero circle heal` on the device that is right, or `llavero circle follow`"
                + " here to take the server's history and merge this device's items into it."
        case .withheld:
            "The server hides something, or is behind: ask who runs it, or wait if it is being repaired."
        case .missingRecord, .wrongRecord:
            "Something in the database was changed or is gone. Run `llavero circle heal` on a device that has no alarm;"
                + " where none has that record any more, `llavero circle heal --without-unreadable` here gives it up, and"
                + " takes the rest. If the head's author is at fault, remove that device."
        case .missingHead, .wrongRoot:
            "Something in the database was changed or is gone. Run `llavero circle heal` on a device that has no alarm;"
                + " if the head's author is at fault, remove that device."
        case .damagedHere:
            "This keychain's file was changed by other hands. Run `llavero circle follow` to read the circle anew."
        case .unwelcomed:
            "The server hides it, or hides how new the items are: ask who runs the server, or join anew by pasted codes."
        case .cloned:
            "This keychain's folder runs on two machines. Stop one of them, remove this device from the circle, and let"
                + " it join anew."
        case .manyDeletions:
            "Run `llavero sync --allow-deletions` if they were meant; a snapshot is made first."
        }
    }

    /// The chain that waits for its answer; nil where all do.
    package var chain: CircleChain? {
        switch self {
        case .wentBack(let chain, _, _), .replaced(let chain, _), .forked(let chain, _, _),
            .withheld(let chain, _, _, _):
            chain
        case .missingHead(let view, _), .wrongRoot(let view, _, _), .missingRecord(let view, _),
            .wrongRecord(let view, _), .damagedHere(let view),
            .manyDeletions(let view, _, _, _):
            .heads(view)
        case .cloned, .unwelcomed: nil
        }
    }

    var isOfOlderServer: Bool { if case .wentBack = self { true } else { false } }

    var isOfMoreSeen: Bool { if case .withheld = self { true } else { false } }

    func isOfManyDeletions(in view: SyncView) -> Bool {
        if case .manyDeletions(view, _, _, _) = self { true } else { false }
    }
}
