// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import Testing

@Suite struct IndexHashTests {
    // RFC 4231 §4.2 to 4.8; §4.6 is the cut one.
    static let vectors: [(key: PrimitiveBytes, message: PrimitiveBytes, hash: PrimitiveBytes)] = [
        (
            .repeating(0x0B, 20), .ascii("Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            .ascii("Jefe"), .ascii("what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            .repeating(0xAA, 20), .repeating(0xDD, 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819", .repeating(0xCD, 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (.repeating(0x0C, 20), .ascii("Test With Truncation"), "a3b6167473100ee06e0c796c2955552b"),
        (
            .repeating(0xAA, 131), .ascii("Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            .repeating(0xAA, 131),
            .ascii(
                "This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm."),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]
    static let key: PrimitiveBytes = "2bf74281c3a33126146847d539429699754fd08da4c65d3e95fe7615c077c8e5"

    @Test("a message hashes as RFC 4231 says, in one part or many, and again", arguments: vectors.indices)
    func hashes(row: Int) throws {
        let (key, message, expected) = Self.vectors[row]
        let keyed = try key.lend(KeyedHash.init(key:))
        let whole = try keyed.hash([message])
        let parts = try keyed.hash(message.array.map { PrimitiveBytes([$0]) } + [""])
        #expect(Array(whole.array.prefix(expected.count)) == expected.array)
        #expect(parts == whole)
    }

    // Computed with Python's hmac over domain and value.
    @Test(
        "a value's hash is that of its domain and itself, cut to 16 bytes",
        arguments: [
            (7, "github.com", "07d39c59090a2bce1e4e2e36086fe28f"),
            (8, "github.com", "9fa32e52e39bc601f95bee3314c8e7f6"),
            (0x0102_0304_0506_0708, "", "03b70767aa0a66f6c5eab9925eca258e"),
        ] as [(UInt64, String, PrimitiveBytes)])
    func domains(domain: UInt64, value: String, expected: PrimitiveBytes) throws {
        let keyed = try Self.key.lend(KeyedHash.init(key:))
        #expect(try keyed.hash(domain: domain, .ascii(value)) == expected)
        #expect(try keyed.hash(domain: domain, .ascii(value)) == expected)
    }

    @Test("a message that was begun and left does not reach the next")
    func unfinished() throws {
        let (key, message, expected) = Self.vectors[1]
        let keyed = try key.lend(KeyedHash.init(key:))
        try keyed.begin()
        try message.lend(keyed.update)
        #expect(try keyed.hash([message]) == expected)
    }

    @Test("no key, and a key of zeros, are refused")
    func badKeys() {
        #expect(throws: CryptoError.invalidLength) { try PrimitiveBytes("").lend(KeyedHash.init(key:)) }
        #expect(throws: CryptoError.zeroKey) { try PrimitiveBytes.repeating(0, 32).lend(KeyedHash.init(key:)) }
    }

    @Test("an output of another size is refused")
    func outputSize() throws {
        let keyed = try Self.key.lend(KeyedHash.init(key:))
        try keyed.begin()
        #expect(PrimitiveBytes.attempt(31, keyed.finish).error == .invalidLength)
        let (_, error) = PrimitiveBytes.attempt(32) { output throws(CryptoError) in
            try keyed.hash(domain: 1, UnsafeRawBufferPointer(start: nil, count: 0), into: output)
        }
        #expect(error == .invalidLength)
    }

    @Test("an abandoned one works no more")
    func abandoned() throws {
        let keyed = try Self.key.lend(KeyedHash.init(key:))
        keyed.abandon()
        #expect(throws: CryptoError.abandoned) { try keyed.hash([""]) }
    }
}

extension KeyedHash {
    fileprivate func hash(_ parts: [PrimitiveBytes]) throws(CryptoError) -> PrimitiveBytes {
        try begin()
        for part in parts { try part.lend(update) }
        return try .filled(32, finish)
    }

    fileprivate func hash(domain: UInt64, _ value: PrimitiveBytes) throws(CryptoError) -> PrimitiveBytes {
        try .filled(16) { output throws(CryptoError) in
            try value.lend { value throws(CryptoError) in try hash(domain: domain, value, into: output) }
        }
    }
}
