// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// The passphrase of a file: after -P, from a descriptor, or by the person.
enum Passphrase {
    /// nil where there is none and nobody can be asked.
    static func read(
        _ options: SecurityOptions, _ session: Session, confirms: Bool = false
    ) throws(SecurityFailure) -> SecretValue? {
        guard options.value("P") == nil || options.value("--passphrase-fd") == nil else {
            throw .usage("one passphrase at a time: -P or --passphrase-fd")
        }
        if let number = try options.number("--passphrase-fd", in: 0...Int32.max, "the number of a descriptor") {
            return try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: number, line: true)
            }
        }
        if let text = options.value("P") {
            if session.isOnCommandLine, !text.isEmpty {
                session.remark(
                    """
                    a passphrase after -P is seen by every program of this machine while this runs; --passphrase-fd N \
                    reads it from a descriptor
                    """)
            }
            return SecretValue(copying: Array(text.utf8))
        }
        return try? SecretInput.ask(
            "The passphrase of the file.", prompt: "Passphrase:", confirms: confirms, otherwise: "-P gives it")
    }
}
