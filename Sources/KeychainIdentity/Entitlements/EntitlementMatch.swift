// SPDX-License-Identifier: Apache-2.0

/// Which programs a file is about: those that all it names holds for.
///
/// It names at least one of group, unit and path.
package struct EntitlementMatch: Sendable, Equatable {
    /// The group of a setgid program.
    package let group: UInt32?
    /// A systemd service of the system, with its suffix.
    package let unit: String?
    /// The program's file.
    package let path: String?
    /// Its SHA-256; only together with `path`.
    package let digest: [UInt8]?
    /// The users who may run it; nil for all.
    package let users: Set<UInt32>?

    /// The strongest of what it names.
    package var level: IdentityLevel {
        if group != nil { return .kernel }
        if unit != nil { return .unit }
        return digest != nil ? .imageByHash : .imageByPath
    }

    /// Whether both are about one program, perhaps in two versions or for different users.
    package func namesSameProgram(as other: EntitlementMatch) -> Bool {
        group == other.group && unit == other.unit && path == other.path
    }
}
