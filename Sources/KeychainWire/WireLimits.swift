// SPDX-License-Identifier: Apache-2.0

/// How much one message may hold.
///
/// Far more than any program asks for; what is above is refused on both sides.
package enum WireLimits {
    /// Bytes of a message: head and secrets.
    package static let message = 64 << 20
    /// Results of one request.
    package static let results = 1_000_000
    /// Items that one request names.
    static let designations = 1_000_000
    /// Items that one request adds.
    static let entries = 100_000
    /// Conditions of one query: each is looked at for every row.
    static let filters = 1000
    /// Names of issuers in one condition.
    static let issuers = 100_000
    /// Bytes of a text that is looked for: the search costs its length for every character it looks in.
    static let pattern = 65_536
    /// Bytes of the name of an algorithm; the longest there is has 68.
    static let algorithm = 200
    /// Bytes of a public key: RSA of 16 384 bits has 2 062.
    static let publicKey = 16_384
    /// Bytes of what an enclave calls its key; a TPM's has less than 500.
    static let enclaveBlob = 65_536
    /// Bytes of a passcode or a password that a context keeps for as long as its program stays.
    package static let credential = 4096
    /// Bytes of what is derived from, beside the secret.
    static let sharedInfo = 1 << 20
    /// Bytes that are derived at once.
    static let derived = 1 << 20
    /// The bits of the largest key anybody makes.
    static let keyBits = 16_384
    /// Bytes of an error's words, and of what they are about.
    static let errorText = 65_536
}
