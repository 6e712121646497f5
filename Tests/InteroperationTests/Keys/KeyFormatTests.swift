// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys that one side exports and the other reads.
@Suite struct KeyFormatTests {
    @Test("what is exported here is a key there, and the same one", arguments: KeyKind.allCases)
    func exported(kind: KeyKind) throws {
        let shared = try SharedKey.of(kind, by: .we)
        let command = try OpenSSLCommand()
        try shared.give(command)
        let checks = kind == .x25519 || kind == .x448 ? [] : ["-check"]
        #expect(try command.succeeds(["pkey", "-in", "key.pem", "-noout"] + checks))
        #expect(try command.succeeds(["pkey", "-pubin", "-in", "public.pem", "-noout", "-pubcheck"]))
        // The public half that it computes itself.
        let info = try command("pkey", "-in", "key.pem", "-pubout", "-outform", "DER")
        let bytes = try #require(SecKeyCopyExternalRepresentation(shared.other, nil)) as Data
        #expect(info == KeyPackage.info(kind, bytes))
    }

    @Test("what is exported there is a key here, and comes out again as it was", arguments: KeyKind.allCases)
    func imported(kind: KeyKind) throws {
        let shared = try SharedKey.of(kind, by: .openssl)
        let command = try OpenSSLCommand()
        try shared.give(command)
        #expect(SecKeyCopyPublicKey(shared.key) == shared.other)
        #expect(SecKeyGetBlockSize(shared.key) == kind.size)
        let own = try #require(SecKeyCopyExternalRepresentation(shared.key, nil)) as Data
        let other = try #require(SecKeyCopyExternalRepresentation(shared.other, nil)) as Data
        // OpenSSL writes the point of a curve beside the number, which PKCS#8 may leave out.
        let der = try command("pkcs8", "-topk8", "-nocrypt", "-in", "key.pem", "-outform", "DER")
        if KeyKind.ec.contains(kind) {
            #expect(der.range(of: other) != nil && der.range(of: own.suffix(kind.size)) != nil)
        } else {
            #expect(der == KeyPackage.pkcs8(kind, own))
        }
        #expect(try command("pkey", "-in", "key.pem", "-pubout", "-outform", "DER") == KeyPackage.info(kind, other))
    }

    @Test("RSA keys are PKCS#1 on both sides, which openssl reads as they are")
    func pkcs1() throws {
        let shared = try SharedKey.of(.rsa, by: .we)
        let command = try OpenSSLCommand()
        try command.write(try #require(SecKeyCopyExternalRepresentation(shared.key, nil)) as Data, "key.der")
        try command.write(try #require(SecKeyCopyExternalRepresentation(shared.other, nil)) as Data, "public.der")
        #expect(try command.succeeds(["rsa", "-in", "key.der", "-inform", "DER", "-check", "-noout"]))
        let info = try command("rsa", "-RSAPublicKey_in", "-in", "public.der", "-inform", "DER", "-pubout")
        #expect(try info == command("rsa", "-in", "key.der", "-inform", "DER", "-pubout"))
    }

    @Test("a key of another kind is not read as one of this", arguments: KeyKind.allCases, KeyKind.allCases)
    func mixedUp(kind: KeyKind, claim: KeyKind) throws {
        let shared = try SharedKey.of(kind, by: .openssl)
        for (key, part) in [(shared.key, kSecAttrKeyClassPrivate), (shared.other, kSecAttrKeyClassPublic)] {
            let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil))
            let attributes = [kSecAttrKeyType: claim.type, kSecAttrKeyClass: part] as [CFString: Any]
            let read = SecKeyCreateWithData(bytes, attributes as CFDictionary, nil)
            // Numbers of 32 bytes are keys of either of the two; a curve's size is in its bytes.
            let fits =
                kind.type == claim.type
                || Set([kind, claim]) == [.ed25519, .x25519]
            #expect((read != nil) == fits)
        }
    }
}
