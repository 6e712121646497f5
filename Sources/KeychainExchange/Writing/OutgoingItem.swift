// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys
package import KeychainModel

/// One thing that is to be written into a file.
package enum OutgoingItem {
    case certificate(Certificate)
    case key(any OutgoingKey)

    var certificate: Certificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }
}

/// A key that may leave, or not: whoever keeps it says so when it is asked for its bytes.
package protocol OutgoingKey {
    /// Its kind and its public half.
    var key: CryptoKey { get }

    /// What it is called; nil where it has no name but its certificate's.
    var label: String? { get }

    /// The private key as files have it; `isWrapped` when it leaves under a passphrase.
    func exported(isWrapped: Bool) throws(ExchangeFailure) -> PrivateKey

    /// The bytes of a symmetric key.
    func exportedBytes() throws(ExchangeFailure) -> SecretValue
}
