// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainRequest

/// What an entry of the log does.
package enum LogAction: Sendable, Equatable {
    case found(Founding)
    case admit(Card, Ground)
    case remove(DeviceID)
    case roles(DeviceID, Roles)
    /// A new view, with the commitment to its first key.
    case view(SyncView, sealedPolicy: [UInt8], commitment: [UInt8])
    case policy(SyncView, sealedPolicy: [UInt8])
    case rekey(SyncView, generation: UInt32, commitment: [UInt8])
    /// The card that a recovery key's words give, and their word that they belong to this circle.
    case recover(Card, proof: [UInt8])
    case invite(Invite)
    case allow([Allowance])
    /// Takes back an invite, or an endorsement key, by its hash.
    case withdraw([UInt8])
    case erase(DeviceID, Erasure)
    case quorum(Int)
    case suite(Int64)
    case moved(sealedAddress: [UInt8])
    /// What a later version writes.
    case later(name: String)
}

/// What founds a circle: its first owner, and the commitment to the key of names.
package struct Founding: Sendable, Equatable {
    package let card: Card
    /// So that a device can found more circles than one.
    package let chance: [UInt8]
    package let commitment: [UInt8]
    package let sealedName: [UInt8]

    package init(card: Card, chance: [UInt8], commitment: [UInt8], sealedName: [UInt8]) {
        (self.card, self.chance, self.commitment) = (card, chance, commitment)
        self.sealedName = sealedName
    }

    /// The name of the circle; another founder, or another key of names, gives another circle.
    package func circle() throws(CircleError) -> CircleID {
        let content = try CircleCoding.encode(
            .array([.string("llavero circle"), .data(try card.encoded()), .data(chance), .data(commitment)]))
        guard let id = CircleID(Array(try CircleCoding.digest(of: content).prefix(CircleID.size))) else {
            throw .malformed
        }
        return id
    }

    package static let chanceSize = 16
}

/// Why a device is admitted.
package enum Ground: Sendable, Equatable {
    /// Its owners say so, or the recovery key.
    case word(Roles, sealedName: [UInt8])
    /// It holds a token: the public half of the token's key, and that key's signature of circle and card.
    case invite(publicKey: [UInt8], proof: [UInt8])
    /// It is in the TPM that has this endorsement key; the author of the entry saw to that.
    case allowed([UInt8])
}

/// What a device may do.
package struct Roles: Sendable, Equatable {
    package enum Access: Int64, Sendable, CaseIterable {
        case reader = 0
        case writer = 1
    }

    package var isOwner: Bool
    package var isSponsor: Bool
    package var views: [SyncView: Access]

    package init(isOwner: Bool = false, isSponsor: Bool = false, views: [SyncView: Access] = [:]) {
        (self.isOwner, self.isSponsor, self.views) = (isOwner, isSponsor, views)
    }

    package static let mostViews = 256
}

/// A promise to admit who holds a token, once.
package struct Invite: Sendable, Equatable {
    /// SHA-256 of the public half of the token's key.
    package let id: [UInt8]
    package let roles: Roles
    /// Seconds since 2001; an entry of a later time cannot use it.
    package let expiry: Int64
    package let sealedName: [UInt8]

    package init(id: [UInt8], roles: Roles, expiry: Int64, sealedName: [UInt8]) {
        (self.id, self.roles, self.expiry, self.sealedName) = (id, roles, expiry, sealedName)
    }
}

/// A promise to admit the device in a TPM, once.
package struct Allowance: Sendable, Equatable {
    /// SHA-256 of the endorsement key's public area.
    package let endorsementKey: [UInt8]
    package let roles: Roles
    package let sealedName: [UInt8]

    package init(endorsementKey: [UInt8], roles: Roles, sealedName: [UInt8]) {
        (self.endorsementKey, self.roles, self.sealedName) = (endorsementKey, roles, sealedName)
    }

    package static let most = 256
}

/// What a device that hears of it destroys.
package enum Erasure: Int64, Sendable, CaseIterable {
    case circle = 0
    case all = 1
}

extension LogAction {
    static let largestName = 1024
    static let largestPolicy = 16384
    static let largestAddress = 4096
    static let largestSignature = 80

    func coded() throws(CircleError) -> PropertyList {
        switch self {
        case .found(let founding):
            return .array([
                .string("found"), .data(try founding.card.encoded()), .data(founding.chance),
                .data(founding.commitment), .data(founding.sealedName),
            ])
        case .admit(let card, let ground):
            return .array([.string("admit"), .data(try card.encoded()), ground.coded()])
        case .remove(let device): return .array([.string("remove"), .data(device.bytes)])
        case .roles(let device, let roles):
            return .array([.string("roles"), .data(device.bytes), roles.coded()])
        case .view(let view, let policy, let commitment):
            return .array([.string("view"), .data(view.bytes), .data(policy), .data(commitment)])
        case .policy(let view, let policy): return .array([.string("policy"), .data(view.bytes), .data(policy)])
        case .rekey(let view, let generation, let commitment):
            return .array([
                .string("rekey"), .data(view.bytes), .number(Int64(generation)), .data(commitment),
            ])
        case .recover(let card, let proof):
            return .array([.string("recover"), .data(try card.encoded()), .data(proof)])
        case .invite(let invite): return .array([.string("invite"), invite.coded()])
        case .allow(let allowances): return .array([.string("allow"), .array(allowances.map { $0.coded() })])
        case .withdraw(let hash): return .array([.string("withdraw"), .data(hash)])
        case .erase(let device, let erasure):
            return .array([.string("erase"), .data(device.bytes), .number(erasure.rawValue)])
        case .quorum(let count): return .array([.string("quorum"), .number(Int64(count))])
        case .suite(let number): return .array([.string("suite"), .number(number)])
        case .moved(let address): return .array([.string("moved"), .data(address)])
        // Never made here: it can be read, not said.
        case .later: throw .malformed
        }
    }

