// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainCrypto
package import KeychainSystem

/// The bytes of a program's file, read where they are wanted: it may be much larger than what we hold of it.
package struct ProgramBytes: Sendable {
    private enum Place {
        case file(OwnedDescriptor)
        case memory([UInt8])
    }

    private let place: Place
    package let count: Int

    /// Those of a file that is open, if only without a right to read it.
    package init(of file: OwnedDescriptor) throws(FileFault) {
        let facts = try FileFacts(of: file.number)
        guard facts.kind == .regularFile else { throw .wrongKind }
        guard let size = Int(exactly: facts.size), size >= 0 else { throw .tooLarge }
        let number = llv_peer_reopen(file.number, false)
        guard number >= 0 else { throw .system(-number) }
        place = .file(OwnedDescriptor(owning: number))
        count = size
    }

    package init(_ bytes: [UInt8]) {
        place = .memory(bytes)
        count = bytes.count
    }

    /// As many as the range has; throws `changed` when the file has become shorter.
    package func bytes(_ range: Range<Int>) throws(FileFault) -> [UInt8] {
        try unsafe [UInt8](count: range.count) { (buffer) throws(FileFault) in
            try unsafe read(into: buffer, at: range.lowerBound)
        }
    }

    /// The same, where what cannot be read is the fault of a signed program.
    internal func part(_ range: Range<Int>) throws(SignatureFault) -> [UInt8] {
        do throws(FileFault) { return try bytes(range) } catch { throw .file(error) }
    }

    /// Fills `buffer` with what begins at `offset`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFault) {
        guard offset >= 0, offset <= count, buffer.count <= count - offset else { throw .changed }
        switch place {
        case .memory(let bytes): unsafe buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
        case .file(let file):
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let read = unsafe pread(file.number, rest.baseAddress, rest.count, offset + done)
                if read < 0, errno == EINTR { continue }
                guard read >= 0 else { throw .system(errno) }
                guard read > 0 else { throw .changed }
                done += read
            }
        }
    }

    /// The range of so many bytes at that offset; nil when not all of it is in the file.
    internal func range(at offset: UInt64, size: UInt64) -> Range<Int>? {
        let (end, isTooMuch) = offset.addingReportingOverflow(size)
        guard !isTooMuch, end <= UInt64(count) else { return nil }
        return Int(offset)..<Int(end)
    }
}
