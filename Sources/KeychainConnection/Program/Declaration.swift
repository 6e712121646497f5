// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding

/// A program's own declaration: property lists beside its file.
///
/// They are written by whoever installs the program, and embedded mode believes them. They keep programs out of each
/// other's way; they keep nobody out.
enum Declaration {
    /// The entitlements of the program at `executable`: `<program>.entitlements` if there is one, else the identifier
    /// in `Info.plist`, else those of a program that declares nothing.
    static func entitlements(of executable: String?) -> ProgramEntitlements {
        guard let executable else { return .open }
        let folder = executable.lastIndex(of: "/").map { executable[..<$0] } ?? "."
        switch content(of: executable + ".entitlements") {
        case .dictionary(let declared): return entitlements(declared)
        case .unreadable(let path): return refused(path)
        case .absent: break
        }
        switch content(of: folder + "/Info.plist") {
        case .dictionary(let information):
            guard let identifier = information["CFBundleIdentifier"]?.text, !identifier.isEmpty else { return .open }
            return ProgramEntitlements(
                keychainAccessGroups: nil, applicationIdentifier: identifier, associatedApplicationIdentifiers: [],
                applicationGroups: [], honoursWildcard: false)
        case .unreadable(let path): return refused(path)
        case .absent: return .open
        }
    }

    /// A declaration that is there and cannot be read grants nothing: falling back to the group that everybody is in
    /// would put this program's secrets there.
    private static func refused(_ path: String) -> ProgramEntitlements {
        Log.write("\(path) is no property list that can be read; the program has no access groups until it is")
        return ProgramEntitlements(
            keychainAccessGroups: [], applicationIdentifier: nil, associatedApplicationIdentifiers: [],
            applicationGroups: [], honoursWildcard: false)
    }

    private static func entitlements(_ declared: [String: PropertyList]) -> ProgramEntitlements {
        ProgramEntitlements(
            // A list with anything but strings in it counts as none.
            keychainAccessGroups: declared["keychain-access-groups"]?.texts,
            applicationIdentifier: declared["application-identifier"]?.text
                ?? declared["com.apple.application-identifier"]?.text,
            associatedApplicationIdentifiers:
                declared["com.apple.developer.associated-application-identifier"]?.texts ?? [],
            applicationGroups: declared["com.apple.security.application-groups"]?.texts ?? [],
            honoursWildcard: false)
    }

    private enum Content {
        case absent
        case unreadable(String)
        case dictionary([String: PropertyList])
    }

    private static func content(of path: String) -> Content {
        guard unsafe access(path, F_OK) == 0 else { return .absent }
        guard let bytes = bytes(of: path), case .dictionary(let list)? = try? PropertyList(file: bytes) else {
            return .unreadable(path)
        }
        return .dictionary(list)
    }

    /// nil when it cannot be read, or is larger than any declaration.
    private static func bytes(of path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return count <= largest ? Array(bytes[..<count]) : nil
    }

    private static let largest = 1 << 20
}

extension PropertyList {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate var texts: [String]? {
        guard case .array(let values) = self else { return nil }
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
    }
}
