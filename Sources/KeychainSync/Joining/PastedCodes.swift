// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

// Joining over a way that a person trusts, such as ssh: a code to the member, a code back, nothing to compare.
//
//     device                                                   member
//       | -- request: card, signed --------------- (mail) ----> |
//       | ================== code of the request (pasted) ====> |  admits that card
//       | <- answer: request, tip, heads, its card - (mail) --- |
//       | <================= code of the answer (pasted) ====== |
//
// One code would not do: it tells the circle its device, and the device not its circle.

/// The device that wants to join.
package struct PastedApplicant: Sendable {
    private let circle: CircleID
    private let digest: [UInt8]
    /// What goes into the box.
    package let request: [UInt8]
    /// What a person takes to the member.
    package let code: JoinCode

    package init(to circle: CircleID, _ device: some CircleDevice) throws(JoiningError) {
        self.circle = circle
        let signed = try JoiningMail.signed(PastedMessages.requestTitle, [.data(circle.bytes)], by: device)
        digest = try JoiningMail.digest(of: signed.content)
        code = JoinCode(.request, of: digest)
        request = try JoiningError.of { () throws(CircleError) in try signed.encoded() }
    }

    /// What the device knows when a body in the box is the answer that the code says; `refused` of any other.
    package func take(answer bytes: [UInt8], code: JoinCode) throws(JoiningError) -> Joined {
        let (signed, card, read) = try JoiningMail.read(PastedMessages.answerTitle, bytes)
        guard try code == JoinCode(.answer, of: JoiningMail.digest(of: signed.content)) else { throw .refused }
        let (named, answered, tip, heads) = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let answer = (
                try parts.circle(), try parts.hash(), try LogPlace(parts.parts()), try JoiningMail.heads(&parts)
            )
            try parts.end()
            return answer
        }
        guard named == circle, answered == digest, tip != .none else { throw .foreign }
        return Joined(circle: circle, tip: tip, heads: heads, member: card)
    }
}

/// What a member was asked over such a way.
package struct PastedRequest: Sendable {
    /// Whom to admit.
    package let card: Card
    private let circle: CircleID
    private let digest: [UInt8]

    /// The request that a code says; `refused` of any other body in the box.
    package init(_ bytes: [UInt8], code: JoinCode, to circle: CircleID) throws(JoiningError) {
        let (signed, card, read) = try JoiningMail.read(PastedMessages.requestTitle, bytes)
        digest = try JoiningMail.digest(of: signed.content)
        guard code == JoinCode(.request, of: digest) else { throw .refused }
        let named = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let circle = try parts.circle()
            try parts.end()
            return circle
        }
        guard named == circle else { throw .foreign }
        (self.card, self.circle) = (card, circle)
    }

    /// The answer, when the log has the device's admission, and the code to take back.
    package func answer(
        _ log: CircleLog, heads: [ViewTip], by device: some CircleDevice
    ) throws(JoiningError) -> (body: [UInt8], code: JoinCode) {
        let (tip, listed, id) = try JoiningError.of { () throws(CircleError) in
            (try log.tip.coded(), try JoiningMail.coded(heads), try card.id())
        }
        guard log.circle == circle, log.membership.member(id) != nil else { throw .notOpen }
        let signed = try JoiningMail.signed(
            PastedMessages.answerTitle, [.data(circle.bytes), .data(digest), tip, listed], by: device)
        let body = try JoiningError.of { () throws(CircleError) in try signed.encoded() }
        return (body, JoinCode(.answer, of: try JoiningMail.digest(of: signed.content)))
    }
}

private enum PastedMessages {
    static let requestTitle = "llavero joining request"
    static let answerTitle = "llavero joining response"
}
