// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// `security add-trusted-cert`.
enum AddTrustedCertificate: SecurityVerb {
    static let name = "add-trusted-cert"
    static let summary = "adds trust settings for certificates"
    static let usage = """
        [-d] [-r RESULT] [-p POLICY]… [-s NAME] [-e ERROR] [-u USAGE] [-k KEYCHAIN] FILE

        Says of the certificates of a file that they are trusted: in the settings of the user, or with -d in those of the machine, which
        only root changes. SecTrust, `security verify-cert` and searches for trusted certificates obey it.

          -d           the settings of the machine
          -r RESULT    trustRoot, trustAsRoot, deny or unspecified; trustRoot if not given
          -p POLICY    only for basic, ssl, smime, codeSign, timestamping, eap, IPSec, pkinitClient or pkinitServer; may be repeated
          -s NAME      only for this host or e-mail address
          -e ERROR     a status to overlook, as a number, or certExpired or hostnameMismatch
          -u USAGE     only for these uses of the key, a number of bits, such as 8 for signatures of certificates; -1 for all
          -k KEYCHAIN  also adds the certificates to this keychain; with -d, a Mac's /Library/Keychains/System.keychain adds them to none
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "dr:p:s:e:u:k:", repeated: ["p"]))
        guard let file = try options.operandIfAny("file") else { throw .usage("a file is missing") }
        let usages = try usages(options)
        let things = ImportedThing.all(of: try FileImport.unencrypted.read(file))
        var certificates: [Certificate] = []
        for case .certificate(let certificate, _) in things { certificates.append(certificate) }
        guard !certificates.isEmpty, certificates.count == things.count else {
            throw .failure("\(file) has no certificates, or other things too")
        }
        for certificate in certificates {
            for usage in usages.isEmpty ? [TrustSettings.Usage()] : usages {
                try requireKind(usage.decision, certificate, file)
            }
        }
        // Every script for a Mac says -d -k with this one; what it says of the machine is in the settings.
        let isForMachine = options.has("d") && options.value("k") == KeychainSearch.ofMachine
        if let name = options.value("k"), !isForMachine {
            let keychain = try KeychainSearch.target(name)
            do throws(SecurityFailure) {
                try ItemImport.store(things, in: keychain, isExtractable: true, call: "SecCertificateAddToKeychain")
            } catch {
                // Whoever trusts it a second time has it already.
                guard case .status(.duplicateItem, _, _) = error else { throw error }
            }
        }
        guard let now = DateText.now else { throw .failure("the clock cannot be read") }
        try TrustPlace(options).change("SecTrustSettingsSetTrustSettings") { settings in
            for certificate in certificates {
                settings.set(TrustSettings.Rule(certificate, usages: usages, modified: now.rounded(.down)))
            }
        }
    }

    private static func requireKind(
        _ decision: TrustSettings.Decision, _ certificate: Certificate, _ file: String
    ) throws(SecurityFailure) {
        switch decision {
        case .trustRoot where !certificate.isSelfIssued:
            throw .failure("\(file) is no root; trust it with -r trustAsRoot")
        case .trustAsRoot where certificate.isSelfIssued:
            throw .failure("\(file) is a root; trust it with -r trustRoot")
        case .trustRoot, .trustAsRoot, .deny, .unspecified: return
        }
    }

    /// None when nothing narrows the trust in a root.
    private static func usages(_ options: SecurityOptions) throws(SecurityFailure) -> [TrustSettings.Usage] {
        var usage = TrustSettings.Usage()
        switch options.value("r") {
        case nil, "trustRoot"?: usage.decision = .trustRoot
        case "trustAsRoot"?: usage.decision = .trustAsRoot
        case "deny"?: usage.decision = .deny
        case "unspecified"?: usage.decision = .unspecified
        case let word?: throw .usage("-r \(word) is unknown; it is trustRoot, trustAsRoot, deny or unspecified")
        }
        usage.name = options.value("s")
        if let text = options.value("e") {
            switch text {
            case "certExpired": usage.allowedError = -67818
            case "hostnameMismatch": usage.allowedError = -67602
            default:
                guard let number = Int32(text) else { throw .usage("-e requires a status, as a number") }
                usage.allowedError = number
            }
        }
        if let text = options.value("u") {
            guard let number = Int64(text), let bits = UInt32(exactly: number == -1 ? Int64(UInt32.max) : number) else {
                throw .usage("-u requires a number of bits, or -1")
            }
            usage.keyUsage = bits
        }
        var usages: [TrustSettings.Usage] = []
        for word in options.all("p") {
            var one = usage
            guard let policy = policies.first(where: { $0.word == word })?.policy else {
                throw .usage("-p \(word) is unknown; the policies are \(policies.map(\.word).joined(separator: ", "))")
            }
            one.policy = policy.identifier
            usages.append(one)
        }
        if usages.isEmpty, usage != TrustSettings.Usage() { usages = [usage] }
        return usages
    }

    static let policies: [(word: String, policy: TrustPolicy)] = [
        ("basic", .basic), ("ssl", .ssl(.server, hostName: nil)), ("smime", .email(nil)),
        ("codeSign", .use(.codeSigning, .server, name: nil)), ("timestamping", .use(.timeStamping, .server, name: nil)),
        ("eap", .use(.extensibleAuthentication, .server, name: nil)), ("IPSec", .use(.ipsec, .server, name: nil)),
        ("pkinitClient", .use(.kerberos, .client, name: nil)), ("pkinitServer", .use(.kerberos, .server, name: nil)),
    ]
}

/// `security remove-trusted-cert`.
enum RemoveTrustedCertificate: SecurityVerb {
    static let name = "remove-trusted-cert"
    static let summary = "removes the trust settings of certificates"
    static let usage = """
        [-d] FILE

