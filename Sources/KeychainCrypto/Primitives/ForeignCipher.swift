// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// What other password managers seal their files with.
///
/// For reading what is there already; nothing of ours is sealed so.
package enum ForeignCipher {
    /// Decrypts AES-256-CBC with the padding of PKCS#7; throws `authenticationFailed` when the end is no padding.
    package static func openCBC(
        _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, vector: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard sealed.count > 0, sealed.count % 16 == 0, vector.count == 16 else { throw .invalidLength }
        var count = 0
        let padded = try unsafe SecretBytes(count: sealed.count) { (output) throws(CryptoError) in
            count = try unsafe run("AES-256-CBC", sealed, key, vector, into: output, forEncryption: 0)
        }
        return unsafe padded.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    /// The stream of ChaCha20 (RFC 8439) from its beginning on, over these bytes; twice gives them again.
    package static func chaCha20(
        _ bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard nonce.count == 12 else { throw .invalidLength }
        return try unsafe SecretBytes(count: bytes.count) { (output) throws(CryptoError) in
            guard bytes.count > 0 else { return }
            let vector = [UInt8](repeating: 0, count: 4) + nonce
            let count = try unsafe run("ChaCha20", bytes, key, vector, into: output, forEncryption: 1)
            guard count == output.count else { throw .library(0) }
        }
    }

    /// PBKDF2 with HMAC-SHA-256, 32 bytes.
    package static func pbkdf2(
        _ password: UnsafeRawBufferPointer, salt: [UInt8], rounds: UInt32
    ) throws(CryptoError) -> SecretBytes {
        guard (1...mostRounds).contains(rounds) else { throw .invalidParameters }
        guard let function = unsafe EVP_KDF_fetch(FetchedAlgorithm.library, "PBKDF2", nil) else {
            throw .takeFromLibrary()
        }
        defer { unsafe EVP_KDF_free(function) }
        return try unsafe SecretBytes(count: 32) { (output) throws(CryptoError) in
            let result = unsafe llv_keys_pbkdf2(
                function, "SHA256", password.baseAddress, password.count, salt, salt.count, rounds,
                output.baseAddress, output.count)
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }

    /// HKDF's second half with SHA-256, 32 bytes.
    package static func expand(_ key: borrowing SecretBytes, info: String) throws(CryptoError) -> SecretBytes {
        try KeyDerivation.hkdfExpand(key, info: Array(info.utf8), count: 32)
    }

    /// KeePass' own derivation: both halves of the key encrypted by AES-256 so many times, and the digest of what comes out.
    ///
    /// A chain over blocks of zeros encrypts the last block again each time, so OpenSSL runs through thousands at once.
    package static func keePass(
        _ key: borrowing SecretBytes, seed: [UInt8], rounds: UInt64
    ) throws(CryptoError) -> SecretBytes {
        guard key.count == 32, seed.count == 32 else { throw .invalidLength }
        guard rounds <= mostKeePassRounds else { throw .invalidParameters }
        let zeros = [UInt8](repeating: 0, count: 1 << 14)
        let transformed = try unsafe SecretBytes(count: 32) { (output) throws(CryptoError) in
            unsafe key.withUnsafeBytes { unsafe output.copyMemory(from: $0) }
            for half in [0, 16] {
                let block = unsafe UnsafeMutableRawBufferPointer(rebasing: output[half..<half + 16])
                var left = rounds
                let room = UnsafeMutableRawBufferPointer.allocate(byteCount: zeros.count, alignment: 16)
                defer {
                    unsafe wipe(room)
                    unsafe room.deallocate()
                }
                while left > 0 {
                    let count = Int(min(left, UInt64(zeros.count / 16))) * 16
                    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count])
                    try unsafe zeros.lendingBytes { (zeros) throws(CryptoError) in
                        try unsafe seed.lendingBytes { (seed) throws(CryptoError) in
                            try unsafe chain(
                                UnsafeRawBufferPointer(rebasing: zeros[..<count]), seed, UnsafeRawBufferPointer(block),
                                into: part)
                        }
                    }
                    unsafe block.copyMemory(from: UnsafeRawBufferPointer(rebasing: part[(count - 16)...]))
                    left -= UInt64(count / 16)
                }
            }
        }
        return try unsafe SecretBytes(count: Digest.sha256Size) { (output) throws(CryptoError) in
            try unsafe transformed.withUnsafeBytes { (bytes) throws(CryptoError) in
                try unsafe Digest.sha256(bytes, into: output)
            }
        }
    }

    /// What Argon2 takes besides the password.
    package struct Argon2: Sendable {
        /// Whether it is Argon2id; else Argon2d.
        package let isID: Bool
        package let salt: [UInt8]
        package let passes: UInt32
        /// In KiB.
        package let memory: UInt32
        package let lanes: UInt32

        package init(isID: Bool, salt: [UInt8], passes: UInt32, memory: UInt32, lanes: UInt32) {
            (self.isID, self.salt, self.passes, self.memory, self.lanes) = (isID, salt, passes, memory, lanes)
        }
    }

    /// Whether this OpenSSL has Argon2, as 3.2 and later do.
    package static var hasArgon2: Bool {
        guard let function = unsafe EVP_KDF_fetch(FetchedAlgorithm.library, "ARGON2ID", nil) else {
            ERR_clear_error()
            return false
        }
        unsafe EVP_KDF_free(function)
        return true
    }

    /// Argon2 (RFC 9106), 32 bytes.
    package static func argon2(
        _ password: UnsafeRawBufferPointer, _ terms: Argon2
    ) throws(CryptoError) -> SecretBytes {
        guard (8...1024).contains(terms.salt.count), (1...1000).contains(terms.passes),
            (1...255).contains(terms.lanes), (8 * terms.lanes...mostMemory).contains(terms.memory)
        else { throw .invalidParameters }
        let name = terms.isID ? "ARGON2ID" : "ARGON2D"
        guard let function = unsafe EVP_KDF_fetch(FetchedAlgorithm.library, name, nil) else {
            throw .takeFromLibrary()
        }
        defer { unsafe EVP_KDF_free(function) }
        return try unsafe SecretBytes(count: 32) { (output) throws(CryptoError) in
            let result = unsafe llv_keys_argon2(
                function, password.baseAddress, password.count, terms.salt, terms.salt.count, terms.passes,
                terms.memory,
                terms.lanes, output.baseAddress, output.count)
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }

    /// One run of AES-256-CBC without padding.
    private static func chain(
        _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ vector: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let count = try unsafe OneRun.run(
            cbcOrNil, over: input, key, vector, forEncryption: 1, isPadded: false, into: output)
        guard count == output.count else { throw .library(0) }
    }

    /// Returns how many bytes were written.
    private static func run(
        _ name: String, _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ vector: [UInt8],
        into output: UnsafeMutableRawBufferPointer, forEncryption: Int32
    ) throws(CryptoError) -> Int {
        guard key.count == 32, input.count <= largest else { throw .invalidLength }
        guard let cipher = unsafe EVP_CIPHER_fetch(FetchedAlgorithm.library, name, nil) else {
            throw .takeFromLibrary()
        }
        defer { unsafe EVP_CIPHER_free(cipher) }
        return try unsafe vector.lendingBytes { (vector) throws(CryptoError) in
            try unsafe OneRun.run(cipher, over: input, key, vector, forEncryption: forEncryption, into: output)
        }
    }

    nonisolated(unsafe) private static let cbcOrNil = unsafe EVP_CIPHER_fetch(
        FetchedAlgorithm.library, "AES-256-CBC", nil)

    /// Ten times what programs use today.
    private static let mostRounds: UInt32 = 10_000_000
    /// A minute of a fast processor.
    private static let mostKeePassRounds: UInt64 = 2_000_000_000
    /// 4 GiB.
    private static let mostMemory: UInt32 = 4 << 20
    private static let largest = 256 << 20
}
