// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import Testing

@Suite struct HPKETests {
    // The vector of RFC 9180's authors for mode 0, KEM 0x0010, KDF 0x0001, AEAD 0x0002: the first message.
    private static let recipient = Pair(
        "317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2",
        """
        04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f
        853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c
        """)
    private static let sender = Pair(
        "90345e3a1d116c1dd39ae76d95ab858c142223a63e44f8f85318cfa91a84858e",
        """
        04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e
        0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0
        """)
    private static let info: PrimitiveBytes = "4f6465206f6e2061204772656369616e2055726e"
    private static let additional: PrimitiveBytes = "436f756e742d30"
    private static let plain: PrimitiveBytes = "4265617574792069732074727574682c20747275746820626561757479"
    private static let ciphertext: PrimitiveBytes =
        "58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f"

    @Test("a message is sealed as the RFC's vector has it, and opened")
    func vector() throws {
        let sealed = try HPKE.seal(
            secret(Self.plain), to: Self.recipient.point, info: Self.info.array, additional: Self.additional.array,
            sender: Self.sender.key())
        #expect(PrimitiveBytes(sealed) == PrimitiveBytes(Self.sender.point + Self.ciphertext.array))
        #expect(try open(sealed) == Self.plain)
    }

    // Sealed by Python's cryptography 48 (hpke.Suite of P256, HKDF_SHA256, AES_256_GCM), without additional data.
    @Test("what another program sealed is opened")
    func fromElsewhere() throws {
        let sealed: PrimitiveBytes = """
            04b696494146b8af2fe35ac994241d8296c7f83043501aeebd8850d2c15b90b880aaa29bc376461ea6c89027df5280d092
            2e8bd8f52d089b145244f170ca5abb40fb2231a5b95478bef037620354f7d00c80dea642c680204fa13f99f25ad814214e9458
            """
        let opened = try open(sealed.array, info: .ascii("llavero"), additional: "")
        #expect(opened == .ascii("view key and id key"))
    }

    @Test("each message has a point of its own, and opens with its own info, data and key only")
    func bindings() throws {
        let sealed = try HPKE.seal(
            secret(Self.plain), to: Self.recipient.point, info: Self.info.array, additional: Self.additional.array)
        let again = try HPKE.seal(
            secret(Self.plain), to: Self.recipient.point, info: Self.info.array, additional: Self.additional.array)
        #expect(sealed[..<65] != again[..<65] && sealed.count == Self.plain.count + HPKE.overhead)
        #expect(try open(sealed) == Self.plain)
        #expect(throws: KeybagError.crypto(.authenticationFailed)) { try open(sealed, info: .ascii("another")) }
        #expect(throws: KeybagError.crypto(.authenticationFailed)) { try open(sealed, additional: "") }
        #expect(throws: KeybagError.crypto(.authenticationFailed)) { try open(sealed, by: Self.sender) }
        // The right secret beside the wrong public key is no recipient either.
        #expect(throws: KeybagError.crypto(.authenticationFailed)) {
            try open(sealed, by: Pair(Self.recipient.scalar, Self.sender.point))
        }
    }

    @Test("no byte can be changed, left out or added")
    func everyByte() throws {
        let sealed = PrimitiveBytes(Self.sender.point + Self.ciphertext.array)
        for changed in sealed.withOneByteChanged {
            #expect(throws: KeybagError.crypto(.authenticationFailed)) { try open(changed.array) }
        }
        for count in 0..<sealed.count {
            #expect(throws: KeybagError.crypto(.authenticationFailed)) { try open(Array(sealed.array[..<count])) }
        }
        #expect(throws: KeybagError.crypto(.authenticationFailed)) { try open(sealed.array + [0]) }
    }

    @Test("nothing is sealed to what is no point, and a point off the curve never reaches the private key")
    func points() throws {
        var off = Self.recipient.point
        off[64] ^= 1
        for point in [off, [], [UInt8](repeating: 0, count: 65), Array(off.dropLast())] {
            #expect(throws: CryptoError.invalidParameters) {
                try HPKE.seal(secret(Self.plain), to: point, info: [])
            }
        }
        var asked = 0
        #expect(throws: KeybagError.crypto(.authenticationFailed)) {
            _ = try HPKE.open(off + Self.ciphertext.array, of: Self.recipient.point, info: []) {
                (point) throws(KeybagError) in
                asked += 1
                throw .incomplete
            }
        }
        #expect(asked == 0)
        // What the enclave says is what the caller hears.
        #expect(throws: KeybagError.incomplete) {
            _ = try HPKE.open(Self.sender.point + Self.ciphertext.array, of: Self.recipient.point, info: []) {
                (point) throws(KeybagError) in throw .incomplete
            }
        }
    }

    private func open(
        _ sealed: [UInt8], info: PrimitiveBytes = HPKETests.info, additional: PrimitiveBytes = HPKETests.additional,
        by pair: Pair = HPKETests.recipient
    ) throws -> PrimitiveBytes {
        let opened = try HPKE.open(sealed, of: pair.point, info: info.array, additional: additional.array) {
            (point) throws(KeybagError) in
            do throws(CryptoError) { return try P256.sharedSecret(of: pair.key().privateKey, with: point) } catch {
                throw .crypto(error)
            }
        }
        return opened.withUnsafeBytes { PrimitiveBytes(Array($0)) }
    }

    private func secret(_ bytes: PrimitiveBytes) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes.array) }
    }

    struct Pair: Sendable {
        let scalar: PrimitiveBytes
        let point: [UInt8]

        init(_ scalar: PrimitiveBytes, _ point: PrimitiveBytes) { self.init(scalar, point.array) }
        init(_ scalar: PrimitiveBytes, _ point: [UInt8]) { (self.scalar, self.point) = (scalar, point) }

        func key() -> P256.Key {
            P256.Key(
                privateKey: SecretBytes(count: scalar.count) { $0.copyBytes(from: scalar.array) }, publicKey: point)
        }
    }
}
