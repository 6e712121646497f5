// SPDX-License-Identifier: Apache-2.0

internal import KeychainBackup
internal import KeychainCrypto
internal import KeychainModel

/// A backup: behind a first byte of 0 a file, behind any other what stands in one, which is sealed and signed as it has to be.
internal enum BackupFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let kind = bytes.first else { return .refused }
        let rest = Array(bytes.dropFirst())
        if kind != 0 {
            guard let file = try? file({ (writer) throws(BackupError) in try writer.put(text: rest) }) else {
                throw BrokenPromise("a file is written")
            }
            try promise(isSound(file), "a file that was just written is right")
            return try records(file)
        }
        guard (try? reader(rest)) != nil else { return .refused }
        guard isSound(rest) else { return .refused }
        return try records(rest)
    }

    private static func isSound(_ file: [UInt8]) -> Bool { (try? reader(file).verify()) != nil }

    /// Reads a file as its device does, and as one that has no secret of its device.
    private static func records(_ file: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let own = count(file, skippingItems: false), let skipped = count(file, skippingItems: true) else {
            return .refused
        }
        try promise(skipped.items == 0 && skipped.entries == own.entries, "a list is the same without the items")
        return .accepted
    }

    private static func count(_ file: [UInt8], skippingItems: Bool) -> (items: Int, entries: Int)? {
        var (items, entries) = (0, 0)
        do {
            let reader = try reader(file, skippingItems: skippingItems)
            guard try reader.open(device: SecretBytes(device)) else { return nil }
            while let record = try reader.next() {
                switch record {
                case .item, .bound: items += 1
                case .list(let part): entries += part.count
                case .counts: break
                }
            }
        } catch { return nil }
        return (items, entries)
    }

    private static func reader(_ file: [UInt8], skippingItems: Bool = false) throws(BackupError) -> BackupReader {
        var place = 0
        return try BackupReader(skippingItems: skippingItems) { (buffer) throws(BackupError) in
            let part = min(buffer.count, file.count - place)
            buffer.copyBytes(from: file[place..<place + part])
            place += part
            return part
        }
    }

    // MARK: Files

    private static let device = [UInt8](repeating: 7, count: 32)

    private static func file(
        base: BackupBase? = nil, _ body: (BackupWriter) throws(BackupError) -> Void
    ) throws -> [UInt8] {
        let key = BackupKey(of: [UInt8](0..<16), secret: SecretBytes([UInt8](repeating: 9, count: 32)))
        let seed = SecretBytes([UInt8](repeating: 5, count: 32))
        guard let keychain = KeychainUUID([UInt8](repeating: 3, count: 16)) else { throw Seeds.Missing() }
        let header = BackupHeader(
            key, keychain: keychain, time: 800_000_000, signer: try Ed25519.publicKey(of: seed),
            stanzas: [try BackupStanza.device(SecretBytes(device), key)], base: base)
        var bytes: [UInt8] = []
        let writer = try BackupWriter(header, key, device: SecretBytes(device)) { bytes += Array($0) }
        try body(writer)
        _ = try writer.finish(signing: seed)
        return bytes
    }

    /// Files, and what stands in them.
    static func seeds() throws -> [[UInt8]] {
        var attributes = AttributeList()
        attributes[.account] = .string("somebody")
        let id = PersistentID(high: 1, low: 2)
        let item = BackupItem(
            itemClass: .genericPassword, id: id, attributes: attributes, secret: SecretValue(copying: [1, 2, 3]))
        let entry = BackupEntry(.genericPassword, .kept, id, stamp: 4)
        let whole = try file { (writer) throws(BackupError) in
            try writer.put(item, isBound: false)
            try writer.put(item, isBound: true)
            try writer.put([entry])
        }
        let (header, hash) = (try reader(whole).header, [UInt8](repeating: 1, count: 32))
        let next = try file(base: BackupBase(header, hash: hash)) { (writer) throws(BackupError) in
            try writer.put([entry, entry])
        }
        // What the text of a list and of counts looks like.
        let list: [UInt8] = [1, 4, 0, 0, 0, 26, 0, 0] + id.bytes + [UInt8](repeating: 0, count: 8)
        return [
            [0] + whole, [0] + next, [0] + whole.dropLast(7), list, [1],
            [1, 1, 0, 0, 0, 22, 0] + id.bytes + [0, 0, 0, 0, 0],
        ]
    }
}
