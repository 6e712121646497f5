// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import LlaveroFoundation

/// Where the trust settings of a call are.
struct TrustDomains: Sendable {
    /// nil when the keychain of the call is in memory, and so has no folder.
    let user: TrustSettingsFile?

    /// Those beside the keychain that calls here are about.
    static func current() -> TrustDomains {
        guard let host = try? CurrentKeychain.host() else { return TrustDomains(user: nil) }
        let place = (host as? EmbeddedHost)?.place ?? (host as? HandoverHost)?.embedded.place
        guard case .folder(let root, _)? = place else { return TrustDomains(user: nil) }
        return TrustDomains(user: .user(root: root))
    }

    /// What all of them say; the user's word comes before the administrator's.
    func settings() throws(KeychainError) -> TrustSettings {
        let own = try user?.read() ?? TrustSettings()
        return own.before(try TrustSettingsFile.administrator.read())
    }

    func settings(of domain: SecTrustSettingsDomain) throws(KeychainError) -> TrustSettings {
        switch domain {
        case .user: try user?.read() ?? TrustSettings()
        case .admin: try TrustSettingsFile.administrator.read()
        // It says what is a root by the file that it has, not by settings.
        case .system: TrustSettings()
        }
    }

    func rule(
        of certificate: Certificate, _ domain: SecTrustSettingsDomain
    ) throws(KeychainError) -> TrustSettings.Rule {
        guard let rule = try settings(of: domain).rule(of: certificate) else { throw Self.nothingSaid }
        return rule
    }

    func certificates(_ domain: SecTrustSettingsDomain) throws(KeychainError) -> [Certificate] {
        guard domain == .system else { return try settings(of: domain).rules.map(\.certificate) }
        guard let anchors = try? Trust.systemAnchors() else {
            throw KeychainError(.internalError, "the system's authorities cannot be read")
        }
        return anchors
    }

    func change(
        _ domain: SecTrustSettingsDomain, _ body: (inout TrustSettings) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        switch domain {
        case .user:
            guard let user else {
                throw KeychainError(.notAvailable, "the keychain is in memory; it has no place for trust settings")
            }
            try user.change(body)
        case .admin: try TrustSettingsFile.administrator.change(body)
        case .system:
            throw KeychainError(
                .readOnly, "the system's authorities are changed by its administrator, with update-ca-certificates")
        }
    }

    static var nothingSaid: KeychainError {
        KeychainError(.itemNotFound, "the domain says nothing of this certificate")
    }
}

/// What is said of a certificate, between a caller's dictionary and the settings.
enum TrustUsage {
    static func dictionary(_ usage: TrustSettings.Usage) -> NSDictionary {
        let result = NSMutableDictionary()
        if let policy = usage.policy.flatMap({ SecPolicyCreateWithProperties($0 as NSString, nil) }) {
            result[kSecTrustSettingsPolicy] = policy
            result[kSecTrustSettingsPolicyName] = policy.purpose.word as NSString
        }
        if let name = usage.name { result[kSecTrustSettingsPolicyString] = name as NSString }
        if let bits = usage.keyUsage { result[kSecTrustSettingsKeyUsage] = NSNumber(value: bits) }
        if let status = usage.allowedError { result[kSecTrustSettingsAllowedError] = NSNumber(value: status) }
        result[kSecTrustSettingsResult] = NSNumber(value: usage.decision.rawValue)
        return result
    }

    static func usages(_ object: AnyObject?, of certificate: Certificate) throws(KeychainError) -> [TrustSettings.Usage]
    {
        var usages: [TrustSettings.Usage] = []
        guard let object else {
            try requireRoot(.trustRoot, certificate)
            return []
        }
        for element in (object as? NSArray)?.map({ $0 as AnyObject }) ?? [object] {
            guard let dictionary = element as? NSDictionary else {
                throw KeychainError(.parameter, "trust settings are a dictionary, or an array of them")
            }
            let usage = try usage(dictionary)
            try requireRoot(usage.decision, certificate)
            usages.append(usage)
        }
        if usages.isEmpty { try requireRoot(.trustRoot, certificate) }
        return usages
    }

    private static func requireRoot(
        _ decision: TrustSettings.Decision, _ certificate: Certificate
    ) throws(KeychainError) {
        switch decision {
        case .trustRoot where !certificate.isSelfIssued:
            throw KeychainError(.parameter, "the certificate is no root; trust it as one with trustAsRoot")
        case .trustAsRoot where certificate.isSelfIssued:
            throw KeychainError(.parameter, "the certificate is a root; trust it with trustRoot")
        case .trustRoot, .trustAsRoot, .deny, .unspecified: return
        }
    }

    private static func usage(_ dictionary: NSDictionary) throws(KeychainError) -> TrustSettings.Usage {
        var usage = TrustSettings.Usage()
        for (key, value) in dictionary {
            switch key as? String {
            case kSecTrustSettingsPolicy:
                guard let policy = value as? SecPolicy, case .purpose(let purpose) = policy.rule else {
                    throw wrong("the value must be a policy other than that of revocation", kSecTrustSettingsPolicy)
                }
                usage.policy = purpose.identifier
                if let name = purpose.name, usage.name == nil { usage.name = name }
            case kSecTrustSettingsPolicyName: break
            case kSecTrustSettingsPolicyString:
                guard let text = value as? String, !text.isEmpty, text.utf8.count <= 1000 else {
                    throw wrong("the value must be a string", kSecTrustSettingsPolicyString)
                }
                usage.name = text
            case kSecTrustSettingsKeyUsage:
                guard
                    let bits = (value as? NSNumber).flatMap({
                        UInt32(exactly: $0.int64Value) ?? ($0 == -1 ? .max : nil)
                    })
                else { throw wrong("the value must be a number of bits", kSecTrustSettingsKeyUsage) }
                usage.keyUsage = bits
            case kSecTrustSettingsAllowedError:
                guard let status = (value as? NSNumber).flatMap({ Int32(exactly: $0.int64Value) }) else {
                    throw wrong("the value must be a status", kSecTrustSettingsAllowedError)
                }
                usage.allowedError = status
            case kSecTrustSettingsResult:
                guard let number = (value as? NSNumber).flatMap({ UInt32(exactly: $0.int64Value) }),
                    let decision = TrustSettings.Decision(rawValue: number)
                else { throw wrong("the value must be a SecTrustSettingsResult", kSecTrustSettingsResult) }
                usage.decision = decision
            case kSecTrustSettingsApplication:
                throw KeychainError(
                    .unimplemented, "trust settings of one program are not supported",
                    subject: kSecTrustSettingsApplication)
            case let name: throw wrong("unknown key of trust settings", name ?? "")
            }
        }
        return usage
    }

    private static func wrong(_ cause: StaticString, _ key: String) -> KeychainError {
        KeychainError(.parameter, cause, subject: key)
    }
}

extension TrustPolicy {
    /// What Apple's programs call the policy.
    var word: String {
        switch self {
        case .basic: "basicX509"
        case .ssl: "sslServer"
        case .email: "SMIME"
        case .use(.codeSigning, _, _): "CodeSigning"
        case .use(.timeStamping, _, _): "AppleTimeStamping"
        case .use(.extensibleAuthentication, _, _): "eapServer"
        case .use(.ipsec, _, _): "ipsecServer"
        case .use(.kerberos, .client, _): "pkinitClient"
        case .use(.kerberos, .server, _): "pkinitServer"
        }
    }
}
