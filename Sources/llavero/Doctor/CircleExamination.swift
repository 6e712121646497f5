// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSync
internal import KeychainSyncPostgres
internal import KeychainSystem
internal import KeychainTools

/// The findings about a keychain's circle: nothing of a keychain that is in none, or is locked.
///
/// The server is only asked how far it is, so that nothing changes here.
enum CircleExamination {
    static func findings(of keychain: ToolKeychain) -> [Diagnosis] {
        do throws(CommandError) {
            let tool = try CircleTool(of: keychain)
            guard try keychain.isThere, !keychain.host.isAbandoned, !(try keychain.state().isLocked),
                let circle = try tool.localIfAny()
            else { return [] }
            return try CircleExamined(tool, circle).findings()
        } catch {
            if case .keychain(let cause) = error, cause.reason == .missingEntitlement {
                return unseen(keychain, why: cause.text)
            }
            return [.wrong("circle", error.description, fix: "llavero circle status\(keychain.option) shows details")]
        }
    }

    /// Of a circle of which a daemon tells nobody whom root's files do not let synchronize.
    ///
    /// That there is one, the user's own files say; those of the system's daemon its user cannot read.
    private static func unseen(_ keychain: ToolKeychain, why: String) -> [Diagnosis] {
        guard let folder = keychain.location, SyncTables.exist(inDatabase: "\(folder)/keychain.db") else { return [] }
        return [
            .wrong(
                "circle", "could not be looked at, because \(PlainText.shown(why))",
                fix: "`<key>synchronizes</key><true/>` in the file of /etc/llavero/entitlements.d that lists llavero")
        ]
    }
}

private struct CircleExamined {
    private let tool: CircleTool
    private let circle: LocalCircle
    private let names: CircleNames
    private let own: DeviceID
    private let option: String

    init(_ tool: CircleTool, _ circle: LocalCircle) throws(CommandError) {
        (self.tool, self.circle, names) = (tool, circle, CircleNames(of: circle))
        own = try CircleTool.making { () throws(CircleError) in try circle.device.card.id() }
        option = tool.keychain.option
    }

    private var subject: String { "circle" }
    private var membership: Membership { circle.state.log.membership }

    func findings() throws(CommandError) -> [Diagnosis] {
        if let member = membership.members[own], !member.isPresent {
            return [
                .wrong(
                    subject, "this machine was removed from it; its items stay",
                    fix: "llavero circle leave\(option), and join anew where that was not meant")
            ]
        }
        var findings = circle.state.alarms.map { alarm in
            Diagnosis.wrong(
                subject, PlainText.shown(CircleWords.sentence(alarm, names.chain, names.member)), fix: alarm.remedy)
        }
        let before = findings.count
        if membership.member(own) == nil {
            findings.append(
                .advice(
                    subject, "no member has admitted this machine yet",
                    fix: "llavero circle admit on a member, then llavero sync\(option) here"))
        }
        if circle.lacksKeys {
            findings.append(
                .advice(
                    subject, CircleWords.lackOfKeys,
                    fix: "llavero sync on a member that can read it, then llavero sync\(option) here"))
        }
        let reached = try askServer(&findings)
        try tellOfAge(&findings)
        if tool.keychain.hasDaemon, tool.keychain.isOfSystem {
            findings.append(
                .advice(
                    subject, "the system's daemon has this keychain, and does not synchronize",
                    fix: "a timer that runs llavero sync\(option)"))
        }
        try tellOfUnsent(&findings)
        let doubles = try CircleDoubles.pairs(in: tool.keychain)
        if !doubles.isEmpty {
            findings.append(
                .advice(
                    subject,
                    "\(CircleDoubles.counted(doubles)), so that a name means two",
                    fix: "llavero sync\(option) leaves one where both say the same, and names those that differ"))
        }
        tellOfMembers(&findings)
        if reached { try askMore(&findings) }
        if findings.count == before, before == 0 {
            findings.append(.good(subject, "is in step with its server"))
        }
        return findings
    }

    // MARK: The server

    /// Whether it answered, and has what this machine has and no more.
    private func askServer(_ findings: inout [Diagnosis]) throws(CommandError) -> Bool {
        let server: CircleServer
        do throws(CommandError) { server = try tool.server() } catch {
            findings.append(.wrong(subject, error.description, fix: "llavero circle server ADDRESS\(option)"))
            return false
        }
        if server.address.passwordNeed == .needed, server.password == nil {
            findings.append(
                .wrong(
                    subject, "the password of the role \(PlainText.shown(server.address.user)) is not in the keychain",
                    fix: "llavero circle server \(ShellWord.quoted(PlainText.shown(server.text)))\(option) asks for it")
            )
            return false
        }
        let transport = server.transport(membership.circle)
        let chains = [CircleChain.log] + followed.map { .heads($0) }
        let role = ShellWord.quoted(PlainText.shown(server.address.user))
        let rights =
            "on the database's host: llavero circle sql --member \(role) --circle \(Hexadecimal.digits(of: membership.circle.bytes)) | psql DATABASE"
        let ends: [ChainEnd]
        do throws(CircleServerError) {
            guard case .newest(let found) = try transport.perform(.newest(chains)), found.count == chains.count
            else { return false }
            ends = found
        } catch {
            let fix =
                switch error {
                case .wrongPassword:
                    "llavero circle server \(ShellWord.quoted(PlainText.shown(server.text)))\(option) asks for the role's password"
                case .refused: rights
                case .unprepared: "sudo apt install libpq5"
                case .unreachable:
                    "see that the database runs and is reached from here: \(PlainText.shown(server.text))"
                case .taken, .broken: "llavero circle status\(option) shows details"
                }
            findings.append(.wrong(subject, PlainText.shown(CircleWords.sentence(error)), fix: fix))
            return false
        }
        return try compare(zip(chains, ends).map { ($0, $1) }, rights, &findings)
    }

