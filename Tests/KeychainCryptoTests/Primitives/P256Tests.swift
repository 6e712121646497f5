// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import Testing

@Suite struct P256Tests {
    struct Pair: Sendable {
        let privateKey: PrimitiveBytes
        let publicKey: PrimitiveBytes
    }

    // RFC 6979 §A.2.5.
    static let key = Pair(
        privateKey: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
        publicKey: """
            04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
            7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299
            """)
    // The same place: of "sample", by its SHA-1, SHA-256 and SHA-512; and one that `openssl pkeyutl` made.
    static let signatures: [(digest: PrimitiveBytes, signature: PrimitiveBytes)] = [
        (
            "8151325dcdbae9e0ff95f9f9658432dbedfdb209",
            """
            3044 0220 61340C88C3AAEBEB4F6D667F672CA9759A6CCAA9FA8811313039EE4A35471D32
            0220 6D7F147DAC089441BB2E2FE8F7A3FA264B9C475098FDCF6E00D7C996E1B8B7EB
            """
        ),
        (
            "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
            """
            3046 0221 00EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
            0221 00F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
            """
        ),
        (
            """
            39a5e04aaff7455d9850c605364f514c11324ce64016960d23d5dc57d3ffd8f4
            9a739468ab8049bf18eef820cdb1ad6c9015f838556bc7fad4138b23fdf986c7
            """,
            """
            3045 0221 008496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00
            0220 2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE
            """
        ),
        (
            "3e9d3b4d3ee848bd8f4f8d5e820cc92d5a45fb24f86925159aaa07446ec0625a",
            """
            3046 0221 00e9e41304d3281340d376a1932aeb84f02f7e94f9b9358289108edd5ddbff8539
            0221 00add34dc2a0bf0e98a02ded5a295dd8a97fa93eef214c3f5a39c7e702f189bf70
            """
        ),
    ]

    @Test("a scalar gives its point, and what is not below the order gives none")
    func derived() throws {
        func key(_ scalar: PrimitiveBytes) throws -> P256.Key {
            try P256.key(of: SecretBytes(count: scalar.count) { $0.copyBytes(from: scalar.array) })
        }
        #expect(try PrimitiveBytes(key(Self.key.privateKey).publicKey) == Self.key.publicKey)
        let order: PrimitiveBytes = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
        var below = order
        below.array[31] -= 1
        #expect(try P256.isPublicKey(key(below).publicKey))
        for scalar in [order, .repeating(0xFF, 32)] {
            #expect(throws: CryptoError.invalidParameters) { _ = try key(scalar) }
        }
        #expect(throws: CryptoError.zeroKey) { _ = try key(.repeating(0, 32)) }
        #expect(throws: CryptoError.invalidLength) { _ = try key(.repeating(1, 31)) }
    }

    @Test("the signatures of RFC 6979 are valid, and with one changed bit they are not", arguments: signatures.indices)
    func verifies(row: Int) {
        let (digest, signature) = Self.signatures[row]
        #expect(isValid(signature, digest))
        #expect(!signature.withOneByteChanged.contains { isValid($0, digest) })
        #expect(!PrimitiveBytes(Array(digest.array.prefix(32))).withOneByteChanged.contains { isValid(signature, $0) })
        #expect(!Self.key.publicKey.withOneByteChanged.contains { isValid(signature, digest, $0) })
        #expect(!isValid(PrimitiveBytes(signature.array + [0]), digest))
        #expect(!isValid(PrimitiveBytes(signature.array.dropLast()), digest))
        #expect(!isValid("", digest))
    }

    @Test("a digest of any size is signed, by its leftmost 32 bytes", arguments: [0, 1, 20, 31, 32, 33, 48, 64, 1000])
    func signs(count: Int) throws {
        let digest = PrimitiveBytes((0..<count).map { UInt8(truncatingIfNeeded: $0 + 1) })
        let signature = try sign(digest)
        #expect(signature.count <= 72)
        #expect(isValid(signature, digest))
        #expect(isValid(signature, PrimitiveBytes(Array(digest.array.prefix(32)))))
        #expect(isValid(signature, PrimitiveBytes(digest.array + [1])) == (count >= 32))
        #expect(try sign(digest) != signature)
    }

    @Test("a short digest is a small number, as if zeros stood before it")
    func short() throws {
        let digest = PrimitiveBytes.repeating(7, 20)
        #expect(isValid(try sign(digest), PrimitiveBytes([UInt8](repeating: 0, count: 12) + digest.array)))
    }

