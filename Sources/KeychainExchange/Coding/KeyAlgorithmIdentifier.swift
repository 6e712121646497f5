// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys

/// What files say of the kind of a key that a ``SecKey`` can be: an AlgorithmIdentifier.
struct KeyAlgorithmIdentifier {
    let der: [UInt8]
    let type: KeyType
    /// The bits of the curve's field; nil of keys that are on none of NIST's.
    let curveBits: Int?
    /// The OBJECT IDENTIFIER of the curve; nil of keys that are on none of NIST's.
    let curve: [UInt8]?

    private init(_ type: KeyType, _ identifier: ObjectIdentifier, _ parameters: [UInt8] = [], curveBits: Int? = nil) {
        der = DERWriter.sequence(DERWriter.objectIdentifier(identifier), parameters)
        self.type = type
        self.curveBits = curveBits
        curve = curveBits == nil ? nil : parameters
    }

    /// The identifier that is all of `der`; nil when no ``SecKey`` is of that kind.
    init?(der: [UInt8]) {
        guard let match = Self.known.first(where: { $0.der == der }) else { return nil }
        self = match
    }

    /// The identifier of a key; nil of a symmetric one.
    init?(of key: CryptoKey) {
        let match = Self.known.first { $0.type == key.type && ($0.curveBits ?? key.bits) == key.bits }
        guard let match else { return nil }
        self = match
    }

    // Every spelling there is: the parameters of RSA are nothing, written as NULL; some leave that out.
    private static let known = [
        KeyAlgorithmIdentifier(.rsa, .rsa, DERWriter.null),
        KeyAlgorithmIdentifier(.rsa, .rsa),
        onCurve(.p256, bits: 256),
        onCurve(.p384, bits: 384),
        onCurve(.p521, bits: 521),
        KeyAlgorithmIdentifier(.ed25519, .ed25519),
        KeyAlgorithmIdentifier(.x25519, .x25519),
        KeyAlgorithmIdentifier(.ed448, .ed448),
        KeyAlgorithmIdentifier(.x448, .x448),
    ]

    private static func onCurve(_ curve: ObjectIdentifier, bits: Int) -> KeyAlgorithmIdentifier {
        KeyAlgorithmIdentifier(.ec, .ellipticCurve, DERWriter.objectIdentifier(curve), curveBits: bits)
    }
}
