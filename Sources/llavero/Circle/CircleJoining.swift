// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCircle
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSyncPostgres
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle join`, `admit`, `invite`, `recover`.
enum CircleJoining {
    // MARK: The machine that joins

    static func join(_ options: Options) throws(CommandError) {
        guard let text = options.value("--server") else { throw .usage("circle join requires --server") }
        let tool = try CircleTool(options)
        try tool.requireNoCircle()
        let token = try token(options)
        let ways = [
            ("--token-fd", token != nil), ("--compare", options.has("--compare")), ("--tpm", options.has("--tpm")),
        ]
        .filter(\.1).map(\.0)
        guard ways.count <= 1 else { throw .usage("\(ways.joined(separator: " and ")) cannot be used together") }
        guard options.has("--tpm") || !options.has("--rsa") else { throw .usage("--rsa is for --tpm") }
        let server = try tool.server(text, options)
        if options.has("--tpm") {
            guard let text = options.value("--circle") else { throw .usage("circle join --tpm requires --circle") }
            let joined = try CircleChips.join(text, options, tool)
            try tool.keep(server)
            try begin(joined, try tool.device(), tool)
            return try waitForAdmission(tool, options)
        }
        let device = try tool.device()
        let joined: Joined
        if let token {
            let request = try CircleJoining.translating { () throws(JoiningError) in
                try token.value.request(by: device)
            }
            try tool.doing { () throws(CircleFailure) in
                var mail = try CircleMail(
                    joining: token.value.circle, on: server.transport(token.value.circle))
                try mail.post(request)
            }
            joined = token.value.joined
        } else {
            guard let digits = options.value("--circle") else {
                throw .usage("circle join requires --circle or --token-fd")
            }
            try PersonalAnswer.requireAllowed(otherwise: "--token-fd joins without questions")
            let circle = try CircleBeginnings.circle(digits)
            let transport = server.transport(circle)
            joined =
                options.has("--compare")
                ? try compare(circle, device, transport, tool) : try paste(circle, device, transport, tool)
        }
        try tool.keep(server)
        try begin(joined, device, tool)
        guard let token else { return try waitForAdmission(tool, options) }
        try tool.doing { () throws(CircleFailure) in try AskedToken.keep(token.value, in: tool.session) }
        try waitForAdmission(tool, options)
    }

    /// Prints a request, and takes the answer that a person brings.
    private static func paste(
        _ circle: CircleID, _ device: DeviceKeys, _ transport: any CircleTransport, _ tool: CircleTool
    ) throws(CommandError) -> Joined {
        let applicant = try translating { () throws(JoiningError) in try PastedApplicant(to: circle, device) }
        var mail = try tool.doing { () throws(CircleFailure) in
            var mail = try CircleMail(joining: circle, on: transport)
            try mail.post(applicant.request)
            return mail
        }
        guard let code = applicant.code.text else { throw .failure("the code cannot be made") }
        let name = ShellWord.quoted(PlainText.shown(CircleBeginnings.hostName()))
        Tool.say(
            "on a member, run `llavero circle admit REQUEST --name \(name)` with this request, and paste here what it prints:"
        )
        print(code)
        fflush(nil)
        guard let line = readLine(), let answer = JoinCode(.answer, pasted: line) else {
            throw .failure("no answer was given, or it has an error in it; run `llavero circle join` again")
        }
        // The answer's message is there before its code is printed.
        for message in try tool.doing({ () throws(CircleFailure) in try mail.next() }) {
            if let joined = try? applicant.take(answer: message, code: answer) { return joined }
        }
        throw .failure("the answer belongs to another request, or the server withholds it; nothing was done")
    }

    /// Shows digits, and asks whether they are those that the member shows.
    private static func compare(
        _ circle: CircleID, _ device: DeviceKeys, _ transport: any CircleTransport, _ tool: CircleTool
    ) throws(CommandError) -> Joined {
        var applicant = try translating { () throws(JoiningError) in
            try ComparedApplicant(to: circle, device, randomness: CircleRandom.bytesOrNone)
        }
        var mail = try tool.doing { () throws(CircleFailure) in
            var mail = try CircleMail(joining: circle, on: transport)
            try mail.post(applicant.offer)
            return mail
        }
        let name = ShellWord.quoted(PlainText.shown(CircleBeginnings.hostName()))
        Tool.say("on a member, run `llavero circle admit --compare --name \(name)`; this machine waits for it")
        while true {
            for message in try tool.doing({ () throws(CircleFailure) in try mail.next() }) {
                guard let (reveal, digits) = try? applicant.take(answer: message) else { continue }
                try tool.doing { () throws(CircleFailure) in try mail.post(reveal) }
                let areSame = try confirm(digits)
                return try translating { () throws(JoiningError) in try applicant.confirm(areSame) }
            }
            sleep(1)
        }
    }

    private static func confirm(_ digits: String) throws(CommandError) -> Bool {
        let answer = try PersonalAnswer.ask(
            "Both machines show eight digits. Here they are \(digits). Are they the same on the other machine?",
            prompt: "yes or no:", otherwise: "use pasted codes instead of --compare")
        return answer == "yes"
    }

    /// Makes the keychain one of a circle that it has been told of, and has no keys of yet.
    private static func begin(_ joined: Joined, _ device: DeviceKeys, _ tool: CircleTool) throws(CommandError) {
        try tool.doing { () throws(CircleFailure) in
            try LocalCircle.begin(joined, as: device, in: tool.session)
        }
    }

    /// What went both ways, as the end of a sentence; a daemon's round may have come first, so that nothing is no news.
    private static func exchanged(_ received: Int, _ sent: Int) -> String {
        (received > 0 ? "; received \(CircleReports.count(received, "item"))" : "")
            + (sent > 0 ? "; sent \(CircleReports.count(sent, "change")) that this machine had made" : "")
    }

    /// Rounds until the circle has this machine, and its keys have come, or until nobody can admit it any more.
    private static func waitForAdmission(_ tool: CircleTool, _ options: Options) throws(CommandError) {
        var (said, refusals) = ("", 0)
        var (received, sent) = (0, 0)
        while true {
            let report: RoundReport
            do throws(CommandError) { report = try tool.round() } catch {
                guard said.isEmpty else { throw error }
                let role = try PlainText.shown(tool.server().address.user)
                throw .failure(
                    "\(CircleWords.ended(error.description)) This machine has asked to join. If its role may only join, whoever runs the server makes it a member's with `llavero circle sql --member \(role)`; then `llavero sync` goes on, and `llavero circle leave` ends it"
                )
            }
            (received, sent) = (received + report.received.added, sent + report.sent)
            let circle = try tool.local()
            let id = try? circle.device.card.id()
            let isMember = circle.state.log.expected == nil && id.flatMap(circle.state.log.membership.member) != nil
            if isMember, circle.keys.views.count > 1 {
                options.tell(
                    "joined the circle \(Hexadecimal.digits(of: circle.state.log.circle.bytes))\(exchanged(received, sent))"
                )
                CircleDoubles.settle(in: tool.keychain, options)
                return CircleDoubles.tellOfNamesakes(in: tool.keychain, options)
            }
            if let reason = report.alarms.lazy.compactMap(CircleWords.joining).first { throw .failure(reason) }
            if let refusal = try tool.tokenRefusal() {
                refusals += 1
                // Between a look at the log and one at the proposals owners may have signed it.
                if refusals > 1 {
                    try tool.doing { () throws(CircleFailure) in try LocalCircle.leave(in: tool.session) }
                    throw .failure("\(refusal). This keychain is in no circle, as before")
                }
            } else {
                refusals = 0
                let waiting =
                    isMember
                    ? "this machine is a member, and waits for its keys: a member hands them on whose keychain is unlocked, by its daemon or `llavero sync`"
                    : "waiting for a member to admit this machine; it may be ended, and goes on with `llavero sync`, or, where the person there said no, is given up with `llavero circle leave`"
                if said != waiting { Tool.say(waiting) }
                said = waiting
            }
            sleep(2)
        }
    }

    // MARK: The member

    static func admit(_ word: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        let isCompared = options.has("--compare")
        guard isCompared == word.isEmpty else {
            throw .usage(
                isCompared
                    ? "circle admit takes a request or --compare" : "circle admit requires a request, or --compare")
        }
        try tool.round()
        let circle = try tool.local()
        let roles = try roles(options, circle)
        let transport = try tool.server().transport(circle.state.log.circle)
        var mail = try tool.doing { () throws(CircleFailure) in
            try CircleMail(joining: circle.state.log.circle, on: transport)
        }
        if isCompared { return try admitCompared(&mail, roles, circle, tool, options) }
        guard let code = JoinCode(.request, pasted: word) else {
            throw .failure("the request has an error in it; copy it again")
        }
        let request = try tool.doing { () throws(CircleFailure) in try mail.next() }.lazy
            .compactMap { try? PastedRequest($0, code: code, to: circle.state.log.circle) }.first
        guard let request else {
            throw .failure(
                "no machine has made this request; run `llavero circle join` there, with this circle and server")
        }
        // Where the answer of a first time was lost it is a member already.
        if (try? request.card.id()).flatMap({ circle.state.log.membership.member($0) }) == nil {
            try admit(request.card, roles, options, tool)
        }
        let now = try tool.local()
        let (body, answer) = try translating { () throws(JoiningError) in
            try request.answer(now.state.log, heads: heads(now), by: now.device)
        }
        try tool.doing { () throws(CircleFailure) in try mail.post(body) }
        guard let text = answer.text else { throw .failure("the answer cannot be made") }
        Tool.say("admitted; paste this answer where the machine joins:")
        print(text)
    }

    private static func admitCompared(
        _ mail: inout CircleMail, _ roles: Roles, _ circle: LocalCircle, _ tool: CircleTool, _ options: Options
    ) throws(CommandError) {
        // Offers from before are not for this attempt.
        let earlier = try tool.doing { () throws(CircleFailure) in try mail.next() }
        var pending = earlier.suffix(1).map { $0 }
        var sponsor = ComparedSponsor()
        Tool.say("waiting for a machine that runs `llavero circle join --compare`")
        while true {
            for message in pending {
                if !sponsor.isOpen {
                    let answer = try? sponsor.take(
                        offer: message, log: circle.state.log, heads: heads(circle), by: circle.device,
                        randomness: CircleRandom.bytesOrNone)
                    if let answer { try tool.doing { () throws(CircleFailure) in try mail.post(answer) } }
                    continue
                }
                guard let digits = try? sponsor.take(reveal: message) else { continue }
                let areSame = try confirm(digits)
                let card = try translating { () throws(JoiningError) in try sponsor.confirm(areSame) }
                try admit(card, roles, options, tool)
                return options.tell("admitted")
            }
            sleep(1)
            pending = try tool.doing { () throws(CircleFailure) in try mail.next() }
        }
    }

    private static func admit(
        _ card: Card, _ roles: Roles, _ options: Options, _ tool: CircleTool
    ) throws(CommandError) {
        let circle = try tool.local()
        let name = try CircleNames.checked(options.value("--name") ?? "a machine")
        if options.value("--name") != nil, CircleNames(of: circle).isTaken(name) {
            throw .duplicate("a member is called \(PlainText.shown(name)) already; --name takes another name")
        }
        let action = try tool.doing { () throws(CircleFailure) in
            do throws(CircleError) {
                return LogAction.admit(
                    card, .word(roles, sealedName: try circle.keys.seal(Array(name.utf8), of: .device(card.id()))))
            } catch { throw .circle(error) }
        }
        try tool.round(.change([action]))
    }

    static func heads(_ circle: LocalCircle) -> [ViewTip] {
        circle.state.views.compactMap { view, state in
            state.number == 0 ? nil : ViewTip(view: view, place: LogPlace(number: state.number, hash: state.hash))
        }
    }

    /// What a new member may do: all views, or those of --view, to write unless it is to read only.
    static func roles(_ options: Options, _ circle: LocalCircle) throws(CommandError) -> Roles {
        guard !options.has("--reader") || !options.has("--owner") else {
            throw .usage("--reader and --owner cannot be used together")
        }
        var roles = Roles(isOwner: options.has("--owner"), isSponsor: options.has("--sponsor"))
        let names = CircleNames(of: circle)
        var views: [SyncView] = []
        for name in options.values("--view") { views.append(try names.requiredView(name)) }
        for view in views.isEmpty ? names.views.map(\.view) : views {
            // Nobody waits for keys that this machine does not have to hand on.
            guard circle.canHandOn(view) else {
                guard views.isEmpty else {
                    throw .failure(
                        "this machine does not read the view \(PlainText.shown(names.view(view))), so it has no keys to hand on"
                    )
                }
                continue
            }
            roles.views[view] = options.has("--reader") ? .reader : .writer
        }
        return roles
    }

    // MARK: Tokens

    static func invite(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let roles = try roles(options, circle)
        let time = try duration(options.value("--for") ?? "1h")
        let secret = try CircleTool.making { () throws(CircleError) in
            try CircleRandom.secret(JoinToken.secretSize)
        }
        let name = try CircleNames.checked(options.value("--name") ?? "a machine")
        let sealedName = try CircleTool.making { () throws(CircleError) in
            try circle.keys.seal(Array(name.utf8), of: .invite([]))
        }
        let invite = try translating { () throws(JoiningError) in
            try JoinToken.invite(
                for: secret, roles: roles, expiry: CircleTool.now() + Double(time), sealedName: sealedName)
        }
        // Where more owners have to sign it, it holds from then on.
        let waiting = try tool.change([.invite(invite)])
        let log = try tool.local().state.log
        let text = try tokenText(log, secret)
        Tool.say("whoever has this token joins once, within \(options.value("--for") ?? "1h"):")
        try SecretOutput.write(text, to: STDOUT_FILENO, ending: "\n")
        if let waiting { throw .failure(waiting) }
    }

    private static func tokenText(
        _ log: CircleLog, _ secret: consuming SecretBytes
    ) throws(CommandError) -> SecretValue {
        do throws(JoiningError) {
            let text = try JoinToken(circle: log.circle, tip: log.tip, secret: secret).text()
            return unsafe text.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        } catch { throw .failure(CircleWords.sentence(error)) }
    }

    private final class TokenBox {
        let value: JoinToken
        init(_ value: consuming JoinToken) { self.value = value }
    }

    private static func token(_ options: Options) throws(CommandError) -> TokenBox? {
        guard let descriptor = try PasscodeInput.descriptor(options, "--token-fd") else { return nil }
        let text = try SecretInput.all(from: descriptor, line: true)
        do throws(JoiningError) {
            return try unsafe text.withUnsafeBytes { (bytes) throws(JoiningError) in
                TokenBox(try unsafe JoinToken(pasted: bytes))
            }
        } catch { throw .failure("the token has an error in it; copy it again") }
    }

    private static func duration(_ text: String) throws(CommandError) -> Int64 {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count > 0,
            count <= 366
        else { throw .usage("--for takes a time such as 30m, 12h or 7d") }
        return count * unit
    }

    // MARK: Words

    static func recover(_ options: Options) throws(CommandError) {
        guard let text = options.value("--server"), let digits = options.value("--circle") else {
            throw .usage("circle recover requires --server and --circle")
        }
        let tool = try CircleTool(options)
        try tool.requireNoCircle()
        let circle = try CircleBeginnings.circle(digits)
        let words = try TypedRecoveryKey.key(options)
        let server = try tool.server(text, options)
        let device = try tool.device()
        let opened = try tool.doing { () throws(CircleFailure) -> CircleRecovery? in
            do throws(CircleFailure) {
                return try CircleRecovery.open(circle, with: words, on: server.transport(circle))
            } catch {
                if case .circle(.refused(.unknownDevice)) = error { return nil }
                throw error
            }
        }
        guard let recovery = opened else {
            throw .failure(
                "these words are no member of this circle: only those open it that `llavero circle words` made one on a machine that was in it"
            )
        }
        // Nothing can tell whether the server shows an older state to one who has words alone.
        Tool.say(
            "the server shows the circle as of \(CircleWords.day(recovery.newest)), with \(CircleReports.count(recovery.log.membership.members.values.filter(\.isPresent).count, "member")); it could show an older state, and nothing here would notice"
        )
        try requireWholeCircle(recovery, server)
        let name = Array(CircleBeginnings.hostName().utf8)
        try tool.keep(server)
        try tool.doing { () throws(CircleFailure) in
            try recovery.admit(
                device, named: name,
                removingOthers: options.has("--remove-others") && recovery.log.membership.quorum > 1,
                now: CircleTool.now(), in: tool.session)
        }
        let report = try tool.round(stays: true)
        if options.has("--remove-others") {
            // What they could read is closed to them from here on: new keys, and a barrier in each view.
            let members = try tool.local().state.log.membership.members
            let own = try? device.card.id()
            let others = members.filter { $0.value.isPresent && !$0.value.isRecovery && $0.key != own }.map(\.key)
            // The words that are in this person's hands stay, whoever made them a member.
            let words = try tool.doing { () throws(CircleFailure) in try recovery.member }
            if !others.isEmpty { try tool.round(.change(others.map { .remove($0) }), keeping: [words]) }
        }
        options.tell(
            "this machine is an owner of the circle\(exchanged(report.received.added, report.sent))")
        CircleDoubles.settle(in: tool.keychain, options)
        CircleDoubles.tellOfNamesakes(in: tool.keychain, options)
    }

    /// Refuses words where the circle has moved on from: whoever came there would be in a circle of its own.
    private static func requireWholeCircle(_ recovery: CircleRecovery, _ server: CircleServer) throws(CommandError) {
        guard let named = recovery.address, let address = try? ServerAddress(named),
            !server.address.isSamePlace(as: address),
            let other = try? CircleMove.server(named, of: recovery.log, from: server).server
        else { return }
        throw .failure(
            "the circle has moved to \(PlainText.shown(other.text)); recover it from there, with --server")
    }

    static func translating<Value: ~Copyable>(
        _ body: () throws(JoiningError) -> Value
    ) throws(CommandError) -> Value {
        do throws(JoiningError) { return try body() } catch { throw .failure(CircleWords.sentence(error)) }
    }
}
