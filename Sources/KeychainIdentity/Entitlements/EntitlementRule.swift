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

    /// What it grants a program that `match` holds for.
    package var granted: GrantedEntitlements {
        GrantedEntitlements(
            keychainAccessGroups: keychainAccessGroups, applicationIdentifier: applicationIdentifier,
            associatedApplicationIdentifiers: associatedApplicationIdentifiers,
            applicationGroups: applicationGroups,
            // All groups, those of better protected programs too, are for programs their user cannot steer.
            honoursWildcard: match.level >= .unit, administersKeys: administersKeys,
            answersQuestions: answersQuestions)
    }
}
