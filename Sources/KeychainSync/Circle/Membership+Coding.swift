// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainRequest

/// The encodings of a membership: whole, as snapshots carry it, and with hashes for members, which is what entries name.
extension Membership {
    package func encoded() throws(CircleError) -> [UInt8] {
        var codedMembers: [PropertyList] = []
        for (_, member) in members.sorted(by: { $0.key < $1.key }) { codedMembers.append(try member.coded()) }
        return try encoded(Membership.title, members: .array(codedMembers))
    }

    /// The hash by which entries name it.
    package func digest() throws(CircleError) -> [UInt8] {
        try CircleCoding.digest(of: encoded(Membership.stateTitle, members: .data(listing.bytes)))
    }

    private func encoded(_ title: String, members: PropertyList) throws(CircleError) -> [UInt8] {
        var codedMove: [PropertyList] = []
        if let moved { codedMove = [try .count(moved.number), .data(moved.sealedAddress)] }
        return try CircleCoding.encode(
            .array([
                .string(title), .data(circle.bytes), .number(Int64(quorum)), members,
                .array(Membership.sorted(views).map { .array([.data($0.key.bytes)] + $0.value.coded()) }),
                .array(Membership.sorted(invites).map { $0.value.coded() }),
                .array(Membership.sorted(allowances).map { $0.value.coded() }), .array(codedMove),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        var parts = try CircleParts(decoding: bytes, title: Membership.title)
        self.init(circle: try parts.circle())
        guard let quorum = Int(exactly: try parts.integer()), quorum >= 1 else { throw .malformed }
        self.quorum = quorum
        let read = try parts.list(atMost: .max) { (parts) throws(CircleError) in try Member(&parts) }
        var names: [[UInt8]] = []
        for member in read {
            let id = try member.card.id()
            names.append(id.bytes)
            members[id] = member
            try listing.set(member, named: id)
            noteLeft(member)
        }
        guard CircleCoding.isAscending(names) else { throw .malformed }
        let views = try parts.list(atMost: .max) { (parts) throws(CircleError) -> (SyncView, CircleView) in
            (try parts.view(), try CircleView(&parts))
        }
        guard CircleCoding.isAscending(views.map(\.0.bytes)) else { throw .malformed }
        for (view, state) in views { self.views[view] = state }
        let invites = try parts.list(atMost: .max) { (parts) throws(CircleError) in try Invite(&parts) }
        guard CircleCoding.isAscending(invites.map(\.id)) else { throw .malformed }
        for invite in invites { self.invites[invite.id] = invite }
        let allowances = try parts.list(atMost: .max) { (parts) throws(CircleError) in try Allowance(&parts) }
        guard CircleCoding.isAscending(allowances.map(\.endorsementKey)) else { throw .malformed }
        for allowance in allowances { self.allowances[allowance.endorsementKey] = allowance }
        var inner = try parts.parts()
        if !inner.isAtEnd { moved = (try inner.number(), try inner.data(atMost: LogAction.largestAddress)) }
        try inner.end()
        try parts.end()
    }

    /// Notes the keys with which a member left views.
    mutating func noteLeft(_ member: Member) {
        for (view, generation) in member.lastGenerations {
            newestLeft[view] = max(newestLeft[view] ?? 0, generation)
        }
    }

    static func sorted<Value>(_ values: [SyncView: Value]) -> [(key: SyncView, value: Value)] {
        values.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    }

    private static func sorted<Value>(_ values: [[UInt8]: Value]) -> [(key: [UInt8], value: Value)] {
        values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private static let title = "llavero membership"
    private static let stateTitle = "llavero membership state"
}

/// The names of all members, present and removed, in their order, each with the SHA-256 of what is known of it.
struct MemberListing: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    mutating func set(_ member: Member, named id: DeviceID) throws(CircleError) {
        let digest = try CircleCoding.digest(of: CircleCoding.encode(member.coded()))
        var (low, high) = (0, bytes.count / MemberListing.size)
        while low < high {
            let middle = (low + high) / 2
            if name(at: middle).lexicographicallyPrecedes(id.bytes) { low = middle + 1 } else { high = middle }
        }
        let start = low * MemberListing.size
        let isThere = start < bytes.count && name(at: low).elementsEqual(id.bytes)
        bytes.replaceSubrange(start..<start + (isThere ? MemberListing.size : 0), with: id.bytes + digest)
    }

    private func name(at place: Int) -> ArraySlice<UInt8> {
        bytes[place * MemberListing.size..<place * MemberListing.size + DeviceID.size]
    }

    private static let size = DeviceID.size + Digest.sha256Size
}

extension Member {
    func coded() throws(CircleError) -> PropertyList {
        var writing: [PropertyList] = []
        for (view, spans) in Membership.sorted(self.writing) {
            writing.append(.array([.data(view.bytes), try LogSpan.coded(spans)]))
        }
        let lastGenerations = Membership.sorted(self.lastGenerations).map { view, generation in
            PropertyList.array([.data(view.bytes), .number(Int64(generation))])
        }
        return .array([
            .data(try card.encoded()), roles.coded(), try .count(admittedAt), .data(sealedName),
            try .count(removedAt ?? 0), .number(erasure?.rawValue ?? -1), try LogSpan.coded(owning),
            .array(writing), .array(lastGenerations),
        ])
    }

    init(_ parts: inout CircleParts) throws(CircleError) {
        self.init(
            card: try parts.card(), roles: try Roles(parts.parts()), admittedAt: try parts.number(),
            sealedName: try parts.data(atMost: LogAction.largestName))
        let removal = try parts.number()
        removedAt = removal == 0 ? nil : removal
        let erasure = try parts.integer()
        self.erasure = Erasure(rawValue: erasure)
        guard erasure == -1 || self.erasure != nil else { throw .malformed }
        owning = try LogSpan.list(&parts)
        let writing = try parts.list(atMost: .max) { (parts) throws(CircleError) -> (SyncView, [LogSpan]) in
            (try parts.view(), try LogSpan.list(&parts))
        }
        guard CircleCoding.isAscending(writing.map(\.0.bytes)) else { throw .malformed }
        for (view, spans) in writing { self.writing[view] = spans }
        let last = try parts.list(atMost: .max) { (parts) throws(CircleError) -> (SyncView, UInt32) in
            (try parts.view(), try parts.generation())
        }
        guard CircleCoding.isAscending(last.map(\.0.bytes)) else { throw .malformed }
        for (view, generation) in last { lastGenerations[view] = generation }
    }
}

extension LogSpan {
    fileprivate static func coded(_ spans: [LogSpan]) throws(CircleError) -> PropertyList {
        var coded: [PropertyList] = []
        for span in spans { coded.append(.array([try .count(span.from), try .count(span.until ?? 0)])) }
        return .array(coded)
    }

    fileprivate static func list(_ parts: inout CircleParts) throws(CircleError) -> [LogSpan] {
        try parts.list(atMost: .max) { (parts) throws(CircleError) in
            let (from, until) = (try parts.number(), try parts.number())
            return LogSpan(from: from, until: until == 0 ? nil : until)
        }
    }
}

extension CircleView {
    fileprivate func coded() -> [PropertyList] {
        let commitments = commitments.sorted { $0.key < $1.key }
        return [
            .data(sealedPolicy), .number(Int64(generation)),
            .array(commitments.map { .array([.number(Int64($0.key)), .data($0.value)]) }),
        ]
    }

    fileprivate init(_ parts: inout CircleParts) throws(CircleError) {
        sealedPolicy = try parts.data(atMost: LogAction.largestPolicy)
        generation = try parts.generation()
        commitments = [:]
        let read = try parts.list(atMost: .max) { (parts) throws(CircleError) -> (UInt32, [UInt8]) in
            (try parts.generation(), try parts.hash())
        }
        guard zip(read, read.dropFirst()).allSatisfy({ $0.0 < $1.0 }) else { throw .malformed }
        for (number, commitment) in read { commitments[number] = commitment }
    }
}
