// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
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
        case .lastOwner: "an owner has to be left; make another machine an owner first"
        case .noInvite: "the token was used, or was never made for this circle"
        case .expired: "the token has expired"
        case .wrongProof: "a proof does not hold"
        case .wrongGeneration: "another machine made new keys at the same moment; try again"
        case .outOfRange: "that value is not possible"
        }
    }

    package static func sentence(_ error: CircleServerError) -> String {
        switch error {
        case .taken: "another machine wrote at the same moment; try again"
        case .unreachable(let text): "the server cannot be reached: \(text)"
        case .refused(let text): "the server refused: \(text)"
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

    package static func sentence(_ alarm: Alarm) -> String {
        switch alarm {
        case .wentBack(_, let mine, let newest):
            "the server is older than this machine: it has \(newest) where \(mine) was."
        case .replaced(_, let number): "at \(number) the server has something else than it had."
        case .forked(_, let number, _): "the circle has two histories from \(number) on."
        case .withheld(_, let number, let device, let time):
            "the server withholds something: \(Hexadecimal.digits(of: device.bytes)) had seen \(number) on \(day(time))."
        case .missingHead(_, let number): "the server lacks \(number), and has what came later."
        case .wrongRoot(_, let number, _): "what the server has is not what \(number) says that there is."
        case .missingRecord(_, let head): "a record of \(head) is missing on the server."
        case .wrongRecord(_, let head): "a record of \(head) was changed on the server."
        case .damagedHere: "what this keychain noted of the circle was changed."
        case .unwelcomed:
            "the server does not show what the member that admitted this machine left for it, so nothing is read."
        case .cloned: "another machine works with the keys of this one."
        case .manyDeletions(_, _, let deletions, let count):
            "\(deletions) of \(count) items would be deleted here, as other machines say."
        }
    }

    /// Why a round did not run through; nil where it did.
    package static func failure(_ end: RoundReport.End) -> String? {
        switch end {
        case .complete: nil
        case .notInCircle: "this keychain is in no circle"
        case .busy: "others were faster again and again; try again"
        case .server(let error): sentence(error)
        case .keychain(_, let text): text
        case .removed: "this machine was removed from the circle; `llavero circle leave` ends its part, its items stay"
        case .laterVersion:
            "a later version of Llavero wrote something that this one does not know; install it here, too"
        case .moved: "the circle has moved to another server"
        case .impossible(let reason): sentence(reason)
        }
    }

    private static func sentence(_ reason: RoundReport.Impossible) -> String {
        switch reason {
        case .locked: "the keychain is locked; unlock it, and try again"
        case .anotherKnowsMore(let device):
            "\(Hexadecimal.digits(of: device.bytes)) has seen more than this machine; run it there"
        case .notAnAncestor:
            "what the server has is nothing that this machine remembers; `llavero circle follow` takes it"
        case .notRemembered:
            "the server lost entries of the log that this machine never read, for it was away then; run it on another member"
        case .noHistory(let number):
            "what the server has is no whole history: entry \(number) follows nothing; an owner decides with `llavero circle follow --pass-over \(number)` that it counts for nobody"
        case .notMember:
            "in the server's history this machine is no member; `llavero circle leave` ends its part here, and it can join anew"
        case .doneAlready: "that is so already"
        case .noRight: sentence(LogRefusal.noRight)
        case .refused(let refusal): sentence(refusal)
        case .tooFewSignatures: "more owners have to sign this than one, as the circle has decided"
        case .alarmed: "an alarm has to be dealt with first; `llavero circle status` shows it"
        }
    }

    package static func day(_ time: Int64) -> String {
        UTCTime(secondsSince1970: time.addingReportingOverflow(978_307_200).partialValue).text
    }
}
