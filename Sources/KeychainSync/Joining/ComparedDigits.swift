// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto

// Joining by comparing digits.
//
//     device                                                  member
//       | -- offer: SHA-256 of (card, its random bytes) ------> |
//       | <- answer: tip, heads, its card and random bytes ---- |
//       | -- reveal: card, random bytes ----------------------> |
//       both show eight digits of the SHA-256 of all three; both persons say that they are the same
//
// A server between them plays the other side to each. To the member it has to name a card and random bytes before it sees the
// member's; from the device it learns random bytes when its own answer stands. So it can choose nothing that would make the
// digits equal, and has one guess in a hundred million each time that people compare.

/// The device that wants to join.
package struct ComparedApplicant<Device: CircleDevice>: Sendable {
    private enum State {
        case offered
        case compared(Joined)
        case ended
    }

    private let circle: CircleID
    private let device: Device
    private let chance: [UInt8]
    private var state = State.offered
    /// The first message.
    package let offer: [UInt8]

    package init(to circle: CircleID, _ device: Device, randomness: (Int) -> [UInt8]) throws(JoiningError) {
        (self.circle, self.device) = (circle, device)
        chance = randomness(JoiningMail.chanceSize)
        let commitment = try ComparedMessages.commitment(device.card, chance)
        offer = try JoiningError.of { () throws(CircleError) in
            try CircleCoding.encode(
                .array([.string(ComparedMessages.offerTitle), .data(circle.bytes), .data(commitment)]))
        }
    }

    /// What to reveal, and the digits to compare; the second answer to one offer is refused.
    package mutating func take(answer bytes: [UInt8]) throws(JoiningError) -> (reveal: [UInt8], digits: String) {
        guard case .offered = state else { throw .notOpen }
        let answer = try ComparedAnswer(bytes)
        guard answer.circle == circle, try answer.offer == JoiningMail.digest(of: offer) else { throw .foreign }
        state = .ended
        let reveal = try JoiningMail.signed(
            ComparedMessages.revealTitle,
            [.data(circle.bytes), .data(try JoiningMail.digest(of: answer.content)), .data(chance)], by: device)
        let digits = try ComparedMessages.digits(offer, answer.content, reveal.content)
        state = .compared(
            Joined(circle: circle, tip: answer.tip, heads: answer.heads, member: answer.card))
        return (try JoiningError.of { () throws(CircleError) in try reveal.encoded() }, digits)
    }

    /// A person says whether the digits are the same; the attempt is over.
    package mutating func confirm(_ areSame: Bool) throws(JoiningError) -> Joined {
        guard case .compared(let joined) = state else { throw .notOpen }
        state = .ended
        guard areSame else { throw .refused }
        return joined
    }
}

/// The member that admits it; one is kept for the whole circle, so that one attempt is open at a time.
package struct ComparedSponsor: Sendable {
    private enum State {
        case idle
        case answered(offer: [UInt8], commitment: [UInt8], answer: [UInt8], circle: CircleID)
        case compared(Card)
    }

    private var state = State.idle

    package init() {}

    package var isOpen: Bool { if case .idle = state { false } else { true } }

    /// The answer to an offer, which opens an attempt.
    package mutating func take(
        offer bytes: [UInt8], log: CircleLog, heads: [ViewTip], by device: some CircleDevice,
        randomness: (Int) -> [UInt8]
    ) throws(JoiningError) -> [UInt8] {
        guard case .idle = state else { throw .alreadyOpen }
        let (circle, commitment) = try JoiningError.of { () throws(CircleError) in
            var parts = try CircleParts(decoding: bytes, title: ComparedMessages.offerTitle)
            let read = (try parts.circle(), try parts.hash())
            try parts.end()
            return read
        }
        guard circle == log.circle else { throw .foreign }
        let digest = try JoiningMail.digest(of: bytes)
        let (tip, listed) = try JoiningError.of { () throws(CircleError) in
            (try log.tip.coded(), try JoiningMail.coded(heads))
        }
        let answer = try JoiningMail.signed(
            ComparedMessages.answerTitle,
            [.data(circle.bytes), .data(digest), tip, listed, .data(randomness(JoiningMail.chanceSize))],
            by: device)
        state = .answered(offer: bytes, commitment: commitment, answer: answer.content, circle: circle)
        return try JoiningError.of { () throws(CircleError) in try answer.encoded() }
    }

    /// The digits to compare.
    ///
    /// What is not the reveal of the open attempt changes nothing: anyone may write into the box.
    package mutating func take(reveal bytes: [UInt8]) throws(JoiningError) -> String {
        guard case .answered(let offer, let commitment, let answer, let circle) = state else { throw .notOpen }
        var (signed, card, parts) = try JoiningMail.read(ComparedMessages.revealTitle, bytes)
        let (named, answered, chance) = try JoiningError.of { () throws(CircleError) in
            let read = (try parts.circle(), try parts.hash(), try parts.data(exactly: JoiningMail.chanceSize))
            try parts.end()
            return read
        }
        guard named == circle, try answered == JoiningMail.digest(of: answer) else { throw .foreign }
        guard try ComparedMessages.commitment(card, chance) == commitment else { throw .wrongProof }
        state = .compared(card)
        return try ComparedMessages.digits(offer, answer, signed.content)
    }

    /// A person says whether the digits are the same, and the attempt is over: whom to admit.
    package mutating func confirm(_ areSame: Bool) throws(JoiningError) -> Card {
        guard case .compared(let card) = state else { throw .notOpen }
        state = .idle
        guard areSame else { throw .refused }
        return card
    }

    /// Ends what is open: the device went away.
    package mutating func abandon() { state = .idle }
}

/// A member's answer.
private struct ComparedAnswer {
    let content: [UInt8]
    let card: Card
    let circle: CircleID
    let offer: [UInt8]
    let tip: LogPlace
    let heads: [ViewTip]

    init(_ bytes: [UInt8]) throws(JoiningError) {
        let (signed, card, read) = try JoiningMail.read(ComparedMessages.answerTitle, bytes)
        (content, self.card) = (signed.content, card)
        (circle, offer, tip, heads) = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let answer = (
                try parts.circle(), try parts.hash(), try LogPlace(parts.parts()), try JoiningMail.heads(&parts)
            )
            _ = try parts.data(exactly: JoiningMail.chanceSize)
            try parts.end()
            return answer
        }
        guard tip != .none else { throw .malformed }
    }
}

private enum ComparedMessages {
    static let offerTitle = "llavero joining offer"
    static let answerTitle = "llavero joining answer"
    static let revealTitle = "llavero joining reveal"

    static func commitment(_ card: Card, _ chance: [UInt8]) throws(JoiningError) -> [UInt8] {
        try JoiningError.of { () throws(CircleError) in
            try CircleCoding.digest(
                of: CircleCoding.encode(
                    .array([.string("llavero joining commitment"), .data(try card.encoded()), .data(chance)])))
        }
    }

    /// Eight decimal digits of the SHA-256 of all that was said, four and four.
    static func digits(_ offer: [UInt8], _ answer: [UInt8], _ reveal: [UInt8]) throws(JoiningError) -> String {
        let digest = try JoiningError.of { () throws(CircleError) in
            try CircleCoding.digest(
                of: CircleCoding.encode(
                    .array([.string("llavero joining digits"), .data(offer), .data(answer), .data(reveal)])))
        }
        // 64 bits: one number of 10^8 is no likelier than another by more than 10^-11.
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000_000
        let digits = String(number)
        let text = String(repeating: "0", count: 8 - digits.utf8.count) + digits
        return "\(text.prefix(4)) \(text.suffix(4))"
    }
}
