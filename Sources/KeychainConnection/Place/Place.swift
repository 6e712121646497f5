// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Where a keychain is.
package enum Place: Sendable, Hashable {
    /// A sub-folder of a root that holds all of a user's keychains.
    case folder(root: String, name: String)
    case memory

    /// The place the environment names: by default the keychain `login` in the user's data folder.
    package static func named(by environment: Environment) throws(KeychainError) -> Place {
        let name = environment["LLAVERO_KEYCHAIN"] ?? usualName
        if name == "memory" { return .memory }
        guard isName(name) else {
            throw KeychainError(
                .notAvailable,
                "a keychain is named by letters and digits, with dots, dashes and underscores between them",
                subject: "LLAVERO_KEYCHAIN")
        }
        let root = try root(named: environment)
        return try named(name, below: root)
    }

    /// The keychain of a name that is plain; `X.keychain` is also the one that a Mac's `create-keychain` calls `X.keychain-db`.
    static func named(_ name: String, below root: String) throws(KeychainError) -> Place {
        if name.hasSuffix(".keychain"), try !KeychainFolder(root: root, name: name).exists,
            try KeychainFolder(root: root, name: name + "-db").exists
        {
            return .folder(root: root, name: name + "-db")
        }
        return .folder(root: root, name: name)
    }

    /// What a keychain is called that nobody named.
    package static let usualName = "login"

    package static func root(named environment: Environment) throws(KeychainError) -> String {
        if let root = environment["LLAVERO_HOME"] { return try absolute(root, "LLAVERO_HOME") }
        // The base directory specification says that a relative path is to be ignored.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/llavero" }
        guard let home = environment.home, home.hasPrefix("/") else {
            throw KeychainError(
                .notAvailable, "the user has no home folder; set LLAVERO_HOME to a folder of your own", subject: "HOME")
        }
        return home + "/.local/share/llavero"
    }

    private static func absolute(_ path: String, _ variable: String) throws(KeychainError) -> String {
        guard path.hasPrefix("/") else {
            throw KeychainError(.notAvailable, "the folder is to be given as an absolute path", subject: variable)
        }
        return path
    }

    /// Whether a keychain may be called so: its name is a folder's, and never one of ours that begin with a dot.
    package static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 64, isPlain(first) else { return false }
        return name.utf8.allSatisfy { isPlain($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
