// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel
public import LlaveroFoundation

/// Fetches what a certificate names as the place of its issuer or of a revocation list; nil when it cannot.
///
/// It is given `http` addresses alone, and its answers are believed nothing: they are examined as what a stranger sent.
public typealias TrustTransport = @Sendable (URL) -> Data?

/// Says whether missing issuers and revocation lists may be fetched, from where the certificates name.
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

/// What is fetched for an evaluation.
enum TrustFetch {
    static let mostRounds = 4

    /// Fetches what a result lacks; false when there is nothing, or nothing new came.
    static func complete(_ trust: inout Trust, for result: TrustResult, by transport: TrustTransport) -> Bool {
        var isChanged = false
        if result.findings.contains(where: { $0.failure == .incompleteChain }), let last = result.chain.last {
            for certificate in certificates(last.issuerAddresses, transport)
            where !trust.intermediates.contains(certificate) && !result.chain.contains(certificate) {
                trust.intermediates.append(certificate)
                isChanged = true
            }
        }
        if result.findings.contains(where: { $0.failure == .revocationUnknown }) {
            for certificate in result.chain {
                for list in fetched(certificate.revocationListAddresses, transport)
                where !trust.revocation.lists.contains(list) {
                    trust.revocation.lists.append(list)
                    isChanged = true
                }
            }
        }
        return isChanged
    }

    private static func certificates(_ addresses: [String], _ transport: TrustTransport) -> [Certificate] {
        fetched(addresses, transport).compactMap { Certificate(der: $0) }
    }

    private static func fetched(_ addresses: [String], _ transport: TrustTransport) -> [[UInt8]] {
        // What is fetched is signed, so it needs no secure connection, which would need trust again.
        addresses.prefix(4).compactMap { URL(string: $0) }.filter { $0.scheme?.lowercased() == "http" }
            .compactMap { transport($0) }.filter { $0.count <= 16 << 20 }.map { [UInt8]($0) }
    }
}
