// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle words`, `remove`, `erase-device`, `heal`, `follow`, `move`.
enum CircleChanges {
    static func words(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let key = try TypedRecoveryKey.key(options)
        let action: LogAction
        do throws(CircleError) {
            action = try RecoveryDevice(key).enrolment(in: circle.state.log.circle)
        } catch { throw .failure(CircleWords.sentence(error)) }
        try tool.round(.change([action]))
        options.tell("these words open the circle: whoever has them, and can reach the server, is an owner of it")
    }

    /// Several at once, for of two that turned each could keep the other from being removed.
    static func remove(_ words: [String], _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let membership = circle.state.log.membership
        let names = CircleNames(of: circle)
        var (devices, shown): ([DeviceID], [String]) = ([], [])
        for word in words {
            let device = try names.device(word, present: true)
            guard device != (try? circle.device.card.id()) else {
                throw .usage("that is this machine; `llavero circle leave` ends its part")
            }
            guard !devices.contains(device) else { continue }
            devices.append(device)
            shown.append(PlainText.shown(word))
        }
        guard membership.quorum == 1 || devices.count == 1 else {
            throw .failure("where several owners have to sign, machines are removed one by one")
        }
        // One name of several words is as easily written.
        if devices.count > 1, !options.has("--yes") {
            let answer = try PersonalAnswer.ask(
                "That removes \(CircleReports.count(devices.count, "member")) of the circle: \(devices.map { PlainText.shown(names.member($0)) }.joined(separator: ", ")). Remove them?",
                prompt: "yes or no:", otherwise: "use --yes")
            guard answer == "yes" else { throw .failure("nothing was done") }
        }
        let members = membership.members
        if membership.quorum > 1, devices.contains(where: { members[$0]?.roles.isOwner ?? false }),
            members.values.contains(where: { $0.isPresent && $0.isRecovery })
        {
            Tool.say(
                "words that it may have made a member stay, since several owners have to sign: remove them as well, by their number in `llavero circle list`"
            )
        }
        let kept = options.has("--keep-words") ? members.filter(\.value.isRecovery).keys : [:].keys
        try tool.round(.change(devices.map { .remove($0) }), keeping: Set(kept))
        CircleRights.tellOfUnread(since: membership, tool, options)
        options.tell(
            "removed \(shown.joined(separator: ", ")): what is stored from now on is closed to \(shown.count == 1 ? "it" : "them"); \(shown.map { "`llavero circle rotate-list \($0)`" }.joined(separator: ", ")) \(shown.count == 1 ? "names what it" : "name what they") could read"
        )
        options.tell(
            "drop its role in the database, `llavero circle sql --drop ROLE`, when it has heard of this and of `llavero circle erase-device`, if that is wanted; at once where somebody else has the role"
        )
    }

    static func erase(_ word: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let device = try CircleNames(of: circle).device(word, present: false)
        if let day = try leaving(of: device, circle, tool) {
            let shown = PlainText.shown(word)
            throw .failure(
                "nothing was ordered: \(shown) left the circle itself on \(day), with its items, and hears of nothing any more; `llavero circle rotate-list \(ShellWord.quoted(shown))` names the secrets that it could read"
            )
        }
        try tool.round(.change([.erase(device, options.has("--all") ? .all : .circle)]))
        options.tell(
            "\(PlainText.shown(word)) erases it when it hears of it; whoever keeps it offline prevents that")
    }

    /// The day on which a device went by itself; nil of one that is there, or that others removed.
    private static func leaving(
        of device: DeviceID, _ circle: LocalCircle, _ tool: CircleTool
    ) throws(CommandError) -> String? {
        guard let number = circle.state.log.membership.members[device]?.removedAt else { return nil }
        let transport = try tool.server().transport(circle.state.log.circle)
        let lines = try tool.doing { () throws(CircleFailure) in
            try CircleHistory(of: circle.state.log.circle, on: transport).lines
        }
        for case .entry(let entry) in lines where entry.number == number && entry.author == device {
            return CircleWords.day(entry.time)
        }
        return nil
    }

    static func heal(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        let report = try tool.round(options.has("--without-unreadable") ? .healWithoutUnreadable : .heal)
        let (back, shares) = (report.putBack, CircleReports.count(report.sharesHealed, "share"))
        guard back != RoundReport.PutBack() || report.sharesHealed > 0 else {
            return options.tell("the server has all that this machine remembers; nothing was put back")
        }
        let entries = "\(back.entries) \(back.entries == 1 ? "entry" : "entries") of the log"
        let given = report.sharesHealed > 0 ? "; members that lacked keys find \(shares) of them there" : ""
        let blanks = back.blanks > 0 ? "; \(back.blanks) of them say nothing, in the place of unreadable ones" : ""
        options.tell(
            "the server has again what this machine remembers: \(entries), \(CircleReports.count(back.heads, "head")) and \(CircleReports.count(back.records, "record")) were put back\(blanks)\(given)"
        )
    }

