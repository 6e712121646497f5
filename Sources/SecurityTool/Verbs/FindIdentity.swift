// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainTools

/// `security find-identity`.
enum FindIdentity: SecurityVerb {
    static let name = "find-identity"
    static let summary = "finds certificates with their private keys"
    static let usage = """
        [-p POLICY] [-s NAME] [-v] [KEYCHAIN…]

        Lists the certificates whose private key is in the keychain too, with their SHA-1 hash: those that fit the policy, and
        those of them that are valid, which means that their chain ends at an authority that the system trusts. Without KEYCHAIN
        the keychains of the search list are searched. A locked one that nobody can be asked for is named and passed over; if no other
        has any, the exit code is 36.

          -p POLICY   basic, ssl-server, ssl-client, smime, codesigning, timestamping, eap, IPSec, pkinitClient or pkinitServer;
                      basic if not given
          -s NAME     the host or e-mail address that it has to be for
          -v          lists only the valid ones
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "p:s:v"))
        let policy = try CertificatePolicy(options.value("p") ?? "basic", name: options.value("s"))
        let keychains = try KeychainSearch.searched(options.operands, session)
        var locked = LockedKeychains()
        let others = try CertificateSearch.all(in: keychains, passing: &locked).map(\.certificate)
        var seen: Set<String> = []
        let found = try CertificateSearch.all(ofIdentities: true, in: keychains, passing: &locked)
        let matching = found.filter { policy.fits($0.certificate) && seen.insert($0.sha1).inserted }
        if matching.isEmpty, let failure = locked.failure { throw failure }
        locked.tell(session)
        let judged = try matching.map { (one) throws(SecurityFailure) in
            (one, try policy.verdict(on: one.certificate, others))
        }
        if !options.has("v") {
            print("\nPolicy: \(policy.title)\n  Matching identities")
            printList(judged.map { ($0.0, $0.1) })
            print("     \(judged.count) identities found\n\n  Valid identities only")
        }
        let valid = judged.filter { $0.1 == nil }
        printList(valid.map { ($0.0, nil) })
        print("     \(valid.count) valid identities found")
        if options.has("v"), valid.isEmpty, !judged.isEmpty {
            session.warn(
                "\(judged.count == 1 ? "1 identity is" : "\(judged.count) identities are") not valid: nothing that is trusted vouches for the certificate, or it has expired (without -v the reason is listed); `security add-trusted-cert` trusts one"
            )
        }
    }

    private static func printList(_ list: [(PlacedCertificate, String?)]) {
        for (index, (one, complaint)) in list.enumerated() {
            let name = PlainText.shown(one.certificate.subjectSummary ?? "")
            print("  \(index + 1)) \(one.sha1) \"\(name)\"\(complaint.map { " (\($0))" } ?? "")")
        }
    }
}
