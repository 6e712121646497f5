// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainModel
package import KeychainSystem
package import ProgramSigning

/// A file that was reached over components which only trusted owners can change.
package struct TrustedPath: Sendable {
    /// Open without a right to read (O_PATH).
    package let descriptor: OwnedDescriptor
    package let facts: FileFacts

    /// Goes from the root to `path`, and to nothing a symbolic link points to.
    package init(_ path: String, owners: TrustedOwners) throws(FileFault) {
        let components = try TrustedPath.components(of: path)
        var current = try TrustedPath(entry: "/", in: nil, owners)
        for component in components {
            guard current.facts.kind == .folder else { throw .wrongKind }
            current = try TrustedPath(entry: component, in: current, owners)
        }
        self = current
    }

    /// The entry of a folder that was reached this way.
    package init(entry name: String, in folder: TrustedPath, owners: TrustedOwners) throws(FileFault) {
        guard TrustedPath.isComponent(name) else { throw .notAPath }
        try self.init(entry: name, in: Optional(folder), owners)
    }

    private init(entry name: String, in folder: TrustedPath?, _ owners: TrustedOwners) throws(FileFault) {
        let file = unsafe llv_peer_open_entry(folder?.descriptor.number ?? -1, name)
        guard file >= 0 else { throw file == -ENOENT ? .missing : .system(-file) }
        descriptor = OwnedDescriptor(owning: file)
        facts = try FileFacts(of: file)
        // Before its owner: the link's own mode is 0777.
        guard facts.kind != .symbolicLink else { throw .symbolicLink }
        guard owners.guards(facts) else { throw .exposed }
    }

    /// Whether `init` would look for `path` at all.
    package static func isWellFormed(_ path: String) -> Bool {
        do throws(FileFault) { return try !components(of: path).isEmpty } catch { return false }
    }

    private static func components(of path: String) throws(FileFault) -> [String] {
        guard path.utf8.first == UInt8(ascii: "/") else { throw .notAPath }
        if path.utf8.count == 1 { return [] }
        let parts = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var components: [String] = []
        for part in parts {
            guard let component = String(part), isComponent(component) else { throw .notAPath }
            components.append(component)
        }
        return components
    }

    private static func isComponent(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.contains(byte: 0)
            && !name.contains(byte: UInt8(ascii: "/"))
    }
}

/// The users whose files are relied on: root alone, except in tests.
package struct TrustedOwners: Sendable, Equatable {
    package let users: Set<UInt32>

    package init(_ users: Set<UInt32>) { self.users = users }

    package static let root = TrustedOwners([0])

    /// Whether only trusted owners can change the file, or the names in the folder.
    ///
    /// The bits of the group are the greatest that an access list grants, so they cover those lists too. A folder
    /// like /tmp is refused although its sticky bit protects names that are there: it does not protect those to come.
    package func guards(_ facts: FileFacts) -> Bool {
        users.contains(facts.owner) && facts.permissions & 0o022 == 0
    }
}
