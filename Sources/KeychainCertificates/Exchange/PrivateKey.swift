// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// A private key out of a file, or on its way into one: always PKCS#8, with its public half beside it.
package final class PrivateKey: Sendable {
    package let pkcs8: SecretBytes
    package let publicKey: PublicKeyInfo

    /// The key that is all of `bytes`, not encrypted: PKCS#8, PKCS#1 or SEC 1 in DER.
    ///
    /// Throws `undecodable`, also when its two halves do not belong together.
    package convenience init(der bytes: UnsafeRawBufferPointer) throws(ExchangeError) {
        guard let key = unsafe LibraryPrivateKey.parse(bytes) else { throw .undecodable }
        try self.init(key)
    }

    /// The key that is all of `bytes`: PKCS#8 encrypted under `password`.
    package convenience init(
        encrypted bytes: [UInt8], password: borrowing SecretBytes
    ) throws(ExchangeError) {
        try self.init(try EncryptedKey.decrypt(bytes, password))
    }

    internal init(_ key: borrowing LibraryPrivateKey) throws(ExchangeError) {
        guard let pkcs8 = key.pkcs8(), let info = key.publicKey(),
            let publicKey = DERValue(info[...]).flatMap({ PublicKeyInfo($0, uncompressed: { nil }) })
        else { throw .undecodable }
        self.pkcs8 = pkcs8
        self.publicKey = publicKey
    }

    /// The form of its own that its kind has: PKCS#1 of an RSA key, SEC 1 of one on a curve.
    ///
    /// Throws `unsupportedAlgorithm` for others.
    package func ownForm() throws(ExchangeError) -> SecretBytes {
        guard let form = try libraryKey().ownForm() else { throw .unsupportedAlgorithm }
        return form
    }

    /// PKCS#8 encrypted under `password`: AES-256 under a key from PBKDF2 with HMAC-SHA256.
    package func encrypted(_ password: borrowing SecretBytes) throws(ExchangeError) -> [UInt8] {
        try EncryptedKey.encrypt(self, password)
    }

    internal func libraryKey() throws(ExchangeError) -> LibraryPrivateKey {
        guard let key = unsafe pkcs8.withUnsafeBytes({ unsafe LibraryPrivateKey.parse($0) })
        else { throw .undecodable }
        return key
    }
}