        Removes what the trust settings of the user, or with -d of the machine, say of the certificates of a file. The file, and
        certificates in keychains, stay.

          -d    the settings of the machine, which only root changes
          -D    not supported: there is no setting for all other certificates here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "dD"))
        guard !options.has("D") else {
            throw .usage("-D is not supported: there is no setting for all other certificates here")
        }
        guard let file = try options.operandIfAny("file") else { throw .usage("a file is missing") }
        let call = "SecTrustSettingsRemoveTrustSettings"
        let place = try TrustPlace(options)
        let things = ImportedThing.all(of: try FileImport.unencrypted.read(file))
        // Whoever may not change the machine's is told first that there is nothing to be changed.
        var (known, isMissing, isThere) = (try place.read(call), false, false)
        for case .certificate(let certificate, _) in things {
            if known.remove(certificate) { isThere = true } else { isMissing = true }
        }
        if isThere {
            try place.change(call) { settings in
                for case .certificate(let certificate, _) in things { _ = settings.remove(certificate) }
            }
        }
        guard !isMissing else { throw .notFound(call) }
    }
}

/// `security dump-trust-settings`.
enum DumpTrustSettings: SecurityVerb {
    static let name = "dump-trust-settings"
    static let summary = "lists trust settings"
    static let usage = """
        [-s | -d]

        Lists the certificates that the trust settings of the user say something of.

          -d    those of the machine
          -s    the authorities that the system came with
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "sd"))
        try options.requireNoOperands()
        let call = "SecTrustSettingsCopyCertificates"
        var rules: [TrustSettings.Rule] = []
        if options.has("s") {
            guard let anchors = try? Trust.systemAnchors() else {
                throw .failure("the system's authorities cannot be read")
            }
            rules = anchors.map { TrustSettings.Rule($0, usages: [], modified: 0) }
        } else {
            rules = try TrustPlace(options).read(call).rules
        }
        guard !rules.isEmpty else {
            throw .ending(.failure("\(call): No Trust Settings were found."), code: 1)
        }
        print("Number of trusted certs = \(rules.count)")
        for (number, rule) in rules.enumerated() {
            print("Cert \(number): \(PlainText.shown(rule.certificate.subjectSummary ?? ""))")
            print("   Number of trust settings : \(rule.usages.count)")
            for (place, usage) in rule.usages.enumerated() {
                print("   Trust Setting \(place):")
                for (title, text) in lines(usage) { print("      \(title): \(text)") }
            }
        }
    }

    private static func lines(_ usage: TrustSettings.Usage) -> [(String, String)] {
        var lines: [(String, String)] = []
        if let policy = usage.policy {
            let word = AddTrustedCertificate.policies.first { $0.policy.identifier == policy }?.word ?? policy
            lines.append(("Policy OID            ", word))
        }
        if let name = usage.name { lines.append(("Policy String         ", PlainText.shown(name))) }
        if let bits = usage.keyUsage { lines.append(("Key Usage             ", String(bits))) }
        if let status = usage.allowedError {
            lines.append(("Allowed Error         ", SecurityStatus(status).sentence ?? String(status)))
        }
        let result =
            switch usage.decision {
            case .trustRoot: "kSecTrustSettingsResultTrustRoot"
            case .trustAsRoot: "kSecTrustSettingsResultTrustAsRoot"
            case .deny: "kSecTrustSettingsResultDeny"
            case .unspecified: "kSecTrustSettingsResultUnspecified"
            }
        lines.append(("Result Type           ", result))
        return lines
    }
}

/// `security trust-settings-export`.
enum ExportTrustSettings: SecurityVerb {
    static let name = "trust-settings-export"
    static let summary = "writes the trust settings into a file"
    static let usage = """
        [-d] FILE

