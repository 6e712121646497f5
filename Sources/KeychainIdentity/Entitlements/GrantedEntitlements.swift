// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What an entitlement file grants a program, as it stands there; the order of groups is made of it elsewhere.
package struct GrantedEntitlements: Sendable, Equatable {
    package let keychainAccessGroups: [String]?
    package let applicationIdentifier: String?
    package let associatedApplicationIdentifiers: [String]
    package let applicationGroups: [String]
    /// Whether "*" among the groups opens all of them.
    package let honoursWildcard: Bool
    /// Whether it may change the keys of its user's keychain without showing the passcode.
    package let administersKeys: Bool
    /// Whether it may ask its user for the system's daemon.
    package let answersQuestions: Bool

    package init(
        keychainAccessGroups: [String]?, applicationIdentifier: String?,
        associatedApplicationIdentifiers: [String] = [],
        applicationGroups: [String], honoursWildcard: Bool, administersKeys: Bool = false,
        answersQuestions: Bool = false
    ) {
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationIdentifier = applicationIdentifier
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.applicationGroups = applicationGroups
        self.honoursWildcard = honoursWildcard
        self.administersKeys = administersKeys
        self.answersQuestions = answersQuestions
    }

    /// Of a program that nobody listed.
    package static let open = GrantedEntitlements(
        keychainAccessGroups: [AccessGroup.open.name], applicationIdentifier: nil, applicationGroups: [],
        honoursWildcard: false)

    /// No group at all: every operation fails.
    package static let nothing = GrantedEntitlements(
        keychainAccessGroups: [], applicationIdentifier: nil, applicationGroups: [], honoursWildcard: false)
}
