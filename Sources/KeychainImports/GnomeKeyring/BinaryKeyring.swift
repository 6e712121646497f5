// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// An encrypted keyring file: hashed names unencrypted, then everything else encrypted under a password.
internal enum BinaryKeyring {
    internal static func isOne(_ bytes: ImportedBytes) -> Bool { bytes.has(magic, at: 0) }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, _ password: Passcode, into report: inout ImportReport
    ) throws(ImportError) {
        guard isOne(bytes) else { throw .notThisFormat }
        var reader = BinaryReader(bytes, at: magic.utf8.count)
        // Major and minor version, AES, and a hash that is called MD5 but derives keys with SHA-256.
        for _ in 0..<4 { guard try reader.byte() == 0 else { throw .unknownVersion } }
        _ = try reader.string()
        // Creation, change, flags, lock timeout.
        try reader.skip(8 + 8 + 4 + 4)
        let rounds = Int(try reader.number())
        let salt = try reader.take(KeyringCipher.saltSize)
        try reader.skip(4 * 4)
        let types = try hashedItems(&reader)
        let sealed = try reader.take(Int(try reader.number()))
        let text = ImportedBytes(try open(bytes, sealed, password, salt, rounds))
        var inside = BinaryReader(text)
        for (index, type) in types.enumerated() {
            var item = KeyringItem(source: SourceLocation(file, item: index + 1))
            item.type = Int(type)
            try read(&inside, into: &item, &report)
        }
    }

    private static func open(
        _ bytes: ImportedBytes, _ sealed: Range<Int>, _ password: Passcode, _ salt: Range<Int>, _ rounds: Int
    ) throws(ImportError) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe bytes.bytes.withUnsafeBytes { (bytes) throws(CryptoError) in
                try unsafe KeyringCipher.open(
                    UnsafeRawBufferPointer(rebasing: bytes[sealed]), password: password.bytes,
                    salt: UnsafeRawBufferPointer(rebasing: bytes[salt]), rounds: rounds)
            }
        } catch {
            switch error {
            case .authenticationFailed: throw .wrongPassword
            case .invalidLength, .invalidParameters: throw .damaged
            case .zeroKey, .randomnessUnavailable, .outOfMemory, .abandoned, .library: throw .crypto(error)
            }
        }
    }

    /// The types of the items, from the unencrypted part.
    private static func hashedItems(_ reader: inout BinaryReader) throws(ImportError) -> [UInt32] {
        let count = try reader.number()
        guard count <= ImportLimits.mostItems else { throw .tooLarge }
        var types: [UInt32] = []
        for _ in 0..<count {
            try reader.skip(4)
            types.append(try reader.number())
            for _ in 0..<(try reader.number()) {
                _ = try reader.string()
                if try isText(&reader) { _ = try reader.string() } else { try reader.skip(4) }
            }
        }
        return types
    }

    /// Whether an attribute is a string; otherwise it is a number.
    private static func isText(_ reader: inout BinaryReader) throws(ImportError) -> Bool {
        switch try reader.number() {
        case 0: return true
        case 1: return false
        default: throw .damaged
        }
    }

    private static func read(
        _ reader: inout BinaryReader, into item: inout KeyringItem, _ report: inout ImportReport
    ) throws(ImportError) {
        let bytes = reader.bytes
        let label = try reader.string().map { bytes.text($0) } ?? ""
        let secret = try reader.string()
        item.created = try reader.largeNumber()
        item.modified = try reader.largeNumber()
        // A reserved string and four reserved numbers.
        _ = try reader.string()
        try reader.skip(4 * 4)
        var isText = label != nil
        item.label = label ?? ""
        for _ in 0..<(try reader.number()) {
            let name = try reader.string().map { bytes.text($0) } ?? ""
            let value: String?
            if try self.isText(&reader) {
                value = try reader.string().map { bytes.text($0) } ?? ""
            } else {
                value = String(try reader.number())
            }
            if let name, let value {
                item.attributes.append(ImportedAttribute(name, value))
            } else {
                isText = false
            }
        }
        // The programs that may read it, by their paths.
        let programs = try reader.number()
        item.hasPrograms = programs > 0
        for _ in 0..<programs {
            try reader.skip(4)
            for _ in 0..<3 { _ = try reader.string() }
            try reader.skip(4)
        }
        if !isText { item.repairs.append(.attributesLost) }
        // An empty secret is written as a missing one.
        try report.add(item.item(secret: bytes.part(secret ?? 0..<0)))
        try report.leave(item.source, item.label, .programLists, count: item.hasPrograms ? 1 : 0)
    }

    private static let magic = "GnomeKeyring\n\r\0\n"
}

/// Reads the numbers and strings of an encrypted keyring.
internal struct BinaryReader {
    internal let bytes: ImportedBytes
    internal private(set) var position: Int

    internal init(_ bytes: ImportedBytes, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    internal mutating func skip(_ count: Int) throws(ImportError) { _ = try take(count) }

    internal mutating func take(_ count: Int) throws(ImportError) -> Range<Int> {
        guard count >= 0, count <= bytes.count - position else { throw .damaged }
        defer { position += count }
        return position..<position + count
    }

    internal mutating func byte() throws(ImportError) -> UInt8 {
        let range = try take(1)
        guard let byte = bytes[range.lowerBound] else { throw .damaged }
        return byte
    }

    /// Four bytes, big-endian.
    internal mutating func number() throws(ImportError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 8 | UInt32(try byte()) }
        return value
    }

    /// Eight bytes, big-endian.
    internal mutating func largeNumber() throws(ImportError) -> UInt64 {
        let high = UInt64(try number())
        return high << 32 | UInt64(try number())
    }

    /// Bytes after their count; nil if the count marks a missing value, which is not the same as an empty one.
    internal mutating func string() throws(ImportError) -> Range<Int>? {
        let count = try number()
        return count == .max ? nil : try take(Int(count))
    }
}