    @Test("a new key has the sizes it should, signs, and is no other's")
    func makes() throws {
        for _ in 0..<20 {
            let key = try P256.makeKey()
            let other = try P256.makeKey()
            let count = key.privateKey.count
            #expect((count, key.publicKey.count, key.publicKey[0]) == (32, 65, 4))
            #expect(key.publicKey != other.publicKey)
            let signature = try P256.signature(of: [1, 2, 3], with: key.privateKey, publicKey: key.publicKey)
            #expect(P256.isValid(signature: signature, of: [1, 2, 3], publicKey: key.publicKey))
            #expect(!P256.isValid(signature: signature, of: [1, 2, 3], publicKey: other.publicKey))
            #expect(!P256.isValid(signature: signature, of: [1, 2, 4], publicKey: key.publicKey))
            let ours = try P256.sharedSecret(of: key.privateKey, with: other.publicKey)
            let theirs = try P256.sharedSecret(of: other.privateKey, with: key.publicKey)
            let isSame = ours.isEqualInConstantTime(to: theirs)
            #expect(isSame)
        }
    }

    @Test("halves of different keys sign nothing")
    func mixed() throws {
        let other = try P256.makeKey()
        #expect(throws: CryptoError.invalidParameters) {
            try P256.signature(of: [1], with: Self.key.privateKey.secret(), publicKey: other.publicKey)
        }
    }

    // The first of NIST's KAS ECC CDH vectors for P-256; RFC 5903 §8.1, from both sides; `openssl pkeyutl -derive`.
    @Test(
        "a secret is agreed on as others agree on it",
        arguments: [
            (
                "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
                """
                04 700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287
                db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac
                """,
                "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"
            ),
            (
                "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
                """
                04 D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63
                56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB
                """,
                "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"
            ),
            (
                "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53",
                """
                04 DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180
                5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3
                """,
                "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"
            ),
            (
                key.privateKey,
                """
                04 48ab583a170aa3871cce75fa024233cae9022486a57f4b2f6378b9909d5da1fd
                3e96e95b4d9e6a0002a77bb75accf87d431614417534e3240cdcefb6421f2e55
                """,
                "abfadec03fc049c5380bfae1177de16a64b32d9cf99dcdb707b37fd983b8be92"
            ),
        ] as [(PrimitiveBytes, PrimitiveBytes, PrimitiveBytes)])
    func agrees(privateKey: PrimitiveBytes, publicKey: PrimitiveBytes, secret: PrimitiveBytes) throws {
        #expect(try shared(privateKey, publicKey) == secret)
    }

    @Test("what is no uncompressed point of the curve is refused")
    func badPoints() {
        let point = Self.key.publicKey.array
        let isOdd = point[64] & 1
        let compressed = PrimitiveBytes([2 + isOdd] + point[1..<33])
        let hybrid = PrimitiveBytes([6 + isOdd] + point[1...])
        let bad =
            [
                "", "00", compressed, hybrid, .repeating(0, 65), PrimitiveBytes([4] + [UInt8](repeating: 0, count: 64)),
                PrimitiveBytes([4] + [UInt8](repeating: 0xFF, count: 64)), PrimitiveBytes(point + [0]),
                PrimitiveBytes(Array(point.dropLast())),
            ] + Self.key.publicKey.withOneByteChanged
        for point in bad {
            #expect(throws: CryptoError.invalidParameters) { try shared(Self.key.privateKey, point) }
        }
    }

    @Test("a private key has 32 bytes, not all zero")
    func badPrivateKeys() {
        for (key, error) in [
            ("", .invalidLength), (.repeating(1, 31), .invalidLength), (.repeating(1, 33), .invalidLength),
            (.repeating(0, 32), .zeroKey),
        ] as [(PrimitiveBytes, CryptoError)] {
            #expect(throws: error) { try shared(key, Self.key.publicKey) }
            #expect(throws: error) {
                try P256.signature(of: [1], with: key.secret(), publicKey: Self.key.publicKey.array)
            }
        }
    }

    private func sign(_ digest: PrimitiveBytes) throws(CryptoError) -> PrimitiveBytes {
        PrimitiveBytes(
            try P256.signature(
                of: digest.array, with: Self.key.privateKey.secret(), publicKey: Self.key.publicKey.array))
    }

    private func isValid(
        _ signature: PrimitiveBytes, _ digest: PrimitiveBytes, _ publicKey: PrimitiveBytes = key.publicKey
    ) -> Bool {
        P256.isValid(signature: signature.array, of: digest.array, publicKey: publicKey.array)
    }

    private func shared(
        _ privateKey: PrimitiveBytes, _ publicKey: PrimitiveBytes
    ) throws(CryptoError) -> PrimitiveBytes {
        PrimitiveBytes(copying: try P256.sharedSecret(of: privateKey.secret(), with: publicKey.array))
    }
}
