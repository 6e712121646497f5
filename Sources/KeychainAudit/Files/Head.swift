// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// Where a log ends: without it, records that are cut off at the end would not be missed.
struct Head: Sendable, Equatable {
    /// Counts the writes of the head.
    var sequence: UInt64 = 0
    /// The file that is written, where its last record ends, that record's number and MAC; 0 before there is any.
    var file: UInt64 = 0
    var end: UInt64 = 0
    var number: UInt64 = 0
    /// The last record that a power cut cannot take back.
    var synced: UInt64 = 0
    /// Entries that could not be written, and of which no record says so yet.
    var lost: UInt64 = 0
    /// When it was written.
    var boot = BootID(high: 0, low: 0)
    var mac = RecordMAC.beginning

    /// The one encoding, with its own MAC.
    func encoded(_ hash: ChainHash) throws(AuditError) -> [UInt8] {
        let values = [Head.magicNumber, sequence, file, end, number, synced, lost, boot.high, boot.low]
        return try unsafe [UInt8](count: Head.size) { (buffer) throws(AuditError) in
            for (index, value) in values.enumerated() {
                unsafe buffer.storeBytes(of: value.bigEndian, toByteOffset: index * 8, as: UInt64.self)
            }
            unsafe mac.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[Head.macStart..<Head.sealStart]))
            let sealed = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<Head.sealStart])
            let seal = try unsafe hash.mac(of: sealed, after: .beginning)
            unsafe seal.write(to: UnsafeMutableRawBufferPointer(rebasing: buffer[Head.sealStart...]))
        }
    }

    /// The head of these bytes; nil when they were not written with the key.
    init?(decoding bytes: [UInt8], _ hash: ChainHash) throws(AuditError) {
        guard bytes.count == Head.size, let mac = RecordMAC(bytes[Head.macStart..<Head.sealStart]) else {
            return nil
        }
        let values = (1...8).map { index in bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(
            sequence: values[0], file: values[1], end: values[2], number: values[3], synced: values[4],
            lost: values[5], boot: BootID(high: values[6], low: values[7]), mac: mac)
        guard file <= UInt64(AuditFolder.lastFile), values[..<6].allSatisfy({ $0 <= UInt64(Int64.max) }),
            try encoded(hash) == bytes
        else { return nil }
    }

    init() {}

    private init(
        sequence: UInt64, file: UInt64, end: UInt64, number: UInt64, synced: UInt64, lost: UInt64, boot: BootID,
        mac: RecordMAC
    ) {
        self.sequence = sequence
        self.file = file
        self.end = end
        self.number = number
        self.synced = synced
        self.lost = lost
        self.boot = boot
        self.mac = mac
    }

    /// LLVHEAD1, most significant byte first.
    private static let magicNumber: UInt64 = 0x4C4C_5648_4541_4431
    private static let macStart = 72
    private static let sealStart = macStart + RecordMAC.size
    static let size = sealStart + RecordMAC.size
}

/// The file of the head: two places for it, written in turn, so that a write which is torn leaves the one before it.
struct HeadFile {
    private let file: LogFile
    private let hash: ChainHash

    /// What the file holds.
    struct Reading {
        /// The later of the heads that were written with the key.
        let head: Head?
        /// Whether both places hold one, and nothing else is there.
        let isWhole: Bool
        /// Whether the file is as it is before the first write.
        let isEmpty: Bool
    }

    init(_ file: LogFile, _ hash: ChainHash) {
        self.file = file
        self.hash = hash
    }

    func read() throws(AuditError) -> Reading {
        var heads: [Head] = []
        for place in 0..<2 {
            var count = 0
            let bytes = try unsafe [UInt8](count: Head.size) { (buffer) throws(AuditError) in
                count = try unsafe file.read(into: buffer, at: place * Head.size)
            }
            guard count == Head.size, let head = try Head(decoding: bytes, hash) else { continue }
            // Each has its place, so that one copied over the other is damage.
            if head.sequence % 2 == UInt64(place) { heads.append(head) }
        }
        let size = try file.size()
        let isPair = heads.count == 2 && heads[0].sequence.distance(to: heads[1].sequence).magnitude == 1
        return Reading(
            head: heads.max { $0.sequence < $1.sequence }, isWhole: isPair && size == 2 * Head.size,
            isEmpty: size == 0)
    }

    /// Writes a head to the place whose turn it is.
    func write(_ head: Head) throws(AuditError) {
        try file.write(try head.encoded(hash), at: Int(head.sequence % 2) * Head.size)
    }

    /// Writes both places; the later one is returned.
    func writeBoth(_ head: Head) throws(AuditError) -> Head {
        var head = head
        head.sequence += head.sequence % 2
        let first = try head.encoded(hash)
        head.sequence += 1
        try file.truncate(to: 2 * Head.size)
        try file.write(first + (try head.encoded(hash)), at: 0)
        try file.sync()
        return head
    }

    func sync() throws(AuditError) { try file.sync() }
}

/// The kernel's name for the time since it was started: what was written in this one no power cut can have taken back.
package struct BootID: Sendable, Equatable {
    let high: UInt64
    let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The present one; zeros where the kernel does not say, so that nothing is taken for a power cut's work.
    package static func current() -> BootID {
        guard let file = try? LogFile.open("/proc/sys/kernel/random/boot_id", forWriting: false),
            let text = try? unsafe [UInt8](
                count: 36,
                filling: { (buffer) throws(AuditError) in
                    guard try unsafe file.read(into: buffer, at: 0) == buffer.count else { throw .system(0) }
                })
        else { return unknown }
        let digits = String(decoding: text.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return unknown }
        return BootID(high: high, low: low)
    }

    private static let unknown = BootID(high: 0, low: 0)
}
