// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle status`, `list`, `log`, `rotate-list`.
enum CircleReports {
    static func status(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--json", "--plain"])
        let tool = try CircleTool(options)
        // What the server has is asked for; without it, what is known here is shown all the same.
        var reached: String?
        do throws(CommandError) { try tool.round(.look) } catch { reached = error.description }
        let circle = try tool.local()
        let state = circle.state
        let membership = state.log.membership
        let own = try? circle.device.card.id()
        var members: [(String, JSONText)] = [
            ("circle", .text(Hexadecimal.digits(of: state.log.circle.bytes))),
            ("server", .text(try tool.server().text)),
            ("device", .text(own.map { Hexadecimal.digits(of: $0.bytes) } ?? "")),
            ("role", .text(own.flatMap { membership.member($0) }.map(role) ?? "not admitted yet")),
            ("members", .number(Int64(membership.members.values.filter { $0.isPresent && !$0.isRecovery }.count))),
            ("words", .text(membership.members.values.contains { $0.isPresent && $0.isRecovery } ? "yes" : "no")),
            ("logEntries", .number(Int64(clamping: state.log.tip.number))),
        ]
        let pulled = state.views.values.map(\.pulled).min() ?? 0
        members.append(("asOf", .text(pulled == 0 ? "" : CircleWords.day(pulled))))
        members.append(("alarms", .number(Int64(state.alarms.count))))
        if options.has("--json") { return print(JSONText.object(members).line) }
        if options.has("--plain") {
            for (name, value) in members { print("\(name)\t\(PlainText.field(value))") }
            return
        }
        let titles = [
            "circle": "Circle", "server": "Server", "device": "This machine", "role": "May", "members": "Members",
            "words": "Words are a member", "logEntries": "Entries of its log", "asOf": "As of", "alarms": "Alarms",
        ]
        for (name, value) in members {
            let title = titles[name] ?? name
            print("\(title)\(String(repeating: " ", count: max(1, 20 - title.count)))\(PlainText.field(value))")
        }
        for alarm in state.alarms { print("\n\(CircleWords.sentence(alarm)) \(alarm.remedy)") }
        if let reached { print("\nThe server was not asked: \(reached)") }
        if !membership.members.values.contains(where: { $0.isPresent && $0.isRecovery }) {
            print("\nNothing opens the circle when all its machines are lost: `llavero circle words` changes that.")
        }
    }

    static func list(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        do throws(CommandError) { try tool.round(.look) } catch { Tool.say(error.description) }
        let circle = try tool.local()
        let own = try? circle.device.card.id()
        var listing = Listing([
            .init("NAME", "name"), .init("DEVICE", "device"), .init("MAY", "role"), .init("KEYS", "keys"),
            .init("LAST HEARD OF", "seen"),
        ])
        let members = circle.state.log.membership.members.filter { $0.value.isPresent }
        for (id, member) in members.sorted(by: { $0.value.admittedAt < $1.value.admittedAt }) {
            let seen = circle.state.others[id].map { CircleWords.day($0.time) } ?? (id == own ? "this machine" : "")
            listing.rows.append([
                .text(name(of: member, id, circle)), .text(Hexadecimal.digits(of: id.bytes)), .text(role(member)),
                .text(place(member.card.kind)), .text(seen),
            ])
        }
        listing.print(form)
    }

    static func log(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        let circle = try tool.local()
        let transport = try tool.server().transport(circle.state.log.circle)
        var listing = Listing([
            .init("NUMBER", "number"), .init("WHEN", "time"), .init("WHO", "author"), .init("DID", "action"),
        ])
        // Read anew from the first entry: what is kept here is what it led to.
        let entries = try tool.doing { () throws(CircleFailure) in
            try CircleHistory(of: circle.state.log.circle, on: transport).lines
        }
        let membership = circle.state.log.membership
        for line in entries {
            switch line {
            case .entry(let entry):
                let author = membership.members[entry.author].map { name(of: $0, entry.author, circle) }
                listing.rows.append([
                    .number(Int64(clamping: entry.number)), .text(CircleWords.day(entry.time)),
                    .text(author ?? Hexadecimal.digits(of: entry.author.bytes)), .text(words(entry.action, circle)),
                ])
            case .junk(let number, let who):
                listing.rows.append([
                    .number(Int64(clamping: number)), .text(""), .text("role \(who)"),
                    .text("nothing: it counts for nobody"),
                ])
            }
        }
        listing.print(form)
    }

