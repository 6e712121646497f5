// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
package import KeychainModel

/// What a person or an administrator says about certificates: which are roots to be believed, and which never.
package struct TrustSettings: Hashable, Sendable {
    /// What a usage comes to, with Apple's numbers.
    package enum Decision: UInt32, Hashable, Sendable {
        /// A root, believed.
        case trustRoot = 1
        /// No root, and believed as one.
        case trustAsRoot = 2
        case deny = 3
        /// Neither: the chain decides, as without settings.
        case unspecified = 4
    }

    /// A decision, and what it is about; nil for everything.
    package struct Usage: Hashable, Sendable {
        /// A policy's object identifier in dots.
        package var policy: String?
        /// The host or the address that the policy is asked for.
        package var name: String?
        /// Bits of `SecTrustSettingsKeyUsage`.
        package var keyUsage: UInt32?
        /// A status that is overlooked.
        package var allowedError: Int32?
        package var decision: Decision

        package init(
            _ decision: Decision = .trustRoot, policy: String? = nil, name: String? = nil, keyUsage: UInt32? = nil,
            allowedError: Int32? = nil
        ) {
            self.decision = decision
            self.policy = policy
            self.name = name
            self.keyUsage = keyUsage
            self.allowedError = allowedError
        }
    }

    /// All that is said of one certificate; nothing means that it is a root to be believed.
    package struct Rule: Hashable, Sendable {
        package let certificate: Certificate
        /// Seconds since 2001.
        package let modified: Double
        package let usages: [Usage]

        package init(_ certificate: Certificate, usages: [Usage], modified: Double) {
            self.certificate = certificate
            self.usages = usages
            self.modified = modified
        }
    }

    /// One for each certificate.
    package private(set) var rules: [Rule] = []

    package init() {}

    package func rule(of certificate: Certificate) -> Rule? { rules.first { $0.certificate == certificate } }

    /// Puts a rule in the place of the certificate's earlier one.
    package mutating func set(_ rule: Rule) {
        remove(rule.certificate)
        rules.append(rule)
    }

    /// Whether there was a rule to remove.
    @discardableResult
    package mutating func remove(_ certificate: Certificate) -> Bool {
        let count = rules.count
        rules.removeAll { $0.certificate == certificate }
        return rules.count < count
    }

    /// Adds what is said of certificates that nothing is said of here: a person's word comes before an administrator's.
    package func before(_ others: TrustSettings) -> TrustSettings {
        var all = self
        all.rules += others.rules.filter { rule(of: $0.certificate) == nil }
        return all
    }
}

/// What the settings mean in an evaluation.
extension TrustSettings {
    /// The certificates that a policy may end at.
    internal func anchors(for policy: TrustPolicy) -> [Certificate] {
        rules.filter { rule in
            switch decision(on: rule.certificate, policy, depth: 1) {
            case .trustRoot: rule.certificate.isSelfIssued
            case .trustAsRoot: true
            case .deny, .unspecified, nil: false
            }
        }.map(\.certificate)
    }

    /// What is said of a certificate of a chain; nil when nothing is.
    internal func decision(on certificate: Certificate, _ policy: TrustPolicy, depth: Int) -> Decision? {
        guard let rule = rule(of: certificate) else { return nil }
        guard !rule.usages.isEmpty else { return .trustRoot }
        // A usage that only says what to overlook decides nothing.
        return rule.usages.first { $0.allowedError == nil && $0.isAbout(policy, depth: depth) }?.decision
    }

    /// The statuses to overlook of a certificate.
    internal func allowedErrors(on certificate: Certificate, _ policy: TrustPolicy, depth: Int) -> [Int32] {
        rule(of: certificate)?.usages.filter { $0.isAbout(policy, depth: depth) }.compactMap(\.allowedError) ?? []
    }
}

