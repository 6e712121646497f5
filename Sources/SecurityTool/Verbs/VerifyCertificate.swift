// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainModel

/// `security verify-cert`.
enum VerifyCertificate: SecurityVerb {
    static let name = "verify-cert"
    static let summary = "checks certificates"
    static let usage = """
        -c FILE… [-r FILE…] [-k KEYCHAIN…] [-p POLICY] [-n NAME | -s HOST] [-d DATE] [-L] [-l] [-q]

        Checks that the chain of a certificate ends at an authority that the system, or the trust settings, trust. Nothing is fetched from
        the network.

          -c FILE      the certificate, in PEM or DER; further ones may be intermediate certificates
          -r FILE      an additional trusted authority
          -k KEYCHAIN  a keychain whose certificates may be intermediate ones
          -p POLICY    basic, ssl, ssl-client, smime, codesigning, timestamping, eap, IPSec, pkinitClient or pkinitServer; basic if not given
          -n NAME      the host or e-mail address that it has to be for
          -s HOST      the same
          -d DATE      the day, as 2026-01-31, optionally with the time, as 2026-01-31-12:30:00; now if not given
          -L, -l       accepted without effect: nothing is fetched, and the first certificate may be an authority's
          -q           prints nothing
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "c:r:k:p:n:s:d:Llq", repeated: ["c", "r", "k"]))
        try options.requireNoOperands()
        let given = try certificates(options.all("c"))
        guard let leaf = given.first else { throw .usage("-c is missing: the certificate") }
        var name = options.value("p") ?? "basic"
        if name == "ssl" { name = "ssl-server" }
        guard options.value("n") == nil || options.value("s") == nil else {
            throw .usage("-n and -s name the same and cannot be used together")
        }
        let policy = try CertificatePolicy(name, name: options.value("n") ?? options.value("s"))
        var intermediates = Array(given.dropFirst())
        for name in options.all("k") {
            intermediates += try CertificateSearch.all(in: [try KeychainSearch.named(name)]).map(\.certificate)
        }
        let roots = try certificates(options.all("r"))
        guard let date = options.value("d").map(DateText.date) ?? DateText.now else {
            throw .usage("-d requires a day as 2026-01-31, or a time as 2026-01-31-12:30:00")
        }
        guard let complaint = try policy.verdict(on: leaf, intermediates, roots: roots, at: date) else {
            if !options.has("q"), !session.isQuiet { print("...certificate verification successful.") }
            return
        }
        // A Mac's line, without the name of the tool before it.
        if !options.has("q"), !session.isQuiet { session.answer("Cert Verify Result: \(complaint)") }
        throw .silent(code: 1)
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

/// The purpose of a certificate, by a Mac's names.
struct CertificatePolicy {
    let title: String
    private let policy: TrustPolicy
    private let purpose: ObjectIdentifier?

    init(_ word: String, name: String?) throws(SecurityFailure) {
        switch word {
        case "basic": (title, policy, purpose) = ("X.509 Basic", .basic, nil)
        case "ssl-server":
            (title, policy, purpose) = ("SSL (server)", .ssl(.server, hostName: name), .serverAuthentication)
        case "ssl-client":
            (title, policy, purpose) = ("SSL (client)", .ssl(.client, hostName: name), .clientAuthentication)
        case "smime": (title, policy, purpose) = ("S/MIME", .email(name), .emailProtection)
        case "codesigning", "codeSign":
            (title, policy, purpose) = ("Code Signing", .use(.codeSigning, .server, name: nil), .codeSigning)
        case "timestamping": (title, policy, purpose) = ("Time Stamping", .use(.timeStamping, .server, name: nil), nil)
        case "eap": (title, policy, purpose) = ("EAP", .use(.extensibleAuthentication, .server, name: name), nil)
        case "IPSec": (title, policy, purpose) = ("IPSec", .use(.ipsec, .server, name: name), nil)
        case "pkinitClient": (title, policy, purpose) = ("Kerberos client", .use(.kerberos, .client, name: nil), nil)
        case "pkinitServer": (title, policy, purpose) = ("Kerberos server", .use(.kerberos, .server, name: nil), nil)
        default:
            throw .usage(
                "-p \(word) is not supported; the policies are basic, ssl-server, ssl-client, smime, codesigning, timestamping, eap, IPSec, pkinitClient and pkinitServer"
            )
        }
        guard name == nil || word == "smime" || word.hasPrefix("ssl") || word == "eap" || word == "IPSec" else {
            throw .usage("a name requires the policy ssl-server, ssl-client, smime, eap or IPSec")
        }
    }

    /// Whether the certificate declares this purpose.
    func fits(_ certificate: Certificate) -> Bool {
        guard let purpose else { return true }
        guard let said = certificate.extensions.extendedKeyUsage else {
            // A certificate without declared purposes fits every one except code signing.
            return purpose != .codeSigning
        }
        return said.contains(purpose) || said.contains(.anyPurpose) && purpose != .codeSigning
    }

    /// Why a certificate is not trusted, in a Mac's words; nil when it is.
    func verdict(
        on certificate: Certificate, _ others: [Certificate], roots: [Certificate] = [], at date: Double? = nil
    ) throws(SecurityFailure) -> String? {
        guard fits(certificate) else { return "CSSMERR_TP_VERIFY_ACTION_FAILED" }
        var trust = Trust(
            certificate, intermediates: others.filter { $0 != certificate }, policies: [policy],
            anchors: roots.isEmpty ? .system : .systemAnd(roots))
        trust.settings = try TrustPlace.all()
        trust.statusOfFailure = { CertificatePolicy.status(of: $0) }
        guard let moment = date ?? DateText.now else { throw .failure("the clock cannot be read") }
        let result: TrustResult
        do throws(CryptoError) { result = try trust.evaluate(at: moment) } catch {
            throw .failure("the certificate cannot be evaluated (\(error))")
        }
        return result.findings.first.map { CertificatePolicy.word(for: $0.failure) }
    }

    /// The statuses that settings may say to overlook.
    private static func status(of failure: TrustFailure) -> Int32 {
        switch failure {
        case .expired: -67818
        case .notValidYet: -67819
        case .hostNameMismatch: -67602
        case .emailAddressMismatch: -67623
        default: 0
        }
    }

    private static func word(for failure: TrustFailure) -> String {
        switch failure {
        case .expired: "CSSMERR_TP_CERT_EXPIRED"
        case .notValidYet: "CSSMERR_TP_CERT_NOT_VALID_YET"
        case .revoked: "CSSMERR_TP_CERT_REVOKED"
        case .denied: "CSSMERR_APPLETP_TRUST_SETTING_DENY"
        case .hostNameMismatch: "CSSMERR_APPLETP_HOSTNAME_MISMATCH"
        case .emailAddressMismatch: "CSSMERR_APPLETP_SMIME_EMAIL_ADDRS_NOT_FOUND"
        case .incompleteChain, .notTrusted: "CSSMERR_TP_NOT_TRUSTED"
        case .unknownCriticalExtension: "CSSMERR_APPLETP_UNKNOWN_CRITICAL_EXTEN"
        case .pathTooLong: "CSSMERR_APPLETP_PATH_LEN_CONSTRAINT"
        case .wrongPurpose: "CSSMERR_APPLETP_INVALID_EXTENDED_KEY_USAGE"
        case .wrongKeyUsage: "CSSMERR_APPLETP_INVALID_KEY_USAGE"
        case .notAuthority: "CSSMERR_APPLETP_INVALID_CA"
        case .invalidSignature: "CSSMERR_TP_INVALID_CERT_AUTHORITY"
        case .revocationUnknown, .nameNotPermitted, .policyNotPermitted, .weakKey, .weakSignature, .malformed, .other:
            "CSSMERR_TP_VERIFY_ACTION_FAILED"
        }
    }
}
