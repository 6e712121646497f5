// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// What is known of a key without using it: its kind, its size, its public half.
package struct KeyOutline: Sendable, Equatable {
    package let type: KeyType
    package let part: KeyPart
    package let bits: Int
    /// nil of a symmetric key.
    package let publicRepresentation: [UInt8]?

    /// The outline of a private key, out of its public half's external bytes; throws `malformed`.
    package init(privateKeyOf publicRepresentation: [UInt8], _ type: KeyType) throws(KeyError) {
        let outline = try unsafe publicRepresentation.lendingBytes { (bytes) throws(KeyError) in
            try unsafe KeyOutline(type, .public, bytes)
        }
        self.init(type, .private, outline.bits, publicRepresentation)
    }

    /// The outline of a symmetric key of so many bits; throws `unsupportedKey`.
    package init(symmetric type: KeyType, bits: Int) throws(KeyError) {
        guard type == .aes, type.allows(bits: bits) else { throw .unsupportedKey }
        self.init(type, .symmetric, bits, nil)
    }

    /// Looks at external bytes as closely as it takes to see these, which is not as closely as using them does.
    ///
    /// Throws `malformed` or `unsupportedKey`.
    package init(_ type: KeyType, _ part: KeyPart, _ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        switch (type, part) {
        case (.rsa, .public), (.rsa, .private):
            let numbers = try unsafe RSANumbers(parsing: bytes, part)
            let publicBytes = unsafe part == .public ? Array(bytes) : numbers.publicRepresentation(of: bytes)
            self.init(type, part, try unsafe numbers.modulusBits(in: bytes), publicBytes)
        case (.ec, .public):
            guard let curve = Curve(pointSize: bytes.count), unsafe bytes[0] == 4 else { throw .malformed }
            self.init(type, part, curve.rawValue, unsafe Array(bytes))
        case (.ec, .private):
            guard let curve = Curve.allCases.first(where: { $0.pointSize + $0.size == bytes.count }),
                unsafe bytes[0] == 4
            else { throw .malformed }
            self.init(type, part, curve.rawValue, unsafe Array(bytes.prefix(curve.pointSize)))
        case (.aes, .symmetric): try self.init(symmetric: type, bits: bytes.count * 8)
        // What is public of these has to be computed.
        case (.ed25519, _), (.x25519, _), (.ed448, _), (.x448, _), (_, .symmetric), (.aes, _):
            let key = try unsafe CryptoKey(type, part, representation: bytes)
            self.init(type, part, key.bits, key.publicRepresentation)
        }
    }

    private init(_ type: KeyType, _ part: KeyPart, _ bits: Int, _ publicRepresentation: [UInt8]?) {
        self.type = type
        self.part = part
        self.bits = bits
        self.publicRepresentation = publicRepresentation
    }
}
