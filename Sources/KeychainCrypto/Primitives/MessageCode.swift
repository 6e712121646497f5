// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// HMAC (RFC 2104) with the digests that others' formats name.
///
/// For what is computed once; the keychain's own hashes are `KeyedHash`.
package enum MessageCode: String, CaseIterable, Sendable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    package var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The digest alone, without a key.
    package func digest(of bytes: UnsafeRawBufferPointer) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: size) { (output) throws(CryptoError) in
            var written = 0
            guard
                unsafe EVP_Q_digest(
                    FetchedAlgorithm.library, rawValue, nil, bytes.baseAddress, bytes.count, output.baseAddress,
                    &written)
                    == 1, written == output.count
            else { throw .takeFromLibrary() }
        }
    }

    /// The code of a message; throws `invalidLength` for a key without bytes.
    package func code(
        key: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer
    ) throws(CryptoError) -> SecretBytes {
        guard key.count > 0 else { throw .invalidLength }
        return try unsafe SecretBytes(count: size) { (output) throws(CryptoError) in
            var written = 0
            let result = unsafe EVP_Q_mac(
                FetchedAlgorithm.library, "HMAC", nil, rawValue, nil, key.baseAddress, key.count, message.baseAddress,
                message.count, output.baseAddress, output.count, &written)
            guard unsafe result != nil, written == output.count else { throw .takeFromLibrary() }
        }
    }
}
