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

    /// The head of these bytes; nil when nobody with the key wrote them.
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
