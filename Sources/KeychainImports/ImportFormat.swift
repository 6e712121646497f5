// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The stores of others that can be read.
package enum ImportFormat: String, CaseIterable, Sendable {
    case llavero = "llavero-json"
    case gnomeKeyring = "gnome-keyring"
    case pass
    case keepassCSV = "keepass-csv"
    case keepassXML = "keepass-xml"
    case netrc
    case gitCredentials = "git-credentials"
    case macKeychain = "macos-dump"

    /// The name on a command line.
    package var name: String { rawValue }

    /// What it is, in one line.
    package var summary: String {
        switch self {
        case .llavero: "what llavero export writes, as JSON: items of every kind come back"
        case .gnomeKeyring: "a keyring file of gnome-keyring, sealed (asks for its password) or plain"
        case .pass: "a folder of pass: one file a password, decrypted by gpg"
        case .keepassCSV: "what KeePass or KeePassXC exports as CSV"
        case .keepassXML: "what KeePass 2 or KeePassXC exports as XML"
        case .netrc: "a .netrc file, as ftp and curl read it"
        case .gitCredentials: "the file of git's credential helper \"store\""
        case .macKeychain: "the output of security dump-keychain -d on macOS"
        }
    }

    /// Whether it is a folder that is read, not a file.
    package var isFolder: Bool { self == .pass }

    package init?(name: String) {
        guard let format = ImportFormat.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
            return nil
        }
        self = format
    }

    /// The format a file seems to have by its first bytes, and where those say nothing, by its name.
    package static func detected(in content: ImportedBytes, fileName: String) -> ImportFormat? {
        if LlaveroExport.isOne(content) { return .llavero }
        if BinaryKeyring.isOne(content) || TextKeyring.isOne(content) { return .gnomeKeyring }
        if KeePassXML.isOne(content) { return .keepassXML }
        if MacDump.isOne(content) { return .macKeychain }
        if KeePassCSV.isOne(content) { return .keepassCSV }
        switch fileName {
        case ".netrc", "netrc", "_netrc": return .netrc
        case ".git-credentials", "git-credentials": return .gitCredentials
        default: break
        }
        if GitCredentials.isOne(content) { return .gitCredentials }
        return Netrc.isOne(content) ? .netrc : nil
    }
}
