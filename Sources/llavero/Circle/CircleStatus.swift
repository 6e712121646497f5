// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle status`: this machine's part, and everything that a person should do something about.
struct CircleStatus {
    private let circle: LocalCircle
    private let names: CircleNames
    private let server: String
    /// Why the server was not asked; nil when it was.
    private let unreached: String?
    private let unsent: UnsentItems
    private let doubles: [CircleDoubles.Pair]
    private let namesakes: [ToolItem]
    private let proposals: [CircleProposal]
    private let erasures: [Erased]
    private let heard: [DeviceID: Int64]

    /// A member that was told to destroy something, and when it said that it did.
    private struct Erased {
        let device: DeviceID
        let erasure: Erasure
        let receipt: Int64?
    }

    static func run(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--json", "--plain"])
        let tool = try CircleTool(options)
        // The system's daemon would make one to answer about it.
        if tool.keychain.isOfSystem { try tool.keychain.requireThere() }
        let status = try CircleStatus(tool)
        if options.has("--json") { return print(JSONText.object(status.facts + status.lists).line) }
        if options.has("--plain") {
            for (name, value) in status.facts { print("\(name)\t\(PlainText.field(value))") }
            for text in status.findings { print("finding\t\(PlainText.field(.text(text)))") }
            return
        }
        status.show()
    }

    private init(_ tool: CircleTool) throws(CommandError) {
        // What the server has is asked for; without it, what is known here is shown all the same.
        var unreached: String?
        do throws(CommandError) { try tool.round(.look) } catch { unreached = error.description }
        let circle = try tool.local()
        self.circle = circle
        let members = circle.state.log.membership.members
        // That is no failure to ask it, but its answer.
        if let own = try? circle.device.card.id(), members[own]?.removedAt != nil { unreached = nil }
        names = CircleNames(of: circle)
        heard = try tool.doing { () throws(CircleFailure) in try circle.lastHeardOf(in: tool.session) }
        let known = try tool.server()
        server = known.text
        unsent = try tool.unsent()
        // A keychain that is locked does not say, and the rest is shown all the same.
        doubles = (try? CircleDoubles.pairs(in: tool.keychain)) ?? []
        namesakes = (try? CircleDoubles.namesakes(in: tool.keychain)) ?? []
        let membership = circle.state.log.membership
        let told = members.compactMap { id, member in member.erasure.map { (id, $0) } }
        var (receipts, proposals): ([ErasureReceipt], [CircleProposal]) = ([], [])
        if unreached == nil {
            let (log, transport) = (circle.state.log, known.transport(circle.state.log.circle))
            do throws(CommandError) {
                if !told.isEmpty {
                    receipts = try tool.doing { () throws(CircleFailure) in
                        try CircleErasure.receipts(of: log, on: transport)
                    }
                }
                if membership.quorum > 1 { proposals = try tool.proposals(circle) }
            } catch { unreached = error.description }
        }
        self.proposals = proposals
        self.unreached = unreached
        erasures = told.map { (id, erasure) in
            Erased(
                device: id, erasure: erasure,
                receipt: receipts.last { $0.device == id && $0.erasure.rawValue >= erasure.rawValue }?.time)
        }.sorted { $0.device < $1.device }
    }

    private var membership: Membership { circle.state.log.membership }
    private var own: DeviceID? { try? circle.device.card.id() }

    private var isRemoved: Bool { own.flatMap { membership.members[$0]?.removedAt } != nil }

    private var present: [DeviceID] {
        membership.members.filter { $0.value.isPresent && !$0.value.isRecovery }.map(\.key).sorted()
    }

    private var hasWords: Bool { membership.members.contains { $0.value.isPresent && $0.value.isRecovery } }

    /// When this machine last had all that the server showed, as far as it has noted that: it notes what it saw every six hours.
    private var asOf: Int64 {
        unreached == nil
            ? Int64(CircleTool.now()) : max(circle.state.lastSeen, circle.state.views.values.map(\.pulled).max() ?? 0)
    }

