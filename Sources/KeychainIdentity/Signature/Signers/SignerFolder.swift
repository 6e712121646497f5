// SPDX-License-Identifier: Apache-2.0

/// The folder of signer files, such as /etc/llavero/signers.d; as strict as that of entitlement files.
package struct SignerFolder: Sendable {
    package let path: String
    package let owners: TrustedOwners

    package init(path: String, owners: TrustedOwners = .root) {
        self.path = path
        self.owners = owners
    }

    /// Reads every file whose name ends in ".plist"; one that cannot be read in full believes nobody and is reported.
    ///
    /// A folder that is not there lists nobody.
    package func load() -> SignerTable {
        let folder = GuardedFolder(path: path, owners: owners)
        let (signers, reports) = folder.each { (bytes, name) throws(EntitlementFault) in
            try ProgramSigner(parsing: bytes, file: name)
        }
        return SignerTable(signers: signers, reports: reports)
    }
}
