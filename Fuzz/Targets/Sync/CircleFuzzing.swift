// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync

/// What devices of a circle sign and hash: whatever is read is written as the same bytes.
internal enum CircleFuzzing {
    static func feedCard(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let card = try? Card(decoding: bytes) else { return .refused }
        try promise((try? card.encoded()) == bytes, "a card is written as it was read")
        return .accepted
    }

    static func feedBody(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let body = try? SignedBody(decoding: bytes) else { return .refused }
        try promise((try? body.encoded()) == bytes, "a signed body is written as it was read")
        guard let device = FuzzDevice.one else { return .skipped }
        try promise((try? body.isSigned(by: device.card)) != nil, "a signature is valid or not")
        return .accepted
    }

    static func feedEntry(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let entry = try? LogEntry(decoding: bytes) else { return .refused }
        // What a later version does has no encoding here.
        if case .later = entry.action { return .accepted }
        try promise((try? entry.encoded()) == bytes, "an entry is written as it was read")
        return .accepted
    }

    static func feedMembership(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let membership = try? Membership(decoding: bytes) else { return .refused }
        try promise((try? membership.encoded()) == bytes, "a membership is written as it was read")
        return .accepted
    }

    static func feedHead(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let head = try? CircleHead(decoding: bytes) else { return .refused }
        try promise((try? head.encoded()) == bytes, "a head is written as it was read")
        return .accepted
    }

    // MARK: Seeds

    static func cards() throws -> [[UInt8]] {
        try [FuzzDevice.one, FuzzDevice.two].compactMap { try $0?.card.encoded() }
    }

    static func bodies() throws -> [[UInt8]] {
        guard let one = FuzzDevice.one, let two = FuzzDevice.two else { throw Seeds.Missing() }
        return try [[], [1, 2, 3]].flatMap { (content: [UInt8]) in
            var body = SignedBody(content)
            let bare = try body.encoded()
            try body.sign(by: one)
            let single = try body.encoded()
            try body.sign(by: two)
            return [bare, single, try body.encoded()]
        }
    }

    /// A log with something of everything that is said in one.
    private static func log() throws -> (log: CircleLog, entries: [[UInt8]]) {
        guard let one = FuzzDevice.one, let two = FuzzDevice.two,
            let view = SyncView([UInt8](repeating: 7, count: SyncView.size))
        else { throw Seeds.Missing() }
        let hash = [UInt8](repeating: 9, count: Digest.sha256Size)
        var (log, body) = try CircleLog.found(
            by: one, named: [1], commitment: hash, now: 1000,
            chance: [UInt8](repeating: 1, count: Founding.chanceSize))
        var entries = [try SignedBody(decoding: body.body).content]
        let roles = Roles(isOwner: true, isSponsor: true, views: [view: .writer])
        for action: LogAction in [
            .view(view, sealedPolicy: [2], commitment: hash), .roles(try one.card.id(), roles),
            .admit(two.card, .word(Roles(views: [view: .reader]), sealedName: [3])),
            .policy(view, sealedPolicy: [4]), .rekey(view, generation: 2, commitment: hash),
            .invite(Invite(id: hash, roles: roles, expiry: 5000, sealedName: [5])),
            .allow([Allowance(endorsementKey: hash, roles: Roles(), sealedName: [6])]), .withdraw(hash),
            .erase(try two.card.id(), .circle), .remove(try two.card.id()), .quorum(1), .moved(sealedAddress: [7]),
        ] {
            guard let next = try? log.body(action, by: one, now: 1000) else { continue }
            entries.append(try SignedBody(decoding: next.body).content)
            _ = try log.take([next])
        }
        return (log, entries)
    }

    static func entries() throws -> [[UInt8]] { try log().entries }

    static func memberships() throws -> [[UInt8]] {
        let log = try log().log
        return [try Membership(circle: log.circle).encoded(), try log.membership.encoded()]
    }

    static func heads() throws -> [[UInt8]] {
        guard let one = FuzzDevice.one, let circle = FuzzDevice.circle, let view = FuzzDevice.view else {
            throw Seeds.Missing()
        }
        let hash = [UInt8](repeating: 9, count: Digest.sha256Size)
        return try (0..<3).map { count in
            let entries = try (0..<count).map { number in
                guard let id = SyncRecordID([UInt8](repeating: UInt8(number), count: SyncRecordID.size)) else {
                    throw Seeds.Missing()
                }
                return CircleHead.Entry(id: id, digest: hash)
            }
            return try CircleHead(
                circle: circle, view: view, number: 1 + UInt64(count), previous: count == 0 ? [] : hash, logNumber: 1,
                logHash: hash, generation: 1, chance: -5, entries: entries, root: hash, oldestTombstone: 0, time: 7,
                author: one.card.id()
            ).encoded()
        }
    }
}

/// A device whose keys are known to everybody.
internal struct FuzzDevice: CircleDevice {
    let card: Card
    private let signing: [UInt8]
    private let agreement: [UInt8]

    static let one = FuzzDevice(1)
    static let two = FuzzDevice(3)
    static let circle = CircleID([UInt8](repeating: 1, count: CircleID.size))
    static let view = SyncView([UInt8](repeating: 2, count: SyncView.size))

    private init?(_ byte: UInt8) {
        signing = [UInt8](repeating: byte, count: P256.privateKeySize)
        agreement = [UInt8](repeating: byte + 1, count: P256.privateKeySize)
        guard let first = try? P256.key(of: SecretBytes(signing)).publicKey,
            let second = try? P256.key(of: SecretBytes(agreement)).publicKey,
            let card = Card(signingKey: first, agreementKey: second, kind: .software)
        else { return nil }
        self.card = card
    }

    func signature(of digest: [UInt8]) throws(CircleError) -> [UInt8] {
        do throws(CryptoError) {
            return try P256.signature(of: digest, with: SecretBytes(signing), publicKey: card.signingKey)
        } catch { throw .crypto(error) }
    }

    func sharedSecret(with publicKey: [UInt8]) throws(CircleError) -> SecretBytes {
        do throws(CryptoError) { return try P256.sharedSecret(of: SecretBytes(agreement), with: publicKey) } catch {
            throw .crypto(error)
        }
    }

    /// A key of the view of which everybody knows the 32 bytes.
    static func key(of view: SyncView?) -> ViewKey? {
        guard let circle, let view else { return nil }
        return try? ViewKey(circle: circle, view: view, secret: SecretBytes([UInt8](repeating: 9, count: 32)))
    }
}
