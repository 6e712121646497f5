// SPDX-License-Identifier: Apache-2.0

/// The content of one entitlement file.
package struct EntitlementRule: Sendable, Equatable {
    /// The file's name, for people.
    package let file: String
    package let match: EntitlementMatch
    package let keychainAccessGroups: [String]?
    package let applicationIdentifier: String?
    package let associatedApplicationIdentifiers: [String]
    package let applicationGroups: [String]
    package let administersKeys: Bool
    package let answersQuestions: Bool

    /// What it grants a program that `match` holds for, if its user cannot steer the program where `match` says so.
    package var granted: GrantedEntitlements { granted(isSteerable: match.level < .unit) }

    /// The same without what only a program gets whose user cannot steer it: all groups, those of better protected
    /// programs too.
    package var grantedToSteerable: GrantedEntitlements {
        // The administrator of a path knows that its user can steer it; of a unit that may have been believed otherwise.
        granted(isSteerable: true, administersKeys: administersKeys && match.level < .unit)
    }

    private func granted(isSteerable: Bool, administersKeys: Bool? = nil) -> GrantedEntitlements {
        GrantedEntitlements(
            keychainAccessGroups: keychainAccessGroups, applicationIdentifier: applicationIdentifier,
            associatedApplicationIdentifiers: associatedApplicationIdentifiers,
            applicationGroups: applicationGroups,
            honoursWildcard: !isSteerable, administersKeys: administersKeys ?? self.administersKeys,
            // As for the keys: of a unit it may have been believed that its user cannot steer it.
            answersQuestions: answersQuestions && !(isSteerable && match.level == .unit))
    }
}
