// SPDX-License-Identifier: Apache-2.0

/// A small payload written twice, each time with its SHA-256, so that one damaged sector loses nothing.
package enum TwinRecord {
    package struct Payload: Sendable {
        package let bytes: [UInt8]
        /// Whether one of the two copies is damaged.
        package let isHalfDamaged: Bool
    }

    /// `magic` (8 bytes), the payload's length, then payload and digest, and both again.
    package static func encode(_ payload: [UInt8], magic: [UInt8]) throws(KeybagError) -> [UInt8] {
        guard let count = UInt32(exactly: payload.count), count <= largest else { throw .damaged }
        let digest = try sha256(payload)
        let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) }
        return magic + length + length + payload + digest + payload + digest
    }

    /// The payload of the first copy that is whole, or nil.
    package static func decode(_ bytes: [UInt8], magic: [UInt8]) throws(KeybagError) -> Payload? {
        let start = magic.count + 8
        guard bytes.count >= start else { return nil }
        // Everything that says where the copies lie follows from the file's own size, so one damaged length is survived.
        let half = (bytes.count - start) / 2
        guard (bytes.count - start) % 2 == 0, half > 32, half - 32 <= largest else { return nil }
        let lengths = [bytes[magic.count..<magic.count + 4], bytes[magic.count + 4..<start]]
        let agrees =
            bytes.starts(with: magic)
            && lengths.allSatisfy { $0.reduce(0) { $0 << 8 | Int($1) } == half - 32 }
        var whole: [[UInt8]] = []
        for copy in 0..<2 {
            let payload = Array(bytes[start + copy * half..<start + (copy + 1) * half - 32])
            if try sha256(payload) == Array(bytes[start + (copy + 1) * half - 32..<start + (copy + 1) * half]) {
                whole.append(payload)
            }
        }
        guard let first = whole.first else { return nil }
        // Two whole copies that differ are no accident.
        if whole.count == 2, whole[1] != first { return nil }
        return Payload(bytes: first, isHalfDamaged: whole.count < 2 || !agrees)
    }

    private static let largest = 1 << 20

    private static func sha256(_ bytes: [UInt8]) throws(KeybagError) -> [UInt8] {
        try KeybagError.translating { () throws(CryptoError) in
            try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
        }
    }
}
