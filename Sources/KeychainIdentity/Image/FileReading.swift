// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainCrypto

/// The whole content of files that are open without a right to read.
enum FileReading {
    /// The bytes of the file that `facts` tell of, which must not have changed since, nor change meanwhile.
    static func content(of file: OwnedDescriptor, _ facts: FileFacts, limit: Int) throws(FileFault) -> [UInt8] {
        guard facts.kind == .regularFile else { throw .wrongKind }
        guard let size = Int(exactly: facts.size), size <= limit else { throw .tooLarge }
        let number = llv_peer_reopen(file.number, false)
        guard number >= 0 else { throw .system(-number) }
        let readable = OwnedDescriptor(owning: number)
        let bytes = try unsafe [UInt8](count: size) { (buffer) throws(FileFault) in
            try unsafe fill(buffer, from: readable.number)
        }
        // The time of change, which nobody can set back; a deletion meanwhile counts as one, and is rare.
        guard try FileFacts(of: readable.number) == facts else { throw .changed }
        return bytes
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(FileFault) {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe read(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { throw .changed }
            done += count
        }
    }
}
