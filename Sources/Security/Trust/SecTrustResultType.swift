// SPDX-License-Identifier: Apache-2.0

/// What an evaluation came to.
@frozen public enum SecTrustResultType: UInt32, Sendable {
    /// There was none since the trust was made or changed.
    case invalid = 0
    /// Trusted because the user said so; never the result here.
    case proceed = 1
    /// Distrusted because the user said so; never the result here.
    case deny = 3
    /// Trusted.
    case unspecified = 4
    /// Not trusted; a user or other anchors might still accept it.
    case recoverableTrustFailure = 5
    /// Not trusted, and nothing can make it so: revoked, forged or too weak.
    case fatalTrustFailure = 6
    /// It could not be examined.
    case otherError = 7
}
