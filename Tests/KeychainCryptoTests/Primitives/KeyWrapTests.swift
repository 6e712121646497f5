// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import Testing

@Suite struct KeyWrapTests {
    // The first is RFC 3394 §4.6; the others come from libgcrypt 1.10, which knows nothing of OpenSSL.
    static let vectors: [(key: PrimitiveBytes, plain: PrimitiveBytes, wrapped: PrimitiveBytes)] = [
        (
            "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
            "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
            "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"
        ),
        (key, "943522b89f1184b1f187e793d1b0fbba", "077047217b536aabbe21723a0c3526793bb90cfb3a219c79"),
        (
            key, "2ea93a27c502e6e99390c99205cf65363a15af47eb0fd6ee",
            "9474d344163d3b956c68bb7f76f924b275b72d9e712efbdd7137ef8743ebb06e"
        ),
        (
            key,
            """
            31220472cf8a2e2cc80301c3cfb46968bf8d8027ffa999003a319b849bc580ea
            297f47c30e692dbee9ed4751d7e8813697c6fe753b3271c8083971fd2f617c8d
            """,
            """
            48966dad0b015c069e78eb252fe7b566f02d8405af3b71649d3e4e952a644b2a
            4b9012b68aad47b1d47ce620bfaaceb014ee0938abfa24efdacb2c4974e0609e5e87c97a4aa2d47a
            """
        ),
    ]
    static let key: PrimitiveBytes = "2bf74281c3a33126146847d539429699754fd08da4c65d3e95fe7615c077c8e5"

    @Test("a key is wrapped as RFC 3394 and another implementation wrap it", arguments: vectors.indices)
    func wraps(row: Int) throws {
        let (key, plain, wrapped) = Self.vectors[row]
        let wrap = try key.lend(KeyWrap.init(key:))
        #expect(try wrapped == wrap.wrapped(plain))
    }

    @Test("what was wrapped is unwrapped, again and again, in turns with wrapping", arguments: vectors.indices)
    func unwraps(row: Int) throws {
        let (key, plain, wrapped) = Self.vectors[row]
        let wrap = try key.lend(KeyWrap.init(key:))
        for _ in 0..<3 {
            let results = try (wrap.unwrapped(wrapped).bytes, wrap.wrapped(plain))
            #expect(results == (plain, wrapped))
        }
    }

    @Test("one changed bit anywhere is noticed, nothing is left in the output, and the next unwrap succeeds")
    func tampering() throws {
        let (key, plain, wrapped) = Self.vectors[0]
        let wrap = try key.lend(KeyWrap.init(key:))
        let accepted = wrapped.withOneByteChanged.filter { changed in
            let (bytes, error) = wrap.unwrapped(changed)
            return error != .authenticationFailed || bytes != .repeating(0, 32)
        }
        #expect(accepted.isEmpty)
        #expect(wrap.unwrapped(wrapped).bytes == plain)
    }

    @Test("another key does not unwrap")
    func otherKey() throws {
        let other = try Self.key.lend(KeyWrap.init(key:))
        let (bytes, error) = other.unwrapped(Self.vectors[0].wrapped)
        #expect(error == .authenticationFailed)
        #expect(bytes == .repeating(0, 32))
    }

    @Test("neither is a key of zeros a wrapping key, nor are zeros wrapped")
    func zeros() throws {
        #expect(throws: CryptoError.zeroKey) { try PrimitiveBytes.repeating(0, 32).lend(KeyWrap.init(key:)) }
        let wrap = try Self.key.lend(KeyWrap.init(key:))
        #expect(throws: CryptoError.zeroKey) { try wrap.wrapped(.repeating(0, 32)) }
    }

    @Test("a wrapping key has 32 bytes", arguments: [0, 16, 31, 33])
    func keySize(count: Int) {
        #expect(throws: CryptoError.invalidLength) { try PrimitiveBytes.repeating(1, count).lend(KeyWrap.init(key:)) }
    }

    @Test("a wrapped key has 16 bytes or more, in steps of 8", arguments: [0, 8, 15, 17, 31, 33, 1 << 20])
    func plainSize(count: Int) throws {
        let wrap = try Self.key.lend(KeyWrap.init(key:))
        #expect(throws: CryptoError.invalidLength) { try wrap.wrapped(.repeating(1, count)) }
        #expect(wrap.unwrapped(.repeating(1, count + 8)).error == .invalidLength)
    }

    @Test("an output of the wrong size is refused before anything is written")
    func outputSize() throws {
        let wrap = try Self.key.lend(KeyWrap.init(key:))
        let (bytes, error) = PrimitiveBytes.attempt(39) { output throws(CryptoError) in
            try PrimitiveBytes.repeating(1, 32).lend { plain throws(CryptoError) in try wrap.wrap(plain, into: output) }
        }
        #expect(error == .invalidLength)
        #expect(bytes == .repeating(0xEE, 39))
    }

    @Test("an abandoned one works no more")
    func abandoned() throws {
        let wrap = try Self.key.lend(KeyWrap.init(key:))
        _ = try wrap.wrapped(.repeating(1, 32))
        wrap.abandon()
        #expect(throws: CryptoError.abandoned) { try wrap.wrapped(.repeating(1, 32)) }
        #expect(wrap.unwrapped(.repeating(1, 40)).error == .abandoned)
    }
}

extension KeyWrap {
    fileprivate func wrapped(_ plain: PrimitiveBytes) throws(CryptoError) -> PrimitiveBytes {
        try .filled(plain.count + 8) { output throws(CryptoError) in
            try plain.lend { plain throws(CryptoError) in try wrap(plain, into: output) }
        }
    }

    fileprivate func unwrapped(_ wrapped: PrimitiveBytes) -> (bytes: PrimitiveBytes, error: CryptoError?) {
        PrimitiveBytes.attempt(max(0, wrapped.count - 8)) { output throws(CryptoError) in
            try wrapped.lend { wrapped throws(CryptoError) in try unwrap(wrapped, into: output) }
        }
    }
}