    // MARK: What there is

    private var facts: [(String, JSONText)] {
        // A machine that waits to be admitted has not read the circle's log.
        func known(_ fact: JSONText) -> JSONText { membership.members.isEmpty ? .null : fact }
        return [
            ("circle", .text(Hexadecimal.digits(of: membership.circle.bytes))), ("server", .text(server)),
            ("device", .text(own.map { Hexadecimal.digits(of: $0.bytes) } ?? "")),
            ("name", .text(own.flatMap { membership.member($0) == nil ? nil : names.member($0) } ?? "")),
            (
                "role",
                .text(
                    own.flatMap { membership.member($0) }.map(names.rights)
                        ?? (isRemoved ? "nothing: it was removed" : "not admitted yet"))
            ),
            ("members", known(.number(Int64(present.count)))), ("words", known(.text(hasWords ? "yes" : "no"))),
            ("quorum", known(.number(Int64(membership.quorum)))), ("views", known(.number(Int64(names.views.count)))),
            ("logEntries", known(.number(Int64(clamping: circle.state.log.tip.number)))),
            ("unsent", .number(Int64(unsent.count))), ("proposals", .number(Int64(proposals.count))),
            ("asOf", .text(asOf == 0 ? "" : CircleWords.day(asOf))),
            ("alarms", .number(Int64(circle.state.alarms.count))),
        ]
    }

    private var lists: [(String, JSONText)] {
        let alarms = circle.state.alarms.map { alarm in
            JSONText.object([
                ("text", .text(sentence(alarm))),
                ("remedy", .text(alarm.remedy)),
                ("about", .optional(alarm.chain.map(names.chain))),
            ])
        }
        let silent = silentMembers.map { id, time in
            JSONText.object([
                ("device", .text(Hexadecimal.digits(of: id.bytes))), ("name", .text(names.member(id))),
                ("lastHeardOf", .text(time.map(CircleWords.day) ?? "")),
            ])
        }
        let erased = erasures.map { erased in
            JSONText.object([
                ("device", .text(Hexadecimal.digits(of: erased.device.bytes))),
                ("name", .text(names.member(erased.device))),
                ("destroys", .text(erased.erasure == .all ? "keychain" : "circle")),
                ("receipt", erased.receipt.map { .text(CircleWords.day($0)) } ?? .null),
            ])
        }
        return [
            ("alarmList", .list(alarms)),
            ("tooLarge", .list(unsent.tooLarge.map { .object([("name", .text($0.name)), ("user", .text($0.user))]) })),
            (
                "doubles",
                .list(
                    doubles.map {
                        .object([
                            ("name", .text($0.own.name)), ("user", .text($0.own.account)),
                            ("own", .text($0.own.identifier)), ("shared", .text($0.shared.identifier)),
                        ])
                    })
            ),
            (
                "namesakes",
                .list(
                    namesakes.map {
                        .object([
                            ("name", .text($0.name)), ("user", .text($0.account)), ("own", .text($0.identifier)),
                        ])
                    })
            ), ("lacksKeys", .boolean(circle.lacksKeys)), ("silent", .list(silent)), ("erasures", .list(erased)),
            ("unreached", .optional(unreached)),
        ]
    }

    /// Those who said and wrote nothing for so long that something may be kept from this machine, or from them.
    ///
    /// Of whom nothing is known at all, nothing was there when this machine first asked what others have seen.
    private var silentMembers: [(DeviceID, Int64?)] {
        let end = Int64(CircleTool.now()) - CircleStatus.silence
        let hasAsked = circle.state.lastSeen != 0
        return present.filter { $0 != own }.map { ($0, heard[$0]) }.filter { $0.1.map { $0 < end } ?? hasAsked }
    }

    private func sentence(_ alarm: Alarm) -> String {
        CircleWords.sentence(alarm, names.chain, names.member) { time in
            "\(CircleWords.day(time)), \(CircleWords.age(time, CircleTool.now()))"
        }
    }

