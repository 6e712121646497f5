// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// What people call the members and the views of a circle.
///
/// Only the key of names tells; without it they are called by their numbers.
struct CircleNames {
    private let circle: LocalCircle
    private let policies: ViewPolicies?

    init(of circle: LocalCircle) {
        self.circle = circle
        policies = try? ViewPolicies(of: circle.state.log.membership, circle.keys)
    }

    private var membership: Membership { circle.state.log.membership }

    // MARK: Members

    func member(_ id: DeviceID) -> String {
        let digits = Hexadecimal.digits(of: id.bytes)
        guard let member = membership.members[id] else { return digits }
        if member.isRecovery { return CircleNames.words }
        // Whoever admits chooses a name; what words are called is nobody else's.
        guard let name = name(member.sealedName, [.device(id), .invite([])]), name != CircleNames.words else {
            return digits
        }
        return name
    }

    func member(_ card: Card) -> String { (try? card.id()).map { member($0) } ?? "a device" }

    /// The member that a word means: its name, or the beginning of its number.
    func device(_ word: String, present: Bool) throws(CommandError) -> DeviceID {
        let members = membership.members.filter { present ? $0.value.isPresent : true }
        let named = members.keys.filter { id in
            member(id) == word || word.count >= 4 && Hexadecimal.digits(of: id.bytes).hasPrefix(word.lowercased())
        }
        guard let found = named.first else {
            throw .notFound("the circle has no member \(PlainText.shown(word)); `llavero circle list` shows them")
        }
        guard named.count == 1 else {
            throw .ambiguous(
                "several members are called that: \(named.map { Hexadecimal.digits(of: $0.bytes) }.sorted().joined(separator: ", "))"
            )
        }
        return found
    }

    /// What a token or a TPM is for.
    func promised(_ sealedName: [UInt8]) -> String { name(sealedName, [.invite([])]) ?? "" }

    private func name(_ sealed: [UInt8], _ things: [NamedThing]) -> String? {
        for thing in things {
            if let bytes = try? circle.keys.open(sealed, of: thing),
                let text = String(validating: bytes, as: UTF8.self)
            {
                return text
            }
        }
        return nil
    }

    /// Whether a member that is present is called so.
    func isTaken(_ name: String) -> Bool {
        membership.members.contains { $0.value.isPresent && member($0.key) == name }
    }

    static let words = "the words"

    /// A name that is given to a machine.
    static func checked(_ name: String) throws(CommandError) -> String {
        guard name != words else { throw .usage("recovery words are called \"\(words)\"; --name takes another name") }
        return name
    }

    // MARK: Views

    /// All but that of names, in the order of their names.
    var views: [(view: SyncView, policy: ViewPolicy?)] {
        membership.views.keys.filter { $0 != membership.namesView }
            .map { ($0, policies?[$0]) }.sorted {
                (view($0.0), $0.0.bytes.description) < (view($1.0), $1.0.bytes.description)
            }
    }

    func view(_ view: SyncView) -> String {
        view == membership.namesView ? "names" : policies?[view]?.name ?? Hexadecimal.digits(of: view.bytes)
    }

    /// The view of an item; nil of what stays on its machine.
    func view(of item: SyncItem) -> SyncView? { policies?.view(of: item) }

    /// The view that a word means; nil where there is none.
    func view(named word: String) -> SyncView? {
        views.first {
            view($0.view) == word
                || word.count >= 4 && Hexadecimal.digits(of: $0.view.bytes).hasPrefix(word.lowercased())
        }?.view
    }

    /// The same; fails where there is none.
    func requiredView(_ word: String) throws(CommandError) -> SyncView {
        guard let view = view(named: word) else {
            throw .notFound("the circle has no view \(PlainText.shown(word)); `llavero circle views` shows them")
        }
        return view
    }

    func chain(_ chain: CircleChain) -> String {
        switch chain {
        case .log: "the log of members"
        case .heads(let view): "the view \(self.view(view))"
        }
    }

    // MARK: Rights

    func rights(_ member: Member) -> String { member.isRecovery ? "admit, remove" : rights(member.roles) }

    /// Such as "own, write everything".
    func rights(_ roles: Roles) -> String {
        var words: [String] = []
        if roles.isOwner { words.append("own") }
        if roles.isSponsor { words.append("sponsor") }
        for (access, word) in [(Roles.Access.writer, "write"), (.reader, "read")] {
            let named = views.map(\.view).filter { roles.views[$0] == access }
            if named.isEmpty { continue }
            words.append(
                named.count == views.count ? word : "\(word) \(named.map { view($0) }.joined(separator: " and "))")
        }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }

