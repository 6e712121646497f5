// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
package import KeychainModel

/// Writes a backup from its beginning to its end, in little memory.
// Safe: the sink is lent memory for the time of a call.
@safe
package final class BackupWriter {
    package typealias Sink = (UnsafeRawBufferPointer) throws(BackupError) -> Void

    private let key: BackupKey
    private let device: SecretBytes
    private let sink: Sink
    private let cipher: GCM
    private var digest: RunningDigest?
    private let plain: WipedBuffer
    private var count = 0
    private var number: UInt64 = 0
    private var counts: BackupCounts

    /// Writes the header; `device` is what only this device knows.
    package init(
        _ header: BackupHeader, _ key: BackupKey, device: consuming SecretBytes, commits: UInt64 = 0,
        to sink: @escaping Sink
    ) throws(BackupError) {
        self.key = key
        counts = BackupCounts(commits: commits)
        self.device = device
        unsafe self.sink = sink
        cipher = try ciphering { () throws(CryptoError) in try GCM() }
        digest = try ciphering { () throws(CryptoError) in try RunningDigest() }
        plain = WipedBuffer(count: BackupLimits.chunk)
        let encoded = try header.encoded()
        guard encoded.count <= BackupLimits.largestHeader else { throw .damaged }
        let head = BackupLimits.mark + bytes(of: UInt32(encoded.count)) + encoded
        try put(head)
        try put(try BackupWriter.seal(of: head, key))
    }

    /// What shows that a header is the file's own.
    static func seal(of head: [UInt8], _ key: BackupKey) throws(BackupError) -> [UInt8] {
        let secret = try key.header()
        do throws(CryptoError) {
            return try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                let hash = try unsafe KeyedHash(key: secret)
                try hash.begin()
                try unsafe head.lendingBytes { (head) throws(CryptoError) in try unsafe hash.update(head) }
                return try unsafe [UInt8](count: KeyedHash.size) { (output) throws(CryptoError) in
                    try unsafe hash.finish(into: output)
                }
            }
        } catch { throw .crypto(error) }
    }

    // MARK: Records

    package func put(_ item: BackupItem, isBound: Bool) throws(BackupError) {
        let record = try item.encoded()
        counts.items += 1
        guard isBound else { return try put(.item, record) }
        counts.bound += 1
        let secret = try key.bound(item.itemClass, item.id, to: device)
        let head = [item.itemClass.rawValue] + item.id.bytes
        let sealed = try unsafe SecretValue(count: head.count + record.count + GCM.tagSize) {
            (output) throws(BackupError) in
            unsafe output.copyBytes(from: head)
            try unsafe seal(
                record, under: secret, into: UnsafeMutableRawBufferPointer(rebasing: output[head.count...]))
        }
        try put(.bound, sealed)
    }

    private func seal(
        _ record: SecretValue, under key: borrowing SecretBytes, into output: UnsafeMutableRawBufferPointer
    ) throws(BackupError) {
        do throws(CryptoError) {
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe record.withUnsafeBytes { (record) throws(CryptoError) in
                    try unsafe cipher.seal(
                        key: key, additional: UnsafeRawBufferPointer(start: nil, count: 0), plain: record, into: output)
                }
            }
        } catch { throw .crypto(error) }
    }

    /// Notes an item that has no place in a backup.
    package func leaveOut() { counts.left += 1 }

    /// Writes down which items there were, after the last item.
    package func put(_ entries: [BackupEntry]) throws(BackupError) {
        var rest = entries[...]
        while !rest.isEmpty {
            let part = rest.prefix(BackupEntry.mostInRecord)
            rest = rest.dropFirst(part.count)
            try put(.list, SecretValue(copying: part.flatMap(\.encoded)))
        }
    }

    private func put(_ kind: RecordKind, _ record: SecretValue) throws(BackupError) {
        try unsafe ([kind.rawValue] + bytes(of: UInt32(record.count))).lendingBytes { (head) throws(BackupError) in
            try unsafe fill(head)
        }
        try unsafe record.withUnsafeBytes { (record) throws(BackupError) in try unsafe fill(record) }
    }

    /// Puts any bytes in the place of records, for who tries what a reader makes of them.
    package func put(text: [UInt8]) throws(BackupError) {
        try unsafe text.lendingBytes { (text) throws(BackupError) in try unsafe fill(text) }
    }

    private func fill(_ bytes: UnsafeRawBufferPointer) throws(BackupError) {
        var rest = unsafe bytes
        while rest.count > 0 {
            if count == plain.count { try seal(isLast: false) }
            let part = min(rest.count, plain.count - count)
            unsafe UnsafeMutableRawBufferPointer(rebasing: plain.bytes[count..<(count + part)]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest[..<part]))
            count += part
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    /// Ends the file: what it has is counted, and all of it signed; returns the counts.
    package func finish(signing seed: borrowing SecretBytes) throws(BackupError) -> BackupCounts {
        try put(.counts, SecretValue(copying: counts.encoded))
        try seal(isLast: true)
        guard let digest = digest.take() else { throw .damaged }
        let hash = try BackupReader.sha256(digest)
        let signature: [UInt8]
        do throws(CryptoError) { signature = try Ed25519.signature(of: BackupWriter.signed(hash), with: seed) } catch {
            throw .crypto(error)
        }
        try unsafe (BackupLimits.endMark + hash + signature).lendingBytes { (end) throws(BackupError) in
            try unsafe sink(end)
        }
        return counts
    }

    static func signed(_ hash: [UInt8]) -> [UInt8] { Array("llavero backup".utf8) + hash }

    // MARK: Chunks

    private func seal(isLast: Bool) throws(BackupError) {
        let secret = try key.chunk(number, isLast: isLast)
        let sealed: [UInt8]
        do throws(CryptoError) {
            sealed = try unsafe [UInt8](count: count + GCM.tagSize) { (output) throws(CryptoError) in
                try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe cipher.seal(
                        key: secret, additional: UnsafeRawBufferPointer(start: nil, count: 0),
                        plain: UnsafeRawBufferPointer(rebasing: plain.bytes[..<count]), into: output)
                }
            }
        } catch { throw .crypto(error) }
        try put([isLast ? 1 : 0] + bytes(of: UInt32(sealed.count)))
        try put(sealed)
        number += 1
        count = 0
    }

    private func put(_ bytes: [UInt8]) throws(BackupError) {
        try unsafe bytes.lendingBytes { (bytes) throws(BackupError) in
            do throws(CryptoError) { try unsafe digest?.update(bytes) } catch { throw .crypto(error) }
            try unsafe sink(bytes)
        }
    }
}

@available(*, unavailable)
extension BackupWriter: Sendable {}

/// Memory for what is secret for a while.
// Safe: the memory is private to this module, made here, and freed in deinit.
@safe
final class WipedBuffer {
    let bytes: UnsafeMutableRawBufferPointer
    var count: Int { unsafe bytes.count }

    init(count: Int) { unsafe bytes = .allocate(byteCount: count, alignment: 16) }

    deinit {
        if let start = unsafe bytes.baseAddress { unsafe llv_wipe(start, bytes.count) }
        unsafe bytes.deallocate()
    }
}

@available(*, unavailable)
extension WipedBuffer: Sendable {}
