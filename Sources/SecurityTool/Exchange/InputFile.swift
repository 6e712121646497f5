// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// Files that subcommands read and write.
enum InputFile {
    /// All of a file, which may be a secret.
    static func read(_ path: String) throws(SecurityFailure) -> SecretValue {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failure("\(path) cannot be opened: \(reason())") }
        defer { close(descriptor) }
        return try SecurityFailure.translating("read") { () throws(CommandError) in
            try SecretInput.all(from: descriptor, line: false)
        }
    }

    /// Makes a file for its owner alone, in the place of one that is there when all of it is written.
    static func write(_ content: SecretValue, to path: String) throws(SecurityFailure) {
        let temporary = "\(path).\(getpid()).part"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failure("\(path) cannot be written: \(reason())") }
        do throws(CommandError) { try SecretOutput.write(content, to: descriptor) } catch {
            close(descriptor)
            unsafe unlink(temporary)
            throw SecurityFailure(error, in: "write")
        }
        let isWhole = fsync(descriptor) == 0
        close(descriptor)
        guard isWhole, unsafe rename(temporary, path) == 0 else {
            let why = reason()
            unsafe unlink(temporary)
            throw .failure("\(path) cannot be written: \(why)")
        }
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }
}