    /// The views that it reads: of others it knows what it read once, and follows them no more.
    private var followed: [SyncView] {
        guard let member = membership.member(own) else { return [] }
        return circle.state.views.keys.filter { membership.reads(member, $0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Whether all chains end on the server as this machine knows them.
    private func compare(
        _ ends: [(chain: CircleChain, end: ChainEnd)], _ rights: String, _ findings: inout [Diagnosis]
    ) throws(CommandError) -> Bool {
        if ends.first?.end.number == 0 {
            findings.append(
                .wrong(
                    subject,
                    "the server shows nothing of the circle: its role has no right to it, or the database was emptied",
                    fix: "\(rights); or, where it was emptied, llavero circle heal on the machine that wrote last"))
            return false
        }
        let known = [circle.state.log.last] + followed.map { circle.state.views[$0]?.last ?? 0 }
        let pairs = zip(ends.map(\.end.number), known)
        if circle.state.alarms.isEmpty, pairs.contains(where: { $0 < $1 }) {
            findings.append(
                .wrong(
                    subject, "the server is older than this machine",
                    fix: "llavero circle status\(option) says what is missing, and what to do"))
        }
        guard pairs.allSatisfy({ $0 == $1 }) else { return false }
        for (chain, end) in ends where circle.state.alarms.isEmpty {
            let isAnother = try tool.doing { () throws(CircleFailure) in
                try circle.knowsAnother(end, of: chain, in: tool.session)
            }
            guard isAnother else { continue }
            findings.append(
                .wrong(
                    subject, "the server has something else than this machine read there",
                    fix: "llavero sync\(option) says what"))
            return false
        }
        return true
    }

    /// What takes more than one question: proposals, and what a removed machine could read.
    private func askMore(_ findings: inout [Diagnosis]) throws(CommandError) {
        if membership.quorum > 1, membership.member(own)?.roles.isOwner ?? false {
            for proposal in try tool.proposals(circle) where !proposal.signers.contains(own) {
                findings.append(
                    .advice(
                        subject,
                        "\(PlainText.shown(names.member(proposal.entry.author))) proposes to \(PlainText.shown(names.proposed(proposal.entry.action)))",
                        fix: "llavero circle sign \(proposal.name)\(option), if you agree"))
            }
        }
        let readable = Set(membership.member(own)?.roles.views.keys.map(\.self) ?? [])
        for (id, member) in membership.members.sorted(by: { $0.key < $1.key })
        where !member.isPresent && !readable.isDisjoint(with: member.lastGenerations.keys) {
            var count = 0
            for view in readable { count += try tool.items(in: view) }
            // Of more it takes a while, as of a person who asks for it.
            guard count <= CircleExamined.mostListed, circle.state.alarms.isEmpty else { return }
            let left = try tool.toRotate(of: id)
            if left == 0 { continue }
            let name = names.member(id)
            findings.append(
                .advice(
                    subject,
                    "\(PlainText.shown(name)) was removed, and could read \(CircleReports.count(left, "secret")) that nobody has changed since",
                    fix: "llavero circle rotate-list \(ShellWord.quoted(PlainText.shown(name)))\(option) names them"))
        }
    }

    // MARK: What is known here

    /// It notes every six hours what it saw.
    private func tellOfAge(_ findings: inout [Diagnosis]) throws(CommandError) {
        let noted = max(circle.state.lastSeen, circle.state.views.values.map(\.pulled).max() ?? 0)
        let now = CircleTool.now()
        guard noted > 0, Double(noted) < now - CircleExamined.day else { return }
        findings.append(
            .advice(
                subject, "it was last in step \(CircleWords.age(noted, now))",
                fix: "llavero sync\(option); a llaverod that runs does it by itself"))
    }

    private func tellOfUnsent(_ findings: inout [Diagnosis]) throws(CommandError) {
        let unsent = try tool.unsent()
        for item in unsent.tooLarge {
            findings.append(
                .advice(
                    subject, item.sentence,
                    fix: "keep it in parts, or in an item that is not shared: llavero help edit"))
        }
        let roles = membership.member(own)?.roles.views ?? [:]
        guard !roles.isEmpty, !roles.values.contains(.writer), unsent.count > 0 else { return }
        findings.append(
            .advice(
                subject,
                "\(unsent.counted) changed here and stay here: this machine only reads",
                fix:
                    "llavero circle role \(ShellWord.quoted(PlainText.shown(names.member(own)))) writer, on an owner's machine"
            ))
    }

    private func tellOfMembers(_ findings: inout [Diagnosis]) {
        let present = membership.members.filter { $0.value.isPresent }
        if !present.contains(where: { $0.value.isRecovery }) {
            findings.append(
                .advice(
                    subject, "nothing opens it when all its machines are lost",
                    fix: (tool.keychain.hasRecoveryWords ? "" : "llavero recovery make\(option), then ")
                        + "llavero circle words\(option)"))
        }
        let now = CircleTool.now()
        for (id, other) in circle.state.others.sorted(by: { $0.key < $1.key })
        where present[id] != nil && id != own && Double(other.time) < now - 30 * CircleExamined.day {
            let name = PlainText.shown(names.member(id))
            findings.append(
                .advice(
                    subject, "\(name) was last heard of \(CircleWords.age(other.time, now))",
                    fix: "where it is gone for good: llavero circle remove \(ShellWord.quoted(name))\(option)"))
        }
    }

    private static let day = 86400.0
    private static let mostListed = 2000
}
