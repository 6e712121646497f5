// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

extension SealingError {
    /// Whether the key is one that is not here now, so that nobody can say more of what it seals.
    var isOfLockedClass: Bool { if case .classUnavailable = self { true } else { false } }
}
