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
        if let declared = dictionary(executable + ".entitlements") { return entitlements(declared) }
        let folder = executable.lastIndex(of: "/").map { executable[..<$0] } ?? "."
        if let information = dictionary(folder + "/Info.plist"),
            let identifier = information["CFBundleIdentifier"] as? String, !identifier.isEmpty
        {
            return ProgramEntitlements(
                keychainAccessGroups: nil, applicationIdentifier: identifier, associatedApplicationIdentifiers: [],
                applicationGroups: [], honoursWildcard: false)
        }
        return .open
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

    private static func dictionary(_ path: String) -> [String: Any]? {
        guard let content = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
        return unsafe try? PropertyListSerialization.propertyList(from: content, format: nil) as? [String: Any]
    }
}
