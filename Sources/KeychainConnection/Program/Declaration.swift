// SPDX-License-Identifier: Apache-2.0

internal import Foundation

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
            guard let identifier = information["CFBundleIdentifier"] as? String, !identifier.isEmpty else {
                return .open
            }
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

    private static func entitlements(_ declared: [String: Any]) -> ProgramEntitlements {
        ProgramEntitlements(
            // A list with anything but strings in it counts as none.
            keychainAccessGroups: declared["keychain-access-groups"] as? [String],
            applicationIdentifier: declared["application-identifier"] as? String
                ?? declared["com.apple.application-identifier"] as? String,
            associatedApplicationIdentifiers:
                declared["com.apple.developer.associated-application-identifier"] as? [String] ?? [],
            applicationGroups: declared["com.apple.security.application-groups"] as? [String] ?? [],
            honoursWildcard: false)
    }

    private enum Content {
        case absent
        case unreadable(String)
        case dictionary([String: Any])
    }

    private static func content(of path: String) -> Content {
        guard FileManager.default.fileExists(atPath: path) else { return .absent }
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)),
            let list = unsafe try? PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        else { return .unreadable(path) }
        return .dictionary(list)
    }
}
