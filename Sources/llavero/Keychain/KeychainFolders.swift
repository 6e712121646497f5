// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// The keychains that a user has.
enum KeychainFolders {
    /// Those that are searched, in that order, then the one where new items go, then the others beside them by name.
    static func all(_ preferences: KeychainPreferences) throws(CommandError) -> [Place] {
        var places: [Place] = []
        let root = try ToolKeychain.translating { () throws(KeychainError) in try Place.root(named: .current()) }
        let others = names(in: root).filter { Place.isName($0) }.map { Place.folder(root: root, name: $0) }
        for place in preferences.search + [preferences.standard] + others {
            if places.contains(place) { continue }
            if try isThere(place) { places.append(place) }
        }
        return places
    }

    /// A daemon may have some where nobody else can look; those that lie here need not be opened for that.
    private static func isThere(_ place: Place) throws(CommandError) -> Bool {
        if place.exists { return true }
        return try ToolKeychain(at: place).isThere
    }

    /// By name; nothing where there is no such folder.
    private static func names(in folder: String) -> [String] {
        guard let list = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(list) }
        var names: [String] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, unsafe access("\(folder)/\(name)/keychain.db", F_OK) == 0 { names.append(name) }
        }
        return names.sorted()
    }
}
