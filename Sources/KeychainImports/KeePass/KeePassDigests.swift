// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// Digests over several parts, out of memory that is wiped.
internal enum Crypto {
    internal static func sha256(_ parts: [ImportedBytes]) throws(ImportError) -> ImportedBytes {
        try digest(.sha256, parts)
    }
    internal static func sha512(_ parts: [ImportedBytes]) throws(ImportError) -> ImportedBytes {
        try digest(.sha512, parts)
    }

    private static func digest(_ hash: MessageCode, _ parts: [ImportedBytes]) throws(ImportError) -> ImportedBytes {
        let whole = joined(parts)
        do throws(CryptoError) {
            return ImportedBytes(
                try unsafe whole.bytes.withUnsafeBytes { (bytes) throws(CryptoError) in
                    try unsafe hash.digest(of: bytes)
                })
        } catch { throw .crypto(error) }
    }

    /// The HMAC of a block, whose key is of its number.
    internal static func blockCode(
        _ number: UInt64, _ parts: [ImportedBytes], _ base: ImportedBytes
    ) throws(ImportError) -> ImportedBytes {
        let count = ImportedBytes((0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) })
        let key = try sha512([count, base])
        return try code(key, number == .max ? parts : [count] + parts)
    }

    internal static func code(_ key: ImportedBytes, _ parts: [ImportedBytes]) throws(ImportError) -> ImportedBytes {
        let whole = joined(parts)
        do throws(CryptoError) {
            return ImportedBytes(
                try unsafe key.bytes.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe whole.bytes.withUnsafeBytes { (bytes) throws(CryptoError) in
                        try unsafe MessageCode.sha256.code(key: key, bytes)
                    }
                })
        } catch { throw .crypto(error) }
    }

    private static func joined(_ parts: [ImportedBytes]) -> ImportedBytes {
        guard parts.count != 1 else { return parts[0] }
        return ImportedBytes(
            unsafe SecretBytes(count: parts.reduce(0) { $0 + $1.count }) { output in
                var place = 0
                for part in parts {
                    unsafe part.bytes.withUnsafeBytes { bytes in
                        unsafe UnsafeMutableRawBufferPointer(rebasing: output[place..<place + bytes.count])
                            .copyMemory(from: bytes)
                    }
                    place += part.count
                }
            })
    }
}

extension ImportedBytes {
    internal convenience init(_ bytes: [UInt8]) {
        self.init(unsafe SecretBytes(count: bytes.count) { unsafe $0.copyBytes(from: bytes) })
    }

    /// A number with its low byte first, of at most eight bytes; nil out of bounds, and where it is no `Int`.
    internal func littleEndian(_ range: Range<Int>) -> Int? {
        guard range.count <= 8, range.lowerBound >= 0, range.upperBound <= count else { return nil }
        var number: UInt64 = 0
        for (place, index) in range.enumerated() { number |= UInt64(self[index] ?? 0) << UInt64(8 * place) }
        return Int(exactly: number)
    }

    /// Whether these bytes are there.
    internal func has(_ bytes: ImportedBytes, at start: Int) -> Bool {
        guard start >= 0, bytes.count <= count - start else { return false }
        return part(start..<start + bytes.count).bytes.isEqualInConstantTime(to: bytes.bytes)
    }

    internal var withoutSpace: ImportedBytes {
        guard all.contains(where: { ASCII.isSpace(self[$0]) }) else { return self }
        return ImportedBytes(capacity: count) { output in
            for index in all { if let byte = self[index], !ASCII.isSpace(byte) { output.append(byte) } }
            return true
        } ?? self
    }
}
