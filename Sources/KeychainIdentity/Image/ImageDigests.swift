// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// The SHA-256 of programs; 10 MB take about 15 ms, so those that cannot change unnoticed are remembered.
package final class ImageDigests: Sendable {
    private let owners: TrustedOwners
    private let limit: Int
    private let known = ForkSafeMutex<[FileFacts: [UInt8]]>([:])

    /// Remembers digests of the files that `owners` guard, and reads none that is larger than `limit` bytes.
    package init(owners: TrustedOwners = .root, limit: Int = 256 << 20) {
        self.owners = owners
        self.limit = limit
    }

    /// The 32 bytes.
    package func sha256(of image: ProgramImage) throws(FileFault) -> [UInt8] {
        // As it is now, not as it was when the peer was looked at: what was changed meanwhile is another content.
        let facts = try FileFacts(of: image.descriptor.number)
        let isGuarded = owners.guards(facts)
        if isGuarded, let digest = known.withLock({ $0[facts] }) { return digest }
        let bytes = try FileReading.content(of: image.descriptor, facts, limit: limit)
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
        } catch { throw .system(0) }
        guard isGuarded else { return digest }
        known.withLock { known in
            // Programs are few; whoever starts many different ones gains nothing by it.
            if known.count >= ImageDigests.capacity { known.removeAll() }
            known[facts] = digest
        }
        return digest
    }

    /// How many are remembered now.
    package var count: Int { known.withLock { $0.count } }

    private static let capacity = 256
}
