// SPDX-License-Identifier: Apache-2.0

/// What became of looking for a signature in a peer's program.
enum SignatureVerdict: Sendable, Equatable {
    case holds(GrantedEntitlements, signer: String)
    /// It has none, or one of somebody who is not believed here, which is no more than none.
    case absent
    /// It claims to have one that would count, and something is wrong.
    case fails(signer: String, String)
}
