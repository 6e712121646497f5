// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel

/// The key that is required to write a log's history anew, and to check it.
///
/// Each file is chained under a key of its own, and the head under another, so that nothing of one file stands for
/// anything in a second one.
package final class AuditKey: Sendable {
    private let root: SecretBytes

    /// Takes 32 bytes that are not all zero; throws `unusableKey` else.
    package init(_ root: consuming SecretBytes) throws(AuditError) {
        guard root.count == KeyedHash.size, !root.isAllZero else { throw .unusableKey }
        self.root = root
    }

    func hash(ofFile number: UInt32) throws(AuditError) -> ChainHash {
        try hash("llavero audit file", (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) })
    }

    func hashOfHead() throws(AuditError) -> ChainHash { try hash("llavero audit head", []) }

    private func hash(_ label: String, _ more: [UInt8]) throws(AuditError) -> ChainHash {
        guard !root.isAbandoned else { throw .abandoned }
        return try AuditError.translating { () throws(CryptoError) in
            let key = try unsafe root.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe SecretBytes(count: KeyedHash.size) { (output) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: [], info: Array(label.utf8) + more, into: output)
                }
            }
            return ChainHash(
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyedHash(key: key) })
        }
    }
}

/// What MACs one file's records, or the head; not for two threads at once.
struct ChainHash {
    private let hash: KeyedHash

    init(_ hash: KeyedHash) { self.hash = hash }

    /// The MAC of bytes after those whose MAC is `previous`.
    func mac(of bytes: UnsafeRawBufferPointer, after previous: RecordMAC) throws(AuditError) -> RecordMAC {
        try AuditError.translating { () throws(CryptoError) in
            try hash.begin()
            try unsafe previous.withUnsafeBytes { (previous) throws(CryptoError) in try unsafe hash.update(previous) }
            try unsafe hash.update(bytes)
            return try unsafe RecordMAC { (output) throws(CryptoError) in try unsafe hash.finish(into: output) }
        }
    }
}

/// The MAC of a record, which depends on every record before it.
struct RecordMAC: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// What stands before the first record of all.
    static let beginning = RecordMAC()

    private init() {}

    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == RecordMAC.size else { return nil }
        unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.copyBytes(from: bytes) }
    }

    init<Failure: Error>(filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        try unsafe withUnsafeMutableBytes(of: &words) { (buffer) throws(Failure) in try unsafe fill(buffer) }
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe Swift.withUnsafeBytes(of: words) { (bytes) throws(Failure) in try unsafe body(bytes) }
    }

    /// Writes its 32 bytes.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe withUnsafeBytes { unsafe output.copyMemory(from: $0) }
    }

    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

    static let size = 32
}

extension RecordMAC: Equatable {
    /// Compares in a time that says nothing.
    static func == (left: RecordMAC, right: RecordMAC) -> Bool {
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in unsafe isEqualInConstantTime(left, right) }
        }
    }
}
