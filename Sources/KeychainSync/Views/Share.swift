// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// Which key of a view: each generation has one.
package struct ViewGeneration: Hashable, Sendable {
    package let view: SyncView
    package let generation: UInt32

    package init(view: SyncView, generation: UInt32) { (self.view, self.generation) = (view, generation) }

    /// In the order of their views, and then of their generations.
    fileprivate var bytes: [UInt8] { view.bytes + bigEndian(generation) }
    fileprivate static let size = SyncView.size + 4
}

/// Keys of views on their way to one device: sealed to its agreement key, and signed by the member that sends them.
///
/// All keys that one change gives a device are in one share. And all shares of a change are signed at once, each with the hashes that
/// lead from it to what is signed: a change may give keys to a thousand devices, and a TPM signs ten times a second.
package struct ViewShare: Sendable, Equatable {
    package let circle: CircleID
    /// Which keys are in it, if it is what its sender says: only the device itself can tell.
    package let keys: [ViewGeneration]
    /// Whom it is for.
    package let device: DeviceID
    /// Who signed it, if the signature is valid.
    package let sender: DeviceID
    private let sealed: [UInt8]
    private let signed: SignedBody

    /// Reads a body that lies there for a device; nothing of it is verified yet.
    package init(decoding row: ShareBody, of circle: CircleID) throws(CircleError) {
        guard row.body.count <= ViewShare.largest else { throw .malformed }
        var parts = try CircleParts(decoding: row.body, title: ViewShare.title)
        let content = try parts.data(atMost: .max)
        let path = try parts.data(atMost: ShareTree.longestPath)
        signed = try SignedBody(decoding: parts.data(atMost: .max))
        try parts.end()

        parts = try CircleParts(decoding: content, title: ViewShare.contentTitle)
        guard try parts.circle() == circle, try parts.device() == row.device else { throw .malformed }
        keys = try parts.list(atMost: ViewShare.mostKeys) { (parts) throws(CircleError) in
            ViewGeneration(view: try parts.view(), generation: try parts.generation())
        }
        sealed = try parts.data(exactly: HPKE.overhead + keys.count * ViewShare.keySize)
        try parts.end()
        guard !keys.isEmpty, CircleCoding.isAscending(keys.map(\.bytes)) else { throw .malformed }

        parts = try CircleParts(decoding: signed.content, title: ViewShare.rootTitle)
        guard try parts.circle() == circle else { throw .malformed }
        sender = try parts.device()
        let root = try parts.hash()
        try parts.end()
        guard signed.signatures.map(\.device) == [sender], try ShareTree.root(over: content, path) == root else {
            throw .malformed
        }
        (self.circle, device) = (circle, row.device)
    }

    /// The keys in it, as the device that it is for: those that have the commitment that the log has for them.
    ///
    /// `sender` is the card that the log has for `sender`, a member when it sent this: ask the log first. Throws
    /// `crypto(.authenticationFailed)` where it did not sign this, or sealed it for somebody else.
    package func open(
        as receiver: some CircleDevice, from sender: Card, commitment: (ViewGeneration) -> [UInt8]?
    ) throws(CircleError) -> [ViewKey] {
        let card = receiver.card
        guard try card.id() == device, try isSigned(by: sender) else { throw .crypto(.authenticationFailed) }
        let plain = try HPKE.open(
            sealed, of: card.agreementKey, info: ViewShare.info(circle, keys.map(\.bytes), device)
        ) { (point) throws(CircleError) in try receiver.sharedSecret(with: point) }
        var opened: [ViewKey] = []
        for (place, name) in keys.enumerated() {
            guard let wanted = commitment(name) else { continue }
            let start = place * ViewShare.keySize
            let key = try ViewKey(
                circle: circle, view: name.view, generation: name.generation,
                secret: ViewKey.part(of: plain, start..<start + ViewKey.size),
                ids: ViewKey.part(of: plain, start + ViewKey.size..<start + ViewShare.keySize))
            // Else a member could give two devices two keys, and each would seal what the other cannot open.
            if try key.commitment() == wanted { opened.append(key) }
        }
        return opened
    }

    /// Whether the owner of a card, which is the sender's, signed it.
    func isSigned(by card: Card) throws(CircleError) -> Bool {
        guard try card.id() == sender else { return false }
        return try signed.isSigned(by: card)
    }

    // MARK: Making

    /// What is hashed: the keys, sealed to the owner of a card.
    fileprivate static func content(
        _ keys: [ViewKey], of circle: CircleID, to card: Card, _ device: DeviceID, _ ephemeral: consuming P256.Key?
    ) throws(CircleError) -> [UInt8] {
        let plain = try unsafe SecretBytes(count: keys.count * keySize) { (buffer) throws(CircleError) in
            for (place, key) in keys.enumerated() {
                let start = place * keySize
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + keySize])
                try unsafe key.shared().withUnsafeBytes { unsafe room.copyMemory(from: $0) }
            }
        }
        let info = info(circle, keys.map(\.name.bytes), device)
        let sealed: [UInt8]
        do throws(CryptoError) {
            sealed = try HPKE.seal(plain, to: card.agreementKey, info: info, sender: ephemeral)
        } catch { throw .crypto(error) }
        return try CircleCoding.encode(
            .array([
                .string(contentTitle), .data(circle.bytes), .data(device.bytes),
                .array(keys.map { .array([.data($0.view.bytes), .number(Int64($0.generation))]) }), .data(sealed),
            ]))
    }

    private static func info(_ circle: CircleID, _ keys: [[UInt8]], _ device: DeviceID) -> [UInt8] {
        Array("llavero share 1".utf8) + circle.bytes + device.bytes + keys.joined()
    }

    private static let title = "llavero share"
    private static let contentTitle = "llavero keys"
    private static let rootTitle = "llavero shares"
    private static let keySize = ViewKey.size + ViewKey.idsSize
    /// More keys for one device are several shares.
    fileprivate static let mostKeys = 4096
    /// More than any share has.
    private static let largest = 512 << 10

    fileprivate static func signed(
        _ root: [UInt8], of circle: CircleID, by sender: some CircleDevice
    ) throws(CircleError) -> [UInt8] {
        let content = PropertyList.array([
            .string(rootTitle), .data(circle.bytes), .data(try sender.card.id().bytes), .data(root),
        ])
        return try SignedBody(CircleCoding.encode(content), by: sender).encoded()
    }

    fileprivate static func body(
        _ content: [UInt8], path: [UInt8], signed: [UInt8]
    ) throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(.array([.string(title), .data(content), .data(path), .data(signed)]))
    }
}

