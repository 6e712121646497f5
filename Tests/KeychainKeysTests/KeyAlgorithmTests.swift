// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import Testing

@Suite struct KeyAlgorithmTests {
    static let algorithms = KeyAlgorithm.names.compactMap { KeyAlgorithm($0) }

    @Test("every name of the table is known, once")
    func names() {
        #expect(KeyAlgorithm.names.count == 98)
        #expect(Set(KeyAlgorithm.names).count == 98)
        #expect(Self.algorithms.map(\.name) == KeyAlgorithm.names)
    }

    @Test(
        "a name nobody gave is unknown",
        arguments: [
            "", "algid", "algid:sign:RSA", "algid:sign:RSA:raw ", "ALGID:SIGN:RSA:RAW", "algid:sign:RSA:raw\0",
            "algid:sign:RSA:digest-PSS:SHA224:SHA224:28", "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM-KDFIV",
            // The Kelvin sign, which Swift takes for the letter K.
            "algid:sign:RSA:digest-P\u{212A}CS1v15",
        ])
    func unknown(name: String) { #expect(KeyAlgorithm(name) == nil) }

    @Test("a name means its parts, wherever they stand in it", arguments: algorithms)
    func meaning(algorithm: KeyAlgorithm) {
        let parts = algorithm.name.split(separator: ":").map(String.init)
        let hash = parts.compactMap { HashFunction(rawValue: $0) }.first
        switch algorithm.scheme {
        case .signature(.rsa(_, let input)), .signature(.ecdsa(_, let input)):
            #expect(parts[1] == "sign")
            switch input {
            case .message(let function): #expect(parts[3].hasPrefix("message-") && hash == function)
            case .digest(let function): #expect(parts[3].hasPrefix("digest-") && hash == function)
            case .any: #expect(hash == nil)
            }
        case .signature(.edwards): #expect(parts[2] == "EdDSA")
        case .signature(.mldsa): #expect(parts[2...] == ["ML-DSA", "message"])
        case .encryption(.rsa(.oaep(let function))): #expect(parts[3] == "OAEP" && hash == function && parts.count == 5)
        case .encryption(.rsa): #expect(parts[1...2] == ["encrypt", "RSA"] && hash == nil)
        case .encryption(.rsaSession(let function)): #expect(parts.last == "AESGCM" && hash == function)
        case .encryption(.ecies(let exchange, let derivesVector)):
            #expect(parts[2] == "ECIES" && (parts.last == "AESGCM-KDFIV") == derivesVector)
            #expect((parts[3] == "ECDHC") == exchange.usesCofactor && hash == exchange.derivation)
        case .encryption(.aesGCM): #expect(algorithm.name == KeyAlgorithm.aesGCMName)
        case .keyExchange(let exchange):
            #expect(parts[1] == "keyexchange" && (parts[2] == "ECDHC") == exchange.usesCofactor)
            #expect(hash == exchange.derivation)
        case .unavailable: #expect(["encrypt", "kem", "sign"].contains(parts[1]))
        }
    }

    @Test("what no key does is known, and supported by no key")
    func unavailable() {
        let names = Self.algorithms.filter { $0.scheme == .unavailable }.map(\.name)
        #expect(
            Set(names) == [
                "algid:encrypt:ECIES:ECDH:SHA256:2PubKeys", "algid:kem:kyber", "algid:kem:ML-KEM",
            ])
    }

    @Test("types and parts have Apple's numbers, as text too")
    func numbers() {
        #expect(KeyType.allCases.map(\.name) == ["42", "73", "105", "106", "107", "108", "2147483649", "110", "111"])
        #expect(KeyType.allCases.allSatisfy { KeyType(name: $0.name) == $0 })
        #expect(KeyPart.allCases.map(\.name) == ["0", "1", "2"])
        #expect(KeyPart.allCases.allSatisfy { KeyPart(name: $0.name) == $0 })
        for name in ["", "042", "43", "rsa", "-1", "2147483678"] { #expect(KeyType(name: name) == nil) }
        for name in ["", "3", "00", "-0"] { #expect(KeyPart(name: name) == nil) }
        #expect(KeyOperation.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    }
}
