// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel

/// The external bytes of a key; the first byte of the input chooses the kind and the part.
internal enum KeyFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var input = FuzzInput(bytes)
        let (type, part) = input.pick(kinds)
        let representation = input.all()
        let outline = representation.withUnsafeBytes { try? KeyOutline(type, part, $0) }
        guard let key = try? CryptoKey(type, part, representation: representation) else { return .refused }
        try promise((try? key.representation())?.array == representation, "a key is written as it was read")
        try promise(outline == self.outline(of: key), "an outline tells what the key is")
        try promise(
            (try? CryptoKey(type, part, representation: representation + [0])) == nil, "nothing may follow a key")
        try promise(type.allows(bits: key.bits), "a key has a size that is allowed")
        let size = (try? key.applicationLabel())?.count
        try promise(size == 20 || part == .symmetric, "a label is a SHA-1")
        try checkStored(key, representation)
        if part == .private { try checkPair(key) }
        return .accepted
    }

    /// The first bytes of inputs, for whoever makes them.
    static func choice(_ type: KeyType, _ part: KeyPart) -> UInt8? {
        kinds.firstIndex { $0 == (type, part) }.map { UInt8($0) }
    }

    private static let kinds = KeyType.allCases.flatMap { type in KeyPart.allCases.map { (type, $0) } }

    private static func outline(of key: CryptoKey) -> KeyOutline? {
        guard let publicBytes = key.publicRepresentation else {
            return try? KeyOutline(symmetric: .aes, bits: key.bits)
        }
        if key.part == .private { return try? KeyOutline(privateKeyOf: publicBytes, key.type) }
        return publicBytes.withUnsafeBytes { try? KeyOutline(key.type, .public, $0) }
    }

    /// What comes out of an item is the same key.
    private static func checkStored(_ key: CryptoKey, _ representation: [UInt8]) throws(BrokenPromise) {
        let secret = representation.withUnsafeBytes { SecretValue(copying: $0) }
        guard let stored = try? CryptoKey(key.type, key.part, ofItem: secret) else {
            throw BrokenPromise("a key that can be read can be read out of an item")
        }
        try promise(stored.isEqual(to: key) && key.isEqual(to: stored), "a key out of an item is the same")
        try promise((try? stored.representation())?.array == representation, "a key out of an item is written the same")
    }

    /// The halves of a key belong together: what one signs the other verifies, what they agree on is the same.
    private static func checkPair(_ key: CryptoKey) throws(BrokenPromise) {
        guard let other = try? key.publicKey() else { throw BrokenPromise("a private key has a public half") }
        try promise(other.publicRepresentation == key.publicRepresentation, "both halves say the same public half")
        guard let name = algorithm(key.type), let algorithm = KeyAlgorithm(name) else { return }
        let message = Array("message".utf8)
        let signature = message.withUnsafeBytes { try? key.sign($0, with: algorithm) }
        guard let signature else { throw BrokenPromise("a private key signs") }
        let isValid = message.withUnsafeBytes { message in
            signature.withUnsafeBytes { try? other.verify($0, of: message, with: algorithm) }
        }
        try promise(isValid == true, "what a key signs its public half verifies")
    }

    private static func algorithm(_ type: KeyType) -> String? {
        switch type {
        case .rsa: "algid:sign:RSA:message-PKCS1v15:SHA256"
        case .ec: "algid:sign:ECDSA:message-X962:SHA256"
        case .ed25519: "algid:sign:EdDSA:message-Curve25519:SHA512"
        case .ed448: "algid:sign:EdDSA:message-Curve448:SHAKE256"
        case .mldsa: "algid:sign:ML-DSA:message"
        case .x25519, .x448, .mlkem, .aes: nil
        }
    }
}
