// SPDX-License-Identifier: Apache-2.0

/// `security delete-certificate`.
enum DeleteCertificate: SecurityVerb {
    static let name = "delete-certificate"
    static let summary = "deletes a certificate"
    static let usage = CertificateDeletion.usage(of: "a certificate")

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try CertificateDeletion.run(withKey: false, words, session)
    }
}

/// `security delete-identity`.
enum DeleteIdentity: SecurityVerb {
    static let name = "delete-identity"
    static let summary = "deletes a certificate and its private key"
    static let usage = CertificateDeletion.usage(of: "a certificate and its private key")

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try CertificateDeletion.run(withKey: true, words, session)
    }
}

/// What delete-certificate and delete-identity do.
enum CertificateDeletion {
    /// `what` is what goes.
    static func usage(of what: String) -> String {
        """
        [-c NAME | -Z HASH] [-t] [KEYCHAIN…]

        Deletes \(what). When more than one has the name nothing is deleted. Without KEYCHAIN the keychains of the
        search list are looked through.

          -c NAME    part of the common name
          -Z HASH    the SHA-1 or SHA-256 hash, in hexadecimal digits
          -t         refused: there are no trust settings of users here
        """
    }

    static func run(
        withKey: Bool, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "c:Z:t"))
        if options.has("t") { throw .usage("-t: there are no trust settings of users here") }
        let wanted = try CertificateWish(naming: options)
        let keychains = try Keychains.searched(options.operands)
        let found = try CertificateSearch.all(ofIdentities: withKey, in: keychains).filter { wanted.fits($0) }
        guard let one = found.first else { throw .notFound() }
        guard found.count == 1 else {
            throw .failure("\(found.count) of them have that name; -Z says which one, by its hash")
        }
        try one.delete(withKey: withKey)
    }
}
