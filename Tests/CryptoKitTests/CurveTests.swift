// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Security
import TestProcesses
import Testing

/// Keys on NIST's curves in all their forms, and the same keys for `openssl` and the keychain.
@Suite struct CurveTests {
    @Test("a key signs, agrees, and comes back from each of its forms")
    func forms() throws {
        try check(P256.Signing.PrivateKey(), P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey())
        try check(P384.Signing.PrivateKey(), P384.KeyAgreement.PrivateKey(), P384.KeyAgreement.PrivateKey())
        try check(P521.Signing.PrivateKey(), P521.KeyAgreement.PrivateKey(), P521.KeyAgreement.PrivateKey())
    }

    private func check<S: NISTSigningKey, A: NISTAgreeingKey>(_ signing: S, _ mine: A, _ theirs: A) throws {
        let message = Data("a message".utf8)
        let signature = try signing.signature(for: message)
        #expect(signing.publicKey.isValidSignature(signature, for: message))
        #expect(!signing.publicKey.isValidSignature(signature, for: message + [0]))
        let ofDigest = try signing.signature(for: SHA256.hash(data: message))
        #expect(signing.publicKey.isValidSignature(ofDigest, for: SHA256.hash(data: message)))
        let der = try S.PublicKey.ECDSASignature(derRepresentation: signature.derRepresentation)
        #expect(der.rawRepresentation == signature.rawRepresentation)

        let secret = try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey)
        #expect(try secret == theirs.sharedSecretFromKeyAgreement(with: mine.publicKey))

