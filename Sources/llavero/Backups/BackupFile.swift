// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainBackup
internal import KeychainSystem
internal import KeychainTools

/// A backup that is read: a file, or standard input, which is kept in a file without a name first.
///
/// A backup is read twice: once to see that all of it is right, and only then for what is in it.
struct BackupFile {
    private let descriptor: OwnedDescriptor
    private let name: String

    /// `-` is standard input.
    init(_ path: String) throws(CommandError) {
        if path == "-" {
            guard !Screen.hasInput else { throw .usage("- reads a backup from a pipe or a redirected file") }
            descriptor = try BackupFile.spooled()
            name = "the backup"
        } else {
            descriptor = try OpenFile(path).descriptor
            name = PlainText.shown(path)
        }
    }

    /// Reads it from its beginning.
    func reader(skippingItems: Bool = false) throws(CommandError) -> BackupReader {
        guard lseek(descriptor.number, 0, SEEK_SET) == 0 else { throw OpenFile.failure("\(name) cannot be read") }
        let number = descriptor.number
        return try saying { () throws(BackupError) in
            try unsafe BackupReader(skippingItems: skippingItems) { (buffer) throws(BackupError) in
                try unsafe BackupFile.fill(buffer, from: number)
            }
        }
    }

    /// Throws unless all of it is what its signer wrote; the hash is that at its end.
    func verify() throws(CommandError) -> (header: BackupHeader, hash: [UInt8]) {
        let reader = try reader()
        try saying { () throws(BackupError) in try reader.verify() }
        return (reader.header, reader.hash ?? [])
    }

    /// Runs what reads it, with sentences for what can be wrong.
    func saying<Result>(_ body: () throws(BackupError) -> Result) throws(CommandError) -> Result {
        do throws(BackupError) { return try body() } catch { throw failure(error) }
    }

    func failure(_ error: BackupError) -> CommandError { BackupFile.failure(error, name) }

    static func failure(_ error: BackupError, _ name: String) -> CommandError {
        switch error {
        case .notBackup: .failure("\(name) is no backup made by `llavero backup`")
        case .newer: .failure("\(name) was made by a later version; update this program")
        case .cut: .failure("\(name) is incomplete: its end is missing; nothing of it was used")
        case .damaged: .failure("\(name) is damaged; nothing of it was used")
        case .notOpened: .failure("\(name) does not open with this passphrase or recovery key")
        case .itemTooLarge: .failure("an item is too large for a backup")
        case .file(let code): .failure("\(name): \(unsafe String(cString: strerror(code)))")
        case .crypto: .failure("\(name): a cryptographic operation failed")
        }
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(BackupError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe read(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(errno) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Standard input in a file that has no name, and is gone when this process ends; what is in it is encrypted.
    private static func spooled() throws(CommandError) -> OwnedDescriptor {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/llavero-restore-XXXXXX").utf8CString)
        let number = unsafe mkstemp(&template)
        guard number >= 0 else { throw OpenFile.failure("no file can be made in \(folder)") }
        unsafe unlink(template)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let file = OwnedDescriptor(owning: number)
        var isEmpty = true
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw OpenFile.failure("standard input cannot be read") }
            if count == 0 {
                guard !isEmpty else {
                    throw .failure("standard input is empty: what was to write the backup said why")
                }
                return file
            }
            isEmpty = false
            var done = 0
            while done < count {
                let written = unsafe buffer.withUnsafeBytes { bytes in
                    unsafe write(number, bytes.baseAddress.map { unsafe $0 + done }, count - done)
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw OpenFile.failure("no room for the backup in \(folder)") }
                done += written
            }
        }
    }
}