    init(_ parts: CircleParts) throws(CircleError) {
        var parts = parts
        let name = try parts.string()
        switch name {
        case "found":
            self = .found(
                Founding(
                    card: try parts.card(), chance: try parts.data(exactly: Founding.chanceSize),
                    commitment: try parts.hash(), sealedName: try parts.data(atMost: LogAction.largestName)))
        case "admit": self = .admit(try parts.card(), try Ground(parts.parts()))
        case "remove": self = .remove(try parts.device())
        case "roles": self = .roles(try parts.device(), try Roles(parts.parts()))
        case "view":
            self = .view(
                try parts.view(), sealedPolicy: try parts.data(atMost: LogAction.largestPolicy),
                commitment: try parts.hash())
        case "policy":
            self = .policy(try parts.view(), sealedPolicy: try parts.data(atMost: LogAction.largestPolicy))
        case "rekey":
            self = .rekey(
                try parts.view(), generation: try parts.generation(), commitment: try parts.hash())
        case "recover":
            self = .recover(try parts.card(), proof: try parts.data(atMost: LogAction.largestSignature))
        case "invite":
            var inner = try parts.parts()
            self = .invite(try Invite(&inner))
            try inner.end()
        case "allow":
            self = .allow(
                try parts.list(atMost: Allowance.most) { (parts) throws(CircleError) in try Allowance(&parts) })
        case "withdraw": self = .withdraw(try parts.hash())
        case "erase":
            let device = try parts.device()
            guard let erasure = Erasure(rawValue: try parts.integer()) else { throw .malformed }
            self = .erase(device, erasure)
        case "quorum":
            guard let count = Int(exactly: try parts.integer()) else { throw .malformed }
            self = .quorum(count)
        case "suite": self = .suite(try parts.integer())
        case "moved": self = .moved(sealedAddress: try parts.data(atMost: LogAction.largestAddress))
        default:
            self = .later(name: name)
            return
        }
        try parts.end()
    }
}

extension Ground {
    fileprivate func coded() -> PropertyList {
        switch self {
        case .word(let roles, let name): .array([.string("word"), roles.coded(), .data(name)])
        case .invite(let key, let proof): .array([.string("invite"), .data(key), .data(proof)])
        case .allowed(let key): .array([.string("allowed"), .data(key)])
        }
    }

    fileprivate init(_ parts: CircleParts) throws(CircleError) {
        var parts = parts
        switch try parts.string() {
        case "word":
            self = .word(try Roles(parts.parts()), sealedName: try parts.data(atMost: LogAction.largestName))
        case "invite":
            self = .invite(
                publicKey: try parts.data(exactly: P256.publicKeySize),
                proof: try parts.data(atMost: LogAction.largestSignature))
        case "allowed": self = .allowed(try parts.hash())
        default: throw .malformed
        }
        try parts.end()
    }
}

extension Roles {
    func coded() -> PropertyList {
        let views = views.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
        return .array([
            .boolean(isOwner), .boolean(isSponsor),
            .array(views.map { .array([.data($0.key.bytes), .number($0.value.rawValue)]) }),
        ])
    }

    init(_ parts: CircleParts) throws(CircleError) {
        var parts = parts
        self.init(isOwner: try parts.boolean(), isSponsor: try parts.boolean())
        let read = try parts.list(atMost: Roles.mostViews) { (parts) throws(CircleError) -> (SyncView, Access) in
            let view = try parts.view()
            guard let access = Access(rawValue: try parts.integer()) else { throw .malformed }
            return (view, access)
        }
        guard CircleCoding.isAscending(read.map(\.0.bytes)) else { throw .malformed }
        for (view, access) in read { views[view] = access }
        try parts.end()
    }
}

extension Invite {
    func coded() -> PropertyList {
        .array([.data(id), roles.coded(), .number(expiry), .data(sealedName)])
    }

    init(_ parts: inout CircleParts) throws(CircleError) {
        self.init(
            id: try parts.hash(), roles: try Roles(parts.parts()), expiry: try parts.integer(),
            sealedName: try parts.data(atMost: LogAction.largestName))
    }
}

extension Allowance {
    func coded() -> PropertyList { .array([.data(endorsementKey), roles.coded(), .data(sealedName)]) }

    init(_ parts: inout CircleParts) throws(CircleError) {
        self.init(
            endorsementKey: try parts.hash(), roles: try Roles(parts.parts()),
            sealedName: try parts.data(atMost: LogAction.largestName))
    }
}
