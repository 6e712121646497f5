// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// Keychains as people and scripts write them: by name, or by path, with the endings that a Mac gives them.
extension Place {
    /// The keychain that `text` names, whether it is there or not.
    ///
    /// A name stands for a keychain of the user's. `build.keychain` is the one that a Mac would make a file
    /// `build.keychain-db` for, and `~/Library/Keychains` is where the user's keychains are.
    package static func written(_ text: String, in environment: Environment) throws(KeychainError) -> Place {
        let root = try root(named: environment)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw KeychainError(.parameter, "a keychain's path has no control characters")
        }
        guard let slash = text.lastIndex(of: "/") else { return try place(text, below: root) }
        var folder = String(text[..<slash])
        if folder.isEmpty { folder = "/" }
        if !folder.hasPrefix("/") {
            guard let here = currentFolder() else {
                throw KeychainError(.notAvailable, "the current folder is gone", subject: text)
            }
            folder = here + "/" + folder
        }
        if let home = environment.home, folder == home + "/Library/Keychains" { folder = root }
        let path = canonical(folder)
        return try place(
            String(text[text.index(after: slash)...]), below: path == canonical(root) ? root : path)
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

    /// Whether the keychain is there; where that cannot be told, as below a home folder that is missing, an error.
    package var exists: Bool {
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
        if name.hasSuffix(ending) { candidates.append(name + "-db") }
        for ending in [ending, ending + "-db"] where name.hasSuffix(ending) {
            candidates.append(String(name.dropLast(ending.count)))
        }
        for candidate in candidates where isName(candidate) {
            let place = Place.folder(root: root, name: candidate)
            if try place.exists { return place }
        }
        // As a Mac names a new one.
        let fresh = name.hasSuffix(ending) ? name + "-db" : name
        guard isName(fresh) else {
            throw KeychainError(
                .parameter, "a keychain is named by letters and digits, with dots, dashes and underscores between them",
                subject: name)
        }
        return .folder(root: root, name: fresh)
    }

    private static let ending = ".keychain"

    private static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
