// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCoding
internal import KeychainCrypto
package import KeychainKeys
internal import KeychainModel

/// Public keys in files.
extension CryptoKey {
    /// The SubjectPublicKeyInfo of the public half; nil of a symmetric key.
    package var subjectPublicKeyInfo: [UInt8]? {
        guard let algorithm = KeyAlgorithmIdentifier(of: self), let publicRepresentation else { return nil }
        return DERWriter.sequence(algorithm.der, DERWriter.bitString(publicRepresentation))
    }

    /// The key that is all of `der`, a SubjectPublicKeyInfo.
    package static func publicKey(info der: [UInt8]) throws(ExchangeFailure) -> CryptoKey {
        let parts = unsafe der.lendingBytes { bytes -> (algorithm: [UInt8], key: [UInt8])? in
            var outer = unsafe DERReader(unsafeBytes: bytes)
            guard var info = outer.enter(DERTag.sequence), outer.isAtEnd, let algorithm = info.next(DERTag.sequence),
                let key = info.next(DERTag.bitString), info.isAtEnd
            else { return nil }
            return (info.unsecretBytes(algorithm.whole), info.unsecretBytes(key.content))
        }
        // A bit string begins with how many bits of its last byte do not count.
        guard let parts, parts.key.first == 0 else { throw malformedPublicKey }
        guard let algorithm = KeyAlgorithmIdentifier(der: parts.algorithm) else {
            throw ExchangeFailure(.unsupportedFormat, "a key is of a kind or on a curve that SecKey does not support")
        }
        let key = try publicKey(algorithm.type, Array(parts.key.dropFirst()))
        guard algorithm.curveBits ?? key.bits == key.bits else { throw malformedPublicKey }
        return key
    }

    /// The key that is all of `der`, an RSAPublicKey (PKCS#1).
    static func publicKey(pkcs1 der: [UInt8]) throws(ExchangeFailure) -> CryptoKey { try publicKey(.rsa, der) }

    private static func publicKey(_ type: KeyType, _ bytes: [UInt8]) throws(ExchangeFailure) -> CryptoKey {
        try ExchangeFailure.translating { () throws(KeyError) in
            try CryptoKey(type, .public, representation: bytes)
        }
    }

    private static var malformedPublicKey: ExchangeFailure {
        ExchangeFailure(.undecodable, "a public key is malformed")
    }
}

/// Private keys out of files, handed over in locked memory.
extension CryptoKey {
    /// The key of a file.
    package static func privateKey(_ file: PrivateKey) throws(ExchangeFailure) -> CryptoKey {
        // First, for it says what is wrong with the kind, the curve or the size.
        let publicHalf = try publicKey(info: file.publicKey.der)
        let bytes = try representation(of: file, publicHalf.type)
        let key = try ExchangeFailure.translating { () throws(KeyError) in
            try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe CryptoKey(publicHalf.type, .private, representation: bytes)
            }
        }
        guard key.publicRepresentation == publicHalf.publicRepresentation else { throw malformedPrivateKey }
        return key
    }

    private static func representation(
        of file: PrivateKey, _ type: KeyType
    ) throws(ExchangeFailure) -> SecretBytes {
        switch type {
        case .rsa: return try ExchangeFailure.translating { () throws(ExchangeError) in try file.ownForm() }
        case .ec:
            let form = try ExchangeFailure.translating { () throws(ExchangeError) in try file.ownForm() }
            let point = file.publicKey.externalBytes
            return try unsafe form.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
                guard let number = unsafe numberOfSEC1(bytes) else { throw malformedPrivateKey }
                return unsafe SecretBytes(count: point.count + number.count) { output in
                    unsafe output.copyBytes(from: point)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(point.count))
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[number]))
                }
            }
        default:
            return try unsafe file.pkcs8.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
                guard let key = unsafe bytesOfPKCS8(bytes) else { throw malformedPrivateKey }
                return unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[key]))
            }
        }
    }

    private static func numberOfSEC1(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var reader = unsafe DERReader(unsafeBytes: bytes)
        guard var fields = reader.enter(DERTag.sequence), fields.next(DERTag.integer) != nil else { return nil }
        return fields.next(DERTag.octetString)?.content
    }

    private static func bytesOfPKCS8(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var reader = unsafe DERReader(unsafeBytes: bytes)
        guard var fields = reader.enter(DERTag.sequence), fields.next(DERTag.integer) != nil,
            fields.next(DERTag.sequence) != nil, var key = fields.enter(DERTag.octetString)
        else { return nil }
        return key.next(DERTag.octetString)?.content
    }

    private static var malformedPrivateKey: ExchangeFailure {
        ExchangeFailure(.undecodable, "a private key is malformed")
    }
}

/// Private keys on their way into files, handed over in locked memory.
extension PrivateKey {
    /// The file's form of a private key that may leave.
    package static func file(of key: CryptoKey) throws(ExchangeFailure) -> PrivateKey {
        let bytes: SecretBytes
        do throws(KeyError) { bytes = try key.representation() } catch {
            guard error == .notExportable else { throw ExchangeFailure(KeychainError(error)) }
            throw ExchangeFailure(.unextractableKey, "the private key cannot leave the place where it is kept")
        }
        let form = try unsafe bytes.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe self.form(of: key, bytes)
        }
        return try ExchangeFailure.translating { () throws(ExchangeError) in
            try unsafe form.withUnsafeBytes { (bytes) throws(ExchangeError) in try unsafe PrivateKey(der: bytes) }
        }
    }

    /// PKCS#1, SEC 1 or PKCS#8 of the external bytes of a key: whichever is theirs with the least around it.
    private static func form(
        of key: CryptoKey, _ bytes: UnsafeRawBufferPointer
    ) throws(ExchangeFailure) -> SecretBytes {
        guard let algorithm = KeyAlgorithmIdentifier(of: key), let point = key.publicRepresentation else {
            throw ExchangeFailure(.unsupportedFormat, "a key of this type can be exported as raw bytes only")
        }
        switch key.type {
        case .rsa: return unsafe SecretBytes(copying: bytes)
        case .ec:
            guard let curve = algorithm.curve, bytes.count > point.count else { throw internalFailure }
            let number = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(point.count))
            let head = DERWriter.integer(1)
            let behind =
                DERWriter.element(DERTag.context(0, isConstructed: true), curve)
                + DERWriter.element(DERTag.context(1, isConstructed: true), DERWriter.bitString(point))
            let content = head.count + DERSize.ofElement(number.count) + behind.count
            return DERWriter.secret(count: DERSize.ofElement(content)) { writer in
                writer.header(DERTag.sequence, contentSize: content)
                writer.bytes(head)
                unsafe writer.data(number)
                writer.bytes(behind)
            }
        default:
            let head = DERWriter.integer(0) + algorithm.der
            let inner = DERSize.ofElement(bytes.count)
            let content = head.count + DERSize.ofElement(inner)
            return DERWriter.secret(count: DERSize.ofElement(content)) { writer in
                writer.header(DERTag.sequence, contentSize: content)
                writer.bytes(head)
                writer.header(DERTag.octetString, contentSize: inner)
                unsafe writer.data(bytes)
            }
        }
    }

    private static var internalFailure: ExchangeFailure {
        ExchangeFailure(KeychainError(.internalError, "a key has bytes that do not fit its kind"))
    }
}

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
