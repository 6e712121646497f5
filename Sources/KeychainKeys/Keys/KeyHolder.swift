// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Who keeps the private half of an EC key and does the two things only it can do: an enclave, or an engine.
///
/// Everything around them, digests, encodings, derivations and AES, is done as for any other key.
/// Calls may come from any thread. Throws `KeyError.holder` with a number of its own.
package protocol KeyHolder: Sendable {
    /// An ECDSA signature (DER, X9.62) of a digest of any size, of which the leftmost bits count.
    func signature(ofDigest digest: [UInt8]) throws(KeyError) -> [UInt8]

    /// The x coordinate of the point shared with another's public key (04, x, y), which is on the curve.
    func sharedSecret(with publicKey: [UInt8]) throws(KeyError) -> SecretBytes
}
