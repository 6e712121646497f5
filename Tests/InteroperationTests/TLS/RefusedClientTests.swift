// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Handshakes that must not succeed, lest the others mean nothing.
@Suite struct RefusedClientTests {
    private let authority: TLSAuthority
    private let key: SecKey
    private let certificate: SecCertificate

    init() throws {
        authority = try TLSAuthority()
        key = try SharedKey.of(.p256, by: .we).key
        certificate = try authority.certify(key, .p256, name: "client")
    }

    private func outcome(_ client: TLSClient, _ version: TLSVersion) throws -> (TLSClient.Outcome, [String]) {
        let server = try TLSServer(authority.command, version: version, signatures: "ECDSA+SHA256")
        let outcome = client.say("secret", to: server, version)
        return (outcome, server.lines(after: outcome))
    }

    @Test("a server of another authority is not told anything", arguments: [TLSVersion.tls13, .tls12])
    func otherAuthority(version: TLSVersion) throws {
        let client = TLSClient(certificate, key, trusting: try TLSAuthority().certificate)
        let (outcome, lines) = try outcome(client, version)
        #expect(outcome.isRefused && outcome.answer == "" && client.trusted == false)
        #expect(client.distrust == errSecCreateChainFailed || client.distrust == errSecNotTrusted)
        #expect(client.signed.isEmpty && !lines.contains("Verification: OK"))
    }

    @Test("a client without a certificate, or with one of another authority, is sent away", arguments: [false, true])
    func stranger(hasCertificate: Bool) throws {
        let other = hasCertificate ? try TLSAuthority().certify(key, .p256, name: "client") : nil
        for version in [TLSVersion.tls13, .tls12] {
            let client = TLSClient(other, key, trusting: authority.certificate)
            let (outcome, lines) = try outcome(client, version)
            #expect(!outcome.isDone && outcome.answer == "" && client.trusted == true)
            #expect(client.signed.count == (hasCertificate ? 1 : 0) && !lines.contains("Verification: OK"))
        }
    }

    @Test("another key's signature is none", arguments: [TLSVersion.tls13, .tls12])
    func otherKey(version: TLSVersion) throws {
        let client = TLSClient(certificate, try SharedKey.of(.p256, by: .openssl).key, trusting: authority.certificate)
        let (outcome, lines) = try outcome(client, version)
        #expect(!outcome.isDone && outcome.answer == "" && client.signed.count == 1)
        #expect(lines.contains { $0.contains("bad signature") || $0.contains("decrypt error") })
    }

    @Test("a key that refuses to sign ends the handshake", arguments: [TLSVersion.tls13, .tls12])
    func refusing(version: TLSVersion) throws {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrCanSign: false,
        ]
        let mute = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        let certificate = try authority.certify(mute, .p256, name: "mute")
        let client = TLSClient(certificate, mute, trusting: authority.certificate)
        let (outcome, lines) = try outcome(client, version)
        #expect(!outcome.isDone && client.signed.isEmpty && client.trusted == true)
        #expect(!lines.contains("Verification: OK"))
    }
}
