// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainModel
package import KeychainRequest

/// What a program declares about itself.
package struct ProgramEntitlements: Sendable, Equatable {
    /// nil when the program has no such entitlement; an empty list is a list.
    package var keychainAccessGroups: [String]?
    package var applicationIdentifier: String?
    package var associatedApplicationIdentifiers: [String]
    package var applicationGroups: [String]
    /// Whether "*" among the groups opens all of them; for programs trusted like the system's own.
    package var honoursWildcard: Bool
    /// Whether it may change the keys without showing the passcode, as every program may that has the files itself.
    package var administersKeys = true
    /// Whether it may do what the devices of a circle share: no program declares that of itself.
    package var synchronizes = false

    package init(
        keychainAccessGroups: [String]?, applicationIdentifier: String?, associatedApplicationIdentifiers: [String],
        applicationGroups: [String], honoursWildcard: Bool
    ) {
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationIdentifier = applicationIdentifier
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.applicationGroups = applicationGroups
        self.honoursWildcard = honoursWildcard
    }

    /// A program that declares nothing.
    package static let open = ProgramEntitlements(
        keychainAccessGroups: [AccessGroup.open.name], applicationIdentifier: nil,
        associatedApplicationIdentifiers: [], applicationGroups: [], honoursWildcard: false)

    /// The groups in the order of semantics §4.1, each once.
    package func caller(program: String?) -> Caller {
        let names =
            (keychainAccessGroups ?? []) + associatedApplicationIdentifiers
            + [applicationIdentifier].compactMap { $0 } + applicationGroups
        var groups: [AccessGroup] = []
        var hasToken = false
        var hasWildcard = false
        for name in names {
            guard let group = AccessGroup(name) else { continue }
            if group == .token {
                hasToken = true
            } else if name == "*" {
                hasWildcard = true
            } else if !groups.contains(group) {
                groups.append(group)
            }
        }
        // Every program may read the items of tokens, and no program's new items go there.
        if hasToken { groups.append(.token) }
        var caller = Caller(
            groups: groups, seesEveryGroup: hasWildcard && honoursWildcard,
            administersKeys: administersKeys, program: program)
        caller.synchronizes = synchronizes
        return caller
    }
}

/// A program's own declaration: property lists beside its file.
///
/// The installer of the program writes them, and embedded mode believes them. They keep programs out of each
/// other's way; they are not a protection.
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

    /// A declaration that is there and cannot be read grants nothing: falling back to the group that every program is in
    /// would put this program's secrets there.
    private static func refused(_ path: String) -> ProgramEntitlements {
        Log.write("\(path) cannot be read as a property list; the program has no access groups until it is corrected")
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
