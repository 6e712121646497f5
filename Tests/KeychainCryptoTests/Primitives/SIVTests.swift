// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import Testing

@Suite struct SIVTests {
    // By Python's cryptography (AESSIV), and by the RFC's own steps over its CMAC and CTR, which give RFC 5297 A.1 with
    // the key of 256 bits there. The RFC has no vector with a key of 512.
    @Test(
        "sealed as RFC 5297 says",
        arguments: [
            (
                .ascii("text of a record"), [.ascii("first part"), .ascii("nonce")],
                "11f235319d67fea17c6875ce7bfac9ee4341d1ee412726f28e9a20e1ce5c223e"
            ),
            (
                PrimitiveBytes(Array(0..<100)), [.ascii("one")],
                """
                b389d344f58ee585270d14e03aed10e7710dd31d5f7eade8d0cc3326caf34f682d424da08787bd9c6889f06388f1de78
                d52580955ebb5a5df467d8ca8e7e605a0fc19ccca77f3b7511b8d22ec60dd0462a2a5fcd73cb377818956366307f377b
                07eaa20feb7492df5c7bab44b98e2277f84799e1
                """
            ),
            ("07", [.ascii("one"), .ascii("two"), .ascii("three")], "d12677c367376b5e681fcaba148ad49551"),
        ] as [(PrimitiveBytes, [PrimitiveBytes], PrimitiveBytes)])
    func vectors(plain: PrimitiveBytes, additional: [PrimitiveBytes], sealed: PrimitiveBytes) throws {
        #expect(try seal(plain, additional) == sealed)
        #expect(try open(sealed, additional) == plain)
    }

    @Test("no byte can be changed, left out or added, nor a part of the data, nor their order")
    func everyByte() throws {
        let plain = PrimitiveBytes(Array(0..<40))
        let (one, two): (PrimitiveBytes, PrimitiveBytes) = (.ascii("one"), .ascii("two"))
        let sealed = try seal(plain, [one, two])
        for changed in sealed.withOneByteChanged {
            #expect(throws: CryptoError.authenticationFailed) { try open(changed, [one, two]) }
        }
        for count in 0..<sealed.count {
            let part = PrimitiveBytes(Array(sealed.array[..<count]))
            #expect(throws: CryptoError.authenticationFailed) { try open(part, [one, two]) }
        }
        let others: [[PrimitiveBytes]] = [
            [one], [two, one], [.ascii("onetwo")], [one, two, one], [one, .ascii("twp")],
        ]
        for other in others {
            #expect(throws: CryptoError.authenticationFailed) { try open(sealed, other) }
        }
        #expect(throws: CryptoError.authenticationFailed) { try open(sealed, [one, two], key: .repeating(7, 64)) }
    }

    @Test("a key that is set up once opens one message after the other, also behind one that it refuses")
    func many() throws {
        let opening = try SIVOpening(key: secret(SIVTests.key))
        let data = [Array("one".utf8), Array("two".utf8)]
        for count in 1..<40 {
            let plain = PrimitiveBytes(Array(0..<UInt8(count)))
            let sealed = try seal(plain, data.map { PrimitiveBytes($0) }).array
            // As a part of something else, where its places do not begin at 0.
            let inside = [9, 9, 9] + sealed
            let opened = try opening.open(inside[3...], additional: data)
            #expect(opened.withUnsafeBytes { Array($0) } == plain.array)
            #expect(throws: CryptoError.authenticationFailed) { try opening.open(sealed[...], additional: [data[0]]) }
            #expect(throws: CryptoError.authenticationFailed) { try opening.open(inside[2...], additional: data) }
            #expect(throws: CryptoError.invalidLength) { try opening.open(sealed[...], additional: []) }
        }
        #expect(throws: CryptoError.invalidLength) { try SIVOpening(key: secret(.repeating(7, 32))) }
        #expect(throws: CryptoError.zeroKey) { try SIVOpening(key: secret(.repeating(0, 64))) }
    }

    @Test("what OpenSSL would leave unauthenticated is refused: no text, no data, an empty part (CVE-2023-2975)")
    func empty() throws {
        let one = PrimitiveBytes.ascii("one")
        #expect(throws: CryptoError.invalidLength) { try seal("", [one]) }
        for data in [[], [""], [one, ""], ["", one]] as [[PrimitiveBytes]] {
            #expect(throws: CryptoError.invalidLength) { try seal(one, data) }
            #expect(throws: CryptoError.invalidLength) { try open(.repeating(1, 20), data) }
        }
        #expect(throws: CryptoError.invalidLength) { try seal(one, [one], key: .repeating(7, 32)) }
        #expect(throws: CryptoError.zeroKey) { try seal(one, [one], key: .repeating(0, 64)) }
    }

    private func seal(
        _ plain: PrimitiveBytes, _ additional: [PrimitiveBytes], key: PrimitiveBytes = SIVTests.key
    ) throws -> PrimitiveBytes {
        PrimitiveBytes(
            try SIV.seal(SecretValue(copying: plain.array), key: secret(key), additional: additional.map(\.array)))
    }

    private func open(
        _ sealed: PrimitiveBytes, _ additional: [PrimitiveBytes], key: PrimitiveBytes = SIVTests.key
    ) throws -> PrimitiveBytes {
        let opened = try SIV.open(sealed.array[...], key: secret(key), additional: additional.map(\.array))
        return opened.withUnsafeBytes { PrimitiveBytes(Array($0)) }
    }

    private func secret(_ bytes: PrimitiveBytes) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes.array) }
    }

    private static let key = PrimitiveBytes(Array(0..<64))
}

@Suite struct PaddingTests {
    @Test(
        "512, 1 024, then lengths whose last bits are zeros",
        arguments: [
            (0, 512), (1, 512), (512, 512), (513, 1024), (1024, 1024), (1025, 1088), (1088, 1088), (2048, 2048),
            (2049, 2176), (65_536, 65_536), (65_537, 67_584), (1_000_000, 1_015_808), (1_048_576, 1_048_576),
        ])
    func sizes(count: Int, size: Int) { #expect(Padding.size(for: count) == size) }

    @Test("never shorter, never an eighth longer, and a size pads to itself")
    func bounds() throws {
        for count in (1025...Padding.largest).filter({ $0 < 5000 || $0 % 97 == 0 }) {
            let size = try #require(Padding.size(for: count))
            #expect(size >= count && (size - count) * 8 < count && Padding.size(for: size) == size)
        }
        #expect(Padding.size(for: Padding.largest + 1) == nil && Padding.size(for: -1) == nil)
    }
}
