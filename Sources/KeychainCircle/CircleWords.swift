// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainRequest
package import KeychainSync
internal import KeychainSystem

/// What is said to people about circles.
package enum CircleWords {
    package static func sentence(_ error: CircleError) -> String {
        switch error {
        case .malformed:
            "something of the circle cannot be read; the server, or a member, wrote what is no message of Llavero's"
        case .locked: "the keychain is locked"
        case .missingKey: "a key of the circle is not on this machine yet; a member has to be online to send it"
        case .crypto(.authenticationFailed): "something of the circle was changed on the way: its seal does not hold"
        case .crypto(let error): "the cryptography failed: \(error)"
        case .refused(let refusal): sentence(refusal)
        case .device(let text): text
        }
    }

    package static func sentence(_ refusal: LogRefusal) -> String {
        switch refusal {
        case .noRight:
            "this machine may not do that; an owner of the circle may, and where a quorum is set several have to sign"
        case .alreadyFounded: "the circle is founded already"
        case .wasRemoved: "that machine was removed; to come back, it leaves the circle and joins with new keys"
        case .alreadyMember: "that machine is a member already"
        case .unknownDevice: "there is no such member"
        case .unknownView: "there is no such view"
        case .existingView: "there is such a view already"
        case .lastOwner:
            "fewer owners would be left than have to sign; make another machine an owner first, or lower `llavero circle quorum`"
        case .noInvite: "the token was used, or was never made for this circle"
        case .expired: "the token has expired"
        case .wrongProof: "a proof does not hold"
        case .wrongGeneration: "another machine made new keys at the same moment; try again"
        case .outOfRange: "that value is not possible"
        }
    }

    /// What a machine is told that has not been given every key it has a right to.
    package static let lackOfKeys =
        "a key of the circle is not here yet, and what is sealed with it waits: another member gives it within six hours, by its `llavero sync` or daemon"

    /// For a machine of a circle; one that founds or joins it is asked again when that is run again.
    private static let wayToPassword =
        "Of a machine that is in the circle `llavero circle server ADDRESS` asks for the right one; `circle create` and `join` ask when they are run again"

    package static func sentence(_ error: CircleServerError) -> String {
        switch error {
        case .taken: "another machine wrote at the same moment; try again"
        case .unreachable(let text): "the server cannot be reached: \(text)"
        case .refused(let text): "the server refused: \(text)"
        case .wrongPassword(let text): "the server refused: \(ended(text)) \(wayToPassword)"
        case .unprepared(let text): "this machine cannot speak to a circle's server yet: \(text)"
        case .broken(let text): "the server answered something that was not asked for: \(text)"
        }
    }

    package static func sentence(_ error: JoiningError) -> String {
        switch error {
        case .malformed: "the code has an error in it; copy it again"
        case .foreign: "the message belongs to another circle, or to another attempt"
        case .wrongProof: "a message was not signed by whom it names: somebody may be in between, so nothing was done"
        case .alreadyOpen: "another machine is joining at this moment; wait for it"
        case .notOpen: "there is no attempt that this belongs to; begin again"
        case .refused: "the codes do not belong together; nothing was done"
        case .circle(let error): sentence(error)
        }
    }

    /// What an alarm says, with what people call the views and the members where that is known.
    package static func sentence(
        _ alarm: Alarm, _ chain: (CircleChain) -> String = CircleWords.chain,
        _ device: (DeviceID) -> String = { Hexadecimal.digits(of: $0.bytes) },
        when: (Int64) -> String = CircleWords.day
    ) -> String {
        let place = alarm.chain.map { " (\(chain($0)))" } ?? ""
        switch alarm {
        case .wentBack(_, let mine, let newest):
            // Who may read no row there sees an empty table.
            let rights =
                newest == 0
                ? " Or this machine's role has lost its rights there, as by a restore: what `llavero circle sql --member ROLE` prints gives them."
                : ""
            return "the server is older than this machine: it has \(newest) where \(mine) was\(place).\(rights)"
        case .replaced(_, let number): return "at \(number) the server has something else than it had\(place)."
        case .forked(_, let number, let author):
            let whose = author.map { ", as \(device($0)) signed it" } ?? ""
            return "the circle has two histories from \(number) on\(whose)\(place)."
        case .withheld(_, let number, let seer, let time):
            return "the server withholds something: \(device(seer)) had seen \(number) on \(when(time))\(place)."
        case .missingHead(_, let number): return "the server lacks \(number), and has what came later\(place)."
        case .wrongRoot(_, let number, let author):
            return "what the server has is not what \(number), by \(device(author)), says that there is\(place)."
        case .missingRecord(_, let head): return "a record of \(head) is missing on the server\(place)."
        case .wrongRecord(_, let head): return "a record of \(head) was changed on the server\(place)."
        case .damagedHere: return "what this keychain noted of the circle was changed\(place)."
        case .unwelcomed(let sponsor):
            return
                "the server does not show what \(device(sponsor)), which admitted this machine, left for it, so nothing is read."
        case .cloned: return "another machine works with the keys of this one."
        case .manyDeletions(_, _, let deletions, let count):
            return "\(deletions) of \(count) items would be deleted here, as other machines say\(place)."
        }
    }

    /// What is said where one is removed that has seen more of the log than the server shows, or says so.
    package static func overruled(_ device: String) -> String {
        "\(device) says that there is more of the log than the server shows; it is removed without that, and if what it says is true, this makes two histories: whoever has seen the other one says so in an alarm, and follows this one by `llavero circle follow`"
    }

    /// Why a machine that asked to join waits in vain where the log has an alarm, and how it goes on; nil where it is no such alarm.
    package static func joining(over alarm: Alarm) -> String? {
        guard alarm.chain == .log else { return nil }
        let anew = "`llavero circle leave` ends this machine's part, and it may join anew"
        switch alarm {
        case .wentBack:
            return "so nobody can admit this machine here: the server does not have what it was told; \(anew)"
        case .withheld:
            return
                "so nobody admits this machine until the server shows it, or an owner has removed who says so; then `llavero sync` goes on. \(anew)"
        default:
            return
                "so nobody admits this machine until an owner has decided which history counts; then `llavero sync` goes on. \(anew)"
        }
    }

    package static func chain(_ chain: CircleChain) -> String {
        switch chain {
        case .log: "the log of members"
        case .heads(let view): "the view \(Hexadecimal.digits(of: view.bytes))"
        }
    }

    /// What is said of a view whose policy nobody can read.
    package static func unreadablePolicy(of view: String) -> String {
        "nobody can read which items the view \(view) takes, so no items of the circle go or come; an owner sets it anew with `llavero circle view \(view)`"
    }

    /// What is said of records that members wrote and nobody can read; nil where there are none.
    package static func unreadable(_ found: RoundReport.UnreadableRecords) -> String? {
        guard !found.isEmpty else { return nil }
        let count = "\(found.records.count)\(found.areMore ? " or more" : "")"
        return
            "\(count == "1" ? "a record" : "\(count) records") of the circle cannot be read, or would put items into another view than the writer's; nothing here was changed by \(count == "1" ? "it" : "them"), and `llavero circle log` says who is in the circle"
    }

    /// How long ago a time was, such as "3 days ago".
    package static func age(_ time: Int64, _ now: Double) -> String {
        let seconds = max(0, Int64(now).clampedDifference(from: max(0, time)))
        for (unit, name) in [(86400, "day"), (3600, "hour"), (60, "minute")] as [(Int64, String)] where seconds >= unit
        {
            return "\(seconds / unit) \(name)\(seconds / unit == 1 ? "" : "s") ago"
        }
        return "just now"
    }

    /// With a full stop at its end, where something is said behind it.
    package static func ended(_ text: String) -> String { text.hasSuffix(".") ? text : "\(text)." }

    /// Why a round did not run through; nil where it did.
    package static func failure(_ end: RoundReport.End) -> String? {
        switch end {
        case .complete: nil
        case .notInCircle: "this keychain is in no circle"
        case .busy: "others were faster again and again; try again"
        case .server(let error): sentence(error)
        case .keychain(_, let text): text
        case .removed: "this machine was removed from the circle; `llavero circle leave` ends its part, its items stay"
        case .laterVersion(let number):
            "a later version of Llavero wrote entry \(number) of the log, which this one does not know; install it here, too. If no owner has it, an owner decides with `llavero circle follow --pass-over \(number)` that the entry counts for nobody"
        case .moved: "the circle has moved to another server"
        case .impossible(let reason): sentence(reason)
        }
    }

    private static func sentence(_ reason: RoundReport.Impossible) -> String {
        switch reason {
        case .locked: "the keychain is locked; unlock it, and try again"
        case .unreadablePolicy(let view): unreadablePolicy(of: Hexadecimal.digits(of: view.bytes))
        case .anotherKnowsMore(let device):
            "\(Hexadecimal.digits(of: device.bytes)) has seen more than this machine; run it there"
        case .notAnAncestor:
            "what the server has is nothing that this machine remembers; `llavero circle follow` takes it"
        case .notRemembered:
            "the server lost entries of the log that this machine never read, for it was away or no member then; run it on another member. Where none is left, `llavero circle leave` here keeps the items, and `llavero circle create` makes a new circle of them"
        case .recordsUnknown(let count):
            "the server lost \(count == 1 ? "a record" : "\(count) records") that this machine cannot put back, for it could not read what it has of \(count == 1 ? "it" : "them"); the rest is there again. Run it on another machine, and `llavero check` here; where no machine can, `llavero circle heal --without-unreadable` gives \(count == 1 ? "it" : "them") up"
        case .noHistory(let number):
            "what the server has is no whole history: entry \(number) follows nothing; an owner decides with `llavero circle follow --pass-over \(number)` that it counts for nobody"
        case .notMember:
            "in the server's history this machine is no member; `llavero circle leave` ends its part here, and it can join anew"
        case .doneAlready: "that is so already"
        case .noRight: sentence(LogRefusal.noRight)
        case .refused(let refusal): sentence(refusal)
        case .tooFewSignatures: "more owners have to sign this than one, as the circle has decided"
        case .lacksKeys:
            "it has enough signatures, and this machine lacks keys that come with it; the machine that proposed it writes it when it synchronizes next"
        case .noProposal:
            "there is no such proposal any more; something else was done first, so it has to be proposed anew"
        case .alarmed: "an alarm has to be dealt with first; `llavero circle status` shows it"
        }
    }

    /// Who is admitted without a person.
    package static func machine(in action: LogAction) -> String {
        if case .admit(_, .allowed) = action {
            "a machine whose TPM is allowed"
        } else {
            "a machine that holds a token"
        }
    }

    package static func day(_ time: Int64) -> String {
        UTCTime(secondsSince1970: time.addingReportingOverflow(978_307_200).partialValue).text
    }
}
