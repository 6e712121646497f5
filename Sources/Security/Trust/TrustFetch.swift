// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

/// Fetches what a certificate names as the place of its issuer or of a revocation list, and asks its OCSP server, whose
/// question is in the address; nil when it cannot.
///
/// It is given `http` addresses alone, once each for an evaluation, to get (GET) what is there, and its answers are believed nothing: they are examined as what a stranger sent.
public typealias TrustTransport = @Sendable (URL) -> Data?

/// Says whether missing issuers may be fetched from where the certificates name, and, where a policy is about revocation, what
/// OCSP servers and lists say.
///
/// The library has no way to the network of its own: true is refused with ``errSecUnimplemented`` unless the program gave a
/// way with ``SecTrust/setTransport(_:)``.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    Call.status("SecTrustSetNetworkFetchAllowed") { () throws(KeychainError) in
        guard !allowFetch || trust.question.transport != nil else {
            throw KeychainError(
                .unimplemented,
                "the network is never used without a transport; give the trust object one, or intermediate certificates, OCSP responses and revocation lists",
                subject: "allowFetch")
        }
        trust.change { $0.allowsFetching = allowFetch }
    }
}

/// Gives whether fetching is allowed; it is not unless the program said so.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    unsafe allowFetch.pointee = DarwinBoolean(trust.question.allowsFetching)
    return errSecSuccess
}

extension SecTrust {
    /// Sets who fetches, once ``SecTrustSetNetworkFetchAllowed(_:_:)`` allows it; ours, because Apple's library has its own
    /// way to the network.
    ///
    /// Nil takes it away, and the permission with it.
    public func setTransport(_ transport: TrustTransport?) {
        change { question in
            question.transport = transport
            if transport == nil { question.allowsFetching = false }
        }
    }
}

/// What is fetched for an evaluation, each address once.
struct TrustFetch {
    /// Whom to ask whether something was revoked.
    enum RevocationSource {
        case responders
        case lists
    }

    static let mostRounds = 6

    private let transport: TrustTransport
    private let sources: [RevocationSource]
    private var asked: Set<String> = []

    /// `sources` in the order in which they are asked.
    init(by transport: @escaping TrustTransport, _ sources: [RevocationSource]) {
        self.transport = transport
        self.sources = sources
    }

    /// Fetches what a result lacks; false when there is nothing, or nothing new came.
    mutating func complete(_ trust: inout Trust, for result: TrustResult) -> Bool {
        // Who is no part of a whole chain may have chosen the addresses; only the way up is looked for.
        if result.findings.contains(where: { $0.failure == .incompleteChain }) {
            return result.chain.last.map { addIssuers(of: $0, to: &trust, result.chain) } ?? false
        }
        let unknown = result.findings.filter { $0.failure == .revocationUnknown }.map(\.depth)
        for source in sources {
            var isChanged = false
            for depth in unknown where result.chain.indices.contains(depth + 1) {
                switch source {
                case .responders:
                    let answers = answers(about: result.chain[depth], issuer: result.chain[depth + 1])
                    isChanged = add(answers, to: &trust.revocation.responses) || isChanged
                case .lists:
                    let lists = fetched(result.chain[depth].revocationListAddresses)
                    isChanged = add(lists, to: &trust.revocation.lists) || isChanged
                }
            }
            if isChanged { return true }
        }
        return false
    }

    private mutating func addIssuers(of last: Certificate, to trust: inout Trust, _ chain: [Certificate]) -> Bool {
        var isChanged = false
        for certificate in fetched(last.issuerAddresses).compactMap({ Certificate(der: $0) })
        where !trust.intermediates.contains(certificate) && !chain.contains(certificate) {
            trust.intermediates.append(certificate)
            isChanged = true
        }
        return isChanged
    }

    private func add(_ data: [[UInt8]], to known: inout [[UInt8]]) -> Bool {
        let new = data.filter { !known.contains($0) }
        known += new
        return !new.isEmpty
    }

    /// What the certificate's OCSP servers say of it.
    private mutating func answers(about certificate: Certificate, issuer: Certificate) -> [[UInt8]] {
        let addresses = certificate.responderAddresses
        guard !addresses.isEmpty else { return [] }
        // OpenSSL has locks of its own, which a fork must not find taken.
        guard let request = ForkGate.operation({ certificate.statusRequest(issuer: issuer) }) else { return [] }
        // In the address (RFC 6960, appendix A.1), because a transport has no other way to say something.
        let text = Data(request).base64EncodedString()
            .replacingOccurrences(of: "+", with: "%2B").replacingOccurrences(of: "/", with: "%2F")
            .replacingOccurrences(of: "=", with: "%3D")
        return fetched(addresses.map { $0.hasSuffix("/") ? $0 + text : $0 + "/" + text })
    }

    private mutating func fetched(_ addresses: [String]) -> [[UInt8]] {
        // What is fetched is signed, so it needs no secure connection, which would need trust again.
        addresses.prefix(4).filter { asked.insert($0).inserted }.compactMap { URL(string: $0) }
            .filter { $0.scheme?.lowercased() == "http" }.compactMap { transport($0) }
            .filter { $0.count <= 16 << 20 }.map { [UInt8]($0) }
    }
}