extension TrustSettings.Usage {
    fileprivate func isAbout(_ policy: TrustPolicy, depth: Int) -> Bool {
        if let wanted = self.policy, wanted != policy.identifier { return false }
        if let name {
            let matching = TextMatching(ignoring: .letterCase)
            guard let asked = policy.name, matching.isEqual(asked, name) else { return false }
        }
        // What is above signs certificates (8); what is at the end, everything else.
        guard let keyUsage, keyUsage != .max else { return true }
        return depth > 0 ? keyUsage & 8 != 0 : keyUsage & ~8 != 0
    }
}

extension TrustPolicy {
    /// Apple's object identifier of the policy, in dots.
    package var identifier: String {
        let last =
            switch self {
            case .basic: 2
            case .ssl: 3
            case .email: 8
            case .use(.extensibleAuthentication, _, _): 9
            case .use(.ipsec, _, _): 11
            case .use(.kerberos, .client, _): 14
            case .use(.kerberos, .server, _): 15
            case .use(.codeSigning, _, _): 16
            case .use(.timeStamping, _, _): 20
            }
        return "1.2.840.113635.100.1.\(last)"
    }

    /// Whom the certificate has to be for.
    package var name: String? {
        switch self {
        case .basic: nil
        case .ssl(_, let name), .email(let name), .use(_, _, let name): name
        }
    }
}

/// The one form that settings are kept and carried in.
extension TrustSettings {
    package func encoded() throws(CodingError) -> [UInt8] {
        let list = rules.map { rule in
            PropertyList.dictionary([
                "certificate": .data(rule.certificate.der), "modified": .date(rule.modified),
                "usages": .array(rule.usages.map(\.list)),
            ])
        }
        return try PropertyList.dictionary(["version": .number(Self.version), "rules": .array(list)]).encoded()
    }

    /// The settings in bytes; nil when anything in them is not understood, for a rule that is passed over may be a denial.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest, let list = try? PropertyList(decoding: bytes),
            case .dictionary(let parts) = list, parts.count == 2, parts["version"] == .number(Self.version),
            case .array(let rules)? = parts["rules"], rules.count <= Self.most
        else { return nil }
        for rule in rules {
            guard case .dictionary(let parts) = rule, parts.count == 3, case .data(let der)? = parts["certificate"],
                case .date(let modified)? = parts["modified"], case .array(let usages)? = parts["usages"],
                usages.count <= Self.most, let certificate = Certificate(der: der),
                self.rule(of: certificate) == nil
            else { return nil }
            let read = usages.compactMap { Usage($0) }
            guard read.count == usages.count else { return nil }
            self.rules.append(Rule(certificate, usages: read, modified: modified))
        }
    }

    private static let version: Int64 = 1
    private static let most = 10_000
    package static let largest = 64 << 20
}

extension TrustSettings.Usage {
    fileprivate var list: PropertyList {
        var parts: [String: PropertyList] = ["decision": .number(Int64(decision.rawValue))]
        if let policy { parts["policy"] = .string(policy) }
        if let name { parts["name"] = .string(name) }
        if let keyUsage { parts["keyUsage"] = .number(Int64(keyUsage)) }
        if let allowedError { parts["allowedError"] = .number(Int64(allowedError)) }
        return .dictionary(parts)
    }

    fileprivate init?(_ list: PropertyList) {
        guard case .dictionary(let parts) = list, case .number(let number)? = parts["decision"],
            let raw = UInt32(exactly: number), let decision = TrustSettings.Decision(rawValue: raw)
        else { return nil }
        self.init(decision)
        for (key, value) in parts {
            switch (key, value) {
            case ("decision", _): break
            case ("policy", .string(let text)): policy = text
            case ("name", .string(let text)): name = text
            case ("keyUsage", .number(let number)):
                guard let bits = UInt32(exactly: number) else { return nil }
                keyUsage = bits
            case ("allowedError", .number(let number)):
                guard let status = Int32(exactly: number) else { return nil }
                allowedError = status
            default: return nil
            }
        }
    }
}
