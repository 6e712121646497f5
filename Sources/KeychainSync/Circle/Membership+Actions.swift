// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainRequest

/// The rules: who may write which entry, and what it changes.
extension Membership {
    /// Whether those who signed may do this; all of them are present, and the author is one of them.
    func allows(_ action: LogAction, by author: DeviceID, signedBy signers: Set<DeviceID>) -> Bool {
        guard let member = member(author), signers.contains(author) else { return false }
        switch action {
        case .found: return false
        case .admit(_, .invite), .admit(_, .allowed): return member.roles.isSponsor || member.roles.isOwner
        case .admit(_, .word): return member.isRecovery || isQuorum(signers, of: member)
        // Who wants to go, goes.
        case .remove(let device): return device == author || member.isRecovery || isQuorum(signers, of: member)
        case .rekey(let view, _, _):
            return member.isRecovery || member.roles.views[view] == .writer
                || view == namesView && member.roles.isOwner
        case .roles, .view, .policy, .recover, .invite, .allow, .withdraw, .erase, .quorum, .suite, .moved:
            return isQuorum(signers, of: member)
        // It stops whoever does not know it, so nobody else may write one, in any version.
        case .later: return isQuorum(signers, of: member)
        }
    }

    /// Whether an owner is the author, and as many owners as have to signed.
    func isQuorum(_ signers: Set<DeviceID>, of author: DeviceID) -> Bool {
        member(author).map { isQuorum(signers, of: $0) } ?? false
    }

    private func isQuorum(_ signers: Set<DeviceID>, of author: Member) -> Bool {
        author.roles.isOwner && signers.filter { member($0)?.roles.isOwner ?? false }.count >= quorum
    }

    /// Changes this as the entry says, or throws `refused` and is of no more use.
    mutating func apply(_ entry: LogEntry) throws(CircleError) {
        try change(by: entry)
        let changed: DeviceID? =
            switch entry.action {
            case .found(let founding): try founding.card.id()
            case .admit(let card, _), .recover(let card, _): try card.id()
            case .remove(let device), .roles(let device, _), .erase(let device, _): device
            case .view: entry.author
            case .policy, .rekey, .invite, .allow, .withdraw, .quorum, .suite, .moved, .later: nil
            }
        if let changed, let member = members[changed] {
            try listing.set(member, named: changed)
            noteLeft(member)
        }
    }

    private mutating func change(by entry: LogEntry) throws(CircleError) {
        switch entry.action {
        case .found(let founding): try found(founding, entry)
        case .admit(let card, let ground): try admit(card, ground, entry)
        case .remove(let device): try remove(device, entry)
        case .roles(let device, let roles): try setRoles(roles, of: device, at: entry.number)
        case .view(let view, let policy, let commitment):
            guard views[view] == nil else { throw .refused(.existingView) }
            guard views.count < Roles.mostViews else { throw .refused(.outOfRange) }
            views[view] = CircleView(sealedPolicy: policy, generation: 1, commitments: [1: commitment])
            // Who makes it has its key; where nobody wrote it, what it takes would go nowhere.
            guard var roles = member(entry.author)?.roles else { throw .refused(.unknownDevice) }
            roles.views[view] = .writer
            try setRoles(roles, of: entry.author, at: entry.number)
        case .policy(let view, let policy):
            guard view != namesView, views[view] != nil else { throw .refused(.unknownView) }
            views[view]?.sealedPolicy = policy
        case .rekey(let view, let generation, let commitment):
            guard let known = views[view] else { throw .refused(.unknownView) }
            guard generation == known.generation &+ 1, generation > 1 else { throw .refused(.wrongGeneration) }
            views[view]?.generation = generation
            views[view]?.commitments[generation] = commitment
        case .recover(let card, let proof):
            guard card.kind == .words else { throw .refused(.wrongProof) }
            let content = try Membership.recoveryProof(of: card, in: circle)
            try Membership.check(proof, of: content, by: card.signingKey)
            try add(card, Roles(), sealedName: [], at: entry.number)
        case .invite(let invite):
            guard invites[invite.id] == nil else { throw .refused(.alreadyMember) }
            try checkViews(of: invite.roles)
            invites[invite.id] = invite
        case .allow(let list):
            for allowance in list {
                try checkViews(of: allowance.roles)
                allowances[allowance.endorsementKey] = allowance
            }
        case .withdraw(let hash):
            let (invite, allowance) = (invites.removeValue(forKey: hash), allowances.removeValue(forKey: hash))
            guard invite != nil || allowance != nil else { throw .refused(.noInvite) }
        case .erase(let device, let erasure):
            guard members[device] != nil else { throw .refused(.unknownDevice) }
            members[device]?.erasure = erasure
        case .quorum(let count):
            guard count >= 1, count <= SignedBody.mostSignatures else { throw .refused(.outOfRange) }
            guard count <= owners.count else { throw .refused(.lastOwner) }
            quorum = count
        // There is one, which it is already; others are of later versions.
        case .suite, .later: throw .refused(.outOfRange)
        case .moved(let address): moved = (entry.number, address)
        }
    }

    private mutating func found(_ founding: Founding, _ entry: LogEntry) throws(CircleError) {
        guard members.isEmpty, let namesView else { throw .refused(.alreadyFounded) }
        guard founding.card.kind != .words, try founding.circle() == circle, try founding.card.id() == entry.author
        else { throw .refused(.wrongProof) }
        views[namesView] = CircleView(sealedPolicy: [], generation: 1, commitments: [1: founding.commitment])
        let roles = Roles(isOwner: true)
        try add(founding.card, roles, sealedName: founding.sealedName, at: entry.number)
    }

