// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// What KWallet seals its files with: Blowfish under a stretched password, and a digest of the text behind it.
///
/// For reading what is there already; nothing of ours is sealed so.
package enum WalletCipher {
    /// How the blocks are put together.
    package enum Chaining: Sendable {
        /// Each by itself, as before 2014.
        case none
        case cbc
    }

    /// Which digest a wallet has: that of KWallet's code on processors with the low byte of a number first, or SHA-1.
    package enum Hash: CaseIterable, Sendable {
        case reversed
        case standard
    }

    /// Whether OpenSSL's legacy provider, which has Blowfish, is installed.
    package static var isAvailable: Bool { unsafe chainedOrNil != nil && blocksOrNil != nil }

    /// The key of a wallet that has a salt: PBKDF2 with HMAC-SHA-512, in 50 000 rounds.
    package static func key(
        password: borrowing SecretBytes, salt: UnsafeRawBufferPointer
    ) throws(CryptoError) -> SecretBytes {
        guard salt.count == saltSize else { throw .invalidLength }
        guard let function = unsafe pbkdf2OrNil else { throw .takeFromLibrary() }
        return try unsafe SecretBytes(count: longestKey) { (output) throws(CryptoError) in
            let result = unsafe password.withUnsafeBytes { password in
                unsafe llv_keys_pbkdf2(
                    function, "SHA512", password.baseAddress, password.count, salt.baseAddress, salt.count, rounds,
                    output.baseAddress, output.count)
            }
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }

    /// The key of an older wallet: each sixteen bytes of the password hashed 2000 times, and cut where there are several.
    package static func key(
        oldPassword password: borrowing SecretBytes, _ hash: Hash
    ) throws(CryptoError) -> SecretBytes {
        // The fourth part is all of the rest.
        let starts = Array(stride(from: 0, to: min(max(password.count, 1), 64), by: 16))
        let parts = [[20], [20, 20], [20, 20, 16], [14, 14, 14, 14]][starts.count - 1]
        return try unsafe SecretBytes(count: parts.reduce(0, +)) { (output) throws(CryptoError) in
            let digest = try unsafe SecretBytes(count: digestSize * starts.count) { (output) throws(CryptoError) in
                try unsafe password.withUnsafeBytes { (password) throws(CryptoError) in
                    for (number, start) in starts.enumerated() {
                        let end = number == 3 ? password.count : min(start + 16, password.count)
                        let room = unsafe UnsafeMutableRawBufferPointer(
                            rebasing: output[number * digestSize..<(number + 1) * digestSize])
                        try unsafe self.digest(
                            UnsafeRawBufferPointer(rebasing: password[start..<end]), hash, into: room)
                        for _ in 1..<oldRounds {
                            try unsafe self.digest(UnsafeRawBufferPointer(room), hash, into: room)
                        }
                    }
                }
            }
            unsafe digest.withUnsafeBytes { digest in
                var place = 0
                for (number, count) in parts.enumerated() {
                    let start = number * digestSize
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[place..<place + count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: digest[start..<start + count]))
                    place += count
                }
            }
        }
    }

    /// The text in `sealed`, without the random bytes before and behind it, and its digest.
    ///
    /// Throws `authenticationFailed` when the key is another or the bytes were changed: one cannot tell which.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, key: borrowing SecretBytes, _ chaining: Chaining
    ) throws(CryptoError) -> SecretBytes {
        guard sealed.count >= smallest, sealed.count % blockSize == 0, sealed.count <= largest else {
            throw .invalidLength
        }
        let whole = try unsafe SecretBytes(count: sealed.count) { (output) throws(CryptoError) in
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe decrypt(sealed, key, chaining, into: output)
            }
        }
        return try unsafe whole.withUnsafeBytes { (whole) throws(CryptoError) in
            let start = blockSize + 4
            let count = unsafe whole[blockSize..<start].reduce(0) { $0 << 8 | Int($1) }
            let digestStart = whole.count - digestSize
            // Random bytes fill the last block.
            guard count <= digestStart - start else { throw .authenticationFailed }
            let text = unsafe UnsafeRawBufferPointer(rebasing: whole[start..<start + count])
            let kept = unsafe UnsafeRawBufferPointer(rebasing: whole[digestStart...])
            for hash in Hash.allCases {
                let right = try unsafe SecretBytes(count: digestSize) { (output) throws(CryptoError) in
                    try unsafe digest(text, hash, into: output)
                }
                let isRight = unsafe right.withUnsafeBytes { unsafe isEqualInConstantTime(kept, $0) }
                if isRight { return unsafe SecretBytes(copying: text) }
            }
            throw .authenticationFailed
        }
    }

    private static func decrypt(
        _ sealed: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ chaining: Chaining,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let algorithm = unsafe chaining == .cbc ? chainedOrNil : blocksOrNil
        guard let cipher = unsafe algorithm, let context = unsafe EVP_CIPHER_CTX_new() else {
            throw .takeFromLibrary()
        }
        let inChild = unsafe WipedInChild(cipher: context)
        defer {
            inChild.end()
            unsafe EVP_CIPHER_CTX_free(context)
        }
        let vector = [UInt8](repeating: 0, count: blockSize)
        var written: Int32 = 0
        // The length is set between choosing the cipher and giving the key.
        guard unsafe EVP_CipherInit_ex2(context, cipher, nil, nil, 0, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_key_length(context, Int32(key.count)) == 1,
            unsafe EVP_CipherInit_ex2(context, nil, key.baseAddress, chaining == .cbc ? vector : nil, 0, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            unsafe EVP_CipherUpdate(context, output.baseAddress, &written, sealed.baseAddress, Int32(sealed.count))
                == 1,
            Int(written) == sealed.count
        else { throw .takeFromLibrary() }
    }

    private static func digest(
        _ bytes: UnsafeRawBufferPointer, _ hash: Hash, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        switch hash {
        case .standard: try unsafe Digest.sha1(bytes, into: output)
        case .reversed: unsafe llv_wallet_sha1(bytes.baseAddress, bytes.count, output.baseAddress)
        }
    }

    // Not among the algorithms that every process needs: most processes never read such a file.
    nonisolated(unsafe) private static let chainedOrNil = unsafe cipher("BF-CBC")
    nonisolated(unsafe) private static let blocksOrNil = unsafe cipher("BF-ECB")
    nonisolated(unsafe) private static let pbkdf2OrNil = unsafe EVP_KDF_fetch(
        FetchedAlgorithm.library, "PBKDF2", nil)

    private static func cipher(_ name: String) -> OpaquePointer? {
        // Without a context of its own it would be looked for among those of the process.
        guard let library = unsafe LegacyLibrary.context else { return nil }
        defer { ERR_clear_error() }
        return unsafe EVP_CIPHER_fetch(library, name, nil)
    }

    package static let saltSize = 56
    package static let blockSize = 8
    private static let longestKey = 56
    private static let rounds: UInt32 = 50_000
    private static let oldRounds = 2000
    private static let digestSize = Digest.sha1Size
    /// A block of random bytes, the length, an empty text, the digest.
    private static let smallest = 32
    private static let largest = 64 << 20
}
