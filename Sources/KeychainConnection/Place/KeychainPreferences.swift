// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// Which of a user's keychains are searched where none is named, and which one new items go to.
///
/// A file beside the keychains, which only the user can write: a line for each, by path. Without it there is the keychain
/// that the environment names, or `login`. Programs that use the item functions and name no keychain are not led by it.
package struct KeychainPreferences: Sendable, Equatable {
    package var standard: Place
    package var search: [Place]
    private let file: String
    private let usual: Place

    /// As they are written; refuses a file that is not ours alone, or that nobody of us wrote.
    package init(of environment: Environment) throws(KeychainError) {
        usual = try Place.named(by: environment)
        let root = try Place.root(named: environment)
        file = root + "/.preferences"
        (standard, search) = (usual, [usual])
        guard unsafe access(file, F_OK) == 0 else { return }
        try KeychainFolder.refuseUnsafe(root)
        guard let text = try content() else { throw unreadable }
        var places: [Place] = []
        var hasSearch = false
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw unreadable }
            switch parts[0] {
            case "default": standard = try place(at: parts[1])
            case "search":
                hasSearch = true
                if !parts[1].isEmpty { places.append(try place(at: parts[1])) }
            default: throw unreadable
            }
        }
        if hasSearch { search = places }
    }

    /// Writes them, all or nothing.
    package func save() throws(KeychainError) {
        guard case .folder(let root, _) = usual else {
            throw KeychainError(.notAvailable, "a keychain in memory stands beside no others")
        }
        try KeychainFolder(root: root, name: "").prepareRoot()
        var text = standard.path.map { "default\t\($0)\n" } ?? ""
        let paths = search.compactMap(\.path)
        text += paths.isEmpty ? "search\t\n" : paths.map { "search\t\($0)\n" }.joined()
        do throws(KeychainError) { try replace(with: Array(text.utf8)) } catch {
            throw KeychainError(
                error.reason, "the list of keychains cannot be written", subject: file, code: error.code)
        }
    }

    /// Takes a keychain that is going out of them.
    package mutating func forget(_ place: Place) {
        search.removeAll { $0 == place }
        if standard == place { standard = usual }
    }

    private func place(at path: String) throws(KeychainError) -> Place {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { throw unreadable }
        let name = String(path[path.index(after: slash)...])
        guard Place.isName(name) else { throw unreadable }
        return .folder(root: String(path[..<slash]), name: name)
    }

    private var unreadable: KeychainError {
        KeychainError(
            .notAvailable, "the list of keychains is not as it is written; correct it, or remove it", subject: file)
    }

    private func content() throws(KeychainError) -> String? {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: KeychainPreferences.largest + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return count < bytes.count ? String(validating: bytes[..<count], as: UTF8.self) : nil
    }

    private func replace(with bytes: [UInt8]) throws(KeychainError) {
        let fresh = "\(file).\(getpid())"
        // What a crashed process of this number left.
        unsafe unlink(fresh)
        try NewFile.write(bytes, to: fresh)
        guard unsafe rename(fresh, file) == 0 else {
            let code = Int64(errno)
            unsafe unlink(fresh)
            throw KeychainError(.inputOutput, "", code: code)
        }
    }

    private static let largest = 1 << 16
}
