// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCoding
internal import KeychainKeys
internal import KeychainModel

/// Reads what a file holds, whatever its format.
package struct FileReader {
    let expectation: FileExpectation
    /// nil when none was given.
    let passphrase: Passphrase?

    package init(_ expectation: FileExpectation, passphrase: Passphrase?) {
        self.expectation = expectation
        self.passphrase = passphrase
    }

    /// What is in all of `bytes`, which has to be PEM when `isText`.
    package func read(_ bytes: UnsafeRawBufferPointer, isText: Bool) throws(ExchangeFailure) -> FileContents {
        let file = try unsafe content(bytes, isText)
        try expectation.check(file)
        return file
    }

    private func content(_ bytes: UnsafeRawBufferPointer, _ isText: Bool) throws(ExchangeFailure) -> FileContents {
        if expectation.isRawKey {
            guard !isText else { throw ExchangeFailure(.unsupportedFormat, "raw keys have no PEM form") }
            return try unsafe rawKey(bytes)
        }
        guard let shape = unsafe FileShape(bytes) else {
            throw expectation.isDefinite
                ? ExchangeFailure(.undecodable, "the data is not in the given format, or is incomplete")
                : ExchangeFailure(
                    .unknownFormat, "the data is in an unknown format, or is incomplete")
        }
        switch shape {
        case .text: return try unsafe TextReader(self).read(bytes)
        case .ssh: throw FileExpectation.unsupportedSSH
        default:
            guard !isText, !expectation.isSequence else {
                throw ExchangeFailure(.undecodable, "the data is not PEM, although the given format is")
            }
            return try unsafe structure(shape, bytes)
        }
    }

    private func rawKey(_ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> FileContents {
        do throws(KeyError) {
            let key = try unsafe CryptoKey(.aes, .symmetric, representation: bytes)
            return FileContents(format: .rawKey, items: [.key(key, label: nil)])
        } catch {
            throw ExchangeFailure(.undecodable, "a raw key must be an AES key of 16, 24 or 32 bytes")
        }
    }

    /// What is in DER of that shape.
    func structure(_ shape: FileShape, _ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> FileContents {
        guard let format = shape.format, expectation.allows(format) else {
            throw ExchangeFailure(.undecodable, "the data is in another format than the given one")
        }
        return FileContents(format: format, items: try unsafe items(shape, bytes))
    }

    private func items(_ shape: FileShape, _ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> [FileItem] {
        switch shape {
        case .certificate:
            guard bytes.count <= Certificate.largest, let certificate = unsafe Certificate(der: Array(bytes)) else {
                throw ExchangeFailure(.undecodable, "a certificate is malformed")
            }
            return [.certificate(certificate, label: nil)]
        case .publicKeyInfo: return [.key(try unsafe CryptoKey.publicKey(info: short(bytes)), label: nil)]
        case .rsaPublicKey: return [.key(try unsafe CryptoKey.publicKey(pkcs1: short(bytes)), label: nil)]
        case .privateKeyInfo, .ownPrivateKey:
            let key = try ExchangeFailure.translating { () throws(ExchangeError) in try unsafe PrivateKey(der: bytes) }
            try expectation.checkOpenKey()
            return [.key(try CryptoKey.privateKey(key), label: nil)]
        case .encryptedKey:
            let passphrase = try required()
            let encrypted = try unsafe short(bytes)
            let key = try ExchangeFailure.translating { () throws(ExchangeError) in
                guard passphrase.bytes.count > 0 else { throw .passwordRequired }
                return try PrivateKey(encrypted: encrypted, password: passphrase.bytes)
            }
            return [.key(try CryptoKey.privateKey(key), label: nil)]
        case .pkcs7:
            return try unsafe CertificateBundle.certificates(in: Array(bytes)).map { .certificate($0, label: nil) }
        case .pkcs12: return try unsafe PKCS12Contents(Array(bytes), try required()).items
        case .text, .ssh: return []
        }
    }

    /// The passphrase, which is needed.
    func required() throws(ExchangeFailure) -> Passphrase {
        guard let passphrase else {
            throw ExchangeFailure(.passphraseRequired, "the data is encrypted; give its passphrase")
        }
        return passphrase
    }

    private func short(_ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> [UInt8] {
        guard bytes.count <= Self.largestKey else { throw ExchangeFailure(.undecodable, "the key is too large") }
        return unsafe Array(bytes)
    }

    private static let largestKey = 1 << 20
}

/// What a caller says that a file is.
package struct FileExpectation: Sendable {
    /// Those that it may have; nil to find it out.
    private let formats: Set<FileFormat>?
    /// nil to find it out.
    let type: FileItemType?
    /// Whether a file that cannot be read was said to be something: then that it is not, and else that it is unknown.
    let isDefinite: Bool
    /// Whether private keys have to be encrypted.
    let demandsWrapping: Bool

    package init(
        _ formats: Set<FileFormat>?, _ type: FileItemType?, isNamed: Bool = false, demandsWrapping: Bool = false
    ) {
        // Programs say OpenSSL for all that the command writes, and that is PKCS#8 now.
        let both: Set<FileFormat> = [.openSSL, .bsafe]
        self.formats = formats.map { $0.isDisjoint(with: both) ? $0 : $0.union(both) }
        self.type = type
        self.demandsWrapping = demandsWrapping
        isDefinite = isNamed || formats != nil
    }

    /// Whether it has to be PEM, of whatever.
    var isSequence: Bool { formats?.contains(.pemSequence) ?? false }

    // The bytes of a symmetric key look like nothing; that they are one has to be said.
    var isRawKey: Bool { formats.map { $0 == [.rawKey] } ?? (type == .symmetricKey) }

    /// Whether a thing that was found in this format is what was said.
    func allows(_ found: FileFormat) -> Bool { isSequence || formats?.contains(found) ?? true }

    /// Throws when something else was found.
    func check(_ file: FileContents) throws(ExchangeFailure) {
        // Of PKCS#12 programs say what they want out of it: Apple's own examples call it a certificate.
        guard let type, type != .several, file.format != .pkcs12 else { return }
        guard file.items.allSatisfy({ $0.type == type }) else {
            throw ExchangeFailure(.undecodable, "the data does not contain items of the given type")
        }
    }

    /// Throws when a private key lies open that has to be encrypted.
    func checkOpenKey() throws(ExchangeFailure) {
        guard !demandsWrapping else {
            throw ExchangeFailure(
                .unsupportedFormat, "the given format has encrypted private keys, and a key is not encrypted")
        }
    }

    package static var unsupportedSSH: ExchangeFailure {
        ExchangeFailure(
            .unsupportedFormat,
            "OpenSSH keys cannot be imported; `llavero ssh-add --store FILE` keeps one for ssh as it is, and of an RSA or EC key `ssh-keygen -p -m PKCS8 -f COPY` makes a copy that can"
        )
    }
}

/// What bytes look like, told by the tags of their first elements; whether they are that, reading them shows.
enum FileShape {
    case certificate
    case publicKeyInfo
    case rsaPublicKey
    /// PKCS#8.
    case privateKeyInfo
    /// PKCS#1 or SEC 1.
    case ownPrivateKey
    /// PKCS#8, encrypted.
    case encryptedKey
    case pkcs7
    case pkcs12
    /// Blocks between lines of dashes.
    case text
    /// A key as OpenSSH writes it.
    case ssh

    /// nil when they look like nothing that is known.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let shape = unsafe Self.ofPKCS12(bytes) ?? Self.ofElements(bytes) ?? Self.ofText(bytes)
        guard let shape else { return nil }
        self = shape
    }

    private static func ofElements(_ bytes: UnsafeRawBufferPointer) -> FileShape? {
        var outer = unsafe DERReader(unsafeBytes: bytes)
        // An RSA key has most elements: nine.
        guard let reader = outer.enter(DERTag.sequence), outer.isAtEnd, let tags = reader.tags(atMost: 16)
        else { return nil }
        let (integer, sequence, octets) = (DERTag.integer, DERTag.sequence, DERTag.octetString)
        switch tags {
        case [sequence, sequence, DERTag.bitString]: return .certificate
        case [sequence, DERTag.bitString]: return .publicKeyInfo
        case [sequence, octets]: return .encryptedKey
        case [integer, integer]: return .rsaPublicKey
        case [DERTag.objectIdentifier, DERTag.context(0, isConstructed: true)]: return .pkcs7
        case _ where tags.starts(with: [integer, sequence, octets]): return .privateKeyInfo
        case _ where tags.starts(with: [integer, octets]): return .ownPrivateKey
        case _ where tags.count == 9 && tags.allSatisfy({ $0 == integer }): return .ownPrivateKey
        default: return nil
        }
    }

    /// PKCS#12 begins with the number 3; many programs write it with lengths that DER does not have.
    private static func ofPKCS12(_ bytes: UnsafeRawBufferPointer) -> FileShape? {
        guard bytes.count > 8, unsafe bytes[0] == DERTag.sequence else { return nil }
        let octets = unsafe bytes[1] >= 0x80 ? Int(bytes[1] & 0x7F) : 0
        let version: [UInt8] = [DERTag.integer, 1, 3, DERTag.sequence]
        guard octets <= 4, unsafe bytes.dropFirst(2 + octets).starts(with: version) else { return nil }
        return .pkcs12
    }

    private static func ofText(_ bytes: UnsafeRawBufferPointer) -> FileShape? {
        for words in sshBeginnings where unsafe bytes.starts(with: words) { return .ssh }
        var isAtLineStart = true
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if isAtLineStart, byte == textBeginning[0], unsafe bytes[index...].starts(with: textBeginning) {
                return .text
            }
            isAtLineStart = byte == 0x0A || byte == 0x0D
        }
        return nil
    }

    private static let textBeginning = Array("-----BEGIN ".utf8)
    private static let sshBeginnings = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "SSH PRIVATE KEY", "---- BEGIN SSH2 "].map {
        Array($0.utf8)
    }
}

extension FileShape {
    /// What writes such a file.
    fileprivate var format: FileFormat? {
        switch self {
        case .certificate: .certificate
        case .publicKeyInfo, .ownPrivateKey: .openSSL
        case .rsaPublicKey, .privateKeyInfo: .bsafe
        case .encryptedKey: .wrappedPKCS8
        case .pkcs7: .pkcs7
        case .pkcs12: .pkcs12
        case .text, .ssh: nil
        }
    }
}
