// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates

/// `security verify-cert`.
enum VerifyCertificate: SecurityVerb {
    static let name = "verify-cert"
    static let summary = "checks certificates"
    static let usage = """
        -c FILE… [-r FILE…] [-p POLICY] [-n NAME] [-d DATE] [-L] [-l] [-q]

        Checks that certificates lead to an authority which the system trusts. Nothing is fetched from anywhere.

          -c FILE     the certificate, in PEM or DER; further ones may stand between it and the authority
          -r FILE     an authority that is trusted too
          -p POLICY   basic, ssl, ssl-client, smime or codesigning; basic if not given
          -n NAME     the host, or the address, that it has to be for
          -d DATE     the day, as 2026-01-31, with -12:30:00 behind it for the time; now if not given
          -L, -l      accepted: nothing is fetched, and the first certificate may be an authority's
          -q          says nothing
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "c:r:p:n:d:Llq", repeated: ["c", "r"]))
        try options.requireNoOperands()
        let given = try certificates(options.all("c"))
        guard let leaf = given.first else { throw .usage("-c is missing: the certificate") }
        var name = options.value("p") ?? "basic"
        if name == "ssl" { name = "ssl-server" }
        let policy = try CertificatePolicy(name, name: options.value("n"))
        let roots = try certificates(options.all("r"))
        guard let date = options.value("d").map(DateText.date) ?? DateText.now else {
            throw .usage("-d wants a day as 2026-01-31, or a moment as 2026-01-31-12:30:00")
        }
        guard let complaint = try policy.verdict(on: leaf, Array(given.dropFirst()), roots: roots, at: date) else {
            if !options.has("q"), !session.isQuiet { print("...certificate verification successful.") }
            return
        }
        if options.has("q") { throw .silent(code: 1) }
        throw .ending(.failure("Cert Verify Result: \(complaint)"), code: 1)
    }

    private static func certificates(_ files: [String]) throws(SecurityFailure) -> [Certificate] {
        var found: [Certificate] = []
        for file in files {
            for case .certificate(let certificate, _) in ImportedThing.all(of: try FileImport.unencrypted.read(file)) {
                found.append(certificate)
            }
        }
        return found
    }
}