        for again in [
            try S(rawRepresentation: signing.rawRepresentation), try S(x963Representation: signing.x963Representation),
            try S(derRepresentation: signing.derRepresentation), try S(pemRepresentation: signing.pemRepresentation),
        ] {
            #expect(again.x963Representation == signing.x963Representation)
        }
        let half = signing.publicKey
        let compact = try #require(half.compactRepresentation)
        for again in [
            try S.PublicKey(rawRepresentation: half.rawRepresentation),
            try S.PublicKey(x963Representation: half.x963Representation),
            try S.PublicKey(compressedRepresentation: half.compressedRepresentation),
            try S.PublicKey(compactRepresentation: compact),
            try S.PublicKey(derRepresentation: half.derRepresentation),
            try S.PublicKey(pemRepresentation: half.pemRepresentation),
        ] {
            #expect(again.x963Representation == half.x963Representation)
        }
        // Of sixteen keys, one at least has the larger y: the odds against it are 1 in 65536 keys of this kind.
        let any = (0..<16).map { _ in S(compactRepresentable: false).publicKey }
        #expect(any.contains { $0.compactRepresentation == nil })
        for key in any {
            let again = try S.PublicKey(compressedRepresentation: key.compressedRepresentation)
            #expect(again.rawRepresentation == key.rawRepresentation)
        }
    }

    @Test("what is no key is refused, and what is one of another curve")
    func refusals() throws {
        let key = P256.Signing.PrivateKey()
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PrivateKey(rawRepresentation: Data(count: 31))
        }
        for number in [Data(count: 32), Data(repeating: 0xFF, count: 32)] {
            #expect(throws: CryptoKitError.invalidParameter) {
                try P256.Signing.PrivateKey(rawRepresentation: number)
            }
        }
        #expect(throws: CryptoKitError.invalidParameter) {
            try P256.Signing.PublicKey(rawRepresentation: Data(repeating: 1, count: 64))
        }
        var halves = key.x963Representation
        halves[halves.count - 1] ^= 1
        #expect(throws: CryptoKitError.invalidParameter) { try P256.Signing.PrivateKey(x963Representation: halves) }
        #expect(throws: CryptoKitError.invalidParameter) {
            try P384.Signing.PrivateKey(derRepresentation: key.derRepresentation)
        }
        #expect(throws: CryptoKitError.invalidParameter) {
            try P384.KeyAgreement.PublicKey(pemRepresentation: key.publicKey.pemRepresentation)
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P256.Signing.PrivateKey(derRepresentation: key.derRepresentation.dropLast())
        }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) { try P256.Signing.PublicKey(pemRepresentation: "no") }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try P256.Signing.ECDSASignature(derRepresentation: Data([0x30, 0]))
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.ECDSASignature(rawRepresentation: Data(count: 63))
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.Signing.PublicKey(rawRepresentation: Data(count: 31))
        }
    }

    @Test("what both agree on becomes keys by X9.63, as SecKey derives them")
    func derivation() throws {
        let (mine, theirs) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey())
        let secret = try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey)
        #expect("\(secret)" == "SharedSecret(redacted)" && Mirror(reflecting: secret).children.isEmpty)
        let derived = secret.x963DerivedSymmetricKey(
            using: SHA256.self, sharedInfo: Data("info".utf8), outputByteCount: 24)
        let own = try SecKeys.key(mine.x963Representation, kSecAttrKeyClassPrivate)
        let other = try SecKeys.key(theirs.publicKey.x963Representation, kSecAttrKeyClassPublic)
        let parameters: [CFString: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue: 24,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
        ]
        let same = SecKeyCopyKeyExchangeResult(
            own, .ecdhKeyExchangeStandardX963SHA256, other, parameters as CFDictionary, nil)
        #expect(derived == SymmetricKey(data: try #require(same) as Data))
        let key = secret.hkdfDerivedSymmetricKey(
            using: SHA512.self, salt: Data("salt".utf8), sharedInfo: Data(), outputByteCount: 32)
        let whole = SymmetricKey(data: secret)
        #expect(
            key == HKDF<SHA512>.deriveKey(inputKeyMaterial: whole, salt: Data("salt".utf8), outputByteCount: 32))
    }

    @Test("openssl reads our keys and signatures, and we read its")
    func interoperation() throws {
        let command = try OpenSSL()
        let message = Data("a message for both".utf8)
        try command.write(message, "message")

        let key = P384.Signing.PrivateKey()
        try command.write(Data(key.pemRepresentation.utf8), "key.pem")
        try command.write(Data(key.publicKey.pemRepresentation.utf8), "public.pem")
        try command.write(key.signature(for: message).derRepresentation, "signature")
        try command.run("dgst", "-sha384", "-verify", "public.pem", "-signature", "signature", "message")
        try command.run("dgst", "-sha384", "-sign", "key.pem", "-out", "signature", "message")
        let signature = try P384.Signing.ECDSASignature(derRepresentation: command.read("signature"))
        #expect(key.publicKey.isValidSignature(signature, for: message))

        try command.run("ecparam", "-name", "secp521r1", "-genkey", "-noout", "-out", "sec1.pem")
        try command.run("pkcs8", "-topk8", "-nocrypt", "-in", "sec1.pem", "-out", "pkcs8.pem")
        let sec1 = try P521.Signing.PrivateKey(
            pemRepresentation: String(decoding: command.read("sec1.pem"), as: UTF8.self))
        let pkcs8 = try P521.Signing.PrivateKey(
            pemRepresentation: String(decoding: command.read("pkcs8.pem"), as: UTF8.self))
        #expect(sec1.rawRepresentation == pkcs8.rawRepresentation)
        try command.run("pkey", "-in", "sec1.pem", "-pubout", "-outform", "DER", "-out", "public.der")
        #expect(try sec1.publicKey.derRepresentation == command.read("public.der"))

        let (mine, theirs) = (P256.KeyAgreement.PrivateKey(), P256.KeyAgreement.PrivateKey())
        try command.write(Data(mine.pemRepresentation.utf8), "mine.pem")
        try command.write(Data(theirs.publicKey.pemRepresentation.utf8), "theirs.pem")
        try command.run("pkeyutl", "-derive", "-inkey", "mine.pem", "-peerkey", "theirs.pem", "-out", "secret")
        #expect(try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey) == command.read("secret"))

        let stretched = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data("secret".utf8)), salt: Data("salt".utf8), info: Data("info".utf8),
            outputByteCount: 77)
        try command.run(
            "kdf", "-keylen", "77", "-binary", "-out", "derived", "-kdfopt", "digest:SHA256", "-kdfopt", "key:secret",
            "-kdfopt", "salt:salt", "-kdfopt", "info:info", "HKDF")
        #expect(try stretched == SymmetricKey(data: command.read("derived")))
    }
}

enum SecKeys {
    static func key(_ bytes: Data, _ part: CFString) throws -> SecKey {
        let attributes = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: part] as [CFString: Any]
        return try #require(SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil))
    }
}

/// The `openssl` command in a folder of its own.
struct OpenSSL {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }

    func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: folder.file(name))) }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) }
}