    static func follow(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        if let text = options.value("--pass-over") {
            guard let number = UInt64(text), number > 0 else {
                throw .usage("--pass-over takes the number of an entry")
            }
            if !options.has("--yes") {
                let answer = try PersonalAnswer.ask(
                    "Entry \(number) says that something came before it that this machine has not seen so, or is of a later version of Llavero. If the server hides that, a removal perhaps, this undoes it. Ask who signed it, and other owners. Pass over it?",
                    prompt: "yes or no:", otherwise: "use --yes")
                guard answer == "yes" else { throw .failure("nothing was done") }
            }
            try tool.round(.passOver(number))
            return options.tell("entry \(number) counts for nobody; other machines take that over from this owner")
        }
        let chains = Set(try tool.local().state.alarms.compactMap(\.chain))
        guard !chains.isEmpty else {
            throw .failure("there is no alarm that this would answer; `llavero circle status` shows all")
        }
        if chains.contains(.log) { try followLog(tool, options) }
        for case .heads(let view) in chains where !chains.contains(.log) { try tool.round(.follow(view)) }
        options.tell("this machine follows what the server has, and merged its own items into it")
    }

    /// What the other log costs, and a person's word before it is taken.
    private static func followLog(_ tool: CircleTool, _ options: Options) throws(CommandError) {
        guard let other = try tool.round(.followLog(nil)).otherLog else {
            throw .failure("the server's log was not read")
        }
        let circle = try tool.local()
        let known = CircleNames(of: circle)
        func names(_ ids: [DeviceID]) -> String {
            ids.map { PlainText.shown(known.member($0)) }.joined(separator: ", ")
        }
        var costs: [String] = []
        if other.lost > 0 {
            costs.append("\(other.lost == 1 ? "1 entry" : "\(other.lost) entries") of this machine's log end")
        }
        if !other.comeBack.isEmpty {
            costs.append(
                "removed here and members there, who could read what is stored from then on: \(names(other.comeBack))")
        }
        if !other.strangers.isEmpty {
            costs.append("members of whom this machine has never heard: \(names(other.strangers))")
        }
        if !other.raised.isEmpty { costs.append("members who may do more there: \(names(other.raised))") }
        if !other.gone.isEmpty { costs.append("members here and not there: \(names(other.gone))") }
        if !other.rekeyed.isEmpty {
            costs.append("\(CircleReports.count(other.rekeyed.count, "view")) go back to earlier keys")
        }
        for cost in costs { Tool.say(cost) }
        if !costs.isEmpty, !options.has("--yes") {
            let answer = try PersonalAnswer.ask(
                "The server has another log than this machine. Taking it cannot be taken back. \(costs.joined(separator: "; ")). Take it?",
                prompt: "yes or no:", otherwise: "use --yes")
            guard answer == "yes" else { throw .failure("nothing was done") }
        }
        try tool.round(.followLog(other.tip))
        if !other.comeBack.isEmpty { Tool.say("remove again who should not be a member: \(names(other.comeBack))") }
    }

    static func move(_ address: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        let server = try tool.server(address, options)
        try tool.round(.look)
        let circle = try tool.local()
        try check(server, for: circle, tool)
        let sealed: [UInt8]
        do throws(CircleError) {
            sealed = try circle.keys.seal(Array(server.text.utf8), of: .invite([]))
        } catch { throw .failure(CircleWords.sentence(error)) }
        try move(to: server, sealed, by: .change([.moved(sealedAddress: sealed)]), of: circle, tool, options)
    }

    /// Signs a move; whose signature is the last moves the circle.
    static func sign(
        _ proposal: CircleProposal, movingTo sealed: [UInt8], _ tool: CircleTool, _ options: Options
    ) throws(CommandError) {
        let circle = try tool.local()
        let now = try tool.server()
        let server: CircleServer
        do throws(CircleMove.MoveRefusal) {
            server = try CircleMove.place(sealed, of: circle, from: now)
        } catch { throw .failure(error.text) }
        try check(server, for: circle, tool)
        try move(to: server, sealed, by: .sign(proposal.body), of: circle, tool, options)
    }

    /// Before the log names a place: from then on nobody goes on where the circle is now.
    private static func check(
        _ server: CircleServer, for circle: LocalCircle, _ tool: CircleTool
    ) throws(CommandError) {
        let before = try tool.server().transport(circle.state.log.circle)
        do throws(CircleMove.MoveRefusal) {
            try CircleMove.check(server, for: circle, instead: before, in: tool.session)
        } catch { throw .failure(error.text) }
    }

    /// Has the log name a place, by an entry of this machine's or by its signature, and goes on there.
    private static func move(
        to server: CircleServer, _ sealed: [UInt8], by task: SyncRound.Task, of circle: LocalCircle, _ tool: CircleTool,
        _ options: Options
    ) throws(CommandError) {
        try tool.round(task, follows: false)
        let moved = try tool.local().state.log.membership.moved
        guard let moved, moved.sealedAddress == sealed, moved.number > circle.state.log.tip.number else {
            throw .failure("nothing was moved: another owner moved the circle at the same moment")
        }
        // The copy may be from before: what it lacks, this machine remembers.
        try tool.keep(server)
        do throws(CommandError) { try tool.round(.heal) } catch {
            throw .failure(
                "the circle's log says that it has moved, and the new server has not all of it yet (\(error.description)); run `llavero circle heal` when it is ready, or `llavero circle server` with the old address and move anew if it never is"
            )
        }
        options.tell(
            "members that hear of it write no more at the old place, and their daemons and `llavero sync` follow; where the password there is another one, `llavero circle server ADDRESS` sets it"
        )
    }
}
