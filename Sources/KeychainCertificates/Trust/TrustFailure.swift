// SPDX-License-Identifier: Apache-2.0

/// Why a certificate is not trusted.
///
/// Each has one OSStatus, in `Security/Status`.
package enum TrustFailure: Hashable, Sendable, CaseIterable {
    case expired
    case notValidYet
    case hostNameMismatch
    case emailAddressMismatch
    /// An issuer is missing.
    case incompleteChain
    /// The chain ends at somebody who is no anchor.
    case notTrusted
    case revoked
    /// `RevocationRule.required`, and nobody said.
    case revocationUnknown
    /// The extended key usage, or what else says for what it may be used, does not fit the policy.
    case wrongPurpose
    /// The key usage does not allow it to sign certificates.
    case wrongKeyUsage
    /// An issuer is no certificate authority.
    case notAuthority
    case pathTooLong
    /// An authority may not name this.
    case nameNotPermitted
    case policyNotPermitted
    case unknownCriticalExtension
    case invalidSignature
    case weakKey
    case weakSignature
    /// It contradicts itself, or OpenSSL cannot read a part of it.
    case malformed
    /// Any other refusal of OpenSSL's.
    case other
}

/// One failure, and whose it is.
package struct TrustFinding: Hashable, Sendable {
    package let failure: TrustFailure
    /// Index into the chain; 0 is the certificate itself.
    package let depth: Int
    /// OpenSSL's number (X509_V_ERR_…), 0 when it was not OpenSSL who found it.
    package let code: Int

    internal init(_ failure: TrustFailure, depth: Int, code: Int = 0) {
        self.failure = failure
        self.depth = depth
        self.code = code
    }
}

/// What an evaluation found.
package struct TrustResult: Sendable {
    /// From the certificate itself to the anchor, or as far as it could be built.
    package let chain: [Certificate]
    /// What is to say against it, the most telling first; nothing when it is trusted.
    package let findings: [TrustFinding]

    package var isTrusted: Bool { findings.isEmpty }
}

/// Why nothing could be evaluated.
package enum TrustError: Error, Equatable, Sendable {
    case outOfMemory
    /// OpenSSL refused. Its error number, for `openssl errstr`; 0 when it gave none.
    case library(UInt)
}