    private mutating func admit(_ card: Card, _ ground: Ground, _ entry: LogEntry) throws(CircleError) {
        // Words become a member by their own word only.
        guard card.kind != .words else { throw .refused(.wrongProof) }
        switch ground {
        case .word(let roles, let name): try add(card, roles, sealedName: name, at: entry.number)
        case .invite(let publicKey, let proof):
            let id = try CircleCoding.digest(of: publicKey)
            guard let invite = invites.removeValue(forKey: id) else { throw .refused(.noInvite) }
            guard entry.time <= invite.expiry else { throw .refused(.expired) }
            let content = try Membership.inviteProof(of: card, in: circle)
            try Membership.check(proof, of: content, by: publicKey)
            try add(card, invite.roles, sealedName: invite.sealedName, at: entry.number)
        case .allowed(let key):
            guard card.kind == .tpm else { throw .refused(.wrongProof) }
            guard let allowance = allowances.removeValue(forKey: key) else { throw .refused(.noInvite) }
            try add(card, allowance.roles, sealedName: allowance.sealedName, at: entry.number)
        }
    }

    private mutating func add(
        _ card: Card, _ roles: Roles, sealedName: [UInt8], at number: UInt64
    ) throws(CircleError) {
        let id = try card.id()
        if let known = members[id] { throw .refused(known.isPresent ? .alreadyMember : .wasRemoved) }
        // Nothing could be sealed to what is no point, and then to nobody.
        guard P256.isPublicKey(card.signingKey), P256.isPublicKey(card.agreementKey) else {
            throw .refused(.wrongProof)
        }
        members[id] = Member(card: card, roles: Roles(), admittedAt: number, sealedName: sealedName)
        try setRoles(roles, of: id, at: number)
    }

    private mutating func remove(_ device: DeviceID, _ entry: LogEntry) throws(CircleError) {
        guard let removed = member(device) else { throw .refused(.unknownDevice) }
        let left = owners.count - (removed.roles.isOwner ? 1 : 0)
        let isByWords = member(entry.author)?.isRecovery ?? false
        // Words are for when too few owners are left to sign; then those who are left are enough.
        guard left >= (isByWords ? 1 : quorum) else { throw .refused(.lastOwner) }
        quorum = min(quorum, left)
        for (view, state) in views where removed.isRecovery || view == namesView || removed.roles.views[view] != nil {
            members[device]?.lastGenerations[view] = state.generation
        }
        members[device]?.removedAt = entry.number
        members[device]?.end(\.owning, at: entry.number)
        for view in removed.writing.keys { members[device]?.endWriting(view, at: entry.number) }
        if !removed.owning.isEmpty { endPromises() }
    }

    /// What owners promised ends with any of them: a token that one kept for itself would bring it back.
    private mutating func endPromises() { (invites, allowances) = ([:], [:]) }

    private mutating func setRoles(_ roles: Roles, of device: DeviceID, at number: UInt64) throws(CircleError) {
        guard var member = member(device) else { throw .refused(.unknownDevice) }
        // Words have the one role that they have.
        guard !member.isRecovery || roles == Roles() else { throw .refused(.outOfRange) }
        try checkViews(of: roles)
        if member.roles.isOwner, !roles.isOwner {
            guard owners.count > quorum else { throw .refused(.lastOwner) }
            member.end(\.owning, at: number)
            endPromises()
        } else if !member.roles.isOwner, roles.isOwner {
            member.owning.append(LogSpan(from: number))
        }
        for (view, access) in member.roles.views {
            if access == .writer, roles.views[view] != .writer { member.endWriting(view, at: number) }
            if roles.views[view] == nil { member.lastGenerations[view] = views[view]?.generation }
        }
        for (view, access) in roles.views {
            if access == .writer, member.roles.views[view] != .writer {
                member.writing[view, default: []].append(LogSpan(from: number))
            }
            member.lastGenerations[view] = nil
        }
        member.roles = roles
        members[device] = member
    }

    private func checkViews(of roles: Roles) throws(CircleError) {
        for view in roles.views.keys {
            guard view != namesView, views[view] != nil else { throw .refused(.unknownView) }
        }
    }
}

/// What is signed outside of entries, and stands in them.
extension Membership {
    /// What the key of a token signs.
    package static func inviteProof(of card: Card, in circle: CircleID) throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([.string("llavero invited"), .data(circle.bytes), .data(try card.encoded())]))
    }

    /// What a recovery key signs: without that, a server could found a circle of its own for a key that it read somewhere.
    package static func recoveryProof(of card: Card, in circle: CircleID) throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([.string("llavero recovery"), .data(circle.bytes), .data(try card.encoded())]))
    }

    private static func check(
        _ signature: [UInt8], of content: [UInt8], by publicKey: [UInt8]
    ) throws(CircleError) {
        let digest = try CircleCoding.digest(of: content)
        guard P256.isValid(signature: signature, of: digest, publicKey: publicKey) else {
            throw .refused(.wrongProof)
        }
    }
}

extension Member {
    fileprivate mutating func end(_ spans: WritableKeyPath<Member, [LogSpan]>, at number: UInt64) {
        Member.end(&self[keyPath: spans], at: number)
    }

    fileprivate mutating func endWriting(_ view: SyncView, at number: UInt64) {
        Member.end(&writing[view, default: []], at: number)
    }

    private static func end(_ spans: inout [LogSpan], at number: UInt64) {
        guard let last = spans.indices.last, spans[last].until == nil else { return }
        spans[last].until = number
    }
}
