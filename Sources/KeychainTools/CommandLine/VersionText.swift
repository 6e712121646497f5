// SPDX-License-Identifier: Apache-2.0

internal import CVersion
internal import KeychainCrypto
internal import KeychainEnclaveTPM
internal import KeychainSQLite
internal import KeychainStore

/// What `--version` prints: the version, and what else a report of a fault has to name.
package enum VersionText {
    /// The version alone.
    package static var version: String { unsafe String(cString: llv_version()) }

    /// The commit that the program was made of; nil in one that was not installed.
    private static var commit: String? {
        let field = unsafe String(cString: llv_commit())
        let end = field.lastIndex { $0 != "-" }
        return end.map { String(field[...$0]) }
    }

    /// All of it, for a program that goes by this name.
    ///
    /// The libraries are those that the program found when it started, not those that it was built with.
    package static func lines(of program: String) -> String {
        """
        \(program == "llavero" ? program : "\(program) (llavero)") \(version)
        commit       \(commit ?? "unknown (this program was not installed)")
        file format  \(DatabaseSchema.format)
        SQLite       \(SQLiteConnection.libraryVersion)
        OpenSSL      \(OpenSSLLibrary.version)
        tpm2-tss     \(TPMEnclave.library)
        """
    }
}
