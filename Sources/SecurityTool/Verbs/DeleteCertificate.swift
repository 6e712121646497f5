// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel
internal import KeychainTools

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

/// delete-certificate and delete-identity.
enum CertificateDeletion {
    /// `what` is deleted.
    static func usage(of what: String) -> String {
        """
        [-c NAME | -Z HASH] [-t] [KEYCHAIN…]

        Deletes \(what). If more than one has the name, nothing is deleted. Without KEYCHAIN the keychains of the search list
        are searched.

          -c NAME    part of the common name
          -Z HASH    the SHA-1 or SHA-256 hash, in hexadecimal digits
          -t         also takes back what the user's trust settings say of it
        """
    }

    static func run(
        withKey: Bool, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "c:Z:t"))
        let wanted = try CertificateWish(naming: options)
        let keychains = try KeychainSearch.searched(options.operands, session, forChange: true)
        let found = try CertificateSearch.all(ofIdentities: withKey, in: keychains).filter { wanted.fits($0) }
        guard let one = found.first else { throw .notFound() }
        guard found.count == 1 else {
            guard found.contains(where: { $0.sha256 != one.sha256 }) else {
                let places = found.map(\.keychain.shownName).joined(separator: ", ")
                throw .failure("the same certificate is in several keychains, \(places); name one of them")
            }
            throw .failure("\(found.count) certificates have that name; select one by its hash with -Z")
        }
        try one.delete(withKey: withKey)
        guard options.has("t") else { return }
        let file = try TrustPlace.user()
        try SecurityFailure.translating(keychain: "SecTrustSettingsRemoveTrustSettings") { () throws(KeychainError) in
            try file.change { (settings) throws(KeychainError) in settings.remove(one.certificate) }
        }
    }
}
