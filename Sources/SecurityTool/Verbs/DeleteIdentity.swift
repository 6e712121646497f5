// SPDX-License-Identifier: Apache-2.0

/// `security delete-identity`.
enum DeleteIdentity: SecurityVerb {
    static let name = "delete-identity"
    static let summary = "deletes a certificate and its private key"
    static let usage = CertificateDeletion.usage(of: "a certificate and its private key")

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try CertificateDeletion.run(withKey: true, words, session)
    }
}
