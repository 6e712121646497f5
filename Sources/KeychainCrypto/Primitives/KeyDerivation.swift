// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

/// Keys made from other secrets.
package enum KeyDerivation {
    /// Derives from a secret that is already hard to guess: HKDF-SHA-256 (RFC 5869), up to 8160 bytes.
    ///
    /// Refuses a secret of no bytes or of zeros: what comes out would no longer look like either.
    package static func hkdf(
        secret: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8], into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try unsafe hkdf(LLV_HKDF_WHOLE, secret, salt, info, into: output)
    }

    /// The first half of HKDF alone, without salt, for protocols that name the halves.
    internal static func hkdfExtract(_ secret: UnsafeRawBufferPointer) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: Digest.sha256Size) { (output) throws(CryptoError) in
            try unsafe hkdf(LLV_HKDF_EXTRACT, secret, [], [], into: output)
        }
    }

    /// The second half alone, of what the first gave.
    internal static func hkdfExpand(
        _ secret: borrowing SecretBytes, info: [UInt8], count: Int
    ) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: count) { (output) throws(CryptoError) in
            try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe hkdf(LLV_HKDF_EXPAND, secret, [], info, into: output)
            }
        }
    }

    private static func hkdf(
        _ mode: some BinaryInteger, _ secret: UnsafeRawBufferPointer, _ salt: [UInt8], _ info: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard secret.count > 0, output.count > 0, output.count <= 255 * Digest.sha256Size else { throw .invalidLength }
        guard unsafe !isZeroInConstantTime(secret) else { throw .zeroKey }
        guard let context = try unsafe EVP_KDF_CTX_new(FetchedAlgorithm.hkdf) else { throw .takeFromLibrary() }
        // Wipes its copy of the secret.
        defer { unsafe EVP_KDF_CTX_free(context) }
        let result = unsafe llv_openssl_hkdf_sha256(
            context, Int32(mode), secret.baseAddress, secret.count, salt, salt.count, info, info.count,
            output.baseAddress,
            output.count)
        guard result == 1 else {
            unsafe wipe(output)
            throw .takeFromLibrary()
        }
    }

    /// Derives from a passcode, dearly: scrypt (RFC 7914) with N = 2 to the `log2N`.
    ///
    /// It takes 128 · N · r bytes of memory and a processor for half a second: who calls it for others has them take turns (`FairQueue`). Throws `invalidParameters` outside `log2N` 10…22, `r` 1…32, `p` 1…16, and
    /// `outOfMemory` where the memory is short: never derives with less. Refuses a passcode of no bytes.
    package static func scrypt(
        passcode: UnsafeRawBufferPointer, salt: [UInt8], log2N: UInt8, r: UInt32, p: UInt32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        // RFC 7914 also wants N below 2 to the 16 r.
        guard (10...22).contains(log2N), (1...32).contains(r), (1...16).contains(p), UInt32(log2N) < 16 * r else {
            throw .invalidParameters
        }
        guard passcode.count > 0, output.count > 0, output.count <= largestKey else { throw .invalidLength }
        let n = UInt64(1) << UInt64(log2N)
        // OpenSSL's own limit is 32 MB. The sum is what it counts: p blocks, N + 2 of scratch; and a little more.
        let memory = 128 * UInt64(r) * (n + 2 + UInt64(p)) + 1 << 20
        let result = unsafe EVP_PBE_scrypt(
            passcode.baseAddress, passcode.count, salt, salt.count, n, UInt64(r), UInt64(p), memory,
            output.baseAddress, output.count)
        guard result == 1 else {
            unsafe wipe(output)
            throw .takeFromLibrary()
        }
    }

    private static let largestKey = 1024
}
