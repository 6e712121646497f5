// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Whether a certificate says that it is for the use a policy names; the purposes of TLS, mail and time stamps are OpenSSL's.
internal enum PurposeCheck {
    internal static func findings(_ policy: TrustPolicy, _ certificate: Certificate) -> [TrustFinding] {
        guard case .use(let use, let side, _) = policy else { return [] }
        let said = certificate.extensions.extendedKeyUsage
        let isFitting: Bool
        switch use {
        // Any purpose at all is not enough: who certified it has to have meant programs.
        case .codeSigning: isFitting = said?.contains(.codeSigning) ?? false
        case .timeStamping: isFitting = said == [.timeStamping]
        case .extensibleAuthentication: isFitting = isForConnections(said, side, also: extensible)
        case .ipsec: isFitting = isForConnections(said, side, also: ipsec)
        case .kerberos: isFitting = said?.contains(side == .server ? kerberosServer : kerberosClient) ?? false
        }
        guard isFitting else { return [TrustFinding(.wrongPurpose, depth: 0)] }
        let usage = certificate.extensions.keyUsage
        let mustSign = use == .codeSigning || use == .timeStamping
        let signs = usage.map { !$0.isDisjoint(with: [.digitalSignature, .nonRepudiation]) } ?? true
        return mustSign && !signs ? [TrustFinding(.wrongKeyUsage, depth: 0)] : []
    }

    /// Whether it is for that end of connections: it says so, or limits nothing.
    private static func isForConnections(
        _ said: [ObjectIdentifier]?, _ side: TrustPolicy.Side, also others: Set<ObjectIdentifier>
    ) -> Bool {
        guard let said else { return true }
        let usual: ObjectIdentifier = side == .server ? .serverAuthentication : .clientAuthentication
        return said.contains { $0 == usual || $0 == .anyPurpose || others.contains($0) }
    }

    private static let purposes: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03]
    // Over PPP and over a local network (RFC 4334).
    private static let extensible: Set = [
        ObjectIdentifier(content: purposes + [0x0D]), ObjectIdentifier(content: purposes + [0x0E]),
    ]
    // RFC 4945 §5.1.3.12, and what came before it.
    private static let ipsec: Set = [
        ObjectIdentifier(content: purposes + [0x11]),
        ObjectIdentifier(content: [0x2B, 0x06, 0x01, 0x05, 0x05, 0x08, 0x02, 0x02]),
    ]
    // RFC 4556 §3.2.2.
    private static let kerberosClient = ObjectIdentifier(content: [0x2B, 0x06, 0x01, 0x05, 0x02, 0x03, 0x04])
    private static let kerberosServer = ObjectIdentifier(content: [0x2B, 0x06, 0x01, 0x05, 0x02, 0x03, 0x05])
}
