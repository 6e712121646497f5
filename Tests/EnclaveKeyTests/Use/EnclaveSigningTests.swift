// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Signatures by keys of the enclave, checked by OpenSSL and by ourselves.
@Suite struct EnclaveSigningTests {
    /// An algorithm and how `openssl` is to check it.
    struct Row: Sendable {
        let algorithm: SecKeyAlgorithm
        /// The function that a message goes through; nil where a digest of `size` bytes is signed.
        let hash: String?
        let size: Int
        let isDER: Bool
    }

    private static let rows: [Row] = [
        Row(algorithm: .ecdsaSignatureMessageX962SHA1, hash: "sha1", size: 9, isDER: true),
        Row(algorithm: .ecdsaSignatureMessageX962SHA224, hash: "sha224", size: 9, isDER: true),
        Row(algorithm: .ecdsaSignatureMessageX962SHA256, hash: "sha256", size: 9, isDER: true),
        Row(algorithm: .ecdsaSignatureMessageX962SHA384, hash: "sha384", size: 9, isDER: true),
        Row(algorithm: .ecdsaSignatureMessageX962SHA512, hash: "sha512", size: 9, isDER: true),
        Row(algorithm: .ecdsaSignatureMessageRFC4754SHA1, hash: "sha1", size: 9, isDER: false),
        Row(algorithm: .ecdsaSignatureMessageRFC4754SHA224, hash: "sha224", size: 9, isDER: false),
        Row(algorithm: .ecdsaSignatureMessageRFC4754SHA256, hash: "sha256", size: 9, isDER: false),
        Row(algorithm: .ecdsaSignatureMessageRFC4754SHA384, hash: "sha384", size: 9, isDER: false),
        Row(algorithm: .ecdsaSignatureMessageRFC4754SHA512, hash: "sha512", size: 9, isDER: false),
        Row(algorithm: .ecdsaSignatureDigestX962SHA1, hash: nil, size: 20, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestX962SHA224, hash: nil, size: 28, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestX962SHA256, hash: nil, size: 32, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestX962SHA384, hash: nil, size: 48, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestX962SHA512, hash: nil, size: 64, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestRFC4754SHA1, hash: nil, size: 20, isDER: false),
        Row(algorithm: .ecdsaSignatureDigestRFC4754SHA224, hash: nil, size: 28, isDER: false),
        Row(algorithm: .ecdsaSignatureDigestRFC4754SHA256, hash: nil, size: 32, isDER: false),
        Row(algorithm: .ecdsaSignatureDigestRFC4754SHA384, hash: nil, size: 48, isDER: false),
        Row(algorithm: .ecdsaSignatureDigestRFC4754SHA512, hash: nil, size: 64, isDER: false),
        // A digest of any size, of which the leftmost 256 bits count.
        Row(algorithm: .ecdsaSignatureDigestX962, hash: nil, size: 1, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestX962, hash: nil, size: 100, isDER: true),
        Row(algorithm: .ecdsaSignatureDigestRFC4754, hash: nil, size: 33, isDER: false),
        Row(algorithm: .ecdsaSignatureRFC4754, hash: nil, size: 32, isDER: false),
    ]

    @Test("everybody who has the public half takes them for signed", arguments: Ground.all)
    func signing(ground: Ground) throws {
        let scene = try Scene(ground)
        let command = try OpenSSLCommand()
        let key = try scene.use { try Keys.inEnclave() }
        let other = try Keys.publicHalf(key)
        try command.write(publicKeyOf: key, "public.pem")
        for row in Self.rows {
            let what = Comment(rawValue: "\(row.algorithm.rawValue) of \(row.size) bytes")
            let input = Data((0..<row.size).map { UInt8(truncatingIfNeeded: 0xA5 &+ 7 &* $0) })
            #expect(SecKeyIsAlgorithmSupported(key, .sign, row.algorithm), what)
            let signature = try #require(SecKeyCreateSignature(key, row.algorithm, input as CFData, nil), what)
            #expect(SecKeyVerifySignature(other, row.algorithm, input as CFData, signature, nil), what)
            #expect(row.isDER || signature.length == 64, what)
            // The command takes no digest longer than SHA-512's; what is behind the first 256 bits does not count.
            try command.write(row.hash == nil ? input.prefix(64) : input, "input")
            try command.write(row.isDER ? signature as Data : Self.der(signature as Data), "signature")
            let arguments =
                row.hash.map { ["dgst", "-\($0)", "-verify", "public.pem", "-signature", "signature", "input"] }
                ?? ["pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-in", "input", "-sigfile", "signature"]
            #expect(try command.succeeds(arguments), what)
        }
    }

    @Test("nobody takes them for signatures of anything else", arguments: Ground.all)
    func otherData(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let message = Data("a message".utf8)
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let signature = try #require(SecKeyCreateSignature(key, algorithm, message as CFData, nil))
        let stranger = try Keys.publicHalf(Keys.software())
        let other = try Keys.publicHalf(key)
        #expect(!SecKeyVerifySignature(stranger, algorithm, message as CFData, signature, nil))
        #expect(!SecKeyVerifySignature(other, algorithm, Data("a massage".utf8) as CFData, signature, nil))
        #expect(!SecKeyVerifySignature(key, algorithm, message as CFData, signature, nil))
        // A digest has the length its name says, and the key is not an RSA one.
        let refused: [SecKeyAlgorithm] = [
            .ecdsaSignatureDigestX962SHA256, .ecdsaSignatureDigestRFC4754SHA512, .rsaSignatureMessagePKCS1v15SHA256,
            .edDSASignatureMessageCurve25519SHA512, .eciesEncryptionStandardX963SHA256AESGCM,
            SecKeyAlgorithm(rawValue: "algid:sign:none"),
        ]
        for algorithm in refused {
            #expect(Refusal.status { _ = SecKeyCreateSignature(key, algorithm, message as CFData, $0) } == errSecParam)
        }
    }

    @Test("the older function signs too", arguments: Ground.all)
    func older(ground: Ground) throws {
        let scene = try Scene(ground)
        let key = try scene.use { try Keys.inEnclave() }
        let digest = [UInt8](repeating: 0x5A, count: 32)
        for (padding, size) in [(SecPadding.sigRaw, 64), ([], 72)] {
            var signature = [UInt8](repeating: 0, count: 80)
            var count = signature.count
            #expect(SecKeyRawSign(key, padding, digest, digest.count, &signature, &count) == errSecSuccess)
            #expect(count <= size)
            let other = try Keys.publicHalf(key)
            #expect(SecKeyRawVerify(other, padding, digest, digest.count, signature, count) == errSecSuccess)
        }
    }

    /// r and s side by side as the sequence of two numbers that `openssl` reads.
    private static func der(_ signature: Data) -> Data {
        let halves = [signature.prefix(32), signature.suffix(32)].map { half in
            let digits = Data(half.drop { $0 == 0 })
            let number = (digits.first ?? 0x80) < 0x80 ? digits : [0] + digits
            return Data([2, UInt8(number.count)]) + number
        }
        let content = halves[0] + halves[1]
        return Data([0x30, UInt8(content.count)]) + content
    }
}
