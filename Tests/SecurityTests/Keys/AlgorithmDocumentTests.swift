// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Docs/Algorithms.md says which keys take part in which algorithm; this holds it to that.
@Suite struct AlgorithmDocumentTests {
    private static var kinds: [String: [[CFString: Any]]] {
        [
            "RSA 1024–8192": [rsa(1024), rsa(2048)],
            // The modulus has to have room for the digests.
            "RSA 1033–8192": [rsa(2048)], "RSA 1034–8192": [rsa(2048)], "RSA 1161–8192": [rsa(2048)],
            "P-256, P-384, P-521": [256, 384, 521].map { curve($0) },
            "P-256, P-384, P-521; X25519, X448": [256, 384, 521].map { curve($0) } + [
                [kSecAttrKeyType: kSecAttrKeyTypeX25519], [kSecAttrKeyType: kSecAttrKeyTypeX448],
            ],
            "Ed25519": [[kSecAttrKeyType: kSecAttrKeyTypeEd25519]],
            "Ed448": [[kSecAttrKeyType: kSecAttrKeyTypeEd448]],
            "AES 128, 192, 256": [128, 192, 256].map {
                [kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: $0]
            },
            // None where OpenSSL is older than 3.5.
            "ML-DSA 65, 87": LatticeSecKeyTests.areOffered
                ? [65, 87].map { [kSecAttrKeyType: kSecAttrKeyTypeMLDSA, kSecAttrKeySizeInBits: $0] } : [],
            "none: not supported": [],
        ]
    }

    private static func rsa(_ bits: Int) -> [CFString: Any] {
        [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bits]
    }

    private static func curve(_ bits: Int) -> [CFString: Any] {
        [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: bits]
    }

    /// The name of every algorithm, and what the document says of the keys.
    private static func rows() throws -> [(name: String, keys: String)] {
        let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Docs/Algorithms.md").standardized
        return try String(contentsOf: document, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[1].hasPrefix("`algid:") else { return nil }
            return (cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`")), cells[2])
        }
    }

    @Test("the document lists every algorithm, and each key takes part in exactly those it is listed for")
    func document() throws {
        let rows = try Self.rows()
        #expect(Set(rows.map(\.name)) == Set(AlgorithmNames.all.map(\.1)))
        #expect(rows.count == AlgorithmNames.all.count)
        let keys = try Set(Self.kinds.values.joined().map { $0 as NSDictionary }).map { parameters in
            (parameters, try #require(SecKeyCreateRandomKey(parameters, nil)))
        }
        for row in rows {
            let listed = try #require(Self.kinds[row.keys]).map { $0 as NSDictionary }
            for (parameters, key) in keys {
                let both = [key, SecKeyCopyPublicKey(key)].compactMap(\.self)
                let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]
                let takesPart = both.contains { key in
                    operations.contains {
                        SecKeyIsAlgorithmSupported(key, $0, SecKeyAlgorithm(rawValue: row.name as CFString))
                    }
                }
                #expect(takesPart == listed.contains(parameters), "\(row.name)")
            }
        }
    }
}