    // MARK: What a person should know

    private var findings: [String] {
        var texts = circle.state.alarms.map { alarm in
            "\(sentence(alarm)) \(alarm.remedy)"
        }
        if isRemoved {
            texts.append(
                "This machine was removed from the circle: `llavero circle leave` ends its part, its items stay; to come back it joins anew."
            )
        }
        if let unreached {
            texts.append(
                "The server was not asked: \(CircleWords.ended(unreached))"
                    + (asOf == 0
                        ? ""
                        : " What is here is of \(CircleWords.day(asOf)), \(CircleWords.age(asOf, CircleTool.now()))."))
        }
        if circle.lacksKeys { texts.append("On this machine \(CircleWords.lackOfKeys).") }
        if !doubles.isEmpty {
            texts.append(
                "\(CircleDoubles.counted(doubles)): \(doubles.prefix(20).map { "\($0.own.title), \($0.own.identifier)" }.joined(separator: "; "))\(doubles.count > 20 ? "; and others" : ""). `llavero sync` leaves the shared one where both say the same, and names those that differ; `llavero remove` of such an identifier leaves the shared one."
            )
        }
        if !namesakes.isEmpty { texts.append("\(CircleDoubles.sentence(ofNamesakes: namesakes)).") }
        texts += unsent.tooLarge.map { "\($0.sentence)." }
        if unsent.count > 0 {
            let reach = CircleReach(of: circle)
            let sent = "did not go yet: `llavero sync` sends what this machine may write"
            let way =
                switch reach {
                case .outside: "\(sent); \(reach.obstacle ?? ""), so what is of there stays here"
                default: reach.obstacle.map { "stay here: \($0)" } ?? sent
                }
            texts.append("\(unsent.counted) changed here and \(way).")
        }
        for proposal in proposals {
            texts.append(
                "Signatures are wanted, \(proposal.signers.count) of \(membership.quorum) are there: \(names.proposed(proposal.entry.action)). An owner who agrees runs `llavero circle sign \(proposal.name)`."
            )
        }
        for erased in erasures {
            let what = erased.erasure == .all ? "its keychain" : "what it has of the circle"
            let name = names.member(erased.device)
            let otherwise =
                unreached == nil ? "has not said that it did" : "the server, which was not asked, knows whether it did"
            texts.append(
                erased.receipt.map { "\(name) destroyed \(what) on \(CircleWords.day($0)), as it says itself." }
                    ?? "\(name) was told to destroy \(what), and \(otherwise).")
        }
        for (id, time) in silentMembers {
            let last = time.map { "last heard of on \(CircleWords.day($0)), \(CircleWords.age($0, CircleTool.now()))" }
            texts.append(
                "\(names.member(id)) was \(last ?? "never heard of here"): it is off, or the server keeps from this machine what it writes."
            )
        }
        if membership.members.isEmpty {
            texts.append(
                "This machine waits until a member admits it: `llavero sync` looks whether one did, `llavero circle leave` gives it up."
            )
        } else if !hasWords {
            texts.append(
                "Nothing opens the circle when all its machines are lost: `llavero circle words` changes that.")
        }
        return texts
    }

    private func show() {
        let titles = [
            "circle": "Circle", "server": "Server", "device": "This machine", "name": "Called", "role": "May",
            "members": "Members", "words": "Words are a member", "quorum": "Owners who sign", "views": "Views",
            "logEntries": "Entries of its log", "unsent": "To be sent", "proposals": "Proposals", "asOf": "As of",
            "alarms": "Alarms",
        ]
        for (name, value) in facts {
            if case .null = value { continue }
            let title = titles[name] ?? name
            print("\(title)\(String(repeating: " ", count: max(1, 20 - title.utf8.count)))\(PlainText.shown(value))")
        }
        for text in findings { print("\n\(PlainText.shown(text))") }
    }

    /// What a machine says every six hours.
    private static let silence: Int64 = 7 * 86400
}
