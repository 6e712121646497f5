// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync

/// A record, behind a first byte of 0; behind any other the text that is sealed in one.
internal enum SyncRecordFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let kind = bytes.first else { return .refused }
        let rest = Array(bytes.dropFirst())
        return kind == 0 ? try record(rest) : try text(rest)
    }

    private static func text(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        // Fuzzers do not find the zeros at the end.
        let size = Padding.size(for: bytes.count) ?? bytes.count
        let padded = bytes + [UInt8](repeating: 0, count: size - bytes.count)
        let item: SyncItem
        do throws(CircleError) {
            guard let read = try RecordText.decode(SecretValue(copying: padded), generation: 2) else {
                return .accepted
            }
            item = read
        } catch { return .refused }
        guard let again = try? RecordText.encode(item, newest: 2) else { throw BrokenPromise("a text is written") }
        try promise(again.isEqualInConstantTime(to: SecretValue(copying: padded)), "a text is written as it was read")
        guard let keys, let view = FuzzDevice.view, SyncRecord.keyClass(of: item) != nil else { return .accepted }
        var first = item
        first.secretGeneration = 1
        guard let sealed = try? SyncRecord.seal(first, in: view, head: 1, nonce: nonce, keys) else {
            throw BrokenPromise("an item that is shared is sealed")
        }
        let address = SyncRecord.Address(view: view, id: sealed.id, head: 1)
        guard case .item(let opened)? = try? SyncRecord.open(sealed.body, at: address, keys) else {
            throw BrokenPromise("what was sealed opens")
        }
        try promise(opened.attributes == item.attributes && opened.later == item.later, "it opens as it was sealed")
        return .accepted
    }

    /// Of a record nothing can be changed: what opens is what was sealed.
    private static func record(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let keys, let sealed, let view = FuzzDevice.view else { throw BrokenPromise("a record is sealed") }
        let address = SyncRecord.Address(view: view, id: sealed.id, head: 1)
        guard (try? SyncRecord.open(bytes, at: address, keys)) != nil else { return .refused }
        try promise(bytes == sealed.body, "only what was sealed opens")
        return .accepted
    }

    static func feedName(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let keys, let device = DeviceID([UInt8](repeating: 4, count: DeviceID.size)),
            let sealed = try? keys.seal(Array("name".utf8), of: .device(device))
        else { throw BrokenPromise("a name is sealed") }
        guard let opened = try? keys.open(bytes, of: .device(device)) else { return .refused }
        try promise(bytes == sealed && opened == Array("name".utf8), "only what was sealed opens")
        return .accepted
    }

    // MARK: Seeds

    private static let nonce = [UInt8](repeating: 6, count: SyncRecord.nonceSize)
    private static let keys: ViewKeyring? = {
        guard let circle = FuzzDevice.circle, let key = FuzzDevice.key(of: FuzzDevice.view),
            let names = FuzzDevice.key(of: circle.names)
        else { return nil }
        var keys = ViewKeyring(circle: circle)
        keys.insert(key)
        keys.insert(names)
        return keys
    }()
    private static let sealed: (id: SyncRecordID, body: [UInt8])? = {
        guard let keys, let view = FuzzDevice.view else { return nil }
        return try? SyncRecord.seal(item(secret: [1, 2, 3]), in: view, head: 1, nonce: nonce, keys)
    }()

    private static func item(
        _ itemClass: ItemClass = .genericPassword, accessible: String = "ak", secret: [UInt8]?
    ) -> SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string("somebody")
        attributes[.accessGroup] = .string("group")
        attributes[.accessible] = .string(accessible)
        attributes[.synchronizable] = .number(1)
        attributes[.modificationDate] = .date(800_000_000.5)
        attributes[.tombstone] = .number(secret == nil ? 1 : 0)
        if itemClass == .internetPassword { attributes[.port] = .number(443) }
        return SyncItem(
            itemClass: itemClass, attributes: attributes, secret: secret.map { SecretValue(copying: $0) },
            secretGeneration: 1, later: secret == [] ? [1, 2] : [])
    }

    static func records() throws -> [[UInt8]] {
        guard let sealed else { throw Seeds.Missing() }
        let items = [
            item(secret: [1, 2, 3]), item(accessible: "ck", secret: []),
            item(.internetPassword, accessible: "dk", secret: [UInt8](repeating: 1, count: 600)), item(secret: nil),
        ]
        let texts = try items.map { item in
            let text = try RecordText.encode(item, newest: 2).withUnsafeBytes { Array($0) }
            return [1] + text.prefix { _ in true }.reversed().drop { $0 == 0 }.reversed()
        }
        return texts + [[1, 2], [0] + sealed.body, [0] + sealed.body.dropLast()]
    }

    static func names() throws -> [[UInt8]] {
        guard let keys, let device = DeviceID([UInt8](repeating: 4, count: DeviceID.size)) else {
            throw Seeds.Missing()
        }
        let sealed = try keys.seal(Array("name".utf8), of: .device(device))
        return [sealed, Array(sealed.dropLast())]
    }
}

/// The body of a share, behind a first byte of 0; behind any other what is sealed and hashed, signed as it has to be.
internal enum ViewShareFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let kind = bytes.first, let sender = FuzzDevice.one, let receiver = FuzzDevice.two,
            let key = FuzzDevice.key(of: FuzzDevice.view), let device = try? receiver.card.id(),
            let commitment = try? key.commitment()
        else { return .refused }
        var body = Array(bytes.dropFirst())
        if kind != 0 {
            guard let signed = try? signed(body, of: key.circle, by: sender) else {
                throw BrokenPromise("content is signed")
            }
            body = signed
        }
        let row = ShareBody(device: device, chance: 0, body: body)
        guard let share = try? ViewShare(decoding: row, of: key.circle) else { return .refused }
        try promise(Set(share.keys).count == share.keys.count, "a share has each key once")
        guard let opened = try? share.open(as: receiver, from: sender.card, commitment: { _ in commitment }) else {
            return .refused
        }
        try promise(
            opened.allSatisfy { (try? $0.commitment()) == commitment },
            "a key that is taken is the one that was promised")
        return opened.isEmpty ? .refused : .accepted
    }

    private static func signed(
        _ content: [UInt8], of circle: CircleID, by sender: FuzzDevice
    ) throws -> [UInt8] {
        let root = PropertyList.array([
            .string("llavero shares"), .data(circle.bytes), .data(try sender.card.id().bytes),
            .data(try Digest.sha256(of: [0] + content)),
        ])
        let signed = try SignedBody(root.encoded(), by: sender).encoded()
        return try PropertyList.array([.string("llavero share"), .data(content), .data([]), .data(signed)]).encoded()
    }

    static func shares() throws -> [[UInt8]] {
        guard let sender = FuzzDevice.one, let receiver = FuzzDevice.two,
            let key = FuzzDevice.key(of: FuzzDevice.view)
        else { throw Seeds.Missing() }
        var given = GivenKeys(of: key.circle)
        given.give(key, to: receiver.card, try receiver.card.id())
        let alone = try given.shares(by: sender) { () throws(CircleError) in 1 }
        given.give(key, to: sender.card, try sender.card.id())
        let both = try given.shares(by: sender) { () throws(CircleError) in 1 }
        guard let body = alone.first?.body, case .array(let parts) = try PropertyList(decoding: body),
            case .data(let content) = parts[1]
        else { throw Seeds.Missing() }
        return both.map { [0] + $0.body } + [[0] + body, [1] + content, [0] + body.dropLast()]
    }
}
