// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCircle
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSync
internal import KeychainSyncPostgres
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle create`, `server`, `sql`, `leave`.
enum CircleBeginnings {
    static func create(_ options: Options) throws(CommandError) {
        guard let text = options.value("--server") else { throw .usage("circle create requires --server") }
        let tool = try CircleTool(options)
        try tool.requireNoCircle()
        let address = try CircleTool.address(text)
        let device = try tool.device()
        let name = try CircleNames.checked(options.value("--name") ?? hostName())
        let (draft, isNew) = try tool.doing { () throws(CircleFailure) in
            if let draft = try CircleDraft.stored(in: tool.session) { return (draft, false) }
            return (try CircleDraft.make(by: device, named: name, now: CircleTool.now(), in: tool.session), true)
        }
        let circle = Hexadecimal.digits(of: draft.circle.bytes)
        // A role that proves itself by its user at a socket, or by a certificate, has no password.
        let needsNone = address.passwordNeed != .needed && options.value("--password-fd") == nil
        let setUp =
            "the database's owner runs `llavero circle sql | psql DATABASE`, and `llavero circle sql --member \(PlainText.shown(address.user)) --circle \(circle)\(needsNone ? " --certificate" : "") | psql DATABASE`"
        if isNew, address.passwordNeed == .needed, options.value("--password-fd") == nil {
            // Who founds a circle has no password yet: its role is made for this circle.
            throw .failure(
                "the circle \(circle) is ready here, and the server does not have it yet: \(setUp), which prints the role's password; then the same `llavero circle create` asks for it, and goes on"
            )
        }
        let server = try tool.server(text, options)
        try tool.keep(server)
        var isWrongPassword = false
        do throws(CommandError) {
            try tool.doing { () throws(CircleFailure) in
                do throws(CircleFailure) {
                    try draft.publish(by: device, on: server.transport(draft.circle), in: tool.session)
                } catch {
                    if case .server(.wrongPassword) = error { isWrongPassword = true }
                    throw error
                }
            }
        } catch {
            guard !isWrongPassword else {
                throw .failure(
                    "\(error.description)\nthe circle \(circle) is ready here: the same `llavero circle create` with the role's password goes on"
                )
            }
            throw .failure(
                """
                \(error.description)
                the circle \(circle) is ready here, and the server does not have it. If its role may not write there yet, \(setUp); \
                then `llavero circle create` goes on
                """)
        }
        let report = try tool.round()
        options.tell("founded the circle \(circle); sent \(CircleReports.count(report.sent, "item"))")
        let called = CircleNames(of: try tool.local()).member(device.card)
        if !isNew, options.value("--name") != nil, !called.hasSameBytes(as: name) {
            options.tell("this machine is called \(PlainText.shown(called)) in it, as it was when the circle was begun")
        }
        let way =
            tool.keychain.hasRecoveryWords
            ? "`llavero circle words` makes the words of its recovery key"
            : "`llavero recovery make` prints words, and `llavero circle words` makes them"
        options.tell(
            "if this machine is lost, nothing opens the circle: \(way) a member"
        )
    }

    static func server(_ text: String, _ options: Options) throws(CommandError) {
        var tool = try CircleTool(options)
        tool.earlierServer = try? tool.server()
        let circle = try tool.local()
        let server = try tool.server(text, options)
        // The password of the server that it has now may be nowhere else.
        do throws(CircleServerError) {
            _ = try server.transport(circle.state.log.circle).perform(.newest([.log]))
        } catch {
            let why =
                if case .wrongPassword(let text) = error { "the server refused: \(text)" } else {
                    CircleWords.sentence(error)
                }
            throw .failure("nothing was changed: \(why)")
        }
        try tool.keep(server)
        try tool.round(.look, stays: true)
        let kept = try tool.server().text
        options.tell(
            kept.hasSameBytes(as: text)
                ? "this machine reaches its circle there"
                : "the address that was given is not used: this machine reaches its circle where that has moved, \(PlainText.shown(kept))"
        )
    }

    static func leave(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        // What ends is told to the others first, and a locked keychain could not let go of it.
        if try tool.keychain.isThere {
            _ = try tool.doing { () throws(CircleFailure) in
                do throws(KeychainError) { return try CircleItems(tool.session).names() } catch {
                    throw .keychain(error)
                }
            }
        }
        var circle: LocalCircle?
        do throws(CommandError) {
            circle = try tool.doing { () throws(CircleFailure) in try LocalCircle.open(in: tool.session) }
        } catch {
            // Without its keys it can tell nobody, and leaving is what is left.
            guard case .keychain(let cause) = error, cause.reason == .undecodable else { throw error }
            let back = LostPlace(in: tool.session)?.back ?? "remove this machine on another member"
            Tool.say("the circle was not told, for this machine's keys to it are lost; to come back: \(back)")
        }
        if let circle, let id = try? circle.device.card.id(), try othersAreTold(of: id, leaving: circle, options) {
            // They should not go on making keys for it. Where the server is gone, that has to wait for them.
            do throws(CommandError) { try tool.round(.change([.remove(id)])) } catch {
                // Once it is removed, a round ends with that word: then the circle knows.
                if try tool.local().state.log.membership.member(id) != nil {
                    Tool.say("the circle was not told (\(error.description)); remove this machine on another member")
                }
            }
        }
        try tool.doing { () throws(CircleFailure) in try LocalCircle.leave(in: tool.session) }
        options.tell("the keychain \(tool.keychain.shownName) is in no circle now; its items stay")
    }

    /// Whether there is somebody to tell; refuses to leave others without enough owners, unless that is asked for.
    private static func othersAreTold(
        of id: DeviceID, leaving circle: LocalCircle, _ options: Options
    ) throws(CommandError) -> Bool {
        let membership = circle.state.log.membership
        let others = membership.members.filter { $0.key != id && $0.value.isPresent }
        guard let own = membership.member(id), others.contains(where: { !$0.value.isRecovery }) else { return false }
        guard own.roles.isOwner, membership.owners.count(where: { $0 != id }) < membership.quorum else { return true }
        guard options.has("--yes") else {
            let after =
                others.contains { $0.value.isRecovery }
                ? "`llavero circle recover` with its words makes another owner"
                : "nobody can admit or remove machines, and those that are left leave, too, and found another circle"
            throw .failure(
                "nothing was done: \(CircleWords.sentence(.lastOwner)). With --yes this machine leaves all the same: then \(after)"
            )
        }
        return false
    }

    // MARK: SQL

    static func sql(_ options: Options) throws(CommandError) {
        let kinds = ["--member", "--joiner", "--keeper", "--drop"].filter { options.value($0) != nil }
        guard kinds.count <= 1 else { throw .usage("\(kinds.joined(separator: " and ")) cannot be used together") }
        guard let kind = kinds.first, let role = options.value(kind) else {
            guard options.value("--circle") == nil else { throw .usage("--circle is for --member and --joiner") }
            return print(SyncSchema.setUp)
        }
        // A password that is shown is one of a role that is then made.
        let circle = kind == "--member" || kind == "--joiner" ? try circle(options) : nil
        let login = kind == "--drop" ? nil : try login(options, role)
        do throws(RoleNameRefusal) {
            switch (kind, login, circle) {
            case ("--member", let login?, let circle?): print(try SyncSchema.member(role, circle: circle, login: login))
            case ("--joiner", let login?, let circle?): print(try SyncSchema.joiner(role, circle: circle, login: login))
            case ("--keeper", let login?, _): print(try SyncSchema.keeper(role, login: login))
            default: print(try SyncSchema.drop(role))
            }
        } catch { throw .failure(error.description) }
    }

    /// A password that was given, or one that is drawn here and shown once.
    private static func login(_ options: Options, _ role: String) throws(CommandError) -> SyncSchema.Login {
        if options.has("--certificate") { return .certificate }
        let password: SecretValue
        if let descriptor = try PasscodeInput.descriptor(options, "--password-fd") {
            password = try SecretInput.all(from: descriptor, line: true)
        } else {
            password = try CircleTool.making { () throws(CircleError) in try drawnPassword() }
            try SecretOutput.write(
                password, to: STDERR_FILENO,
                ending:
                    "\n^ the password of \(PlainText.shown(role)), shown once; the SQL has only what the server compares with\n"
            )
        }
        let salt = try CircleTool.making { () throws(CircleError) in try CircleRandom.bytes(16) }
        guard let verifier = ScramVerifier(password: password, salt: salt) else {
            throw .failure("the password has to consist of visible ASCII characters")
        }
        return .password(verifier)
    }

    /// Twenty-four letters and digits that nobody takes for others, each as likely as the next: 118 bits.
    private static func drawnPassword() throws(CircleError) -> SecretValue {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        let random = try CircleRandom.secret(96)
        return try unsafe random.withUnsafeBytes { (random) throws(CircleError) in
            var index = 0
            let password = unsafe SecretValue(count: 24) { output in
                for place in 0..<output.count {
                    // 248 of 256 are a whole number of alphabets; the others would make the first letters likelier.
                    while index < random.count, unsafe random[index] >= UInt8(letters.count * 8) { index += 1 }
                    guard index < random.count else { return }
                    unsafe output[place] = letters[Int(random[index]) % letters.count]
                    index += 1
                }
            }
            guard index < random.count else { throw .crypto(.randomnessUnavailable) }
            return password
        }
    }

    private static func circle(_ options: Options) throws(CommandError) -> CircleID {
        if let text = options.value("--circle") { return try circle(text) }
        let tool = try CircleTool(options)
        let draft = try tool.doing { () throws(CircleFailure) in try CircleDraft.stored(in: tool.session) }
        if let draft { return draft.circle }
        return try tool.local().state.log.circle
    }

    static func circle(_ text: String) throws(CommandError) -> CircleID {
        guard let bytes = Hexadecimal.bytes(of: text), let circle = CircleID(bytes) else {
            throw .usage("--circle takes the 32 digits that `llavero circle status` shows on a member")
        }
        return circle
    }

    static func hostName() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "a machine" }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "a machine" : name
    }
}
