// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CLinux
    internal import CTSS2
    internal import KeychainCrypto
    internal import KeychainModel

    /// A secret in one of tpm2-tss's structures, but in memory for secrets.
    struct SecretStructure<Structure>: ~Copyable {
        private let memory: SecretBytes

        /// A structure of zeros that `fill` writes to.
        init<Failure: Error>(
            _ fill: (UnsafeMutablePointer<Structure>) throws(Failure) -> Void
        ) throws(Failure) {
            memory = try unsafe SecretBytes(count: MemoryLayout<Structure>.size) { (bytes) throws(Failure) in
                guard let start = bytes.baseAddress else { return }
                try unsafe fill(start.bindMemory(to: Structure.self, capacity: 1))
            }
        }

        /// Lends the structure; nil stands for a secret of the process this one was forked from.
        borrowing func lend<Result>(_ body: (UnsafePointer<Structure>?) -> Result) -> Result {
            unsafe memory.withUnsafeBytes { bytes in
                unsafe body(bytes.isEmpty ? nil : bytes.baseAddress?.assumingMemoryBound(to: Structure.self))
            }
        }
    }

    /// Copies `bytes` into the array of a structure of tpm2-tss's and sets its size; throws when they do not fit.
    func copy<Buffer>(
        _ bytes: UnsafeRawBufferPointer, to buffer: inout Buffer, _ size: inout UInt16
    ) throws(Refusal) {
        guard bytes.count <= MemoryLayout<Buffer>.size, let count = UInt16(exactly: bytes.count) else {
            throw .malformed
        }
        unsafe withUnsafeMutableBytes(of: &buffer) { unsafe $0.copyMemory(from: bytes) }
        size = count
    }

    func copy<Buffer>(_ bytes: [UInt8], to buffer: inout Buffer, _ size: inout UInt16) throws(Refusal) {
        try unsafe bytes.lendingBytes { (bytes) throws(Refusal) in try unsafe copy(bytes, to: &buffer, &size) }
    }

    /// The first `size` bytes of the array of a structure; throws when it has not so many.
    func bytes<Buffer>(of buffer: Buffer, _ size: UInt16) throws(Refusal) -> [UInt8] {
        guard Int(size) <= MemoryLayout<Buffer>.size else { throw .malformed }
        return unsafe withUnsafeBytes(of: buffer) { unsafe Array($0.prefix(Int(size))) }
    }

    extension Chip {
        /// Gives back what tpm2-tss allocated.
        func free<Structure>(_ structure: UnsafeMutablePointer<Structure>?) {
            unsafe functions.pointee.Esys_Free(structure)
        }

        /// Wipes what tpm2-tss allocated, and gives it back.
        func wipeAndFree<Structure>(_ structure: UnsafeMutablePointer<Structure>?) {
            guard let structure = unsafe structure else { return }
            unsafe llv_wipe(structure, MemoryLayout<Structure>.size)
            unsafe functions.pointee.Esys_Free(structure)
        }
    }
#endif
