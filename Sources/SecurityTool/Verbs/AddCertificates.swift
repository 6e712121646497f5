// SPDX-License-Identifier: Apache-2.0

internal import KeychainStatus
internal import KeychainTools

/// `security add-certificates`.
enum AddCertificates: SecurityVerb {
    static let name = "add-certificates"
    static let summary = "adds certificates"
    static let usage = """
        [-k KEYCHAIN] FILE…

        Adds the certificates of files in PEM, DER or PKCS#7. All of a file is stored, or nothing; of
        several, those that cannot be are named, and the others are stored. Without -k they go into the default keychain.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "k:"))
        guard !options.operands.isEmpty else { throw .usage("a file is missing") }
        let keychain = try KeychainSearch.target(options.value("k"))
        guard options.operands.count > 1 else { return try add(options.operands[0], to: keychain) }
        // One that is there already keeps none of the others out.
        var codes: [Int32] = []
        for file in options.operands {
            do throws(SecurityFailure) { try add(file, to: keychain) } catch {
                session.warn("\(file) was not added:")
                codes.append(session.report(error, of: nil))
            }
        }
        if let first = codes.first { throw .silent(code: first) }
    }

    private static func add(_ file: String, to keychain: ToolKeychain) throws(SecurityFailure) {
        let things = ImportedThing.all(of: try FileImport.unencrypted.read(file))
        guard things.allSatisfy({ !$0.isKey }) else {
            throw .status(
                .undecodable, call: FileImport.call,
                why: "\(file) also has other things than certificates; use `security import`")
        }
        try ItemImport.store(things, in: keychain, isExtractable: true, call: "SecCertificateAddToKeychain")
    }
}
