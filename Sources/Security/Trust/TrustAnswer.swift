// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainStatus

/// What an evaluation came to, and when.
struct TrustAnswer: Sendable {
    /// Seconds since 2001.
    let date: Double
    let certificate: Certificate
    let verdict: Result<TrustResult, TrustError>

    /// From the certificate itself to the anchor, or as far as it could be built; never empty.
    var chain: [Certificate] {
        guard case .success(let result) = verdict, !result.chain.isEmpty else { return [certificate] }
        return result.chain
    }

    var type: SecTrustResultType {
        switch verdict {
        case .success(let result) where result.isTrusted: .unspecified
        case .success(let result):
            result.findings.contains { $0.failure.isFatal } ? .fatalTrustFailure : .recoverableTrustFailure
        case .failure: .otherError
        }
    }

    /// Why it is not trusted; nil when it is.
    var error: NSError? {
        switch verdict {
        case .success(let result):
            guard let finding = result.findings.first else { return nil }
            return error(OSStatus(finding.failure), result.explanation)
        case .failure(let failure):
            return error(OSStatus(failure), "The certificate could not be examined (\(failure)).")
        }
    }

    private func error(_ status: OSStatus, _ explanation: String?) -> NSError {
        var information: [String: Any] = [:]
        information[NSLocalizedDescriptionKey] = explanation
        information[NSLocalizedFailureReasonErrorKey] = SecurityStatus(status).sentence
        return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: information)
    }
}
