// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
package import KeychainSystem
package import ProgramSigning

/// The file that a process executes.
///
/// It stays open, so device and inode remain this file's, even when its path leads elsewhere by now.
package struct ProgramImage: Sendable {
    package let descriptor: OwnedDescriptor
    /// Where the kernel last saw it; in another mount namespace this says nothing.
    package let path: String
    package let facts: FileFacts
    /// Whether it was deleted, or replaced by another file as an upgrade does it.
    package let isDeleted: Bool

    /// The image of a process that was alive afterwards; nil when we may not look at it.
    internal init?(of process: PeerProcess) throws(PeerError) {
        guard let descriptor = try ProgramImage.open(process) else { return nil }
        self.descriptor = descriptor
        facts = try ProgramImage.facts(of: descriptor)
        let named = try ProgramImage.path(of: descriptor.number)
        let unmarked = named.before(ProgramImage.deletionMark)
        isDeleted = facts.links == 0 || unmarked != nil
        path = unmarked.map { String($0) } ?? named
    }

    /// Only the facts of what `init` would give, which is enough to see whether it is still the same.
    internal static func facts(of process: PeerProcess) throws(PeerError) -> FileFacts? {
        do throws(FileFault) { return try FileFacts(ofImageIn: process.folder.number) } catch {
            // Only who runs has such a file.
            try process.requireAlive()
            guard case .system(let number) = error else { throw .system(EIO) }
            guard number == EACCES || number == EPERM else { throw PeerError(process: -number) }
            return nil
        }
    }

    private static func open(_ process: PeerProcess) throws(PeerError) -> OwnedDescriptor? {
        let file = llv_peer_open_image(process.pid)
        let descriptor = file >= 0 ? OwnedDescriptor(owning: file) : nil
        // Had it ended before, the number might have been another's.
        try process.requireAlive()
        if descriptor == nil, file != -EACCES, file != -EPERM { throw PeerError(process: file) }
        return descriptor
    }

    private static func facts(of descriptor: OwnedDescriptor) throws(PeerError) -> FileFacts {
        do throws(FileFault) { return try FileFacts(of: descriptor.number) } catch { throw .system(EIO) }
    }

    /// Whether it runs what another, untrusted file says: no right may hang on such an image.
    package var isInterpreter: Bool { Interpreters.contains(path) }

    private static func path(of file: Int32) throws(PeerError) -> String {
        var bytes = [UInt8](repeating: 0, count: longestPath)
        var count: Int64 = 0
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            count = unsafe llv_peer_read_path(file, start, buffer.count)
        }
        guard count >= 0 else { throw .system(Int32(-count)) }
        return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }

    private static let deletionMark = " (deleted)"
    private static let longestPath = 4096 + 16
}

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
            // The time of change, which cannot be set back.
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
            // Programs are few; a user who starts many different ones gains nothing by it.
            if known.count >= ImageDigests.capacity { known.removeAll() }
            known[question] = digest
        }
        return digest
    }

    /// How many are remembered now.
    package var count: Int { known.withLock { $0.count } }

    private static let capacity = 256
}
