// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import Testing

@Suite struct DigestTests {
    // FIPS 180-4's examples, and the digests of nothing.
    static let vectors: [(message: PrimitiveBytes, sha1: PrimitiveBytes, sha256: PrimitiveBytes)] = [
        (
            "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            .ascii("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            .ascii("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            .repeating(0x61, 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test("a message's digests are those of FIPS 180-4, as an array and in place", arguments: vectors.indices)
    func digests(row: Int) throws {
        let (message, sha1, sha256) = Self.vectors[row]
        let arrays = try (
            message.lend { bytes throws(CryptoError) in try Digest.sha1(bytes) },
            message.lend { bytes throws(CryptoError) in try Digest.sha256(bytes) }
        )
        #expect(arrays == (sha1.array, sha256.array))
        let inPlace = try (
            PrimitiveBytes.filled(20) { output throws(CryptoError) in
                try message.lend { bytes throws(CryptoError) in try Digest.sha1(bytes, into: output) }
            },
            PrimitiveBytes.filled(32) { output throws(CryptoError) in
                try message.lend { bytes throws(CryptoError) in try Digest.sha256(bytes, into: output) }
            }
        )
        #expect(inPlace == (sha1, sha256))
    }

    @Test("a digest is not cut to fit", arguments: [0, 19, 21, 31, 33])
    func outputSize(count: Int) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let errors = (
            PrimitiveBytes.attempt(count) { output throws(CryptoError) in try Digest.sha1(nothing, into: output) }
                .error,
            PrimitiveBytes.attempt(count) { output throws(CryptoError) in try Digest.sha256(nothing, into: output) }
                .error
        )
        #expect(errors == (.invalidLength, .invalidLength))
    }
}
