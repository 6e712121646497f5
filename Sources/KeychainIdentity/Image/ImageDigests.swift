// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// The SHA-256 of programs; 10 MB take about 15 ms, so those that cannot change unnoticed are remembered.
package final class ImageDigests: Sendable {
    private let owners: TrustedOwners
    private let limit: Int
    private let known = ForkSafeMutex<[Question: [UInt8]]>([:])

    /// A digest of the whole file, or of what a signature covers.
    private struct Question: Hashable, Sendable {
        let facts: FileFacts
        let isOfContent: Bool
    }

    /// Remembers digests of the files that `owners` guard, and reads none that is larger than `limit` bytes.
    package init(owners: TrustedOwners = .root, limit: Int = 256 << 20) {
        self.owners = owners
        self.limit = limit
    }

    /// The 32 bytes.
    package func sha256(of image: ProgramImage) throws(FileFault) -> [UInt8] {
        // As it is now, not as it was when the peer was looked at: what was changed meanwhile is another content.
        let facts = try FileFacts(of: image.descriptor.number)
        return try remembered(Question(facts: facts, isOfContent: false)) { () throws(FileFault) in
            let bytes = try FileReading.content(of: image.descriptor, facts, limit: limit)
            do throws(CryptoError) {
                return try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
            } catch { throw .system(0) }
        }
    }

    /// The digest of what a program's signature covers; `facts` are those of its file before the signature was read.
    internal func contentDigest(
        of program: SignedProgram, in image: ProgramImage, _ facts: FileFacts
    ) throws(SignatureFault) -> [UInt8] {
        try remembered(Question(facts: facts, isOfContent: true)) { () throws(SignatureFault) in
            let digest = try program.contentDigest()
            let now: FileFacts
            do throws(FileFault) { now = try FileFacts(of: image.descriptor.number) } catch { throw .file(error) }
            // The time of change, which nobody can set back.
            guard now == facts else { throw .file(.changed) }
            return digest
        }
    }

    private func remembered<Failure: Error>(
        _ question: Question, _ compute: () throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        let isGuarded = owners.guards(question.facts)
        if isGuarded, let digest = known.withLock({ $0[question] }) { return digest }
        let digest = try compute()
        guard isGuarded else { return digest }
        known.withLock { known in
            // Programs are few; whoever starts many different ones gains nothing by it.
            if known.count >= ImageDigests.capacity { known.removeAll() }
            known[question] = digest
        }
        return digest
    }

    /// How many are remembered now.
    package var count: Int { known.withLock { $0.count } }

    private static let capacity = 256
}
