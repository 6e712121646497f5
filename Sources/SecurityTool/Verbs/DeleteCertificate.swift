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
