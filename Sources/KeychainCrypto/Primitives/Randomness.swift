// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Fills `buffer` from OpenSSL's generator for private values.
///
/// It is wiped when it could not be filled. The price is that of the call, whatever the size: draw all an operation
/// needs at once. OpenSSL seeds the generator anew in a forked child.
package func fillRandom(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard let start = buffer.baseAddress, buffer.count > 0 else { return }
    guard unsafe RAND_priv_bytes_ex(FetchedAlgorithm.library, start, buffer.count, 0) == 1 else {
        unsafe OPENSSL_cleanse(start, buffer.count)
        ERR_clear_error()
        throw .randomnessUnavailable
    }
}