        Writes all that the trust settings of the user say, with the certificates, into a file that only the user can read. The form is
        that of SecTrustSettingsCreateExternalRepresentation; a Mac has another.

          -d    the settings of the machine
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d"))
        guard let file = try options.operandIfAny("file") else { throw .usage("a file is missing") }
        let call = "SecTrustSettingsCreateExternalRepresentation"
        let settings = try TrustPlace(options).read(call)
        guard !settings.rules.isEmpty else {
            throw .ending(.failure("\(call): No Trust Settings were found."), code: 1)
        }
        guard let bytes = try? settings.encoded() else { throw .failure("the trust settings cannot be written") }
        try InputFile.write(SecretValue(copying: bytes), to: file)
        if !session.isQuiet { print("...Trust Settings exported successfully.") }
    }
}

/// `security trust-settings-import`.
enum ImportTrustSettings: SecurityVerb {
    static let name = "trust-settings-import"
    static let summary = "replaces the trust settings by those of a file"
    static let usage = """
        [-d] FILE

        Says what a file of `security trust-settings-export` says, in the place of all that the trust settings of the user said before.
        A file that is not understood to its end changes nothing.

          -d    the settings of the machine, which only root changes
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d"))
        guard let file = try options.operandIfAny("file") else { throw .usage("a file is missing") }
        let call = "SecTrustSettingsImportExternalRepresentation"
        let bytes = unsafe try InputFile.read(file).withUnsafeBytes { unsafe Array($0) }
        guard let imported = TrustSettings(bytes) else {
            throw .status(.undecodable, call: call, why: "\(file) has no trust settings; nothing is changed")
        }
        try TrustPlace(options).change(call) { $0 = imported }
        if !session.isQuiet { print("...Trust Settings imported successfully.") }
    }
}

/// The trust settings that a subcommand is about.
struct TrustPlace {
    private let file: TrustSettingsFile

    /// The machine's with -d, else the user's.
    init(_ options: SecurityOptions) throws(SecurityFailure) {
        file = options.has("d") ? .administrator : try TrustPlace.user()
    }

    static func user() throws(SecurityFailure) -> TrustSettingsFile {
        try SecurityFailure.translating(keychain: "SecTrustSettingsCopyTrustSettings") { () throws(KeychainError) in
            .user(root: try Place.root(named: .current()))
        }
    }

    /// What the user and the administrator say together.
    static func all() throws(SecurityFailure) -> TrustSettings {
        let user = try user()
        return try SecurityFailure.translating(keychain: "SecTrustSettingsCopyTrustSettings") {
            () throws(KeychainError) in
            try user.read().before(try TrustSettingsFile.administrator.read())
        }
    }

    func read(_ call: String) throws(SecurityFailure) -> TrustSettings {
        try SecurityFailure.translating(keychain: call) { () throws(KeychainError) in try file.read() }
    }

    func change(_ call: String, _ body: (inout TrustSettings) -> Void) throws(SecurityFailure) {
        try SecurityFailure.translating(keychain: call) { () throws(KeychainError) in
            try file.change { (settings) throws(KeychainError) in body(&settings) }
        }
    }
}
