// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// The file of the head: two places for it, written in turn, so that a write which is torn leaves the one before it.
struct HeadFile {
    private let file: LogFile
    private let hash: ChainHash

    /// What the file holds.
    struct Reading {
        /// The later of the heads that somebody with the key wrote.
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
