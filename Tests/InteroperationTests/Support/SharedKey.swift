// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A pair of keys that both sides have: one of them made it and gave it to the other.
struct SharedKey: Sendable {
    let kind: KeyKind
    let key: SecKey
    let other: SecKey
    /// What `openssl` reads: PKCS#8 and SubjectPublicKeyInfo.
    let pem: Data
    let publicPEM: Data

    /// Who made it.
    enum Maker: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case we = "made here"
        case openssl = "made there"
        var testDescription: String { rawValue }
    }

    /// One of each kind by each side, made once for all tests.
    static func of(_ kind: KeyKind, by maker: Maker) throws -> SharedKey {
        switch maker {
        case .we: try #require(ours[kind]).get()
        case .openssl: try #require(theirs[kind]).get()
        }
    }

    private static let ours = all { kind in try made(kind) }
    private static let theirs = all { kind in try read(kind) }

    private static func all(_ make: (KeyKind) throws -> SharedKey) -> [KeyKind: Result<SharedKey, any Error>] {
        Dictionary(uniqueKeysWithValues: KeyKind.allCases.map { kind in (kind, Result { try make(kind) }) })
    }

    /// Writes both halves into a command's folder.
    func give(_ command: OpenSSLCommand) throws {
        try command.write(pem, "key.pem")
        try command.write(publicPEM, "public.pem")
    }

    /// A key of ours, in the packages that `openssl` reads.
    static func made(_ kind: KeyKind) throws -> SharedKey {
        let parameters: [CFString: Any] = [kSecAttrKeyType: kind.type, kSecAttrKeySizeInBits: kind.bits]
        let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        let other = try #require(SecKeyCopyPublicKey(key))
        let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
        let point = try #require(SecKeyCopyExternalRepresentation(other, nil)) as Data
        return SharedKey(
            kind: kind, key: key, other: other, pem: DER.pem("PRIVATE KEY", KeyPackage.pkcs8(kind, bytes)),
            publicPEM: DER.pem("PUBLIC KEY", KeyPackage.info(kind, point)))
    }

    /// A key that `openssl` made, read here from what is in its packages.
    static func read(_ kind: KeyKind) throws -> SharedKey {
        let command = try OpenSSLCommand()
        try command.run(["genpkey"] + kind.making + ["-out", "key.pem"])
        try command("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem")
        let info = try command("pkey", "-in", "key.pem", "-pubout", "-outform", "DER")
        let form = kind == .rsa ? ["rsa", "-traditional"] : ["pkey"]
        let der = try command.run(form + ["-in", "key.pem", "-outform", "DER"])
        let bytes = try #require(KeyPackage.bytes(kind, ofPrivate: der, ofPublic: info))
        let key = try #require(read(bytes.own, kind, kSecAttrKeyClassPrivate))
        let other = try #require(read(bytes.other, kind, kSecAttrKeyClassPublic))
        return SharedKey(
            kind: kind, key: key, other: other, pem: try command.read("key.pem"),
            publicPEM: try command.read("public.pem"))
    }

    private static func read(_ bytes: Data, _ kind: KeyKind, _ part: CFString) -> SecKey? {
        let attributes = [kSecAttrKeyType: kind.type, kSecAttrKeyClass: part] as [CFString: Any]
        return SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil)
    }
}
