// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainExchange
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

/// Where the passphrase of a file comes from: after -P, from a descriptor, or by the person.
enum PassphraseInput {
    /// nil where there is none and nobody can be asked.
    static func read(
        _ options: SecurityOptions, _ session: Session, confirms: Bool = false
    ) throws(SecurityFailure) -> Passphrase? {
        guard options.value("P") == nil || options.value("--passphrase-fd") == nil else {
            throw .usage("one passphrase at a time: -P or --passphrase-fd")
        }
        if let number = try options.number("--passphrase-fd", in: 0...Int32.max, "the number of a descriptor") {
            let given = try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: number, line: true)
            }
            return try passphrase(given)
        }
        if let text = options.value("P") {
            if session.isOnCommandLine, !text.isEmpty {
                session.remark(
                    """
                    a passphrase after -P is seen by every program of this machine while this runs; --passphrase-fd N \
                    reads it from a descriptor
                    """)
            }
            return try passphrase(SecretValue(copying: Array(text.utf8)))
        }
        let typed = try? SecretInput.ask(
            "The passphrase of the file.", prompt: "Passphrase:", confirms: confirms, otherwise: "-P gives it")
        return try typed.map(passphrase)
    }

    private static func passphrase(_ given: SecretValue) throws(SecurityFailure) -> Passphrase {
        try SecurityFailure.translating(exchange: "SecKeychainItemImport") { () throws(ExchangeFailure) in
            try unsafe given.withUnsafeBytes { (bytes) throws(ExchangeFailure) in try unsafe Passphrase(bytes) }
        }
    }
}
