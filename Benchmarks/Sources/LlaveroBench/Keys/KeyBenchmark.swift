// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// What our keys cost beside OpenSSL's own, and what it costs to find an identity.
struct KeyBenchmark {
    let plan: Plan

    func rows() throws -> [Row] {
        try IsolatedKeychain(.temporaryFolder).use {
            try signing() + identities()
        }
    }

    private var rounds: Int { plan.isSmoke ? 3 : 15 }

    private func signing() throws -> [Row] {
        let digest = [UInt8](repeating: 0x5A, count: 32)
        let kinds: [(String, BareKey.Kind, [CFString: Any], SecKeyAlgorithm, Int, Double)] = [
            (
                "P-256", .p256, [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256],
                .ecdsaSignatureDigestX962SHA256, plan.isSmoke ? 200 : 2000, 1.2
            ),
            (
                "RSA-2048", .rsa2048, [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048],
                .rsaSignatureDigestPKCS1v15SHA256, plan.isSmoke ? 20 : 200, 1.05
            ),
        ]
        var rows: [Row] = []
        for (name, kind, parameters, algorithm, times, most) in kinds {
            let bare = try BareKey(kind)
            let key = try made(parameters)
            let kept = try made(
                parameters.merging([
                    kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrIsExtractable: false] as [CFString: Any]
                ]) { $1 })
            var limit: [Double] = []
            var ours: [Double] = []
            var inside: [Double] = []
            for _ in 0..<rounds {
                limit.append(try Stopwatch.each(times) { for _ in 0..<times { try bare.sign(digest) } })
                ours.append(try Stopwatch.each(times) { try sign(digest, key, algorithm, times) })
                inside.append(try Stopwatch.each(times) { try sign(digest, kept, algorithm, times) })
            }
            rows.append(
                Row(
                    name: "sign, \(name)", items: 0, ours: ours.median, limit: limit.median,
                    target: .ratio(atMost: most)))
            rows.append(
                Row(name: "sign, \(name), key stays inside", items: 0, ours: inside.median, limit: limit.median))
        }
        return rows
    }

    private func made(_ parameters: [CFString: Any]) throws -> SecKey {
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, nil) else {
            throw WrongResult("no key was made")
        }
        return key
    }

    private func sign(_ digest: [UInt8], _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ times: Int) throws {
        let data = Data(digest) as CFData
        for _ in 0..<times {
            try WrongResult.unless(SecKeyCreateSignature(key, algorithm, data, nil) != nil, "the key did not sign")
        }
    }

    /// Among so many certificates with keys; the password that is found for comparison is one of as many.
    private func identities() throws -> [Row] {
        let count = plan.isSmoke ? 100 : 1000
        let kind: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        for number in 0..<count {
            let (certificate, key) = try BareCertificate.make(named: "identity \(number)")
            guard let certificate = SecCertificateCreateWithData(nil, certificate as CFData),
                let key = SecKeyCreateWithData(key as CFData, kind as CFDictionary, nil),
                let identity = SecIdentityCreate(nil, certificate, key)
            else { throw WrongResult("no identity could be made") }
            let status = SecItemAdd([kSecValueRef: identity] as CFDictionary, nil)
            try WrongResult.unless(status == errSecSuccess, "an identity cannot be added")
        }
        let passwords = (0..<count).map { BenchItem(number: $0) }
        for password in passwords {
            try WrongResult.unless(
                SecItemAdd(password.addition, nil) == errSecSuccess, "an item cannot be added")
        }
        let labels = (0..<count).map { "identity \($0)" }
        func queries(_ itemClass: CFString, _ key: CFString) -> [CFDictionary] {
            labels.map { [kSecClass: itemClass, kSecAttrLabel: $0, key: true] as CFDictionary }
        }
        let kinds = [
            ("find an identity by label: reference", queries(kSecClassIdentity, kSecReturnRef)),
            ("find an identity by label: attributes", queries(kSecClassIdentity, kSecReturnAttributes)),
            ("find a certificate by label: reference", queries(kSecClassCertificate, kSecReturnRef)),
        ]
        var finds: [[Double]] = kinds.map { _ in [] }
        var limit: [Double] = []
        for _ in 0..<rounds {
            let wanted = passwords.map(\.query)
            limit.append(try time(wanted))
            for (index, kind) in kinds.enumerated() { finds[index].append(try time(kind.1)) }
        }
        return zip(kinds, finds).map { kind, finds in
            Row(
                name: kind.0 + " (limit: a password)", items: count, ours: finds.median, limit: limit.median,
                target: .ratio(atMost: 5))
        }
    }

    private func time(_ queries: [CFDictionary]) throws -> Double {
        try Stopwatch.each(queries.count) {
            for query in queries {
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query, &result)
                try WrongResult.unless(status == errSecSuccess && result != nil, "an item is not found")
            }
        }
    }
}
