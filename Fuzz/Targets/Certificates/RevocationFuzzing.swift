// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel

/// What a caller says about revocation, given with a certificate that is good otherwise.
///
/// The fixtures hold the signed parts of the only good news there is: what makes the certificate trusted must contain
/// one, or somebody forged a signature.
internal enum RevocationFuzzing {
    /// A response of an OCSP server.
    static func feedResponse(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        try feed(bytes, RevocationData(rule: .required, responses: [bytes]), news: goodResponses)
    }

    /// A revocation list.
    static func feedList(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        try feed(bytes, RevocationData(rule: .required, lists: [bytes]), news: goodLists)
    }

    private static func feed(
        _ bytes: [UInt8], _ data: RevocationData, news: [[UInt8]]
    ) throws(BrokenPromise) -> FuzzOutcome {
        guard let leaf, let root, !news.isEmpty else { throw BrokenPromise("the fixtures are there") }
        let strict = try result(of: leaf, root, data)
        var lenient = data
        lenient.rule = .ifKnown
        let known = try result(of: leaf, root, lenient)
        try promise(!strict.isTrusted || known.isTrusted, "who asks for less is not told more")
        let failures = Set(strict.findings.map(\.failure))
        try promise(
            failures.isSubset(of: [.revoked, .revocationUnknown]), "news of revocation changes nothing else")
        try promise(
            known.isTrusted == !failures.contains(.revoked), "only what is known to be revoked fails when asked so")
        if strict.isTrusted {
            try promise(news.contains { Self.isPart($0, of: bytes) }, "only its issuer says that a certificate is good")
        }
        return failures == [.revocationUnknown] ? .refused : .accepted
    }

    private static func result(
        of leaf: Certificate, _ root: Certificate, _ data: RevocationData
    ) throws(BrokenPromise) -> TrustResult {
        let trust = Trust(leaf, policies: [.basic], anchors: .only([root]), revocation: data)
        guard let result = try? trust.evaluate(at: leaf.notBefore + 3600) else {
            throw BrokenPromise("a certificate can be evaluated whatever is said about it")
        }
        return result
    }

    private static func isPart(_ part: [UInt8], of bytes: [UInt8]) -> Bool {
        guard part.count <= bytes.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }

    private static let leaf = Certificate(der: Fixtures.bytes("leaf.der"))
    private static let root = Certificate(der: Fixtures.bytes("root.der"))
    private static let goodResponses = ["good-response.signed", "charged-response.signed"].map(Fixtures.bytes)
        .filter { !$0.isEmpty }
    private static let goodLists = ["empty-list.signed", "other-list.signed"].map(Fixtures.bytes)
        .filter { !$0.isEmpty }
}
