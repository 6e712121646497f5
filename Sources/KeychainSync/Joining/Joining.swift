// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainRequest

/// What a device knows of its circle when it has joined: what the server shows has to contain all of it.
package struct Joined: Sendable, Equatable {
    package let circle: CircleID
    package let tip: LogPlace
    package let heads: [ViewTip]
    /// The card of the member who told it; nil when nobody did, but a token.
    package let member: Card?

    init(circle: CircleID, tip: LogPlace, heads: [ViewTip], member: Card?) {
        (self.circle, self.tip, self.heads, self.member) = (circle, tip, heads, member)
    }

    /// What who set a machine up told it.
    package init(circle: CircleID, tip: LogPlace) { self.init(circle: circle, tip: tip, heads: [], member: nil) }

    /// A log that becomes this circle's when the entry has been met.
    package var log: CircleLog { CircleLog(circle: circle, expecting: tip) }
}

/// The newest head of a view, by its number and hash.
package struct ViewTip: Sendable, Equatable {
    package let view: SyncView
    package let place: LogPlace

    package init(view: SyncView, place: LogPlace) { (self.view, self.place) = (view, place) }
}

/// Why an attempt to join ended, or does not begin.
package enum JoiningError: Error, Sendable, Equatable {
    /// Bytes that are no message of this kind.
    case malformed
    /// A message of another circle, of another attempt, or to another device.
    case foreign
    /// It is not signed by whom it names, or not what was promised before.
    case wrongProof
    /// Another attempt is open: one guess at a time.
    case alreadyOpen
    /// Out of turn.
    case notOpen
    /// The person said no, or the code that was pasted is another.
    case refused
    case circle(CircleError)

    static func of<Result: ~Copyable>(_ body: () throws(CircleError) -> Result) throws(JoiningError) -> Result {
        do throws(CircleError) { return try body() } catch {
            throw error == .malformed ? .malformed : .circle(error)
        }
    }
}

/// The messages of joining: all lie in one box, and each says by its title what it is.
package enum JoiningMail {
    package static func box(of circle: CircleID) throws(CircleError) -> MailBox {
        try CircleLog.box("llavero joining", of: circle)
    }

    /// The SHA-256 of a message by which another one answers it: of what is signed, where it is signed.
    static func digest(of content: [UInt8]) throws(JoiningError) -> [UInt8] {
        try JoiningError.of { () throws(CircleError) in try CircleCoding.digest(of: content) }
    }

    /// A message whose sender signs that it has the card which is in it.
    static func signed(
        _ title: String, _ parts: [PropertyList], by device: some CircleDevice
    ) throws(JoiningError) -> SignedBody {
        try JoiningError.of { () throws(CircleError) in
            try SignedBody(
                CircleCoding.encode(.array([.string(title), .data(try device.card.encoded())] + parts)), by: device)
        }
    }

    /// The card in such a message, and the parts behind it.
    static func read(
        _ title: String, _ bytes: [UInt8]
    ) throws(JoiningError) -> (signed: SignedBody, card: Card, parts: CircleParts) {
        let (signed, card, parts) = try JoiningError.of { () throws(CircleError) in
            let signed = try SignedBody(decoding: bytes)
            var parts = try CircleParts(decoding: signed.content, title: title)
            return (signed, try parts.card(), parts)
        }
        guard signed.signatures.count == 1,
            try JoiningError.of({ () throws(CircleError) in
                try signed.isSigned(by: card)
            })
        else { throw .wrongProof }
        return (signed, card, parts)
    }

    static func coded(_ heads: [ViewTip]) throws(CircleError) -> PropertyList {
        var coded: [PropertyList] = []
        for head in heads.sorted(by: { $0.view.bytes.lexicographicallyPrecedes($1.view.bytes) }) {
            coded.append(.array([.data(head.view.bytes), try head.place.coded()]))
        }
        return .array(coded)
    }

    static func heads(_ parts: inout CircleParts) throws(CircleError) -> [ViewTip] {
        let heads = try parts.list(atMost: Roles.mostViews) { (parts) throws(CircleError) in
            ViewTip(view: try parts.view(), place: try LogPlace(parts.parts()))
        }
        guard CircleCoding.isAscending(heads.map(\.view.bytes)) else { throw .malformed }
        return heads
    }

    /// Random bytes that each side of an attempt puts in.
    static let chanceSize = 32
}
