// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools
internal import ProgramSigning

/// A regular file that is open for reading.
struct OpenFile {
    let descriptor: OwnedDescriptor
    let path: String
    let mode: UInt32
    let owner: UInt32
    let group: UInt32
    let size: Int

    init(_ path: String) throws(CommandError) {
        // Opening a pipe must not block.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw OpenFile.failure("\(path) cannot be opened") }
        descriptor = OwnedDescriptor(owning: number)
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0 else { throw OpenFile.failure("\(path) cannot be opened") }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .failure("\(path) is not a regular file") }
        self.path = path
        mode = facts.st_mode & 0o7777
        owner = facts.st_uid
        group = facts.st_gid
        size = Int(facts.st_size)
    }

    /// Its contents, which may be secret.
    func content(limit: Int) throws(CommandError) -> SecretBytes {
        guard size <= limit else { throw .failure("\(path) is too large") }
        return try unsafe SecretBytes(count: size) { (buffer) throws(CommandError) in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe pread(descriptor.number, rest.baseAddress, rest.count, done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw OpenFile.failure("\(path) cannot be read") }
                done += count
            }
        }
    }

    /// Its contents, which are no secret.
    func bytes(limit: Int) throws(CommandError) -> [UInt8] {
        let content = try content(limit: limit)
        return unsafe content.withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// The path without symbolic links, for a file that is to be replaced.
    static func resolved(_ path: String) throws(CommandError) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw failure("\(path) does not exist or cannot be resolved")
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// What failed, with the system's last error.
    static func failure(_ text: String) -> CommandError {
        let reason = unsafe String(cString: strerror(errno))
        return .failure("\(text): \(reason)")
    }
}

/// Reads programs, with the tool's messages for failures.
enum ProgramReading {
    static func bytes(of file: OwnedDescriptor, _ path: String) throws(CommandError) -> ProgramBytes {
        try CommandError.saying("\(path) cannot be read") { () throws(FileFault) in try ProgramBytes(of: file) }
    }

    static func part(
        _ range: Range<Int>, of program: ProgramBytes, _ path: String
    ) throws(CommandError) -> [UInt8] {
        try CommandError.saying("\(path) cannot be read") { () throws(FileFault) in try program.bytes(range) }
    }
}
