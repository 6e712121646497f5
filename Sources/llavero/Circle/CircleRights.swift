// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle role`, `views`, `view`, `invites`: who may do what.
enum CircleRights {
    // MARK: Roles

    static func role(_ word: String, _ words: [String], _ options: Options) throws(CommandError) {
        let change = try RoleChange(words)
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let names = CircleNames(of: circle)
        let membership = circle.state.log.membership
        let device = try names.device(word, present: true)
        guard let member = membership.members[device], !member.isRecovery else {
            throw .failure("recovery words have the one role that they have")
        }
        var views: [SyncView] = []
        for name in options.values("--view") { views.append(try names.requiredView(name)) }
        guard views.isEmpty || change.access != nil else {
            throw .usage("--view goes with writer, reader or none")
        }
        var outside: [SyncView] = []
        if views.isEmpty {
            views = names.views.map(\.view)
            // Who is kept out of a view is not let in by a word that is about what it may do in others.
            if let access = change.access, access != nil, !member.roles.views.isEmpty {
                outside = views.filter { member.roles.views[$0] == nil }
                views.removeAll { outside.contains($0) }
            }
        }
        let roles = change.applied(to: member.roles, views)
        let rest =
            outside.isEmpty
            ? ""
            : "; it stays outside of \(outside.map { PlainText.shown(names.view($0)) }.joined(separator: ", ")), which --view would let it into"
        guard roles != member.roles else { return options.tell("that is so already\(rest)") }
        // It could not be given their keys here.
        for view in roles.views.keys where member.roles.views[view] == nil {
            guard circle.canHandOn(view) else {
                guard !membership.readers(of: view).isEmpty else { throw .failure(CircleRights.unread([view], names)) }
                throw .failure(
                    "this machine does not read the view \(PlainText.shown(names.view(view))), so it has no keys to hand on; an owner that reads it can do this"
                )
            }
        }
        try tool.round(.change([.roles(device, roles)]))
        tellOfUnread(since: membership, tool, options)
        // Nobody else knows what it has changed and removed.
        let mayWrite = roles.views.contains { $0.value == .writer && member.roles.views[$0.key] == .reader }
        let meanwhile =
            mayWrite ? "; what it changed or removed while it could only read goes to all with its next sync" : ""
        options.tell("\(PlainText.shown(names.member(device))) may now \(names.rights(roles))\(rest)\(meanwhile)")
    }

    /// Tells of views that somebody read before, and nobody does now: no member has their keys any more.
    static func tellOfUnread(since before: Membership, _ tool: CircleTool, _ options: Options) {
        guard let circle = try? tool.local() else { return }
        let after = circle.state.log.membership
        let views = after.views.keys.filter { view in
            view != after.namesView && after.readers(of: view).isEmpty && !before.readers(of: view).isEmpty
        }
        if !views.isEmpty { options.tell(unread(Array(views), CircleNames(of: circle))) }
    }

    private static func unread(_ views: [SyncView], _ names: CircleNames) -> String {
        let shown = views.map { PlainText.shown(names.view($0)) }.sorted()
        let isOne = shown.count == 1
        return
            "nobody reads the view\(isOne ? "" : "s") \(shown.joined(separator: ", ")) any more, so nobody has \(isOne ? "its" : "their") keys, and what \(isOne ? "it takes" : "they take") goes to no machine: have it take something else (`llavero circle view \(ShellWord.quoted(shown[0])) --group unused`), and make another view of what it took"
    }

    /// What the words behind a device's name change of its role.
    private struct RoleChange {
        private(set) var flags: (isOwner: Bool, isSponsor: Bool)?
        /// Of views: nil inside stands for none at all.
        private(set) var access: Roles.Access??

