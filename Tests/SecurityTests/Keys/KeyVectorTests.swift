// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The published vectors of `Tests/Vectors/keys`, through the public functions.
@Suite struct KeyVectorTests {
    struct File: Decodable {
        struct Key: Decodable {
            let type: String
            let `private`: String?
            let `public`: String?
        }
        struct Row: Decodable {
            let id, op, algorithm, output: String
            let key, input, peer, sharedInfo: String?
            let requestedSize, rounds: Int?
        }
        let keys: [String: Key]
        let rows: [Row]
    }

    static var types: [String: CFString] {
        [
            "rsa": kSecAttrKeyTypeRSA, "ec": kSecAttrKeyTypeEC, "ed25519": kSecAttrKeyTypeEd25519,
            "x25519": kSecAttrKeyTypeX25519, "ed448": kSecAttrKeyTypeEd448, "x448": kSecAttrKeyTypeX448,
            "aes": kSecAttrKeyTypeAES,
        ]
    }

    @Test("the functions give what the standards print", arguments: ["published", "reference"])
    func vectors(name: String) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = try JSONDecoder().decode(
            File.self, from: Data(contentsOf: tests.appendingPathComponent("Vectors/keys/\(name).json")))
        var checked = 0
        for row in file.rows where try check(row, file) { checked += 1 }
        #expect(checked >= (name == "published" ? 20 : 450))
    }

    private func check(_ row: File.Row, _ file: File) throws -> Bool {
        if row.op == "pbkdf2" { return try checkDerivation(row) }
        guard let entry = row.key.flatMap({ file.keys[$0] }), let type = Self.types[entry.type] else { return false }
        let own = entry.private.flatMap {
            TestKey.read(
                Data(hex: $0), type, type == kSecAttrKeyTypeAES ? kSecAttrKeyClassSymmetric : kSecAttrKeyClassPrivate)
        }
        let other = entry.public.flatMap { TestKey.read(Data(hex: $0), type, kSecAttrKeyClassPublic) }
        let algorithm = SecKeyAlgorithm(rawValue: row.algorithm as CFString)
        let input = Data(hex: row.input ?? "") as CFData
        let output = Data(hex: row.output)
        switch row.op {
        case "sign", "verify":
            let other = try #require(other)
            #expect(SecKeyVerifySignature(other, algorithm, input, output as CFData, nil), "\(row.id)")
            guard row.op == "sign", let own else { return true }
            #expect(SecKeyCreateSignature(own, algorithm, input, nil) as Data? == output, "\(row.id)")
        case "decrypt":
            #expect(SecKeyCreateDecryptedData(try #require(own), algorithm, input, nil) as Data? == output, "\(row.id)")
        case "exchange":
            let peer = try #require(TestKey.read(Data(hex: row.peer ?? ""), type, kSecAttrKeyClassPublic))
            var parameters: [String: Any] = ["sharedInfo": Data(hex: row.sharedInfo ?? "")]
            parameters["requestedSize"] = row.requestedSize
            let secret = SecKeyCopyKeyExchangeResult(
                try #require(own), algorithm, peer, parameters as CFDictionary, nil)
            #expect(secret as Data? == output, "\(row.id)")
        default: return false
        }
        return true
    }

    private func checkDerivation(_ row: File.Row) throws -> Bool {
        guard let size = row.requestedSize, [16, 24, 32].contains(size), let rounds = row.rounds,
            let password = String(data: Data(hex: row.input ?? ""), encoding: .utf8)
        else { return false }
        let parameters: [CFString: Any] = [
            kSecAttrPRF: row.algorithm, kSecAttrSalt: Data(hex: row.sharedInfo ?? ""), kSecAttrRounds: rounds,
            kSecAttrKeySizeInBits: size * 8,
        ]
        let key = SecKeyDeriveFromPassword(password as CFString, parameters as CFDictionary, nil)
        #expect(try TestKey.bytes(#require(key)) == Data(hex: row.output), "\(row.id)")
        return true
    }
}
