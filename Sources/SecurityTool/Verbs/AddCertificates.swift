// SPDX-License-Identifier: Apache-2.0

internal import KeychainStatus

/// `security add-certificates`.
enum AddCertificates: SecurityVerb {
    static let name = "add-certificates"
    static let summary = "adds certificates"
    static let usage = """
        [-k KEYCHAIN] FILE…

        Adds the certificates of files in PEM, DER or PKCS#7. All of a file is stored, or nothing. Without -k they go into the default keychain.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "k:"))
        guard !options.operands.isEmpty else { throw .usage("a file is missing") }
        let keychain = try KeychainSearch.target(options.value("k"))
        for file in options.operands {
            let things = ImportedThing.all(of: try FileImport.unencrypted.read(file))
            guard things.allSatisfy({ !$0.isKey }) else {
                throw .status(
                    .undecodable, call: FileImport.call,
                    why: "\(file) also has other things than certificates; use `security import`")
            }
            try ItemImport.store(things, in: keychain, isExtractable: true, call: "SecCertificateAddToKeychain")
        }
    }
}
