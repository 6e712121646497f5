// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import Testing

@Suite struct GCMTests {
    struct Vector: Sendable {
        let key: PrimitiveBytes
        let additional: PrimitiveBytes
        let plain: PrimitiveBytes
        let sealed: PrimitiveBytes
    }

    // McGrew and Viega's cases 13 and 14: the only published ones with the zero nonce, and their key is zero too, so
    // they can only be opened.
    static let published = [
        Vector(key: .repeating(0, 32), additional: "", plain: "", sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: .repeating(0, 32), additional: "", plain: .repeating(0, 16),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    ]
    // The key, text and additional data of cases 15 and 16 under the zero nonce, and edges of their sizes. Sealed by
    // libgcrypt 1.10 and by nettle 3.8, which agree and know nothing of OpenSSL.
    static let computed = [
        Vector(key: key, additional: "", plain: "", sealed: "e99063228cc5bf26df628a3a521434f5"),
        Vector(key: key, additional: "", plain: "2a", sealed: "e518a46a98f55419ba27976ae2c2d2793e"),
        Vector(key: key, additional: additional, plain: "", sealed: "8bd729422a8621ed6703236e62132731"),
        Vector(
            key: key, additional: additional, plain: text,
            sealed: """
                1621cffa036c3ed2b47070f596a96d1cb0f247c91d3c0f93a2d94b1435866d48
                8646a66583ce87dc2fd4ba0853e8e9bd868ab054aa19d4b924f85b9495e21fb00bf515f4ced1252b7bb26999
                """),
        Vector(
            key: key, additional: "", plain: PrimitiveBytes(text.array + text.array[..<4]),
            sealed: """
                1621cffa036c3ed2b47070f596a96d1cb0f247c91d3c0f93a2d94b1435866d48
                8646a66583ce87dc2fd4ba0853e8e9bd868ab054aa19d4b924f85b94c88321333c2a946cbcba7c7df5d9cd5e8f71b972
                """),
        Vector(
            key: "2bf74281c3a33126146847d539429699754fd08da4c65d3e95fe7615c077c8e5",
            additional: "d0128e296de3da59e3848674f0699d139fa9eafa654b8bdac7c388e10aca33ba7879",
            plain: PrimitiveBytes([[UInt8]](repeating: block, count: 3).flatMap(\.self) + Array("12345678".utf8)),
            sealed: """
                f3e54a4c0cb0db47a7f9c778f36951f3f85111746a3fc19641cf32344a03a463
                a0f971650249eac3e68d8c0ad59f40893ceedb0c6359f15e5a913445c681d393
                b839f29b00b5ce4585664e0c5bf19f9f1f6c80af5cf7246cf169fedccf03974c
                839cf1e808d0ab96c5f9f4192472cc74ba1ba943593c04022cccab3f15937c57
                0b56ac12743ee3d6145179f47fa0f169c31e1aba9bdf482a75792b6277a4b639
                b9b0b8c5345319ed0e46a5cafb054583d55845f137c67e3830c8381a1b26104d
                4390a5fb53d82dbe599086ab1efe6819f1cfc37e3f4b7305
                """),
    ]
    static let key: PrimitiveBytes = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    static let additional: PrimitiveBytes = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
    static let text: PrimitiveBytes = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """
    static let block =
        ("""
    1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f53
    02860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75
    """ as PrimitiveBytes).array

    @Test("a text is sealed as other implementations seal it", arguments: computed)
    func seals(vector: Vector) throws {
        #expect(try GCM().sealed(vector) == vector.sealed)
    }

    @Test("what was sealed is opened", arguments: published + computed)
    func opens(vector: Vector) throws {
        let (plain, error) = try GCM().opened(vector, vector.sealed)
        #expect(error == nil)
        #expect(plain == vector.plain)
    }

    @Test("one context seals and opens in any order and under any key")
    func reuse() throws {
        let gcm = try GCM()
        let wrong = try (Self.computed + Self.computed.reversed()).filter { vector in
            try gcm.sealed(vector) != vector.sealed || gcm.opened(vector, vector.sealed).bytes != vector.plain
                || gcm.sealed(vector) != vector.sealed
        }
        #expect(wrong.isEmpty)
    }

    @Test("one changed bit of text or tag is noticed, and the output is wiped", arguments: computed)
    func tamperedText(vector: Vector) throws {
        let gcm = try GCM()
        let accepted = vector.sealed.withOneByteChanged.filter { !gcm.refuses(vector, $0) }
        #expect(accepted.isEmpty)
        #expect(gcm.opened(vector, vector.sealed).bytes == vector.plain)
    }

    @Test("one changed bit of additional data or key is noticed, and the output is wiped", arguments: computed)
    func tamperedContext(vector: Vector) throws {
        let gcm = try GCM()
        let additional = vector.additional.withOneByteChanged.map {
            Vector(key: vector.key, additional: $0, plain: vector.plain, sealed: vector.sealed)
        }
        let keys = vector.key.withOneByteChanged.map {
            Vector(key: $0, additional: vector.additional, plain: vector.plain, sealed: vector.sealed)
        }
        let accepted = (additional + keys).filter { !gcm.refuses($0, $0.sealed) }
        #expect(accepted.isEmpty)
    }

    @Test("additional data does not pass for text, nor its absence for its presence")
    func moved() throws {
        let gcm = try GCM()
        let bare = Vector(key: Self.key, additional: "", plain: Self.text, sealed: Self.computed[3].sealed)
        #expect(gcm.refuses(bare, bare.sealed))
        let extended = Vector(key: Self.key, additional: "00", plain: Self.text, sealed: Self.computed[4].sealed)
        #expect(gcm.refuses(extended, extended.sealed))
    }

    @Test("a key of zeros seals nothing")
    func zeroKey() throws {
        #expect(throws: CryptoError.zeroKey) { try GCM().sealed(Self.published[1]) }
    }

    @Test("a key has 32 bytes", arguments: [0, 16, 31, 33])
    func keySize(count: Int) throws {
        let vector = Vector(key: .repeating(1, count), additional: "", plain: "00", sealed: .repeating(1, 17))
        #expect(throws: CryptoError.invalidLength) { try GCM().sealed(vector) }
        #expect(try GCM().opened(vector, vector.sealed).error == .invalidLength)
    }

    @Test("what is shorter than a tag was never sealed", arguments: [0, 1, 15])
    func short(count: Int) throws {
        let vector = Self.computed[0]
        #expect(try GCM().opened(vector, .repeating(1, count)).error == .invalidLength)
    }

    @Test("an abandoned one works no more")
    func abandoned() throws {
        let gcm = try GCM()
        gcm.abandon()
        #expect(throws: CryptoError.abandoned) { try gcm.sealed(Self.computed[3]) }
        #expect(gcm.opened(Self.computed[3], Self.computed[3].sealed).error == .abandoned)
    }
}

extension GCM {
    fileprivate func sealed(_ vector: GCMTests.Vector) throws(CryptoError) -> PrimitiveBytes {
        try .filled(vector.plain.count + 16) { output throws(CryptoError) in
            try vector.key.lend { key throws(CryptoError) in
                try vector.additional.lend { additional throws(CryptoError) in
                    try vector.plain.lend { plain throws(CryptoError) in
                        try seal(key: key, additional: additional, plain: plain, into: output)
                    }
                }
            }
        }
    }

    /// Opens `sealed` in the place of the vector's own.
    fileprivate func opened(
        _ vector: GCMTests.Vector, _ sealed: PrimitiveBytes
    ) -> (bytes: PrimitiveBytes, error: CryptoError?) {
        PrimitiveBytes.attempt(max(0, sealed.count - 16)) { output throws(CryptoError) in
            try vector.key.lend { key throws(CryptoError) in
                try vector.additional.lend { additional throws(CryptoError) in
                    try sealed.lend { sealed throws(CryptoError) in
                        try open(key: key, additional: additional, sealed: sealed, into: output)
                    }
                }
            }
        }
    }

    fileprivate func refuses(_ vector: GCMTests.Vector, _ sealed: PrimitiveBytes) -> Bool {
        let (bytes, error) = opened(vector, sealed)
        return error == .authenticationFailed && bytes == .repeating(0, bytes.count)
    }
}
