// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel
package import ProgramSigning

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
    package let synchronizes: Bool

    /// What it grants a program that `match` holds for, if its user cannot steer the program where `match` says so.
    package var granted: GrantedEntitlements { granted(isSteerable: match.level < .unit) }

    /// The same without what only a program gets whose user cannot steer it: all groups, those of better protected
    /// programs too.
    package var grantedToSteerable: GrantedEntitlements {
        // The administrator of a path knows that its user can steer it; of a unit that may have been believed otherwise.
        granted(
            isSteerable: true, administersKeys: administersKeys && match.level < .unit,
            synchronizes: synchronizes && match.level < .unit)
    }

    private func granted(
        isSteerable: Bool, administersKeys: Bool? = nil, synchronizes: Bool? = nil
    ) -> GrantedEntitlements {
        GrantedEntitlements(
            keychainAccessGroups: keychainAccessGroups, applicationIdentifier: applicationIdentifier,
            associatedApplicationIdentifiers: associatedApplicationIdentifiers,
            applicationGroups: applicationGroups,
            honoursWildcard: !isSteerable, administersKeys: administersKeys ?? self.administersKeys,
            // As for the keys: of a unit it may have been believed that its user cannot steer it.
            answersQuestions: answersQuestions && !(isSteerable && match.level == .unit),
            synchronizes: synchronizes ?? self.synchronizes)
    }
}

extension EntitlementRule {
    /// The rule in a file's bytes, if all of it is understood.
    package init(
        parsing bytes: [UInt8], file: String, groups: GroupDirectory
    ) throws(EntitlementFault) {
        guard let entries = PropertyListFile.dictionary(in: bytes) else { throw .notAPropertyList }
        var fields = EntitlementFields(entries)
        let given = try fields.dictionary("match")
        let identifier = try fields.name("application-identifier")
        let associated = try fields.names("associated-application-identifier") ?? []
        let accessGroups = try fields.names("keychain-access-groups")
        let applicationGroups = try fields.names("application-groups") ?? []
        let administersKeys = try fields.truth("administers-keys")
        let answersQuestions = try fields.truth("answers-questions")
        let synchronizes = try fields.truth("synchronizes")
        // First, for a misspelt key is why another one is missing.
        try fields.finish()
        guard var matching = given else { throw .matchesAnything }
        let match = try EntitlementMatch(&matching, groups)
        guard
            identifier != nil || !associated.isEmpty || accessGroups?.isEmpty == false || !applicationGroups.isEmpty
                || administersKeys || answersQuestions || synchronizes
        else {
            throw .grantsNothing
        }
        self.init(
            file: file, match: match, keychainAccessGroups: accessGroups, applicationIdentifier: identifier,
            associatedApplicationIdentifiers: associated, applicationGroups: applicationGroups,
            administersKeys: administersKeys, answersQuestions: answersQuestions, synchronizes: synchronizes)
    }
}

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

extension EntitlementMatch {
    fileprivate init(_ fields: inout EntitlementFields, _ groups: GroupDirectory) throws(EntitlementFault) {
        group = try fields.group("group", groups)
        unit = try fields.name("unit")
        path = try fields.name("path")
        digest = try fields.digest("sha256")
        users = try fields.users("uids")
        let refreshes = try fields.truth("refreshes")
        try fields.finish()
        guard group != nil || unit != nil || path != nil else {
            throw digest == nil ? .matchesAnything : .digestWithoutPath
        }
        guard digest == nil || path != nil else { throw .digestWithoutPath }
        // Meant for tools that write new digests after an upgrade; here it must be valid, and has no effect.
        if refreshes, digest == nil { throw .wrongValue("refreshes") }
        if let unit, !SystemUnit.isService(unit) { throw .wrongValue("unit") }
        if let path {
            guard TrustedPath.isWellFormed(path) else { throw .wrongValue("path") }
            guard !Interpreters.contains(path) else { throw .interpreter }
        }
    }
}

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
    /// Whether it may do for its user's keychain what the devices of a circle share: items of every group.
    package let synchronizes: Bool

    package init(
        keychainAccessGroups: [String]?, applicationIdentifier: String?,
        associatedApplicationIdentifiers: [String] = [],
        applicationGroups: [String], honoursWildcard: Bool, administersKeys: Bool = false,
        answersQuestions: Bool = false, synchronizes: Bool = false
    ) {
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationIdentifier = applicationIdentifier
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.applicationGroups = applicationGroups
        self.honoursWildcard = honoursWildcard
        self.administersKeys = administersKeys
        self.answersQuestions = answersQuestions
        self.synchronizes = synchronizes
    }

    /// Of a program that no file lists.
    package static let open = GrantedEntitlements(
        keychainAccessGroups: [AccessGroup.open.name], applicationIdentifier: nil, applicationGroups: [],
        honoursWildcard: false)

    /// No group at all: every operation fails.
    package static let nothing = GrantedEntitlements(
        keychainAccessGroups: [], applicationIdentifier: nil, applicationGroups: [], honoursWildcard: false)
}

extension ProgramStatement {
    /// What it grants once it is believed: as much as a file that names the program by its path.
    package var granted: GrantedEntitlements {
        GrantedEntitlements(
            keychainAccessGroups: keychainAccessGroups, applicationIdentifier: applicationIdentifier,
            applicationGroups: applicationGroups, honoursWildcard: false)
    }
}
