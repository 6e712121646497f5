// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainTools

/// `security find-certificate`.
enum FindCertificate: SecurityVerb {
    static let name = "find-certificate"
    static let summary = "finds certificates"
    static let usage = """
        [-a] [-c NAME] [-e ADDRESS] [-m] [-p] [-Z] [KEYCHAIN…]

        Prints the first certificate that fits all options. Without KEYCHAIN the keychains of the search list are searched.

          -a           prints all certificates
          -c NAME      part of the common name
          -e ADDRESS   an e-mail address
          -m           prints the e-mail addresses
          -p           prints only the certificates, in PEM
          -Z           also prints the hashes
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "ac:e:mpZ"))
        var wanted = CertificateWish()
        wanted.name = options.value("c")
        wanted.address = options.value("e")
        var locked = LockedKeychains()
        var found = try CertificateSearch.all(
            in: try KeychainSearch.searched(options.operands, session), passing: &locked
        ).filter { wanted.fits($0) }
        if found.isEmpty {
            if let failure = locked.failure { throw failure }
            guard options.has("a") else { throw .notFound() }
        }
        locked.tell(session)
        if !options.has("a") { found = Array(found.prefix(1)) }
        for one in found {
            if options.has("Z") {
                print("SHA-256 hash: \(one.sha256)")
                print("SHA-1 hash: \(one.sha1)")
            }
            if options.has("m") {
                let addresses = one.certificate.emailAddresses.map { PlainText.shown($0) }
                print("email addresses: \(addresses.joined(separator: ", "))")
            }
            if options.has("p") {
                print(PEM.publicText("CERTIFICATE", of: one.certificate.der), terminator: "")
            } else if !options.has("m") {
                print(ItemText.text(one.item, in: one.keychain.path))
            }
        }
    }
}
