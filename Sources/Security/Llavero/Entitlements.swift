// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection

/// What a program declares about itself: the groups whose items it shares, and its own identifier.
public struct Entitlements: Sendable, Equatable {
    /// The `keychain-access-groups` entitlement; nil when there is none.
    public var keychainAccessGroups: [String]?
    /// The `application-identifier` entitlement, a group of the program's own.
    public var applicationIdentifier: String?
    /// The `com.apple.developer.associated-application-identifier` entitlement.
    public var associatedApplicationIdentifiers: [String]
    /// The `com.apple.security.application-groups` entitlement.
    public var applicationGroups: [String]
    /// Whether "*" among the groups opens every group, as it does for a system's own programs.
    public var honoursWildcard: Bool

    /// Entitlements with the given parts; with none of them a program can do nothing at all.
    public init(
        keychainAccessGroups: [String]? = nil, applicationIdentifier: String? = nil,
        associatedApplicationIdentifiers: [String] = [], applicationGroups: [String] = [],
        honoursWildcard: Bool = false
    ) {
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationIdentifier = applicationIdentifier
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.applicationGroups = applicationGroups
        self.honoursWildcard = honoursWildcard
    }
}

extension Entitlements {
    var program: ProgramEntitlements {
        ProgramEntitlements(
            keychainAccessGroups: keychainAccessGroups, applicationIdentifier: applicationIdentifier,
            associatedApplicationIdentifiers: associatedApplicationIdentifiers,
            applicationGroups: applicationGroups, honoursWildcard: honoursWildcard)
    }

    init(_ program: ProgramEntitlements) {
        self.init(
            keychainAccessGroups: program.keychainAccessGroups,
            applicationIdentifier: program.applicationIdentifier,
            associatedApplicationIdentifiers: program.associatedApplicationIdentifiers,
            applicationGroups: program.applicationGroups, honoursWildcard: program.honoursWildcard)
    }
}
