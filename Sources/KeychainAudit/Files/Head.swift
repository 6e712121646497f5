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
        var bytes = Head.magic
        bytes.reserveCapacity(Head.size)
        for value in [sequence, file, end, number, synced, lost, boot.high, boot.low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        unsafe mac.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        let seal = try unsafe bytes.lendingBytes { (bytes) throws(AuditError) in
            try unsafe hash.mac(of: bytes, after: .beginning)
        }
        unsafe seal.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The head of these bytes; nil when nobody with the key wrote them.
    init?(decoding bytes: [UInt8], _ hash: ChainHash) throws(AuditError) {
        guard bytes.count == Head.size, bytes.starts(with: Head.magic), let mac = RecordMAC(bytes[72..<104]) else {
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

    private static let magic = Array("LLVHEAD1".utf8)
    static let size = 136
}
