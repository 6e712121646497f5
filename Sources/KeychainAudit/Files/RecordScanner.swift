// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// Reads the records of one file one after the other, and tells those that were written with the key from others.
///
/// A record that was not is passed over as long as it says how long it is: those behind it are still known by their own MACs.
struct RecordScanner {
    /// What came next.
    enum Step {
        case record(AuditRecord)
        /// One that was not written with the key at this place; with the number that it claims.
        case rejected(claims: Int64?)
        case end(End)
    }

    enum End: Equatable {
        case clean
        /// So many bytes of a record whose rest is missing, or zeros.
        case torn(Int)
        /// So many bytes that are no record.
        case unreadable(Int)
    }

    private let file: LogFile
    private let hash: ChainHash
    private let size: Int
    /// Where the next record begins, and the MAC that it goes on from; nil at the beginning of a file.
    private(set) var offset: Int
    private var previous: RecordMAC?
    private var window: [UInt8] = []
    private var windowStart = 0
    /// The last record that was written with the key, and where it ends.
    private(set) var last: (number: Int64, mac: RecordMAC, end: Int)?

    /// A file from its beginning; nil when it does not begin as ours do.
    init?(_ file: LogFile, _ hash: ChainHash) throws(AuditError) {
        self.file = file
        self.hash = hash
        size = try file.size()
        offset = RecordFrame.magic.count
        guard size >= offset, try fill(0..<offset), window.starts(with: RecordFrame.magic) else { return nil }
    }

    mutating func next() throws(AuditError) -> Step {
        let rest = size - offset
        if rest == 0 { return .end(.clean) }
        guard rest >= 4, try fill(offset..<offset + 4) else { return .end(.torn(rest)) }
        let start = offset - windowStart
        let length = window[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= AuditRecord.largest else {
            let isZero = try length == 0 ? isZeroToTheEnd() : false
            return .end(isZero ? .torn(rest) : .unreadable(rest))
        }
        guard length + RecordFrame.overhead <= rest else { return .end(.torn(rest)) }
        let end = offset + length + RecordFrame.overhead
        guard try fill(offset..<end) else { return .end(.torn(rest)) }
        return try take(length, to: end)
    }

    private mutating func take(_ length: Int, to end: Int) throws(AuditError) -> Step {
        let start = offset - windowStart
        let macStart = start + 4 + length
        guard let mac = RecordMAC(window[macStart..<macStart + RecordMAC.size]) else { return .end(.unreadable(end)) }
        let before = previous
        let (record, expected) = try unsafe window.lendingBytes {
            (bytes) throws(AuditError) -> (AuditRecord?, RecordMAC?) in
            let record = unsafe AuditRecord(
                decoding: UnsafeRawBufferPointer(rebasing: bytes[start + 4..<macStart]))
            guard let previous = before ?? RecordScanner.beginning(record) else { return (record, nil) }
            let framed = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<macStart])
            return (record, try unsafe hash.mac(of: framed, after: previous))
        }
        offset = end
        previous = mac
        guard let record, let expected, expected == mac else { return .rejected(claims: record?.number) }
        last = (record.number, mac, end)
        return .record(record)
    }

    /// What the first record of a file goes on from is in itself.
    private static func beginning(_ record: AuditRecord?) -> RecordMAC? {
        guard case .opening(let opening)? = record?.content else { return nil }
        return RecordMAC(opening.previousMAC)
    }

    /// Makes sure that the window has these bytes of the file.
    private mutating func fill(_ range: Range<Int>) throws(AuditError) -> Bool {
        if range.lowerBound >= windowStart, range.upperBound <= windowStart + window.count { return true }
        let wanted = min(max(range.count, RecordScanner.chunk), size - range.lowerBound)
        var count = 0
        window = try unsafe [UInt8](count: wanted) { (buffer) throws(AuditError) in
            count = try unsafe file.read(into: buffer, at: range.lowerBound)
        }
        windowStart = range.lowerBound
        window.removeLast(wanted - count)
        return count >= range.count
    }

    private mutating func isZeroToTheEnd() throws(AuditError) -> Bool {
        var position = offset
        while position < size {
            let part = position..<min(position + RecordScanner.chunk, size)
            guard try fill(part) else { return false }
            let start = part.lowerBound - windowStart
            guard window[start..<start + part.count].allSatisfy({ $0 == 0 }) else { return false }
            position = part.upperBound
        }
        return true
    }

    private static let chunk = 128 << 10
}

/// How a record stands in a file: four bytes with its size, itself, its MAC.
enum RecordFrame {
    static let magic = Array("LLVAUDT1".utf8)
    static let overhead = 4 + RecordMAC.size
}
