// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainModel

/// What a `SecTrust` was given so far.
struct TrustQuestion: Sendable {
    let certificate: Certificate
    var intermediates: [Certificate]
    var policies: [SecPolicy]
    /// nil until anchors are set.
    var anchors: [Certificate]?
    /// Whether the system's anchors are left out.
    var usesOwnAnchorsOnly = false
    /// Seconds since 2001; nil for now.
    var date: Double?
    var lists: [[UInt8]] = []
    var responses: [[UInt8]] = []

    /// Examines it; slow, and with no lock held.
    func evaluate() -> TrustAnswer {
        let date = date ?? Date().timeIntervalSinceReferenceDate
        // One operation, for OpenSSL has locks of its own, which a fork must not find taken.
        let verdict = try? KeychainConnection.operation { examine(at: date) }
        return TrustAnswer(date: date, certificate: certificate, verdict: verdict ?? .failure(.library(0)))
    }

    private func examine(at date: Double) -> Result<TrustResult, TrustError> {
        do throws(TrustError) { return .success(try trust.evaluate(at: date)) } catch { return .failure(error) }
    }

    private var trust: Trust {
        var purposes: [TrustPolicy] = []
        var rule = RevocationRule.ifKnown
        for policy in policies {
            switch policy.rule {
            case .purpose(let purpose): purposes.append(purpose)
            case .revocation(let flags):
                if flags & kSecRevocationRequirePositiveResponse != 0 { rule = .required }
            }
        }
        return Trust(
            certificate, intermediates: intermediates, policies: purposes, anchors: chosenAnchors,
            revocation: RevocationData(rule: rule, lists: lists, responses: responses))
    }

    private var chosenAnchors: TrustAnchors {
        if usesOwnAnchorsOnly { return .only(anchors ?? []) }
        return anchors.map { .systemAnd($0) } ?? .system
    }
}
