// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel

/// A private key in a file: PKCS#8, PKCS#1 or SEC 1.
internal enum PrivateKeyFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let key = read(bytes) else { return .refused }
        try check(key)
        try promise(StrictDER.isOneElement(bytes), "a key is DER")
        try promise(read(bytes + [0]) == nil, "nothing may follow a key")
        try promise(read(bytes.dropLast()) == nil, "nothing of a key may be missing")
        return .accepted
    }

    /// A PKCS#8 under the password "p".
    static func feedEncrypted(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard !RoundLimit.isCostly(bytes) else { return .skipped }
        guard let key = try? PrivateKey(encrypted: bytes, password: SecretBytes("p")) else { return .refused }
        try check(key)
        return .accepted
    }

    /// What is promised of every key, whatever it was read out of.
    static func check(_ key: PrivateKey) throws(BrokenPromise) {
        let whole = key.pkcs8.array
        guard let again = read(whole) else { throw BrokenPromise("what was written as PKCS#8 is read") }
        try promise(again.pkcs8.array == whole, "PKCS#8 is written one way")
        try promise(again.publicKey == key.publicKey, "a key that is read again has the same public half")
        guard let own = (try? key.ownForm())?.array else { return }
        guard let other = read(own) else { throw BrokenPromise("what was written in a key's own form is read") }
        try promise(other.publicKey == key.publicKey, "both forms of a key have the same public half")
        if key.publicKey.kind == .rsa { try checkRSA(own, key.publicKey) }
    }

    private static func checkRSA(_ own: [UInt8], _ info: PublicKeyInfo) throws(BrokenPromise) {
        guard KeyType.rsa.allows(bits: info.modulusBits ?? 0) else { return }
        guard let key = try? CryptoKey(.rsa, .private, representation: own) else {
            throw BrokenPromise("an RSA key out of a file can be used")
        }
        try promise((try? key.representation())?.array == own, "an RSA key is spelt as any other")
        try promise(key.publicRepresentation == info.externalBytes, "an RSA key has the public half of the file")
    }

    private static func read(_ bytes: [UInt8]) -> PrivateKey? { bytes.withUnsafeBytes { try? PrivateKey(der: $0) } }
}
