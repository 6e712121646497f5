// SPDX-License-Identifier: Apache-2.0

/// The folder of signer files, such as /etc/llavero/signers.d; as strict as that of entitlement files.
package struct SignerFolder: Sendable {
    package let path: String
    package let owners: TrustedOwners

    package init(path: String, owners: TrustedOwners = .root) {
        self.path = path
        self.owners = owners
    }

    /// Reads every file whose name ends in ".plist"; one that cannot be read in full trusts no signer and is reported.
    ///
    /// A folder that does not exist lists no signers.
    package func load() -> SignerTable {
        let folder = GuardedFolder(path: path, owners: owners)
        let (signers, reports) = folder.each { (bytes, name) throws(EntitlementFault) in
            try ProgramSigner(parsing: bytes, file: name)
        }
        return SignerTable(signers: signers, reports: reports)
    }
}

/// The signers who are believed, and the files that gave none.
package struct SignerTable: Sendable, Equatable {
    /// In the order of their files' names.
    package let signers: [ProgramSigner]
    package let reports: [EntitlementReport]

    /// Takes all but those that share a key, or what they may grant: the prefix says whose a name is, so it is one signer's.
    package init(signers: [ProgramSigner], reports: [EntitlementReport]) {
        var accepted: [ProgramSigner] = []
        var reports = reports
        for signer in signers {
            let others = signers.filter { $0.file != signer.file }
            if let other = others.first(where: { $0.publicKey == signer.publicKey }) {
                reports.append(EntitlementReport(file: signer.file, fault: .contestedKey(by: other.file)))
            } else if let other = others.first(where: { $0.contests(signer) }) {
                reports.append(EntitlementReport(file: signer.file, fault: .contestedPrefix(by: other.file)))
            } else {
                accepted.append(signer)
            }
        }
        self.signers = accepted
        self.reports = reports
    }

    /// Of a system without trusted signers.
    package static let empty = SignerTable(signers: [], reports: [])

    /// The signer whose key a statement names.
    package func signer(_ identifier: [UInt8]) -> ProgramSigner? { signers.first { $0.identifier == identifier } }
}

extension ProgramSigner {
    fileprivate func contests(_ other: ProgramSigner) -> Bool {
        prefixes.contains { mine in
            other.prefixes.contains { $0.utf8.starts(with: mine.utf8) || mine.utf8.starts(with: $0.utf8) }
        }
    }
}
