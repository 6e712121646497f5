// SPDX-License-Identifier: Apache-2.0

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
        // Tokens' items are everybody's to read and nobody's default.
        if hasToken { groups.append(.token) }
        return Caller(
            groups: groups, seesEveryGroup: hasWildcard && honoursWildcard,
            administersKeys: administersKeys, program: program)
    }
}
