// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// Reads a backup from its beginning to its end, in little memory.
///
/// Nothing of it is to be believed before `next` has said that there is no more: the footer comes last, and says whether all
/// that stood before it is what was written.
// Safe: the source is called with memory of this module's alone.
@safe
package final class BackupReader {
    /// Fills a buffer as far as it can; fewer bytes are the end.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws(BackupError) -> Int

    package let header: BackupHeader
    private let source: Source
    private let head: [UInt8]
    private let headSeal: [UInt8]
    private var digest: RunningDigest?
    private let cipher: GCM
    private var key: BackupKey?
    private var device: SecretBytes?

    private let sealed: WipedBuffer
    private let plain: WipedBuffer
    /// What is left of the chunk that was opened last.
    private var rest: Range<Int> = 0..<0
    private var number: UInt64 = 0
    private var isLastChunk = false
    private var hasEnded = false
    /// Whether only the list of items is wanted.
    private let skipsItems: Bool
    /// The hash at the file's end, once that is read.
    package private(set) var hash: [UInt8]?

    /// Reads the header.
    package init(skippingItems: Bool = false, _ source: @escaping Source) throws(BackupError) {
        unsafe self.source = source
        skipsItems = skippingItems
        cipher = try ciphering { () throws(CryptoError) in try GCM() }
        digest = try ciphering { () throws(CryptoError) in try RunningDigest() }
        let mark: [UInt8]
        do throws(BackupError) { mark = try unsafe BackupReader.take(BackupLimits.mark.count, from: source) } catch {
            throw error == .cut ? .notBackup : error
        }
        guard mark == BackupLimits.mark else {
            throw mark.starts(with: BackupLimits.mark.dropLast()) ? .newer : .notBackup
        }
        let length = try unsafe BackupReader.take(4, from: source)
        let count = length.reduce(0) { $0 << 8 | Int($1) }
        guard (1...BackupLimits.largestHeader).contains(count) else { throw .damaged }
        let encoded = try unsafe BackupReader.take(count, from: source)
        header = try BackupHeader(decoding: encoded)
        head = mark + length + encoded
        headSeal = try unsafe BackupReader.take(KeyedHash.size, from: source)
        sealed = WipedBuffer(count: BackupLimits.chunk + GCM.tagSize)
        plain = WipedBuffer(count: BackupLimits.chunk)
        for part in [head, headSeal] { try self.count(part) }
    }

    // MARK: Opening

    package func open(passphrase: borrowing SecretBytes) throws(BackupError) {
        for stanza in header.stanzas {
            if let key = try stanza.open(header.file, passphrase: passphrase) { return try take(key) }
        }
        throw .notOpened
    }

    package func open(recovery: RecoveryKey) throws(BackupError) {
        for stanza in header.stanzas {
            if let key = try stanza.open(header.file, recovery: recovery) { return try take(key) }
        }
        throw .notOpened
    }

    /// Opens it by what this device knows, if it was made here; false where it was not.
    package func open(device: borrowing SecretBytes) throws(BackupError) -> Bool {
        for stanza in header.stanzas {
            guard let key = try stanza.open(header.file, device: device) else { continue }
            try take(key)
            self.device = device.clone()
            return true
        }
        return false
    }

    /// Opens it by the backup that it goes on from.
    package func open(base: BackupKey) throws(BackupError) {
        for stanza in header.stanzas {
            if let key = try stanza.open(header.file, base: base) { return try take(key) }
        }
        throw .notOpened
    }

    /// The key that opened it, or opens it again.
    package var openedKey: BackupKey? { key }

    package func open(key: BackupKey) throws(BackupError) { try take(key) }

    /// What this device knows, for items that only it opens, whatever opened the file.
    package func use(device: borrowing SecretBytes) { self.device = device.clone() }

    private func take(_ key: BackupKey) throws(BackupError) {
        guard try BackupWriter.seal(of: head, key) == headSeal else { throw .damaged }
        self.key = key
    }

    // MARK: Records

    /// The next record of an opened file; nil behind the last, once the footer has shown that all of it is right.
    package func next() throws(BackupError) -> BackupRecord? {
        if hasEnded { return nil }
        var (kind, count) = try recordHead()
        while skipsItems, kind == .item || kind == .bound {
            try skip(count)
            (kind, count) = try recordHead()
        }
        let record = try secretRecord(count)
        switch kind {
        case .item: return .item(try BackupItem(decoding: record))
        case .bound: return try bound(record)
        case .list: return .list(try unsafe record.withUnsafeBytes(BackupReader.entries))
        case .counts:
            let bytes = unsafe record.withUnsafeBytes { unsafe Array($0) }
            guard let counts = BackupCounts(bytes), rest.isEmpty, isLastChunk else { throw .damaged }
            try readFooter()
            return .counts(counts)
        }
    }

    private func recordHead() throws(BackupError) -> (RecordKind, Int) {
        let head = try secretRecord(RecordKind.headSize)
        let (kind, count) = unsafe head.withUnsafeBytes { bytes in
            unsafe (bytes[0], bytes[1...].reduce(0) { $0 << 8 | Int($1) })
        }
        guard let kind = RecordKind(rawValue: kind), count <= BackupLimits.largestRecord + 64 else { throw .damaged }
        return (kind, count)
    }

    private static func entries(_ record: UnsafeRawBufferPointer) throws(BackupError) -> [BackupEntry] {
        let count = record.count / BackupEntry.size
        guard record.count % BackupEntry.size == 0, (1...BackupEntry.mostInRecord).contains(count) else {
            throw .damaged
        }
        var entries: [BackupEntry] = []
        for index in 0..<count {
            let place = index * BackupEntry.size
            let part = unsafe UnsafeRawBufferPointer(rebasing: record[place..<(place + BackupEntry.size)])
            guard let entry = unsafe BackupEntry(part) else { throw .damaged }
            entries.append(entry)
        }
        return entries
    }

    private func bound(_ record: SecretValue) throws(BackupError) -> BackupRecord {
        guard record.count >= 17 + GCM.tagSize else { throw .damaged }
        let (itemClass, id) = unsafe record.withUnsafeBytes { bytes in
            unsafe (ItemClass(rawValue: bytes[0]), PersistentID(Array(bytes[1..<17])))
        }
        guard let itemClass, let id else { throw .damaged }
        guard let key, let secret = try bindingKey(key, itemClass, id) else { return .bound(id) }
        do throws(CryptoError) {
            let opened = try unsafe SecretValue(count: record.count - 17 - GCM.tagSize) {
                (output) throws(CryptoError) in
                try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe record.withUnsafeBytes { (record) throws(CryptoError) in
                        try unsafe cipher.open(
                            key: secret, additional: UnsafeRawBufferPointer(start: nil, count: 0),
                            sealed: UnsafeRawBufferPointer(rebasing: record[17...]), into: output)
                    }
                }
            }
            let item: BackupItem
            do throws(BackupError) { item = try BackupItem(decoding: opened) } catch { throw .authenticationFailed }
            guard item.itemClass == itemClass, item.id == id else { throw .authenticationFailed }
            return .item(item)
        } catch {
            // It was made on another device.
            if error == .authenticationFailed { return .bound(id) }
            throw .crypto(error)
        }
    }

    private func bindingKey(
        _ key: BackupKey, _ itemClass: ItemClass, _ id: PersistentID
    ) throws(BackupError) -> SecretBytes? {
        guard let device = device?.clone() else { return nil }
        return try key.bound(itemClass, id, to: device)
    }

    /// Passes over some bytes of the plain text.
    private func skip(_ count: Int) throws(BackupError) {
        var left = count
        while left > 0 {
            if rest.isEmpty {
                guard !isLastChunk else { throw .damaged }
                try openChunk()
            }
            let part = min(rest.count, left)
            rest = rest.dropFirst(part)
            left -= part
        }
    }

    /// Some bytes of the plain text, across chunks.
    private func secretRecord(_ count: Int) throws(BackupError) -> SecretValue {
        try unsafe SecretValue(count: count) { (output) throws(BackupError) in
            var done = 0
            while done < count {
                if rest.isEmpty {
                    guard !isLastChunk else { throw .damaged }
                    try openChunk()
                }
                let part = min(rest.count, count - done)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[done..<(done + part)]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: plain.bytes[rest.prefix(part)]))
                rest = rest.dropFirst(part)
                done += part
            }
        }
    }

    // MARK: Chunks

    private func openChunk() throws(BackupError) {
        guard let key else { throw .notOpened }
        let count = try readChunk()
        let secret = try key.chunk(number, isLast: isLastChunk)
        do throws(CryptoError) {
            try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe cipher.open(
                    key: secret, additional: UnsafeRawBufferPointer(start: nil, count: 0),
                    sealed: UnsafeRawBufferPointer(rebasing: sealed.bytes[..<count]),
                    into: UnsafeMutableRawBufferPointer(rebasing: plain.bytes[..<(count - GCM.tagSize)]))
            }
        } catch { throw error == .authenticationFailed ? .damaged : .crypto(error) }
        rest = 0..<(count - GCM.tagSize)
        // Only the last chunk may be short, or a writer has cut where nobody could see it.
        guard isLastChunk || rest.count == BackupLimits.chunk else { throw .damaged }
        number += 1
    }

    /// Reads a chunk as it is; how many bytes it has.
    private func readChunk() throws(BackupError) -> Int {
        let head = try take(5)
        let count = head[1...].reduce(0) { $0 << 8 | Int($1) }
        guard head[0] <= 1, (GCM.tagSize...BackupLimits.chunk + GCM.tagSize).contains(count) else { throw .damaged }
        isLastChunk = head[0] == 1
        let got = try unsafe source(UnsafeMutableRawBufferPointer(rebasing: sealed.bytes[..<count]))
        guard got == count else { throw .cut }
        do throws(CryptoError) {
            try unsafe digest?.update(UnsafeRawBufferPointer(rebasing: sealed.bytes[..<count]))
        } catch { throw .crypto(error) }
        return count
    }

    /// Looks at the whole file without anything that opens it: whether it is what its signer wrote, from the first byte to the
    /// last.
    package func verify() throws(BackupError) {
        while !isLastChunk { _ = try readChunk() }
        try readFooter()
    }

    private func readFooter() throws(BackupError) {
        guard let digest = digest.take() else { throw .damaged }
        let hash = try BackupReader.sha256(digest)
        let places = (BackupLimits.endMark.count, BackupLimits.endMark.count + hash.count)
        let end = try unsafe BackupReader.take(places.1 + Ed25519.signatureSize, from: source)
        guard end.starts(with: BackupLimits.endMark), Array(end[places.0..<places.1]) == hash,
            Ed25519.isValid(
                signature: Array(end[places.1...]), of: BackupWriter.signed(hash), publicKey: header.signer)
        else { throw .damaged }
        // Nothing comes behind the end.
        guard try unsafe BackupReader.isAtEnd(source) else { throw .damaged }
        self.hash = hash
        hasEnded = true
    }

    // MARK: Bytes

    private func take(_ count: Int) throws(BackupError) -> [UInt8] {
        let bytes = try unsafe BackupReader.take(count, from: source)
        try self.count(bytes)
        return bytes
    }

    /// Takes bytes of the file into its hash.
    private func count(_ bytes: [UInt8]) throws(BackupError) {
        do throws(CryptoError) {
            try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe digest?.update(bytes) }
        } catch { throw .crypto(error) }
    }

    static func sha256(_ digest: consuming RunningDigest) throws(BackupError) -> [UInt8] {
        do throws(CryptoError) { return try digest.sha256() } catch { throw .crypto(error) }
    }

    private static func take(_ count: Int, from source: Source) throws(BackupError) -> [UInt8] {
        try unsafe [UInt8](count: count) { (buffer) throws(BackupError) in
            guard try unsafe source(buffer) == count else { throw .cut }
        }
    }

    private static func isAtEnd(_ source: Source) throws(BackupError) -> Bool {
        var count = 0
        _ = try unsafe [UInt8](count: 1) { (buffer) throws(BackupError) in count = try unsafe source(buffer) }
        return count == 0
    }
}

@available(*, unavailable)
extension BackupReader: Sendable {}
