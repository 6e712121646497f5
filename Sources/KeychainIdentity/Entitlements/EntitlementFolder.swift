// SPDX-License-Identifier: Apache-2.0

/// The folder of entitlement files, such as /etc/llavero/entitlements.d.
///
/// Whoever can write there decides who reads which secrets. So each component of the path and each file has to belong
/// to a trusted owner, be writable by nobody else, and be no symbolic link.
package struct EntitlementFolder: Sendable {
    package let path: String
    package let owners: TrustedOwners
    package let groups: GroupDirectory

    package init(path: String, owners: TrustedOwners = .root, groups: GroupDirectory = .system) {
        self.path = path
        self.owners = owners
        self.groups = groups
    }

    /// Reads every file whose name ends in ".plist"; one that cannot be read in full grants nothing and is reported.
    ///
    /// A folder that is not there lists nothing.
    package func load() -> EntitlementTable {
        let folder = GuardedFolder(path: path, owners: owners)
        let (rules, reports) = folder.each { (bytes, name) throws(EntitlementFault) in
            try EntitlementRule(parsing: bytes, file: name, groups: groups)
        }
        return EntitlementTable(rules: rules, reports: reports)
    }
}