/// The keys that one change gives, by the devices that get them.
package struct GivenKeys {
    private let circle: CircleID
    private var given: [DeviceID: (card: Card, keys: [ViewKey])] = [:]

    package init(of circle: CircleID) { self.circle = circle }

    package var isEmpty: Bool { given.isEmpty }
    /// How many devices get some.
    package var count: Int { given.count }

    package mutating func give(_ key: ViewKey, to card: Card, _ device: DeviceID) {
        given[device, default: (card, [])].keys.append(key)
    }

    /// The shares in the order of their devices, under one signature.
    ///
    /// Ephemeral keys that are given, by the place of their share, are for tests that compare bytes. Each share takes two
    /// multiplications on the curve, and is made by itself: of many, a second thread makes half.
    package func shares(
        by sender: some CircleDevice,
        ephemeral: @escaping @Sendable (Int) throws(CryptoError) -> P256.Key? = { (_) throws(CryptoError) in nil },
        chance: () throws(CircleError) -> Int64
    ) throws(CircleError) -> [ShareBody] {
        guard !given.isEmpty else { return [] }
        var parts: [(device: DeviceID, card: Card, keys: [ViewKey])] = []
        for (device, (card, keys)) in given.sorted(by: { $0.key < $1.key }) {
            var rest = keys.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }[...]
            while !rest.isEmpty {
                parts.append((device, card, Array(rest.prefix(ViewShare.mostKeys))))
                rest = rest.dropFirst(ViewShare.mostKeys)
            }
        }
        let circle = circle
        let contents = try TwoThreads.map(parts, fewest: GivenKeys.fewShares, "llv-shares") {
            (parts) throws(CircleError) in
            var contents: [[UInt8]] = []
            for place in parts.indices {
                let (device, card, keys) = parts[place]
                let key = try CircleError.translating { () throws(CryptoError) in try ephemeral(place) }
                contents.append(try ViewShare.content(keys, of: circle, to: card, device, key))
            }
            return contents
        }
        let (root, paths) = try ShareTree.paths(of: contents)
        let signed = try ViewShare.signed(root, of: circle, by: sender)
        var shares: [ShareBody] = []
        for (part, (content, path)) in zip(parts, zip(contents, paths)) {
            shares.append(
                ShareBody(
                    device: part.device, chance: try chance(),
                    body: try ViewShare.body(content, path: path, signed: signed)))
        }
        return shares
    }

    private static let fewShares = 8
}

/// One hash over many shares, and for each share the hashes that lead there.
private enum ShareTree {
    /// Of two hashes the smaller goes first: so a path says nothing of where its share stood.
    private static func node(_ one: [UInt8], _ other: [UInt8]) throws(CircleError) -> [UInt8] {
        let isFirst = one.lexicographicallyPrecedes(other)
        return try CircleCoding.digest(of: [1] + (isFirst ? one + other : other + one))
    }

    private static func leaf(_ content: [UInt8]) throws(CircleError) -> [UInt8] {
        try CircleCoding.digest(of: [0] + content)
    }

    /// Where a path leads.
    static func root(over content: [UInt8], _ path: [UInt8]) throws(CircleError) -> [UInt8] {
        guard path.count % Digest.sha256Size == 0 else { throw .malformed }
        var hash = try leaf(content)
        for start in stride(from: 0, to: path.count, by: Digest.sha256Size) {
            hash = try node(hash, Array(path[start..<start + Digest.sha256Size]))
        }
        return hash
    }

    /// Pairs of neighbours, and pairs of those; one that has no neighbour goes up as it is.
    static func paths(of contents: [[UInt8]]) throws(CircleError) -> (root: [UInt8], paths: [[UInt8]]) {
        var level: [[UInt8]] = []
        for content in contents { level.append(try leaf(content)) }
        var paths = [[UInt8]](repeating: [], count: contents.count)
        var height = 0
        while level.count > 1 {
            for place in paths.indices {
                let neighbour = (place >> height) ^ 1
                if neighbour < level.count { paths[place] += level[neighbour] }
            }
            var above: [[UInt8]] = []
            for start in stride(from: 0, to: level.count, by: 2) {
                above.append(start + 1 < level.count ? try node(level[start], level[start + 1]) : level[start])
            }
            (level, height) = (above, height + 1)
        }
        guard let root = level.first else { throw .malformed }
        return (root, paths)
    }

    /// Of more shares than any change has.
    static let longestPath = 32 * Digest.sha256Size
}

extension ViewKey {
    package var name: ViewGeneration { ViewGeneration(view: view, generation: generation) }
}