    // MARK: Entries

    /// What an entry did.
    func did(_ action: LogAction) -> String {
        return switch action {
        case .found: "founded the circle"
        case .admit(let card, .word(let roles, _)): "admitted \(member(card)), which may \(rights(roles))"
        case .admit(let card, .invite): "admitted \(member(card)), which has a token"
        case .admit(let card, .allowed): "admitted \(member(card)), whose TPM is allowed"
        case .remove(let id): "removed \(member(id))"
        case .roles(let id, let roles): "let \(member(id)) \(rights(roles))"
        case .view(let id, let sealed, _): "made the view \(policy(sealed, of: id))"
        case .policy(let id, let sealed): "had the view \(policy(sealed, of: id))"
        case .rekey(let id, let generation, _): "made keys of \(view(id)), generation \(generation)"
        case .recover: "made the words a member"
        case .invite(let invite): "made a token for \(promised(invite.sealedName)), which may \(rights(invite.roles))"
        case .allow(let list): "allowed \(CircleReports.count(list.count, "TPM"))"
        case .withdraw: "took back a token"
        case .erase(let id, .circle): "had \(member(id)) erase what it has of the circle"
        case .erase(let id, .all): "had \(member(id)) erase its keychain"
        case .quorum(let number): "asked for \(CircleReports.count(number, "signature")) of owners"
        case .suite: "changed the cryptography"
        case .moved(let address): "moved the circle to \(circle.address(in: address) ?? "another server")"
        case .later(let name): "did what a later version knows (\(PlainText.shown(name)))"
        }
    }

    /// The same of what is only proposed; whoever signs it has to see all of it.
    func proposed(_ action: LogAction) -> String {
        switch action {
        case .admit(let card, .word(let roles, let sealedName)):
            let id = (try? card.id()).map { Hexadecimal.digits(of: $0.bytes) } ?? ""
            let name = (try? card.id()).flatMap { self.name(sealedName, [.device($0)]) } ?? "a machine"
            return "admit \(name), the device \(id), which may \(rights(roles))"
        case .remove(let id): return "remove \(told(id))"
        case .roles(let id, let roles): return "let \(told(id)) \(rights(roles))"
        case .view(let id, let sealed, _): return "make the view \(policy(sealed, of: id))"
        case .policy(let id, let sealed): return "have the view \(view(id)) be \(policy(sealed, of: id))"
        case .recover(let card, _):
            return "make words a member, \((try? card.id()).map { Hexadecimal.digits(of: $0.bytes) } ?? "")"
        case .invite(let invite):
            return
                "make a token for \(promised(invite.sealedName)), until \(CircleWords.day(invite.expiry)), which may \(rights(invite.roles))"
        case .allow(let list):
            let each = list.map {
                "\(promised($0.sealedName)) (\(Hexadecimal.digits(of: $0.endorsementKey))), which may \(rights($0.roles))"
            }
            return "allow \(CircleReports.count(list.count, "TPM")): \(each.joined(separator: "; "))"
        case .withdraw(let hash): return "take back the token \(Hexadecimal.digits(of: hash))"
        case .erase(let id, .circle): return "have \(told(id)) erase what it has of the circle"
        case .erase(let id, .all): return "have \(told(id)) erase its keychain"
        case .quorum(let number): return "ask for \(CircleReports.count(number, "signature")) of owners"
        case .moved(let address):
            return "move the circle to \(circle.address(in: address) ?? "an address that is not readable here")"
        case .found, .admit, .rekey, .suite, .later: return did(action)
        }
    }

    /// A member that others of its name cannot be taken for: whoever admits chooses names.
    private func told(_ id: DeviceID) -> String {
        let name = member(id)
        let isShared = membership.members.keys.contains { $0 != id && member($0) == name }
        return isShared ? "\(name), the device \(Hexadecimal.digits(of: id.bytes))" : name
    }

    private func policy(_ sealed: [UInt8], of view: SyncView) -> String {
        guard let bytes = try? circle.keys.open(sealed, of: .policy(view)),
            let policy = try? ViewPolicy(decoding: bytes)
        else { return Hexadecimal.digits(of: view.bytes) }
        return "\(policy.name), which takes \(CircleNames.taken(by: policy))"
    }

    /// Which items a view has.
    static func taken(by policy: ViewPolicy) -> String {
        var parts = policy.groups.map { "group \($0)" } + policy.hints.map { "hint \($0)" }
        if policy.takesTheRest { parts.append(parts.isEmpty ? "everything" : "the rest") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