        init(_ words: [String]) throws(CommandError) {
            let kinds = words.filter { ["owner", "sponsor", "member"].contains($0) }
            let ways = words.filter { ["writer", "reader", "none"].contains($0) }
            guard !words.isEmpty, kinds.count + ways.count == words.count else {
                throw .usage("circle role takes a device, and owner, sponsor, member, writer, reader or none")
            }
            guard !kinds.contains("member") || kinds.count == 1, ways.count < 2 else {
                throw .usage("circle role cannot be \(words.joined(separator: " and ")) at once")
            }
            if !kinds.isEmpty { flags = (kinds.contains("owner"), kinds.contains("sponsor")) }
            access =
                switch ways.first {
                case "writer": .some(.writer)
                case "reader": .some(.reader)
                case "none": .some(nil)
                default: nil
                }
        }

        func applied(to roles: Roles, _ views: [SyncView]) -> Roles {
            var roles = roles
            if let flags { (roles.isOwner, roles.isSponsor) = flags }
            if let access { for view in views { roles.views[view] = access } }
            return roles
        }
    }

    // MARK: Views

    static func views(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        do throws(CommandError) { try tool.round(.look) } catch { Tool.say(error.description) }
        let circle = try tool.local()
        let names = CircleNames(of: circle)
        let membership = circle.state.log.membership
        let own = try? circle.device.card.id()
        var listing = Listing([
            .init("NAME", "name"), .init("VIEW", "view"), .init("TAKES", "takes"), .init("WRITERS", "writers"),
            .init("READERS", "readers"), .init("ITEMS HERE", "items"), .init("KEYS", "generation"),
        ])
        for (view, policy) in names.views {
            func those(_ access: Roles.Access) -> JSONText {
                let found = membership.members.filter { $0.value.isPresent && $0.value.roles.views[view] == access }
                    .keys.map { names.member($0) }.sorted()
                return form == .json ? .list(found.map { .text($0) }) : .text(found.joined(separator: ", "))
            }
            let isRead = own.flatMap { membership.member($0) }?.roles.views[view] != nil
            listing.rows.append([
                .text(names.view(view)), .text(Hexadecimal.digits(of: view.bytes)),
                .text(policy.map(CircleNames.taken) ?? ""), those(.writer), those(.reader),
                isRead ? .number(Int64(try tool.items(in: view))) : .null,
                .number(Int64(membership.views[view]?.generation ?? 0)),
            ])
        }
        listing.print(form)
    }

    /// Makes a view, or changes what one takes.
    static func view(_ name: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let names = CircleNames(of: circle)
        let policy = ViewPolicy(
            name: name, hints: options.values("--hint"), groups: options.values("--group"),
            takesTheRest: options.has("--rest"))
        guard policy.takesTheRest || !policy.hints.isEmpty || !policy.groups.isEmpty else {
            throw .usage("circle view requires --group, --hint or --rest: what the view takes")
        }
        let taking = names.views.first { $0.policy?.takesTheRest ?? false && names.view($0.view) != name }
        if policy.takesTheRest, let taking {
            throw .failure("the view \(PlainText.shown(names.view(taking.view))) takes the rest already, and one does")
        }
        if let known = names.view(named: name) {
            guard names.views.first(where: { $0.view == known })?.policy != policy else {
                return options.tell("that is so already")
            }
            let sealed = try seal(policy, of: known, circle)
            try tool.round(.change([.policy(known, sealedPolicy: sealed)]))
            return options.tell(
                "the view \(PlainText.shown(name)) takes \(PlainText.shown(CircleNames.taken(by: policy)))")
        }
        let (view, key) = try tool.newView(of: circle)
        let made = LogAction.view(
            view, sealedPolicy: try seal(policy, of: view, circle),
            commitment: try CircleTool.making { () throws(CircleError) in try key.commitment() })
        try tool.round(.change([made]))
        options.tell(
            "made the view \(PlainText.shown(name)); only this machine has it yet: `llavero circle role DEVICE writer --view \(ShellWord.quoted(PlainText.shown(name)))` shares it"
        )
    }

