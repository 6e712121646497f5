// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel
internal import KeychainTools

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
