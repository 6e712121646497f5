// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// Which of a user's keychains are searched where none is named, and which one new items go to.
///
/// A file beside the keychains, which only the user can write: a line for each, by name, or by path where it is elsewhere. Without it there is the keychain
/// that the environment names, or `login`. Programs that use the item functions and name no keychain are not led by it.
package struct KeychainPreferences: Sendable, Equatable {
    package var standard: Place { didSet { written = standard } }
    /// What the file says of it, if anything.
    private var written: Place?
    package var search: [Place]
    private let root: String
    private let file: String
    private let usual: Place
    /// Whether the environment names a keychain for this program.
    package let isNamed: Bool

    /// As they are written; refuses a file that is not ours alone, or that is malformed.
    package init(of environment: Environment) throws(KeychainError) {
        usual = try Place.named(by: environment)
        isNamed = environment["LLAVERO_KEYCHAIN"] != nil
        root = try Place.root(named: environment)
        file = root + "/.preferences"
        (standard, search) = (usual, [usual])
        guard !Place.isHomeClosed(environment), try FileStatus(reaching: file) != nil else { return }
        try KeychainFolder.refuseUnsafe(root)
        guard let text = FolderCheck.content(of: file).flatMap({ String(validating: $0, as: UTF8.self) }) else {
            throw unreadable
        }
        var places: [Place] = []
        var hasSearch = false
        for line in text.parts(between: "\n") {
            let parts = line.parts(between: "\t", cuts: 1, andEmpty: true).map(String.init)
            guard parts.count == 2 else { throw unreadable }
            switch parts[0] {
            case "default":
                standard = try place(at: parts[1])
                written = standard
            case "search":
                hasSearch = true
                if !parts[1].isEmpty { places.append(try place(at: parts[1])) }
            default: throw unreadable
            }
        }
        if hasSearch { search = places }
        hasList = hasSearch && !isNamed
        // Who names a keychain for one program means that one.
        if isNamed { standard = usual }
    }

    /// Where items are looked for: in the keychain that is named for this program, and nowhere else; without one in the list.
    package var lookedThrough: [Place] { isNamed ? [usual] : search }

    /// The same, for people's commands and for the programs that put new items into the default keychain: what they add has to be
    /// found again, even if the list does not name its keychain.
    package var lookedThroughWithStandard: [Place] {
        lookedThrough.contains(standard) ? lookedThrough : [standard] + lookedThrough
    }

    /// Whether the user has a list, rather than the one keychain that there is without.
    package private(set) var hasList = false

    /// Reads them, changes them and writes them, in turn with other programs that do the same: no change is lost.
    @discardableResult
    package static func change(
        of environment: Environment, _ change: (inout KeychainPreferences) -> Void
    ) throws(KeychainError) -> KeychainPreferences {
        guard case .folder(let root, _) = try Place.named(by: environment) else {
            throw KeychainError(.notAvailable, "a keychain in memory has no list of keychains")
        }
        try KeychainFolder(root: root, name: "").prepareRoot()
        // Where the file system has no locks, the last one counts.
        let folder = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        while folder >= 0, flock(folder, LOCK_EX) != 0, errno == EINTR {}
        var preferences = try KeychainPreferences(of: environment)
        change(&preferences)
        try preferences.save()
        return preferences
    }

    /// Takes a keychain that is going out of them, where it is in them.
    package static func forget(_ place: Place, of environment: Environment) throws(KeychainError) {
        let preferences = try KeychainPreferences(of: environment)
        var without = preferences
        without.forget(place)
        guard without != preferences else { return }
        try change(of: environment) { $0.forget(place) }
    }

    /// Writes them, all or nothing.
    private func save() throws(KeychainError) {
        var text = ""
        if let name = written.flatMap(name) { text = "default\t\(name)\n" }
        let paths = search.compactMap(name)
        text += paths.isEmpty ? "search\t\n" : paths.map { "search\t\($0)\n" }.joined()
        // Under a random name at first: others read meanwhile.
        do throws(ReplacementFailure) {
            try FileReplacement.replace(file, with: Array(text.utf8), as: .hidden)
        } catch {
            throw KeychainError(
                .inputOutput, "the list of keychains cannot be written", subject: file, code: Int64(error.code))
        }
    }

    /// Whether a keychain is in the list of those to search because the user put it there; only an existing one can be.
    package func searches(_ place: Place) -> Bool { place != usual && lookedThrough.contains(place) }

    /// Whether a keychain stands in them because the user put it there; the usual one does by itself.
    package func lists(_ place: Place) -> Bool { place != usual && (search.contains(place) || written == place) }

    private mutating func forget(_ place: Place) {
        search.removeAll { $0 == place }
        // An empty list is refused: new items would not be found.
        if search.isEmpty { search = [usual] }
        if standard == place { standard = usual }
        if written == place || written == usual { written = nil }
    }

    /// A keychain beside the file by its name alone, so that a copied or moved folder has a list of its own keychains.
    private func name(of place: Place) -> String? {
        guard case .folder(let folder, let name) = place, folder == root else { return place.path }
        return name
    }

    private func place(at path: String) throws(KeychainError) -> Place {
        if !path.contains("/"), Place.isName(path) { return .folder(root: root, name: path) }
        guard path.begins(with: "/"), let (root, name) = path.halves(at: "/", last: true), Place.isName(String(name))
        else { throw unreadable }
        return .folder(root: String(root), name: String(name))
    }

    private var unreadable: KeychainError {
        KeychainError(
            .notAvailable, "the list of keychains is malformed; correct it, or remove it", subject: file)
    }
}