    private static func seal(
        _ policy: ViewPolicy, of view: SyncView, _ circle: LocalCircle
    ) throws(CommandError) -> [UInt8] {
        try CircleTool.making { () throws(CircleError) in
            try circle.keys.seal(policy.encoded(), of: .policy(view))
        }
    }

    // MARK: Tokens

    static func invites(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        do throws(CommandError) { try tool.round(.look) } catch { Tool.say(error.description) }
        let circle = try tool.local()
        let names = CircleNames(of: circle)
        var listing = Listing([
            .init("NUMBER", "token"), .init("FOR", "name"), .init("MAY", "role"), .init("UNTIL", "expires"),
            .init("STATE", "state"),
        ])
        let now = Int64(CircleTool.now())
        let membership = circle.state.log.membership
        for invite in membership.invites.values.sorted(by: { $0.expiry < $1.expiry }) {
            listing.rows.append([
                .text(Hexadecimal.digits(of: invite.id)), .text(names.promised(invite.sealedName)),
                .text(names.rights(invite.roles)), .text(CircleWords.day(invite.expiry)),
                .text(invite.expiry < now ? "expired" : "open"),
            ])
        }
        for allowance in membership.allowances.values.sorted(by: {
            $0.endorsementKey.lexicographicallyPrecedes($1.endorsementKey)
        }) {
            listing.rows.append([
                .text(Hexadecimal.digits(of: allowance.endorsementKey)), .text(names.promised(allowance.sealedName)),
                .text(names.rights(allowance.roles)), .text(""), .text("a TPM"),
            ])
        }
        listing.print(form)
        if form == .people, listing.rows.isEmpty { Tool.say("no token waits to be used") }
    }

    /// Takes back a token, or the promise to a TPM.
    ///
    /// No error says the word: it may be a token with an error in it.
    static func withdraw(_ word: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let membership = try tool.local().state.log.membership
        let ids = Array(membership.invites.keys) + membership.allowances.keys
        let number = number(ofToken: word) ?? word.lowercased()
        let found = ids.filter { number.count >= 4 && Hexadecimal.digits(of: $0).hasPrefix(number) }
        guard let id = found.first else {
            throw .notFound(
                "no such token waits: --withdraw takes the token, or its number, which `llavero circle invites` shows")
        }
        guard found.count == 1 else { throw .ambiguous("several numbers begin so; give more of it") }
        try tool.round(.change([.withdraw(id)]))
        options.tell("nobody joins with it any more")
    }

    /// The number of a token that `circle invite` printed; nil of anything else.
    private static func number(ofToken word: String) -> String? {
        let bytes = Array(word.utf8)
        let invite = try? unsafe bytes.withUnsafeBytes { (bytes) throws(JoiningError) in
            try unsafe JoinToken(pasted: bytes).invite()
        }
        return invite.map { Hexadecimal.digits(of: $0) }
    }
}

extension CircleTool {
    /// A view with a key that this keychain has from now on, also where the log never gets it.
    func newView(of circle: LocalCircle) throws(CommandError) -> (SyncView, ViewKey) {
        let id = circle.state.log.circle
        let (view, key) = try CircleTool.making { () throws(CircleError) in
            guard let view = SyncView(try CircleRandom.bytes(SyncView.size)) else { throw .malformed }
            return (view, try ViewKey(circle: id, view: view, secret: try CircleRandom.secret(ViewKey.size)))
        }
        try keychain.unlocking { () throws(KeychainError) in try CircleKeys(of: id, in: session).keep(key) }
        return (view, key)
    }

    /// How many items of a view this keychain has.
    func items(in view: SyncView) throws(CommandError) -> Int {
        let reply = try keychain.unlocking { () throws(KeychainError) in
            try session.perform(.sync(.live(of: view, among: [])))
        }
        guard case .sync(.live(_, let count)) = reply else { throw .failure("the keychain answered another question") }
        return count
    }
}
