// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Secrets that we and `openssl` agree on.
@Suite struct AgreementTests {
    @Test("both come to the same secret, whoever made which key", arguments: KeyKind.agreeing)
    func agreement(kind: KeyKind) throws {
        let ours = try SharedKey.of(kind, by: .we)
        let theirs = try SharedKey.of(kind, by: .openssl)
        let command = try OpenSSLCommand()
        let secret = try #require(
            SecKeyCopyKeyExchangeResult(ours.key, .ecdhKeyExchangeStandard, theirs.other, [:] as CFDictionary, nil))
        for (mine, yours) in [(ours, theirs), (theirs, ours)] {
            try mine.give(command)
            try command.write(yours.publicPEM, "peer.pem")
            #expect(try command("pkeyutl", "-derive", "-inkey", "key.pem", "-peerkey", "peer.pem") == secret as Data)
            let here = SecKeyCopyKeyExchangeResult(
                mine.key, .ecdhKeyExchangeStandard, yours.other, [:] as CFDictionary, nil)
            #expect(here == secret)
        }
    }

    @Test(
        "what is derived of it is what X9.63 derives there",
        arguments: ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"])
    func derivation(hash: String) throws {
        let command = try OpenSSLCommand()
        for (kind, size) in [(KeyKind.p256, 16), (.p521, 131), (.x25519, 48)] {
            let ours = try SharedKey.of(kind, by: .we)
            let theirs = try SharedKey.of(kind, by: .openssl)
            let info = Data("shared by both".utf8)
            let parameters = ["requestedSize": size, "sharedInfo": info] as [String: Any] as CFDictionary
            let algorithm = SecKeyAlgorithm(rawValue: "algid:keyexchange:ECDH:KDFX963:\(hash)" as CFString)
            let derived = SecKeyCopyKeyExchangeResult(ours.key, algorithm, theirs.other, parameters, nil)
            let secret = try #require(
                SecKeyCopyKeyExchangeResult(theirs.key, .ecdhKeyExchangeStandard, ours.other, [:] as CFDictionary, nil))
            let there = try command(
                "kdf", "-keylen", "\(size)", "-kdfopt", "digest:\(hash)", "-kdfopt",
                "hexkey:\((secret as Data).hexadecimal)", "-kdfopt", "hexinfo:\(info.hexadecimal)", "-binary",
                "X963KDF")
            #expect(derived as Data? == there)
        }
    }
}

extension Data {
    fileprivate var hexadecimal: String {
        map { byte in byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16) }.joined()
    }
}
