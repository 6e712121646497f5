// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainModel
package import KeychainRequest

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
                "the name of a keychain has up to 64 letters (a-z, A-Z), digits, dots, dashes and underscores, and begins with a letter or a digit",
                subject: "LLAVERO_KEYCHAIN")
        }
        let root = try root(named: environment)
        return try named(name, below: root)
    }

    /// The keychain of a name that is plain; `X.keychain` is also the one that a Mac's `create-keychain` calls `X.keychain-db`.
    static func named(_ name: String, below root: String) throws(KeychainError) -> Place {
        if name.ends(with: ".keychain"), try !KeychainFolder(root: root, name: name).exists,
            try KeychainFolder(root: root, name: name + "-db").exists
        {
            return .folder(root: root, name: name + "-db")
        }
        return .folder(root: root, name: name)
    }

    /// The name of a keychain that was not named.
    package static let usualName = "login"

    package static func root(named environment: Environment) throws(KeychainError) -> String {
        if let root = environment["LLAVERO_HOME"] { return try absolute(root, "LLAVERO_HOME") }
        // The base directory specification says that a relative path is to be ignored.
        if let data = environment["XDG_DATA_HOME"], data.begins(with: "/") { return data + "/llavero" }
        guard let home = environment.home, home.begins(with: "/") else {
            throw KeychainError(
                .notAvailable,
                "the user has no home folder; set LLAVERO_HOME to a folder of your own, or HOME=/nonexistent for the system's daemon",
                subject: "HOME")
        }
        return home + dataFolder + "/llavero"
    }

    /// Where in a home folder programs keep what is theirs, if `XDG_DATA_HOME` does not say it.
    static let dataFolder = "/.local/share"

    /// Whether the folder of the keychains is in a home folder that this program may not enter, as in a unit with
    /// `ProtectHome=yes`: then nothing there is the program's.
    static func isHomeClosed(_ environment: Environment) -> Bool {
        guard environment["LLAVERO_HOME"] == nil, environment["XDG_DATA_HOME"] == nil, let home = environment.home
        else {
            return false
        }
        return unsafe access(home + "/.", X_OK) != 0 && errno == EACCES
    }

    private static func absolute(_ path: String, _ variable: String) throws(KeychainError) -> String {
        guard path.begins(with: "/") else {
            throw KeychainError(.notAvailable, "the folder must be an absolute path", subject: variable)
        }
        return path
    }

    /// Whether a keychain may be called so: its name is a folder's, and never one of ours that begin with a dot.
    package static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 64, isPlain(first) else { return false }
        return name.utf8.allSatisfy { isPlain($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    /// The names of the keychains in a folder, in their order; none where the folder is not there.
    package static func names(in root: String) throws(KeychainError) -> [String] {
        guard let list = unsafe opendir(root) else {
            if errno == ENOENT { return [] }
            throw KeychainError(.inputOutput, "the folder cannot be read", subject: root, code: Int64(errno))
        }
        defer { unsafe closedir(list) }
        var names: [String] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, isName(name) else { continue }
            // A keychain that cannot be read still counts.
            let isKeychain =
                unsafe access("\(root)/\(name)/keychain.db", F_OK) == 0 || errno == EACCES || errno == EIO
            if isKeychain { names.append(name) }
        }
        return names.sorted()
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

/// Keychains as people and scripts write them: by name, or by path, with the endings that a Mac gives them.
extension Place {
    /// The keychain that `text` names, whether it is there or not.
    ///
    /// A name stands for a keychain of the user's. `build.keychain` is the one that a Mac would make a file
    /// `build.keychain-db` for, `build-db` finds `build`, and `~/Library/Keychains` is where the user's keychains are.
    package static func written(_ text: String, in environment: Environment) throws(KeychainError) -> Place {
        let root = try root(named: environment)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw KeychainError(.parameter, "the path of a keychain cannot contain control characters")
        }
        guard let (before, name) = text.halves(at: "/", last: true) else { return try place(text, below: root) }
        var folder = String(before)
        if folder.isEmpty { folder = "/" }
        if !folder.begins(with: "/") {
            guard let here = currentFolder() else {
                throw KeychainError(.notAvailable, "the current folder does not exist", subject: text)
            }
            folder = here + "/" + folder
        }
        if let home = environment.home, folder == home + "/Library/Keychains" { folder = root }
        let path = canonical(folder)
        return try place(
            String(name), below: path == canonical(root) ? root : path)
    }

    /// A folder by its one path without links, so that a keychain has one place; as it is written where it is not there.
    package static func canonical(_ folder: String) -> String {
        guard let path = unsafe realpath(folder, nil) else { return folder }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The folder of the keychain; nil in memory.
    package var path: String? {
        switch self {
        case .folder(let root, let name): root + "/" + name
        case .memory: nil
        }
    }

    /// Whether the keychain is there, and not an empty folder that its disk left; where that cannot be told, as below a home
    /// folder that is missing, an error.
    package var exists: Bool {
        get throws(KeychainError) {
            guard case .folder(let root, let name) = self else { return true }
            let folder = KeychainFolder(root: root, name: name)
            return try hasFolder && !folder.isEmpty
        }
    }

    /// Whether a file lies there, as a Mac's keychain is one.
    package var isFile: Bool { path.flatMap { FileStatus(of: $0) }?.is_regular_file ?? false }

    /// Whether a folder is there that has its name.
    private var hasFolder: Bool {
        get throws(KeychainError) {
            guard case .folder(let root, let name) = self else { return true }
            let folder = KeychainFolder(root: root, name: name)
            if try folder.exists { return true }
            try folder.refuseMissingHome()
            return false
        }
    }

    private static func place(_ name: String, below root: String) throws(KeychainError) -> Place {
        var candidates = [name]
        if name.ends(with: ending) { candidates.append(name + database) }
        // A Mac's files all end so, also those of keychains that were named without `.keychain`: a script adds it, and never leaves it out.
        for ending in [database, ending, ending + database] {
            if let bare = name.before(ending) { candidates.append(String(bare)) }
        }
        for candidate in candidates where isName(candidate) {
            let place = Place.folder(root: root, name: candidate)
            if try place.hasFolder { return place }
        }
        // As a Mac names a new one.
        let fresh = name.ends(with: ending) ? name + database : name
        guard isName(fresh) else {
            throw KeychainError(
                .parameter,
                "the name of a keychain has up to 64 letters (a-z, A-Z), digits, dots, dashes and underscores, and begins with a letter or a digit",
                subject: name)
        }
        return .folder(root: root, name: fresh)
    }

    private static let ending = ".keychain"
    private static let database = "-db"

    private static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}

extension KeychainAddress {
    /// How a daemon is told of the keychain at a place: what lies where it would look is named, so that it finds it in a
    /// root of its own too.
    init(of place: Place, in environment: Environment, namesFolder: Bool = false) {
        guard case .folder(let root, let name) = place, namesFolder || root != (try? Place.root(named: environment))
        else {
            if case .folder(_, let name) = place, name != Place.usualName { self = .named(name) } else { self = .usual }
            return
        }
        self = .folder(root: root, name: name)
    }
}

extension Place {
    /// The place that a program of this user means by an address; `usual` is where its usual keychain is.
    package init(_ address: KeychainAddress, beside usual: Place) throws(KeychainError) {
        switch (address, usual) {
        case (.usual, _): self = usual.canonical
        case (.named(let name), .folder(let root, _)) where Place.isName(name):
            self = try Place.named(name, below: root).canonical
        case (.folder(let root, let name), .folder) where Place.isName(name) && root.begins(with: "/"):
            self = .folder(root: Place.canonical(root), name: name)
        default: throw KeychainError(.noSuchKeychain, "there is no such keychain")
        }
    }

    /// The same place by its one path without links.
    package var canonical: Place {
        switch self {
        case .folder(let root, let name): .folder(root: Place.canonical(root), name: name)
        case .memory: self
        }
    }
}
