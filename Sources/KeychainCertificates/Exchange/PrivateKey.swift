// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL
internal import KeychainKeys
package import KeychainModel

/// A private key out of a file, or on its way into one: always PKCS#8, with its public half beside it.
package final class PrivateKey: Sendable {
    package let pkcs8: SecretBytes
    package let publicKey: PublicKeyInfo

    /// The key that is all of `bytes`, not encrypted: PKCS#8, PKCS#1 or SEC 1 in DER.
    ///
    /// Throws `undecodable`, also when its two halves do not belong together.
    package convenience init(der bytes: UnsafeRawBufferPointer) throws(ExchangeError) {
        guard unsafe Self.isDER(bytes), let key = unsafe LibraryPrivateKey.parse(bytes) else { throw .undecodable }
        try self.init(key)
    }

    /// Whether the bytes are one element, written as DER demands: OpenSSL reads more.
    private static func isDER(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= largest else { return false }
        var copy = unsafe Array(bytes)
        let isStrict = DERValue(copy[...])?.isStrict ?? false
        unsafe copy.withUnsafeMutableBytes { copy in
            if let start = copy.baseAddress { unsafe llv_wipe(start, copy.count) }
        }
        return isStrict
    }

    /// The largest RSA key takes a third of it.
    private static let largest = 1 << 14

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
        if publicKey.kind == .rsa, !Self.isSound(key) { throw .undecodable }
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

    /// Whether an RSA key is of two primes, with numbers that belong together.
    ///
    /// One of a size that keys here do not have is sound too: whoever takes it says so in those words.
    private static func isSound(_ key: borrowing LibraryPrivateKey) -> Bool {
        guard let form = key.ownForm() else { return false }
        return unsafe form.withUnsafeBytes { bytes in
            do throws(KeyError) {
                _ = try unsafe CryptoKey(.rsa, .private, representation: bytes)
                return true
            } catch {
                return error == .unsupportedKey
            }
        }
    }

    internal func libraryKey() throws(ExchangeError) -> LibraryPrivateKey {
        guard let key = unsafe pkcs8.withUnsafeBytes({ unsafe LibraryPrivateKey.parse($0) })
        else { throw .undecodable }
        return key
    }
}