    static func rotateList(_ word: String, _ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        let circle = try tool.local()
        let report = try tool.round(.listToRotate(try device(word, circle, present: false)))
        var listing = Listing([
            .init("SERVICE", "service"), .init("USER", "user"), .init("LABEL", "label"), .init("GROUP", "group"),
        ])
        for item in report.toRotate {
            let service = item.attributes[.service] ?? item.attributes[.server]
            listing.rows.append([
                .text(text(service)), .text(text(item.attributes[.account])), .text(text(item.attributes[.label])),
                .text(text(item.attributes[.accessGroup])),
            ])
        }
        listing.print(form)
        if form == .people {
            Tool.say(
                report.toRotate.isEmpty
                    ? "every secret that it could read was changed since"
                    : "change \(count(report.toRotate.count, "secret")): that device could read \(report.toRotate.count == 1 ? "it" : "them")"
            )
        }
    }

    // MARK: Words

    /// The member that a word means: its name, or the beginning of its number.
    static func device(_ word: String, _ circle: LocalCircle, present: Bool) throws(CommandError) -> DeviceID {
        let members = circle.state.log.membership.members.filter { present ? $0.value.isPresent : true }
        let named = members.filter { id, member in
            name(of: member, id, circle) == word
                || word.count >= 4 && Hexadecimal.digits(of: id.bytes).hasPrefix(word.lowercased())
        }
        guard let found = named.first else {
            throw .notFound("the circle has no member \(PlainText.shown(word)); `llavero circle list` shows them")
        }
        guard named.count == 1 else {
            throw .ambiguous(
                "several members are called that: \(named.keys.map { Hexadecimal.digits(of: $0.bytes) }.sorted().joined(separator: ", "))"
            )
        }
        return found.key
    }

    static func name(of member: Member, _ id: DeviceID, _ circle: LocalCircle) -> String {
        if member.isRecovery { return "the words" }
        for thing in [NamedThing.device(id), .invite([])] {
            if let bytes = try? circle.keys.open(member.sealedName, of: thing),
                let text = String(validating: bytes, as: UTF8.self)
            {
                return text
            }
        }
        return Hexadecimal.digits(of: id.bytes)
    }

    static func role(_ member: Member) -> String {
        if member.isRecovery { return "admit, remove" }
        var words: [String] = []
        if member.roles.isOwner { words.append("own") }
        if member.roles.isSponsor { words.append("sponsor") }
        if member.roles.views.values.contains(.writer) {
            words.append("write")
        } else if !member.roles.views.isEmpty {
            words.append("read")
        }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }

    static func place(_ kind: Card.Kind) -> String {
        switch kind {
        case .software: "in a file"
        case .tpm: "in its TPM"
        case .words: "on paper"
        }
    }

    private static func words(_ action: LogAction, _ circle: LocalCircle) -> String {
        func who(_ id: DeviceID) -> String {
            circle.state.log.membership.members[id].map { name(of: $0, id, circle) }
                ?? Hexadecimal.digits(of: id.bytes)
        }
        func who(_ card: Card) -> String { (try? card.id()).map { who($0) } ?? "a device" }
        return switch action {
        case .found: "founded the circle"
        case .admit(let card, .word): "admitted \(who(card))"
        case .admit(let card, .invite): "admitted \(who(card)), which has a token"
        case .admit(let card, .allowed): "admitted \(who(card)), whose TPM is allowed"
        case .remove(let id): "removed \(who(id))"
        case .roles(let id, _): "changed what \(who(id)) may do"
        case .view: "made a view"
        case .policy: "changed what a view takes"
        case .rekey(_, let generation, _): "made keys, generation \(generation)"
        case .recover: "made the words a member"
        case .invite: "made a token"
        case .allow(let list): "allowed \(count(list.count, "TPM"))"
        case .withdraw: "took back a token"
        case .erase(let id, .circle): "had \(who(id)) erase what it has of the circle"
        case .erase(let id, .all): "had \(who(id)) erase its keychain"
        case .quorum(let number): "asked for \(count(number, "signature")) of owners"
        case .suite: "changed the cryptography"
        case .moved: "moved the circle to another server"
        case .later(let name): "did what a later version knows (\(PlainText.shown(name)))"
        }
    }

    private static func text(_ value: AttributeValue?) -> String {
        guard case .string(let text)? = value else { return "" }
        return text
    }

    static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
