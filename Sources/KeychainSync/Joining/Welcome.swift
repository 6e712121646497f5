// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainRequest

/// What a member leaves for a device that it admitted by a token or by its TPM: the newest heads, in the transaction that admits.
///
/// Nobody told such a device how new the items are. Without these, a server could show it an old state under a new log. It names the
/// entry that admits: a server that saw an admission fail has the welcome that went with it, and the heads in that are older.
struct Welcome: Sendable, Equatable {
    let circle: CircleID
    let device: DeviceID
    let admission: LogPlace
    let heads: [ViewTip]

    func signed(by device: some CircleDevice) throws(CircleError) -> [UInt8] {
        let content = try CircleCoding.encode(
            .array([
                .string(Welcome.title), .data(circle.bytes), .data(self.device.bytes), try admission.coded(),
                try JoiningMail.coded(heads),
            ]))
        return try SignedBody(content, by: device).encoded()
    }

    init(circle: CircleID, device: DeviceID, admission: LogPlace, heads: [ViewTip]) {
        (self.circle, self.device, self.admission, self.heads) = (circle, device, admission, heads)
    }

    /// Reads one that the owner of a card signed.
    init(decoding bytes: [UInt8], by card: Card) throws(CircleError) {
        let signed = try SignedBody(decoding: bytes)
        var parts = try CircleParts(decoding: signed.content, title: Welcome.title)
        circle = try parts.circle()
        device = try parts.device()
        admission = try LogPlace(parts.parts())
        heads = try JoiningMail.heads(&parts)
        try parts.end()
        guard try signed.isSigned(by: card) else { throw .malformed }
    }

    static func box(of circle: CircleID, for device: DeviceID) throws(CircleError) -> MailBox {
        let hash = try CircleCoding.digest(of: Array("llavero welcome".utf8) + circle.bytes + device.bytes)
        guard let box = MailBox(Array(hash.prefix(MailBox.size))) else { throw .malformed }
        return box
    }

    private static let title = "llavero welcome"

    // MARK: The device that came

    /// Before a device reads any view for the first time: takes the heads that it was left, if it was admitted so.
    static func take(_ context: RoundContext, _ next: @escaping RoundContext.Next) throws(CircleError)
        -> SyncRound.Effect
    {
        let log = try context.log
        guard try context.state.views.isEmpty, !context.readableViews.isEmpty,
            let member = log.membership.member(context.own), log.expected == nil
        else { return try next() }
        return context.server(.bodies(.log, [member.admittedAt])) { [context] reply throws(CircleError) in
            guard case .bodies(let bodies) = reply else { return context.unexpectedFromServer() }
            let entry = try bodies.first.flatMap { (body) throws(CircleError) in try log.signedEntry(body) }
            switch entry?.action {
            case .found?, .admit(member.card, .word)?: return try begin(context, [], next)
            case .admit(member.card, _)?:
                guard let entry, let card = log.membership.members[entry.author]?.card else { break }
                let place = LogPlace(number: entry.number, hash: try CircleCoding.digest(of: entry.encoded()))
                return try search(context, by: card, entry.author, at: place, next)
            default: break
            }
            return try missing(context, context.own)
        }
    }

    /// The box has a name that can be foreseen, so only the newest of each role are read: what others heap up there delays nobody.
    private static func search(
        _ context: RoundContext, by card: Card, _ author: DeviceID, at admission: LogPlace,
        _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        let circle = try context.log.circle
        let box = try box(of: circle, for: context.own)
        return context.server(.newestMail(box, each: newest)) { [context] reply throws(CircleError) in
            guard case .mail(let mail) = reply else { return context.unexpectedFromServer() }
            for body in mail {
                guard let welcome = try? Welcome(decoding: body.body, by: card), welcome.circle == circle,
                    welcome.device == context.own, welcome.admission == admission
                else { continue }
                return try begin(context, welcome.heads, next)
            }
            return try missing(context, author)
        }
    }

    private static func begin(
        _ context: RoundContext, _ heads: [ViewTip], _ next: @escaping RoundContext.Next
    ) throws(CircleError) -> SyncRound.Effect {
        let views = context.readableViews
        try context.change { (state) in
            for view in views { state.views[view] = ViewState() }
            for head in heads where head.place.number > 0 && state.views[head.view] != nil {
                state.views[head.view]?.expected = ViewState.HeadPlace(
                    number: head.place.number, hash: head.place.hash)
            }
        }
        return try next()
    }

    /// Nothing is read: it could be old.
    private static func missing(_ context: RoundContext, _ author: DeviceID) throws(CircleError) -> SyncRound.Effect {
        context.raise(.unwelcomed(author))
        return try context.end()
    }

    /// Messages of one role.
    private static let newest = 64
}

extension RoundContext {
    /// The newest heads that this device has.
    var heads: [ViewTip] {
        get throws(CircleError) {
            try state.views.filter { $0.value.number > 0 }.map {
                ViewTip(view: $0.key, place: LogPlace(number: $0.value.number, hash: $0.value.hash))
            }
        }
    }
}
