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
        let others = try names(in: root).filter { Place.isName($0) }.map { Place.folder(root: root, name: $0) }
        for place in preferences.search + [preferences.standard] + others {
            if places.contains(place) { continue }
            if try isThere(place) { places.append(place) }
        }
        return places
    }

    /// A daemon may have some where nobody else can look; those that lie here need not be opened for that.
    private static func isThere(_ place: Place) throws(CommandError) -> Bool {
        if (try? place.exists) ?? false { return true }
        return try ToolKeychain(at: place).isThere
    }

    /// By name; nothing where there is no such folder.
    private static func names(in folder: String) throws(CommandError) -> [String] {
        guard let list = unsafe opendir(folder) else {
            if errno == ENOENT { return [] }
            throw .failure("\(PlainText.shown(folder)) cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        defer { unsafe closedir(list) }
        var names: [String] = []
        while let entry = unsafe readdir(list) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else { continue }
            // A keychain that may not be looked into is one all the same.
            let isKeychain =
                unsafe access("\(folder)/\(name)/keychain.db", F_OK) == 0 || errno == EACCES || errno == EIO
            if isKeychain { names.append(name) }
        }
        return names.sorted()
    }
}
