// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

extension EntitlementRule {
    /// The rule in a file's bytes, if all of it is understood.
    package init(
        parsing bytes: [UInt8], file: String, groups: GroupDirectory
    ) throws(EntitlementFault) {
        guard let entries = PropertyListFile.dictionary(in: bytes) else { throw .notAPropertyList }
        var fields = EntitlementFields(entries)
        guard var matching = try fields.dictionary("match") else { throw .matchesAnything }
        let identifier = try fields.name("application-identifier")
        let associated = try fields.names("associated-application-identifier") ?? []
        let accessGroups = try fields.names("keychain-access-groups")
        let applicationGroups = try fields.names("application-groups") ?? []
        let administersKeys = try fields.truth("administers-keys")
        let answersQuestions = try fields.truth("answers-questions")
        try fields.finish()
        let match = try EntitlementMatch(&matching, groups)
        try matching.finish()
        guard
            identifier != nil || !associated.isEmpty || accessGroups?.isEmpty == false || !applicationGroups.isEmpty
                || administersKeys || answersQuestions
        else {
            throw .grantsNothing
        }
        self.init(
            file: file, match: match, keychainAccessGroups: accessGroups, applicationIdentifier: identifier,
            associatedApplicationIdentifiers: associated, applicationGroups: applicationGroups,
            administersKeys: administersKeys, answersQuestions: answersQuestions)
    }
}

extension EntitlementMatch {
    fileprivate init(_ fields: inout EntitlementFields, _ groups: GroupDirectory) throws(EntitlementFault) {
        group = try fields.group("group", groups)
        unit = try fields.name("unit")
        path = try fields.name("path")
        digest = try fields.digest("sha256")
        users = try fields.users("uids")
        guard group != nil || unit != nil || path != nil else {
            throw digest == nil ? .matchesAnything : .digestWithoutPath
        }
        guard digest == nil || path != nil else { throw .digestWithoutPath }
        // Said to whoever writes new digests after an upgrade; here it has to make sense, and says no more.
        if try fields.truth("refreshes"), digest == nil { throw .wrongValue("refreshes") }
        if let unit, !SystemUnit.isService(unit) { throw .wrongValue("unit") }
        if let path {
            guard TrustedPath.isWellFormed(path) else { throw .wrongValue("path") }
            guard !Interpreters.contains(path) else { throw .interpreter }
        }
    }
}
