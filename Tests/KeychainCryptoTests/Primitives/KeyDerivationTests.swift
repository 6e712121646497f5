// SPDX-License-Identifier: Apache-2.0

internal import Glibc
import KeychainCrypto
import Testing

@Suite struct HKDFTests {
    struct Vector: Sendable {
        let secret: PrimitiveBytes
        let salt: PrimitiveBytes
        let info: PrimitiveBytes
        let key: PrimitiveBytes
    }

    // RFC 5869, appendix A.1 to A.3.
    static let vectors = [
        Vector(
            secret: .repeating(0x0B, 22), salt: "000102030405060708090a0b0c", info: "f0f1f2f3f4f5f6f7f8f9",
            key: """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
                """),
        Vector(
            secret: PrimitiveBytes(Array(0x00..<0x50)), salt: PrimitiveBytes(Array(0x60..<0xB0)),
            info: PrimitiveBytes(Array(0xB0...0xFF)),
            key: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                """),
        Vector(
            secret: .repeating(0x0B, 22), salt: "", info: "",
            key: """
                8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
                """),
    ]

    @Test("a key is derived as RFC 5869 says", arguments: vectors)
    func derives(vector: Vector) throws {
        let (key, error) = derive(vector.secret, vector.salt, vector.info, vector.key.count)
        #expect(error == nil)
        #expect(key == vector.key)
    }

    @Test("a secret of nothing or of zeros derives nothing")
    func badSecrets() {
        let errors = [derive("", "00", "00", 32), derive(.repeating(0, 32), "01", "01", 32)].map(\.error)
        #expect(errors == [.invalidLength, .zeroKey])
    }

    @Test("a key has 1 to 8160 bytes", arguments: [(0, false), (1, true), (8160, true), (8161, false)])
    func sizes(count: Int, isTaken: Bool) {
        #expect(derive("01", "", "", count).error == (isTaken ? nil : .invalidLength))
    }

    private func derive(
        _ secret: PrimitiveBytes, _ salt: PrimitiveBytes, _ info: PrimitiveBytes, _ count: Int
    ) -> (bytes: PrimitiveBytes, error: CryptoError?) {
        PrimitiveBytes.attempt(count) { output throws(CryptoError) in
            try secret.lend { secret throws(CryptoError) in
                try KeyDerivation.hkdf(secret: secret, salt: salt.array, info: info.array, into: output)
            }
        }
    }
}

@Suite struct ScryptTests {
    // RFC 7914 §12, the two whose parameters we take in a test's time.
    @Test(
        "a key is derived as RFC 7914 says",
        arguments: [
            (
                "password", "NaCl", 10, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 14, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """
            ),
        ] as [(String, String, UInt8, UInt32, UInt32, PrimitiveBytes)])
    func derives(passcode: String, salt: String, log2N: UInt8, r: UInt32, p: UInt32, key: PrimitiveBytes) {
        let (bytes, error) = Self.derive(.ascii(passcode), .ascii(salt), log2N, r, p, key.count)
        #expect(error == nil)
        #expect(bytes == key)
    }

    @Test("parameters above OpenSSL's own memory limit are taken", arguments: [(16, 8, 1), (10, 32, 16)])
    func large(log2N: UInt8, r: UInt32, p: UInt32) {
        #expect(Self.derive(.ascii("a"), .ascii("b"), log2N, r, p, 32).error == nil)
    }

    @Test(
        "parameters outside the bounds are refused",
        arguments: [
            (9, 8, 1), (23, 8, 1), (255, 8, 1), (14, 0, 1), (14, 33, 1), (14, 8, 0), (14, 8, 17), (16, 1, 1),
            (14, .max, 1), (14, 8, .max),
        ] as [(UInt8, UInt32, UInt32)])
    func bounds(log2N: UInt8, r: UInt32, p: UInt32) {
        let (bytes, error) = Self.derive(.ascii("a"), .ascii("b"), log2N, r, p, 32)
        #expect(error == .invalidParameters)
        #expect(bytes == .repeating(0xEE, 32))
    }

    @Test("a passcode of nothing derives nothing")
    func empty() {
        #expect(Self.derive("", .ascii("b"), 10, 8, 1, 32).error == .invalidLength)
    }

    @Test("where memory is short it says so and derives nothing", .enabled(if: !hasSanitizer))
    func outOfMemory() async {
        await #expect(processExitsWith: .success) {
            // In a process of its own, because the limit stays. 1 GB in all, of which scrypt would take 1 GB.
            var limit = rlimit()
            limit.rlim_cur = 1 << 30
            limit.rlim_max = 1 << 30
            guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(2) }
            let (bytes, error) = ScryptTests.derive(.ascii("a"), "01", 20, 8, 1, 32)
            exit(error == .outOfMemory && bytes == .repeating(0, 32) ? 0 : 3)
        }
    }

    // The shadow memory of a sanitizer is beyond any limit of address space.
    private static let hasSanitizer = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    fileprivate static func derive(
        _ passcode: PrimitiveBytes, _ salt: PrimitiveBytes, _ log2N: UInt8, _ r: UInt32, _ p: UInt32, _ count: Int
    ) -> (bytes: PrimitiveBytes, error: CryptoError?) {
        PrimitiveBytes.attempt(count) { output throws(CryptoError) in
            try passcode.lend { passcode throws(CryptoError) in
                try KeyDerivation.scrypt(
                    passcode: passcode, salt: salt.array, log2N: log2N, r: r, p: p, into: output)
            }
        }
    }
}
