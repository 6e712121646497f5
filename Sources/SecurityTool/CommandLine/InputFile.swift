// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus
internal import KeychainSystem
internal import KeychainTools

/// Files that subcommands read and write.
enum InputFile {
    /// The contents of a file, which may be secret.
    static func read(_ path: String) throws(SecurityFailure) -> SecretValue {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failure("\(path) cannot be opened: \(reason(errno))") }
        defer { close(descriptor) }
        return try SecurityFailure.translating("read") { () throws(CommandError) in
            try SecretInput.all(from: descriptor, line: false)
        }
    }

    /// Writes a file that only its owner can read, and replaces an existing one once it is complete; a device, a pipe or a
    /// descriptor that is there is written to as it is.
    static func write(_ content: SecretValue, to path: String) throws(SecurityFailure) {
        do throws(ReplacementFailure) {
            if let there = StandingOutput(at: path) {
                let output = try there.open()
                // What was printed before comes first.
                fflush(nil)
                return try unsafe content.withUnsafeBytes { (bytes) throws(ReplacementFailure) in
                    try unsafe output.write(bytes)
                }
            }
            let file = try FileReplacement(of: path, as: .hidden, removedWhenKilled: true)
            try unsafe content.withUnsafeBytes { (bytes) throws(ReplacementFailure) in try unsafe file.write(bytes) }
            try file.commit()
        } catch {
            switch error {
            case .failed(let code): throw .failure("\(path) cannot be written: \(reason(code))")
            case .notDurable(let code):
                throw .failure(
                    "\(path) may be lost in a power failure, since its folder cannot be synced: \(reason(code))")
            }
        }
    }

    private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

/// The passphrase of a file: after -P, from a descriptor, or from the person.
enum PassphraseInput {
    /// nil without one, where no prompt is possible.
    static func read(
        _ options: SecurityOptions, _ session: Session, confirms: Bool = false
    ) throws(SecurityFailure) -> Passphrase? {
        guard options.value("P") == nil || options.value("--passphrase-fd") == nil else {
            throw .usage("-P and --passphrase-fd cannot be used together")
        }
        if let number = try options.descriptor("--passphrase-fd") {
            let given = try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: number, line: true)
            }
            return try passphrase(given)
        }
        if let text = options.value("P") {
            if session.isOnCommandLine, !text.isEmpty {
                session.remark(
                    """
                    a passphrase after -P is visible to every program on this machine while this command runs; --passphrase-fd N \
                    reads it from a descriptor
                    """)
            }
            return try passphrase(SecretValue(copying: Array(text.utf8)))
        }
        let question = confirms ? AskedSecret.newPassphrase : .passphrase
        do throws(SecurityFailure) {
            return try passphrase(try question.ask(option: "--passphrase-fd", call: "SecKeychainItemImport"))
        } catch {
            guard case .status(.interactionNotAllowed, _, _) = error else { throw error }
            return nil
        }
    }

    private static func passphrase(_ given: SecretValue) throws(SecurityFailure) -> Passphrase {
        try SecurityFailure.translating(exchange: "SecKeychainItemImport") { () throws(ExchangeFailure) in
            try unsafe given.withUnsafeBytes { (bytes) throws(ExchangeFailure) in try unsafe Passphrase(bytes) }
        }
    }
}
